"""A receipt means that the entry is on the disk: also that of a retry, on a server that dies."""

from __future__ import annotations

from collections.abc import Iterator

import postgres
import pytest
from cutting import proxied
from databases import connected
from sqlalchemy import text

import tightrope as tr

LAZY = "-c wal_writer_delay=10000 -c wal_writer_flush_after=1GB"


@pytest.fixture
def lazy_server(postgres_server: str) -> Iterator[str]:
    """A server that writes its log to the disk only when a commit asks for that."""
    with postgres.server(LAZY) as url:
        yield url


def crash(url: str) -> None:
    """Let the server die at once, and start it again."""
    with connected(url) as connection:
        data = connection.execute(text("SHOW data_directory")).scalar()
    again = ["-D", str(data), "-l", f"{data}/log", "-m", "immediate", "-w", "restart"]
    postgres.run([postgres.program("pg_ctl"), *again])


def opened(url: str, name: str) -> tr.Book:
    """The book, as soon as the server answers again."""
    for _ in range(100):
        try:
            return tr.Ledger(url).open(name)
        except tr.StoreUnavailable:
            continue
    pytest.fail("the server does not come back")


def test_receipts_outlive_the_server(lazy_server: str) -> None:
    with tr.Ledger(lazy_server) as store:
        book = store.create("durable", tr.ZCDP(10.0))
        kept = [book.charge(tr.ZCDP(0.1)), book.reserve(tr.ZCDP(0.1)).receipt]
    crash(lazy_server)
    found = opened(lazy_server, "durable").verify(kept[-1])
    assert found.ok, found.problem


def test_the_receipt_of_a_retry_outlives_the_server(lazy_server: str) -> None:
    """The connection is lost after the commit, before the flush; the retry finds the entry."""
    with tr.Ledger(lazy_server) as plain:
        plain.create("durable", tr.ZCDP(10.0))
    with proxied(lazy_server) as (proxy, through), tr.Ledger(through) as store:
        book = store.open("durable")
        proxy.last_words = b"SELECT pg_logical_emit_message"
        receipt = book.charge(tr.ZCDP(0.1), key="a")
        assert proxy.cuts == 1
    crash(lazy_server)
    found = opened(lazy_server, "durable").verify(receipt)
    assert found.ok, found.problem


def test_receipts_outlive_a_server_that_does_not_wait_by_default(postgres_server: str) -> None:
    """An administrator's default for other programs is no reason to lose a receipt."""
    with postgres.server(f"{LAZY} -c synchronous_commit=off") as url:
        with tr.Ledger(url) as store:
            book = store.create("durable", tr.ZCDP(10.0))
            receipt = book.charge(tr.ZCDP(0.1))
        crash(url)
        found = opened(url, "durable").verify(receipt)
        assert found.ok, found.problem
