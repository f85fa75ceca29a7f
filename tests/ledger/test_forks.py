"""Processes that fork with an open store, threads that share a book, and many first openings."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from threading import Thread, Timer
from typing import Any

import pytest

import tightrope as tr

PATIENCE = 120
"""Seconds after which a program is thought to be deadlocked."""

TOOLS = """
import json, os, sys, threading, time
import tightrope as tr

where = sys.argv[1]
PRICE = tr.ZCDP(0.1)

def child(work):
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        work()
        code = 0
    finally:
        os._exit(code)

def died_well(pid):
    return os.waitpid(pid, 0)[1] == 0

def charges(book, count, told):
    for _ in range(count):
        receipt = book.charge(PRICE)
        os.write(told, (json.dumps([receipt.seq, receipt.head.hash]) + "\\n").encode())
"""


def program(text: str, *stores: str) -> list[Any]:
    """Run a program that writes JSON lines; each is returned."""
    started = subprocess.Popen(
        [sys.executable, "-c", TOOLS + text, *stores],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        told, complaints = started.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)  # with its children
        started.communicate()
        pytest.fail("a deadlock: the program does not end")
    assert started.returncode == 0, complaints
    return [json.loads(line) for line in told.splitlines()]


FORK_AFTER_OPEN = """
store = tr.Ledger(where)
book = store.open("fork")
book.charge(PRICE)
pids = [child(lambda: charges(book, 5, 1)) for _ in range(4)]
charges(book, 5, 1)
assert all([died_well(pid) for pid in pids])
"""


def test_a_book_that_was_opened_before_a_fork(where: str) -> None:
    with tr.Ledger(where) as store:
        book = store.create("fork", tr.ZCDP(100.0))
        told = program(FORK_AFTER_OPEN, where)
        assert len(told) == 25
        written = {(entry.seq, entry.hash) for entry in book.entries(2)}
        assert {tuple(receipt) for receipt in told} < written
        assert len(written) == 26
        assert book.verify(book.head()).ok


PARENT_LEAVES = """
store = tr.Ledger(where)
book = store.open("fork")
book.charge(PRICE)
go, gone = os.pipe(), os.pipe()

def orphan():
    charges(book, 3, 1)
    os.write(go[1], b".")
    os.read(gone[0], 1)
    charges(book, 3, 1)

pid = child(orphan)
os.read(go[0], 1)
store.close()
other = [child(lambda: tr.Ledger(where).open("fork").charge(PRICE))]
assert all([died_well(pid) for pid in other])
os.write(gone[1], b".")
assert died_well(pid)
"""


CREATE = """
tr.Ledger(where).create("fork", tr.ZCDP(100.0))
"""


def parent_leaves(where: str) -> None:
    """In programs of their own: a connection of this process would keep SQLite's log."""
    program(CREATE, where)
    told = program(PARENT_LEAVES, where)
    assert len(told) == 6
    with tr.Ledger(where) as store:
        book = store.open("fork")
        written = {(entry.seq, entry.hash) for entry in book.entries(2)}
        assert {tuple(receipt) for receipt in told} < written
        assert len(written) == 8
        assert book.verify(book.head()).ok


def test_the_parent_closes_its_file_while_a_child_goes_on(sqlite_path: str) -> None:
    parent_leaves(sqlite_path)


def test_the_parent_leaves_a_server_while_a_child_goes_on(postgres_url: str) -> None:
    parent_leaves(postgres_url)


def test_a_store_that_is_closed_has_given_back_its_file(sqlite_path: str) -> None:
    """With the last connection SQLite puts the log into the file, and takes it away."""
    with tr.Ledger(sqlite_path) as store:
        store.create("book", tr.ZCDP(1.0)).charge(tr.ZCDP(0.1))
    assert not Path(f"{sqlite_path}-wal").exists()


FORK_WHILE_CHARGING = """
store = tr.Ledger(where)
book = store.open("fork")
over = threading.Event()

def busily():
    while not over.is_set():
        charges(book, 1, 1)

threads = [threading.Thread(target=busily) for _ in range(3)]
for thread in threads:
    thread.start()
for _ in range(10):
    time.sleep(0.02)
    assert died_well(child(lambda: charges(tr.Ledger(where).open("fork"), 2, 1)))
over.set()
for thread in threads:
    thread.join()
"""


