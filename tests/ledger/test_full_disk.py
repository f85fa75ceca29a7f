"""A disk that is full refuses a charge, writes nothing of it, and is usable again with room."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import postgres
import pytest
from databases import connected
from sqlalchemy import Engine, event, make_url, text

import tightrope as tr

LONG = "a note that takes room " * 100
PRICE = tr.ZCDP(0.1)


def fill(book: tr.Book) -> list[tr.Receipt]:
    """Charge until the disk is full; the receipts."""
    receipts = []
    for number in range(20_000):
        try:
            receipts.append(book.charge(PRICE, key=str(number), note=LONG))
        except tr.StoreUnavailable:
            return receipts
    pytest.fail("the disk does not get full")


def intact(book: tr.Book, receipts: list[tr.Receipt]) -> None:
    """Every receipt's entry is there, nothing else, and the chain holds."""
    assert receipts
    hashes = [entry.hash for entry in book.entries(2)]
    assert hashes == [receipt.head.hash for receipt in receipts]
    assert book.verify(receipts[-1]).ok


@contextmanager
def pages(most: list[int]) -> Iterator[None]:
    """Let every new connection of SQLite refuse a file of more pages."""

    def limit(connection: Any, _: Any) -> None:
        connection.execute(f"PRAGMA max_page_count={most[0]}")

    event.listen(Engine, "connect", limit)
    try:
        yield
    finally:
        event.remove(Engine, "connect", limit)


def test_a_database_that_may_not_grow(sqlite_path: str) -> None:
    most = [60]
    with pages(most):
        with tr.Ledger(sqlite_path) as store:
            book = store.create("full", tr.ZCDP(1e6))
            receipts = fill(book)
            intact(book, receipts)
        most[0] = 1_000_000
        with tr.Ledger(sqlite_path) as store:
            book = store.open("full")
            receipts.append(book.charge(PRICE, key=str(len(receipts)), note=LONG))
            intact(book, receipts)


def test_a_file_that_may_not_grow(sqlite_path: str) -> None:
    """The operating system refuses to write, in the middle of a transaction."""
    with tr.Ledger(sqlite_path) as store:
        book = store.create("full", tr.ZCDP(1e6))
        old = resource.getrlimit(resource.RLIMIT_FSIZE)
        handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, old[1]))
            receipts = fill(book)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, old)
            signal.signal(signal.SIGXFSZ, handler)
        intact(book, receipts)
        receipts.append(book.charge(PRICE, key=str(len(receipts)), note=LONG))
        intact(book, receipts)


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """A file system of its own; skipped where nobody may mount one."""
    folder = Path(tempfile.mkdtemp(prefix="tightrope-disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0777", "none", str(folder)]
    done = subprocess.run(mount, capture_output=True, check=False) if os.geteuid() == 0 else None
    if done is None or done.returncode:
        folder.rmdir()
        pytest.skip("mounting a small disk is not permitted")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
        folder.rmdir()


@pytest.mark.slow
def test_a_disk_that_is_full() -> None:
    with small_disk(2) as disk:
        with tr.Ledger(disk / "budget.db") as store:
            book = store.create("full", tr.ZCDP(1e6))
            (disk / "ballast").write_bytes(bytes(500_000))
            receipts = fill(book)
            intact(book, receipts)
        (disk / "ballast").unlink()
        with tr.Ledger(disk / "budget.db") as store:
            book = store.open("full")
            intact(book, receipts)
            receipts.append(book.charge(PRICE, key=str(len(receipts)), note=LONG))
            intact(book, receipts)


@pytest.mark.slow
def test_a_server_whose_disk_is_full(postgres_server: str) -> None:
    with small_disk(16) as disk, postgres.server() as url:
        folder = disk / "space"
        folder.mkdir()
        user = postgres.owner()
        if user:
            os.chown(folder, user.pw_uid, user.pw_gid)  # type: ignore[union-attr]
        with connected(url) as connection:
            connection.execute(text(f"CREATE TABLESPACE small LOCATION '{folder}'"))
            connection.execute(text("CREATE DATABASE small TABLESPACE small"))
        small = make_url(url).set(database="small").render_as_string(hide_password=False)
        with tr.Ledger(small) as store:
            book = store.create("full", tr.ZCDP(1e6))
            free = os.statvfs(disk)
            ballast = max(0, free.f_bavail * free.f_bsize - 400_000)
            (disk / "ballast").write_bytes(bytes(ballast))
            receipts = fill(book)
            intact(book, receipts)
            (disk / "ballast").unlink()
            receipts.append(book.charge(PRICE, key=str(len(receipts)), note=LONG))
            intact(book, receipts)


def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    """As another user, since root may write everywhere."""
    ask = (
        "import os, sys, tightrope as tr\n"
        "tr.Ledger(sys.argv[2]).close()  # whatever has to be imported is\n"
        "if os.geteuid() == 0: os.setgid(65534), os.setuid(65534)\n"
        "try: tr.Ledger(sys.argv[1])\n"
        "except tr.StoreUnavailable as error: print(error)\n"
    )
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o555)
    done = subprocess.run(
        [sys.executable, "-c", ask, str(folder / "budget.db"), str(tmp_path / "other.db")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "cannot be used" in done.stdout, done.stderr
    assert list(folder.iterdir()) == []
