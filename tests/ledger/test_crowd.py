"""Never one charge more than the budget affords, however many ask for it at once."""

from __future__ import annotations

import pytest
from crowd import Crowd, gather
from databases import connected
from sqlalchemy import make_url, text

import tightrope as tr


def overspending(where: str, crowd: Crowd, afforded: int) -> None:
    """Let a crowd ask for more than there is; exactly what there is may be given."""
    with tr.Ledger(where) as store:
        book = store.create(crowd.book, tr.ZCDP(float(afforded)))
        asked = crowd.processes * crowd.threads * crowd.charges
        outcome = gather(crowd)
        assert outcome.errors == []
        assert len(outcome.receipts) == afforded
        assert outcome.refused == asked - afforded
        written = {(entry.seq, entry.hash) for entry in book.entries(2)}
        assert set(outcome.receipts) == written
        assert len(written) == afforded
        assert book.spent().amounts == (afforded, 0)
        found = book.verify(book.head())
        assert found.ok, found.problem


def test_a_crowd_gets_exactly_what_the_budget_affords(where: str) -> None:
    overspending(where, Crowd(where, "crowd", processes=4, threads=4, charges=10), 25)


@pytest.mark.slow
def test_ten_thousand_charges_of_64_threads_against_a_thousand(where: str) -> None:
    """10,048 charges: 64 threads do not divide 10,000."""
    overspending(where, Crowd(where, "crowd", processes=8, threads=8, charges=157), 1000)


@pytest.mark.slow
def test_64_processes_against_a_hundred(where: str) -> None:
    overspending(where, Crowd(where, "crowd", processes=64, threads=1, charges=10), 100)


def test_books_of_one_store_do_not_hinder_each_other(where: str) -> None:
    with tr.Ledger(where) as store:
        for name in ("first", "second"):
            store.create(name, tr.ZCDP(10.0))
        for name in ("first", "second"):
            outcome = gather(Crowd(where, name, processes=2, threads=4, charges=5))
            assert (len(outcome.receipts), outcome.refused, outcome.errors) == (10, 30, [])
        assert all(found.ok for found in store.verify())


def test_a_server_that_isolates_more_by_default(postgres_url: str) -> None:
    """Waiting for the turn must not show the book as it was before the turn."""
    with connected(postgres_url) as connection:
        strict = "SET default_transaction_isolation = 'serializable'"
        connection.execute(text(f"ALTER DATABASE {make_url(postgres_url).database} {strict}"))
    crowd = Crowd(postgres_url, "crowd", processes=3, threads=3, charges=8)
    overspending(postgres_url, crowd, 40)
