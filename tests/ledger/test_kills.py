"""Whoever is killed while spending has lost nothing, doubled nothing and overspent nothing."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction

import pytest
from mortals import Task, gather

import tightrope as tr

PRICE = Fraction(0.1)


def survive(where: str, deaths: int, longest: float, budget: float, seed: int) -> None:
    with tr.Ledger(where) as store:
        book = store.create("mortal", tr.ZCDP(budget))
        told = gather(Task(where, "mortal", deaths, longest, seed))
        assert told.deaths == deaths
        assert told.between > 0
        entries = list(book.entries(2))
        written = {(entry.seq, entry.hash) for entry in entries}
        lost = [at for all_ in told.receipts.values() for at in all_ if at not in written]
        assert lost == []  # whoever has a receipt finds it in the book
        spending = [entry for entry in entries if entry.kind in ("charge", "reserve")]
        keys = Counter(entry.key for entry in spending)
        assert max(keys.values(), default=1) == 1  # a retry by the same key pays once
        assert {f"use:{key}" for key in told.receipts} <= set(keys)
        spent = sum(
            (Fraction(amount) for entry in spending for amount in entry.amounts), Fraction()
        )
        assert spent == PRICE * len(spending) <= Fraction(budget)
        assert Fraction(book.spent().amounts[0]) == spent
        ended = {json.loads(entry.body)["of"] for entry in entries if entry.kind == "commit"}
        open_ = [e for e in spending if e.kind == "reserve" and e.seq not in ended]
        assert Fraction(book.spent().reserved[0]) == PRICE * len(open_)
        found = book.verify(book.head())
        assert found.ok, found.problem


def test_a_few_kills(where: str) -> None:
    survive(where, deaths=12, longest=0.3, budget=3.0, seed=1)


@pytest.mark.slow
def test_500_kills(where: str) -> None:
    survive(where, deaths=500, longest=0.4, budget=200.0, seed=2)
