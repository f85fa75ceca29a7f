"""A crowd of analysts: threads of many processes that charge one book at once.

The processes are forked from a program of their own; see ``ledger_programs``.
"""

from __future__ import annotations

import multiprocessing
import time
from dataclasses import dataclass
from threading import Thread
from typing import Any

from ledger_programs import answer, ask

import tightrope as tr


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
    told = ask(__file__, crowd)
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


def work(crowd: Crowd) -> Outcome:
    """Fork the processes, and add up what became of them."""
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
    return Outcome(
        receipts=[receipt for told in threads for receipt in told["receipts"]],
        refused=sum(told["refused"] for told in threads),
        errors=[error for told in threads for error in told["errors"]],
        longest=max(told["longest"] for told in threads),
        seconds=max(end for *_, end in reports) - min(begin for _, begin, _ in reports),
    )


if __name__ == "__main__":
    answer(Crowd, work)
