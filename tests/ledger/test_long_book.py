"""A book of many entries, whose chain was made without our code, is as good as a short one."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction

import pytest
from forger import prolong, sha

import tightrope as tr

MILLION = 1_000_000

VERIFY = """
import resource, sys
import tightrope as tr
book = tr.Ledger(sys.argv[1]).open("long")
found = book.verify(sys.argv[2])
print(found.ok, found.entries, found.anchored, found.problem)
book.charge(tr.ZCDP(1.0))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def prolonged(path: str, count: int) -> str:
    """The text of the anchor of a book with so many charges."""
    with tr.Ledger(path) as store:
        store.create("long", tr.ZCDP(4.0 * count))
    head = prolong(path, "long", count, lambda n: str(1 + n % 3))
    return f"long:{count + 1}:{head}"


def checked(path: str, anchor: str) -> tuple[str, int]:
    """What a program of its own says of the book, and its greatest memory in kilobytes."""
    done = subprocess.run(
        [sys.executable, "-c", VERIFY, path, anchor], capture_output=True, text=True, check=True
    )
    words, memory = done.stdout.splitlines()
    return words, int(memory)


def test_entries_made_by_hand_are_a_chain(sqlite_path: str) -> None:
    anchor = prolonged(sqlite_path, 3000)
    with tr.Ledger(sqlite_path) as store:
        book = store.open("long")
        found = book.verify(anchor)
        assert found.ok, found.problem
        assert (found.entries, found.anchored) == (3001, True)
        assert book.spent().amounts == (6000, 0)
        receipt = book.charge(tr.ZCDP(1.0), note="one more")
        assert receipt.entry.previous == anchor.rpartition(":")[2]
        assert receipt.entry.hash == sha(receipt.entry.body)
        assert book.verify(receipt).ok
        again = book.charge(tr.ZCDP(2.0), key="1")  # a key of one of the entries made by hand
        assert again.seq == 3


def test_our_entries_are_what_the_documentation_says(where: str) -> None:
    with tr.Ledger(where) as store:
        book = store.create("plain", tr.ZCDP(1.0))
        book.charge(tr.Gaussian(noise_scale=2.0), note='naïve \u2028 "quoted"', key="k")
        book.close()
        previous = "0" * 64
        for number, entry in enumerate(book.entries(), 1):
            content = json.loads(entry.body)
            assert entry.body == json.dumps(content, sort_keys=True, separators=(",", ":"))
            assert entry.hash == sha(entry.body)
            assert (content["seq"], content["previous"]) == (number, previous)
            previous = entry.hash
        assert str(book.head()) == f"plain:3:{previous}"


def test_amounts_are_exact_decimals(sqlite_path: str) -> None:
    with tr.Ledger(sqlite_path) as store:
        book = store.create("exact", tr.ZCDP(1.0))
        for _ in range(3):
            book.charge(tr.ZCDP(0.1))
        told = json.loads(list(book.entries())[-1].body)["amounts"]
        assert Fraction(told[0]) == Fraction(0.1)
        assert Fraction(book.spent().amounts[0]) == 3 * Fraction(0.1)


@pytest.mark.slow
def test_a_million_entries(tmp_path: object) -> None:
    """The memory of a check does not grow with the book: fewer than 50 bytes an entry."""
    short, long = f"{tmp_path}/short.db", f"{tmp_path}/long.db"
    _, little = checked(short, prolonged(short, 1000))
    words, much = checked(long, prolonged(long, MILLION))
    assert words == f"True {MILLION + 1} True "
    assert much - little < 50 * MILLION / 1024
