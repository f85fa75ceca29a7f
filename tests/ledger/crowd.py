"""A crowd of analysts: threads of many processes that charge one book at once.

As a program it reads a task, imports everything once, and forks the processes before a store is
opened; so a crowd of 64 costs one start of Python.
"""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from threading import Thread
from typing import Any

import tightrope as tr

PATIENCE = 540
"""Seconds after which a crowd is thought to be deadlocked."""


@dataclass(frozen=True)
class Crowd:
    """Who charges what, and how often each thread does."""

    where: str
    book: str
    processes: int
    threads: int
    charges: int


@dataclass(frozen=True)
class Outcome:
    """What became of it: receipts as (number, hash), refusals, other errors, seconds."""

    receipts: list[tuple[int, str]]
    refused: int
    errors: list[str]
    longest: float
    seconds: float


def gather(crowd: Crowd) -> Outcome:
    """Let the crowd charge, in processes that have nothing to do with this one."""
    done = subprocess.run(
        [sys.executable, __file__],
        input=json.dumps(asdict(crowd)),
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    told: dict[str, Any] = json.loads(done.stdout)
    told["receipts"] = [tuple(receipt) for receipt in told["receipts"]]
    return Outcome(**told)


def _charge(book: tr.Book, charges: int, told: dict[str, Any]) -> None:
    for _ in range(charges):
        start = time.monotonic()
        try:
            receipt = book.charge(tr.ZCDP(1.0))
            told["receipts"].append((receipt.seq, receipt.head.hash))
        except tr.BudgetExceeded:
            told["refused"] += 1
        except tr.TightropeError as error:
            told["errors"].append(repr(error))
        told["longest"] = max(told["longest"], time.monotonic() - start)


def _process(crowd: Crowd, barrier: Any, results: Any) -> None:
    threads: list[tuple[Thread, dict[str, Any]]] = []
    with tr.Ledger(crowd.where) as store:
        book = store.open(crowd.book)
        book.price(tr.ZCDP(1.0))
        for _ in range(crowd.threads):
            told: dict[str, Any] = {"receipts": [], "refused": 0, "errors": [], "longest": 0.0}
            threads.append((Thread(target=_charge, args=(book, crowd.charges, told)), told))
        barrier.wait()
        begin = time.monotonic()
        for thread, _ in threads:
            thread.start()
        for thread, _ in threads:
            thread.join()
        end = time.monotonic()
    results.put(([told for _, told in threads], begin, end))


def main() -> None:
    crowd = Crowd(**json.loads(sys.stdin.read()))
    context = multiprocessing.get_context("fork")
    barrier, results = context.Barrier(crowd.processes), context.SimpleQueue()
    all_ = [
        context.Process(target=_process, args=(crowd, barrier, results))
        for _ in range(crowd.processes)
    ]
    for process in all_:
        process.start()
    reports = [results.get() for _ in all_]
    for process in all_:
        process.join()
    threads = [told for report, _, _ in reports for told in report]
    outcome = Outcome(
        receipts=[receipt for told in threads for receipt in told["receipts"]],
        refused=sum(told["refused"] for told in threads),
        errors=[error for told in threads for error in told["errors"]],
        longest=max(told["longest"] for told in threads),
        seconds=max(end for *_, end in reports) - min(begin for _, begin, _ in reports),
    )
    print(json.dumps(asdict(outcome)))


if __name__ == "__main__":
    main()
