"""A connection that is lost, also between the commit and its answer, neither loses nor doubles."""

from __future__ import annotations

import random
import time
from threading import Event, Thread

import pytest
from cutting import Cut, proxied, times
from databases import connected
from sqlalchemy import text

import tightrope as tr
from tightrope.ledger import writer

PRICE = tr.ZCDP(0.125)

END_BACKENDS = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


def test_an_answer_that_is_lost_once_is_found_again(postgres_url: str) -> None:
    with proxied(postgres_url) as (proxy, url), tr.Ledger(url) as store:
        book = store.create("cut", tr.ZCDP(1.0))
        first = book.charge(PRICE)
        proxy.cut = times(1)
        second = book.charge(PRICE)
        assert proxy.cuts == 1
        entries = list(book.entries())
        assert [entry.hash for entry in entries[1:]] == [first.head.hash, second.head.hash]
        assert book.verify(second).ok


def test_many_lost_answers_in_a_row_are_outlasted(postgres_url: str) -> None:
    with proxied(postgres_url) as (proxy, url), tr.Ledger(url) as store:
        book = store.create("cut", tr.ZCDP(1.0))
        proxy.cut = times(8)
        receipt = book.charge(PRICE)
        assert proxy.cuts == 8
        assert [entry.hash for entry in book.entries(2)] == [receipt.head.hash]


def test_connections_that_a_server_has_closed_are_not_used(postgres_url: str) -> None:
    with tr.Ledger(postgres_url) as store:
        book = store.create("cut", tr.ZCDP(1.0))
        for use in (lambda: store.open("cut"), book.spent, lambda: book.charge(PRICE)):
            with connected(postgres_url) as connection:
                connection.execute(END_BACKENDS)
            use()


def test_an_answer_that_never_comes_is_found_by_the_key(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PATIENCE", 0.2)
    with proxied(postgres_url) as (proxy, url), tr.Ledger(url) as store:
        book = store.create("cut", tr.ZCDP(1.0))
        proxy.cut = lambda said: True
        with pytest.raises(tr.StoreUnavailable):
            book.charge(PRICE, key="a")
        proxy.cut = times(1)
        with pytest.raises(tr.KeyReused):
            (book.charge(PRICE, key="a"), book.charge(tr.ZCDP(0.2), key="a"))
        proxy.cut = lambda said: False
        receipt = book.charge(PRICE, key="a")
        assert [entry.hash for entry in book.entries(2)] == [receipt.head.hash]
        assert book.spent().words == "rho = 0.125"


@pytest.mark.parametrize("what", ["reserve", "commit", "release", "close"])
def test_every_kind_of_entry_survives_a_lost_answer(postgres_url: str, what: str) -> None:
    with proxied(postgres_url) as (proxy, url), tr.Ledger(url) as store:
        book = store.create("cut", tr.ZCDP(1.0))
        held = book.reserve(PRICE, key="held")
        proxy.cut = times(1)
        doing = {
            "reserve": lambda: book.reserve(PRICE, key="more"),
            "commit": held.commit,
            "release": held.release,
            "close": book.close,
        }[what]
        try:
            doing()
        except tr.StoreUnavailable:
            doing()
        assert proxy.cuts == 1
        kinds = [entry.kind for entry in book.entries(2)]
        assert kinds == ["reserve", what]
        assert book.verify(book.head()).ok


def _now_and_then(seed: int, share: float) -> Cut:
    dice = random.Random(seed)
    return lambda said: dice.random() < share


def losing(url: str, charges: int, share: float, seed: int) -> None:
    """Charge by key through a connection that fails now and then, until there is a receipt."""
    with proxied(url) as (proxy, through), tr.Ledger(url) as plain:
        book = plain.create("lossy", tr.ZCDP(charges * 0.0625))
        with tr.Ledger(through) as store:
            proxy.cut = _now_and_then(seed, share)
            receipts = [_insist(store, f"key {n}") for n in range(charges)]
        assert proxy.cuts
        afforded = [receipt for receipt in receipts if receipt is not None]
        assert {r.head.hash for r in afforded} == {entry.hash for entry in book.entries(2)}
        assert len(afforded) == charges // 2
        assert book.verify(book.head()).ok


def _insist(store: tr.Ledger, key: str) -> tr.Receipt | None:
    while True:
        try:
            return store.open("lossy").charge(PRICE, key=key)
        except tr.BudgetExceeded:
            return None
        except tr.StoreUnavailable:
            continue


def test_a_connection_that_fails_now_and_then(postgres_url: str) -> None:
    losing(postgres_url, charges=20, share=0.05, seed=3)


@pytest.mark.slow
def test_a_connection_that_fails_again_and_again(postgres_url: str) -> None:
    losing(postgres_url, charges=400, share=0.1, seed=4)


def terminated(url: str, charges: int) -> None:
    """Charge by key while an administrator ends the backends of this database."""
    over = Event()

    def end_backends() -> None:
        with connected(url) as connection:
            while not over.is_set():
                connection.execute(END_BACKENDS)
                time.sleep(0.02)

    with tr.Ledger(url) as store:
        store.create("lossy", tr.ZCDP(charges * 0.0625))
        ender = Thread(target=end_backends)
        ender.start()
        try:
            receipts = [_insist(store, f"key {n}") for n in range(charges)]
        finally:
            over.set()
            ender.join()
        book = store.open("lossy")
        hashes = {receipt.head.hash for receipt in receipts if receipt is not None}
        assert hashes == {entry.hash for entry in book.entries(2)}
        assert len(hashes) == charges // 2
        assert book.verify(book.head()).ok


def test_backends_that_are_terminated(postgres_url: str) -> None:
    terminated(postgres_url, charges=20)


@pytest.mark.slow
def test_backends_that_are_terminated_for_long(postgres_url: str) -> None:
    terminated(postgres_url, charges=1000)
