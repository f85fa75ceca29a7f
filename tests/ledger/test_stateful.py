"""Random sequences of all that a ledger can be asked, beside a model that is plain to read."""

from __future__ import annotations

import os
import shutil
import tempfile
from fractions import Fraction
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from model import Held, ModelBook

import tightrope as tr
from tightrope.ledger import Partition, Units, Windows

RHOS = st.sampled_from([0.1, 0.125, 0.25, 0.3, 1 / 3, 0.7, 1e-9, 2.0, 1e-90])
PARTS = st.sampled_from(["", "north", "south", "east"])
KEYS = st.sampled_from([None, "a", "b", "c", "d"])
UNITS = st.sets(st.sampled_from(["ann", "bob", "cy", "dee"]), min_size=1)
NAMES = st.sampled_from(["whole", "parts", "windows"])
SECONDS = 60
START = 1_900_000_000.0


def account(kind: str, part: str, now: float) -> str:
    """How the model names who is touched."""
    return str(int(now // SECONDS)) if kind == "windows" else part


class LedgerMachine(RuleBasedStateMachine):
    """One store with a book of each structure, and its shares."""

    @initialize()
    def begin(self) -> None:
        memory = Path("/dev/shm")  # no disk is waited for; durability is tested elsewhere
        where = memory if os.access(memory, os.W_OK) else None
        self.folder = tempfile.mkdtemp(prefix="tightrope-", dir=where)
        self.now = START
        self.clock = patch("time.time", lambda: self.now)
        self.clock.start()
        self.store = tr.Ledger(f"{self.folder}/budget.db")
        shapes = {
            "whole": None,
            "parts": Partition("region", ("north", "south", "east")),
            "windows": Windows(SECONDS),
            "units": Units(public=True),
        }
        self.books = {
            name: self.store.create(name, tr.ZCDP(1.5), structure=shape)
            for name, shape in shapes.items()
        }
        self.models = {name: ModelBook(name, Fraction(1.5)) for name in shapes}
        self.number = 0

    def teardown(self) -> None:
        if not hasattr(self, "store"):
            return
        self.clock.stop()
        heads = [book.head() for book in self.books.values()]
        for found in self.store.verify(heads):
            assert found.ok, found.problem
            assert found.anchored or not found.cannot_exclude
        self.store.close()
        shutil.rmtree(self.folder)

    def spend(self, name: str, how: str, rho: float, part: str, key: str | None) -> None:
        """Charge or reserve in both worlds."""
        book, model = self.books[name], self.models[name]
        part = part if name == "parts" else ""
        at = account(name, part, self.now)
        asked = (how, part, Fraction(rho))
        before = self.facts(name)
        try:
            done = getattr(book, how)(tr.ZCDP(rho), part=part or None, key=key)
        except tr.KeyReused:
            assert not model.repeats(key, asked)
        except tr.BookClosed:
            assert model.closed
        except tr.BudgetExceeded:
            assert key not in model.keys
            assert not model.add(at, Fraction(rho))
            assert not model.closed
        else:
            if key in model.keys:
                assert model.repeats(key, asked)  # and a retry pays nothing
                assert self.facts(name) == before
                return
            assert model.add(at, Fraction(rho))
            if how == "reserve":
                model.held[done.key] = Held(at, Fraction(rho))
            if key is not None:
                model.keys[key] = asked
            return
        assert self.facts(name) == before

    def facts(self, name: str) -> object:
        """Everything that a book shows."""
        book = self.books[name]
        return book.head(), book.spent().amounts if name != "units" else None

    @rule(name=NAMES, rho=RHOS, part=PARTS, key=KEYS)
    def charge(self, name: str, rho: float, part: str, key: str | None) -> None:
        self.spend(name, "charge", rho, part, key)

    @rule(name=NAMES, rho=RHOS, part=PARTS, key=KEYS)
    def reserve(self, name: str, rho: float, part: str, key: str | None) -> None:
        self.spend(name, "reserve", rho, part, key)

    @rule(data=st.data(), name=NAMES, how=st.sampled_from(["commit", "release"]))
    def end(self, data: st.DataObject, name: str, how: str) -> None:
        """Also of reservations that have ended, and of those of an earlier window."""
        model = self.models[name]
        if not model.held:
            return
        key = data.draw(st.sampled_from(list(model.held)))
        try:
            getattr(self.books[name].reservation(key), how)()
            happened = "done"
        except tr.KeyReused:
            happened = "reused"
        except tr.BookClosed:
            happened = "closed"
        assert happened == model.end(key, how)

    @rule(units=UNITS, rho=RHOS)
    def admit(self, units: set[str], rho: float) -> None:
        model = self.models["units"]
        admitted = self.books["units"].admit(tr.ZCDP(rho), units).units
        assert admitted == model.admit(units, Fraction(rho))

    @rule(seconds=st.sampled_from([1.0, 59.0, 60.0, 3600.0, -61.0]))
    def wait(self, seconds: float) -> None:
        """A clock may also be put back."""
        self.now += seconds

    @rule(rho=RHOS)
    def share(self, rho: float) -> None:
        model, name = self.models["whole"], f"share {self.number}"
        self.number += 1
        try:
            child = self.books["whole"].share(name, tr.ZCDP(rho))
        except tr.BudgetExceeded:
            assert not model.add("", Fraction(rho))
            assert name not in self.store.books()
            return
        except tr.BookClosed:
            assert model.closed
            return
        assert model.add("", Fraction(rho))
        self.books[name] = child
        self.models[name] = model.shares[name] = ModelBook("whole", Fraction(rho))

    @rule(data=st.data(), rho=RHOS, how=st.sampled_from(["charge", "reserve"]), key=KEYS)
    def spend_in_share(self, data: st.DataObject, rho: float, how: str, key: str | None) -> None:
        shares = self.models["whole"].shares
        if shares:
            self.spend(data.draw(st.sampled_from(sorted(shares))), how, rho, "", key)

    @rule(data=st.data())
    def close_share(self, data: st.DataObject) -> None:
        shares = self.models["whole"].shares
        if shares:
            name = data.draw(st.sampled_from(sorted(shares)))
            self.books[name].close()
            self.models["whole"].close_share(name)

    @precondition(lambda self: self.now > START + 600)
    @rule(name=NAMES)
    def close(self, name: str) -> None:
        self.books[name].close()
        self.models[name].closed = True

    @rule()
    def open_again(self) -> None:
        """Another program, which knows only what is in the store."""
        self.store.close()
        self.store = tr.Ledger(f"{self.folder}/budget.db")
        self.books = {name: self.store.open(name) for name in self.books}

    @invariant()
    def the_sums_are_the_models(self) -> None:
        for name, model in getattr(self, "models", {}).items():
            if name == "units":
                continue
            book = self.books[name]
            at = account(name, "", self.now)
            spent = book.spent()
            assert Fraction(spent.amounts[0]) == model.spent(at)
            assert Fraction(spent.reserved[0]) == model.reserved
            left = model.capacity - model.spent(at)
            remaining = Fraction(book.remaining().rho)
            assert remaining <= left
            assert remaining >= left * (1 - Fraction(1, 2**52)) or left < Fraction(2) ** -1000
            assert book.closed == model.closed

    @invariant()
    def what_is_affordable_is_the_models(self) -> None:
        for name, model in getattr(self, "models", {}).items():
            if name == "units":
                continue
            left = model.capacity - model.spent(account(name, "", self.now))
            affords = self.books[name].affords(tr.ZCDP(0.3))
            assert affords == (Fraction(0.3) <= left and not model.closed)


QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck)}


def test_random_sequences_agree_with_a_model() -> None:
    few = settings(max_examples=12, stateful_step_count=20, derandomize=True, **QUIET)
    run_state_machine_as_test(LedgerMachine, settings=few)


@pytest.mark.slow
def test_many_random_sequences_agree_with_a_model() -> None:
    many = settings(max_examples=300, stateful_step_count=60, **QUIET)
    run_state_machine_as_test(LedgerMachine, settings=many)


def test_the_clock_is_the_one_that_the_ledger_reads(tmp_path: Path) -> None:
    """Otherwise the model of windows would prove nothing."""
    with tr.Ledger(tmp_path / "budget.db") as store, patch("time.time", lambda: START):
        book = store.create("windows", tr.ZCDP(1.0), structure=Windows(SECONDS))
        receipt = book.charge(tr.ZCDP(1.0))
    assert receipt.account.endswith(str(int(START // SECONDS)))