def forking(where: str) -> None:
    with tr.Ledger(where) as store:
        book = store.create("fork", tr.ZCDP(1e6))
        told = program(FORK_WHILE_CHARGING, where)
        written = {(entry.seq, entry.hash) for entry in book.entries(2)}
        assert {tuple(receipt) for receipt in told} == written
        assert book.verify(book.head()).ok


@pytest.mark.slow
def test_forks_while_other_threads_are_charging_a_file(sqlite_path: str) -> None:
    forking(sqlite_path)


def test_forks_while_other_threads_are_charging_a_server(postgres_url: str) -> None:
    forking(postgres_url)


FORK_WHILE_READING = """
store = tr.Ledger(where)
book = store.open("fork")
other = where + "-other"

def refused():
    tr.Ledger(other).create("other", tr.ZCDP(1.0))
    try:
        book.charge(PRICE)
    except tr.TightropeError as error:
        print(json.dumps(str(error)), flush=True)

for entry in book.entries():
    assert died_well(child(refused))
assert died_well(child(lambda: charges(book, 1, 1)))
"""


def test_a_fork_in_a_loop_over_entries_of_a_file(sqlite_path: str) -> None:
    """The child has SQLite's memory of locks that are its parent's: it must not write."""
    program(CREATE, sqlite_path)
    complaint, charged = program(FORK_WHILE_READING, sqlite_path)
    assert "fork outside of loops over entries" in complaint
    assert charged[0] == 2


FIRST_OPENING = """
import tightrope.ledger

def first(where, gone):
    os.read(gone, 1)
    store = tr.Ledger(where)
    try:
        book = store.create("shared", tr.ZCDP(1.0))
    except tr.InvalidArgument:
        book = store.open("shared")
    charges(book, 1, 1)

for where in sys.argv[1:]:
    gone, go = os.pipe()
    pids = [child(lambda: first(where, gone)) for _ in range(6)]
    os.write(go, b"." * 6)
    assert all([died_well(pid) for pid in pids])
"""


def first_openings(*stores: str) -> None:
    """Six processes each open a new store, while there is nothing yet where it will be."""
    told = {tuple(receipt) for receipt in program(FIRST_OPENING, *stores)}
    assert len(told) == 6 * len(stores)
    for where in stores:
        with tr.Ledger(where) as store:
            assert store.books() == ("shared",)
            book = store.open("shared")
            assert {(entry.seq, entry.hash) for entry in book.entries(2)} <= told
            assert book.head().seq == 7
            assert book.verify(book.head()).ok


def test_processes_that_open_a_new_store_at_once(where: str) -> None:
    first_openings(where)


@pytest.mark.slow
def test_a_hundred_new_stores_that_are_opened_at_once(tmp_path: Any) -> None:
    stores = [str(tmp_path / f"{number}.db") for number in range(100)]
    for at in range(0, len(stores), 20):
        first_openings(*stores[at : at + 20])


def test_a_new_file_that_somebody_reads_is_waited_for(sqlite_path: str) -> None:
    """SQLite does not wait by itself for the lock by which a file gets its log."""
    reader = sqlite3.connect(sqlite_path, isolation_level=None, check_same_thread=False)
    reader.executescript("CREATE TABLE theirs (x); BEGIN;")
    reader.execute("SELECT * FROM theirs").fetchall()
    later = Timer(0.3, reader.rollback)
    later.start()
    with tr.Ledger(sqlite_path) as store:
        store.create("late", tr.ZCDP(1.0))
    later.join()
    reader.close()


def test_threads_that_share_a_book(where: str) -> None:
    with tr.Ledger(where) as store:
        book = store.create("shared", tr.ZCDP(2.0))
        receipts: list[tr.Receipt] = []
        refused: list[tr.BudgetExceeded] = []

        def work(number: int) -> None:
            for n in range(5):
                try:
                    receipts.append(book.charge(tr.ZCDP(0.1), key=f"{number // 2} {n}"))
                except tr.BudgetExceeded as error:
                    refused.append(error)

        threads = [Thread(target=work, args=(number,)) for number in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        entries = list(book.entries(2))
        assert {receipt.head.hash for receipt in receipts} == {entry.hash for entry in entries}
        assert len({entry.key for entry in entries}) == len(entries) == 19  # 0.1 is above 1/10
        assert len(receipts) + len(refused) == 50
        assert book.verify(book.head()).ok
