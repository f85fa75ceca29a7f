"""Programs that are killed while they spend, by SIGKILL at a random moment.

They are forked, one after another, from a program of their own; see ``ledger_programs``. A child
works through keys, in order, from the first one that has no receipt yet, and reports what it was
told through a pipe; every third key is reserved first and then committed. Its parent kills it.
"""

from __future__ import annotations

import json
import os
import random
import signal
import time
from dataclasses import dataclass
from typing import Any

from ledger_programs import answer, ask

import tightrope as tr

RESERVED_EVERY = 3


@dataclass(frozen=True)
class Task:
    """How many deaths in which book, and how long a child lives at most, in seconds."""

    where: str
    book: str
    deaths: int
    longest: float
    seed: int


@dataclass(frozen=True)
class Told:
    """What children were told before they died: by key, (number, hash) of its entries."""

    receipts: dict[str, list[tuple[int, str]]]
    refused: list[str]
    deaths: int
    between: int
    """Deaths between reserving and committing that a child chose itself."""


def gather(task: Task) -> Told:
    """Run the task in a process of its own."""
    told = ask(__file__, task)
    receipts = {key: [(seq, at) for seq, at in all_] for key, all_ in told.pop("receipts").items()}
    return Told(receipts=receipts, **told)


def _live(task: Task, first: int, suicidal: bool, pipe: int) -> None:
    """Spend, key after key; a suicidal child dies by itself after its first reservation."""
    book = tr.Ledger(task.where).open(task.book)

    def tell(key: str, kind: str, receipt: tr.Receipt) -> None:
        os.write(pipe, f"{json.dumps([key, kind, receipt.seq, receipt.head.hash])}\n".encode())

    for number in range(first, 10**9):
        key = f"key {number}"
        try:
            if number % RESERVED_EVERY:
                tell(key, "done", book.charge(tr.ZCDP(0.1), key=key))
                continue
            reservation = book.reserve(tr.ZCDP(0.1), key=key)
            tell(key, "held", reservation.receipt)
            if suicidal:
                os.kill(os.getpid(), signal.SIGKILL)
            tell(key, "done", reservation.commit())
        except tr.BudgetExceeded:
            os.write(pipe, f"{json.dumps([key, 'refused', 0, ''])}\n".encode())
            if suicidal:
                os.kill(os.getpid(), signal.SIGKILL)


def _die(task: Task, first: int, suicidal: bool, seconds: float) -> list[Any]:
    """Fork a child, kill it, and read what it was told."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            _live(task, first, suicidal, writing)
        finally:
            os._exit(1)
    os.close(writing)
    if not suicidal:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reading) as pipe:
        lines = pipe.readlines()
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "a child ended by itself"
    return [json.loads(line) for line in lines if line.endswith("\n")]


def work(task: Task) -> Told:
    """Let one child after another live and die."""
    dice = random.Random(task.seed)
    tr.ZCDP(0.1).to(tr.ZCDP)
    receipts: dict[str, list[tuple[int, str]]] = {}
    refused: list[str] = []
    first = between = 0
    for death in range(task.deaths):
        suicidal = death % 20 == 10
        between += suicidal
        for key, kind, seq, at in _die(task, first, suicidal, dice.uniform(0, task.longest)):
            if kind == "refused":
                refused.append(key)
            elif (seq, at) not in receipts.setdefault(key, []):
                receipts[key].append((seq, at))
            if kind != "held":
                first = max(first, int(key.removeprefix("key ")) + 1)
    return Told(receipts, refused, task.deaths, between)


if __name__ == "__main__":
    answer(Task, work)
