"""How many charges a ledger takes, and how long it takes to check a long one.

Rates are of *accepted* charges that are on the disk; a client is a thread, or a process. The load
of the machine is printed beside every row, since other programs take their share of it.

usage: ledger.py [--charges N] [--entries N] [--only rates|long]
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "ledger"))

import postgres
from crowd import Crowd, gather
from forger import prolong

import tightrope as tr

SHAPES = ((1, 1), (8, 1), (8, 8), (64, 1))
"""Processes, and threads of each."""


def rates(where: str, kind: str, charges: int) -> Iterator[str]:
    """A row for every shape of the crowd."""
    for processes, threads in SHAPES:
        clients = processes * threads
        each = max(1, charges // clients)
        name = f"{processes} by {threads}"
        with tr.Ledger(where) as store:
            book = store.create(name, tr.ZCDP(float(each * clients)))
            outcome = gather(Crowd(where, name, processes, threads, each))
            accepted = len(outcome.receipts)
            assert accepted == each * clients, outcome.errors[:1]
            assert book.verify(book.head()).ok
        rate, load = accepted / outcome.seconds, os.getloadavg()[0]
        yield (
            f"{kind:<11} {processes:>3} x {threads:<2} {accepted:>8,} "
            f"{rate:>10.0f} {outcome.longest:>12.2f} {load:>8.1f}"
        )


def long_book(folder: str, entries: int) -> Iterator[str]:
    """Charges and checks of a book that has many entries."""
    path = f"{folder}/long.db"
    with tr.Ledger(path) as store:
        book = store.create("long", tr.ZCDP(4.0 * entries))
        prolong(path, "long", entries, lambda n: str(1 + n % 3))
        book.charge(tr.ZCDP(1.0))
        seconds, own = [], time.process_time()
        for _ in range(200):
            start = time.perf_counter()
            book.charge(tr.ZCDP(1.0))
            seconds.append(time.perf_counter() - start)
        own = (time.process_time() - own) / len(seconds)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start, busy = time.perf_counter(), time.process_time()
        assert book.verify(book.head()).ok
        spent, busy = time.perf_counter() - start, time.process_time() - busy
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield f"entries {entries:,}; load {os.getloadavg()[0]:.1f}"
    median, greatest = 1e3 * statistics.median(seconds), 1e3 * max(seconds)
    yield (
        f"charge: median {median:.1f} ms, greatest {greatest:.0f} ms, of which {1e3 * own:.1f} ms "
        "of this process' own time"
    )
    yield f"verify: {spent:.1f} s, of which {busy:.1f} s of this process' own time"
    yield f"verify: {(after - before) / 1024:.0f} MB more memory"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--charges", type=int, default=2000)
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--only", choices=("rates", "long"))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if asked.only != "long":
            print("store      clients   accepted  per second  longest wait     load")
            for row in rates(f"{folder}/budget.db", "SQLite", asked.charges):
                print(row, flush=True)
            if postgres.available():
                with postgres.server() as url:
                    for row in rates(url, "PostgreSQL", asked.charges):
                        print(row, flush=True)
        if asked.only != "rates":
            for row in long_book(folder, asked.entries):
                print(row, flush=True)


if __name__ == "__main__":
    main()
