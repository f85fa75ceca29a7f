"""Nobody has to believe a conversion: pairs of laws are drawn, and none of them refutes it.

The same pairs refute a version of it that is 5 % too strong, so they could have.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from edges import trial
from pools import pools
from trials import Trial

import tightrope as tr
from tightrope.theorems.registry import Grade, Theorem, named
from tightrope.theorems.registry import theorems as registered

FEW, MANY = 500, 10_000
TOO_STRONG = 0.05

SEPARATE = {"offset_zcdp_to_gdp"}
"""Tried on a grid of statements, in test_offset.py: one application takes 60 ms."""

EDGES = [t for t in registered("conversion") if t.name not in SEPARATE]
SHARP = [t for t in EDGES if t.grade is not Grade.LOOSE]

SLACK = {
    "zcdp_profile_classic": ("zcdp_profile", "a tail bound, without the factor (1 - 1/a)^(a-1)/a"),
    "zcdp_profile_sharpened": ("zcdp_profile", "a closed form: one order, not the best one"),
    "zcdp_profile_optimised": ("zcdp_profile", "Markov's inequality at the best order"),
    "tcdp_profile_tail": ("tcdp_profile", "a tail bound, without the factor (1 - 1/a)^(a-1)/a"),
    "renyi_profile_tail": ("renyi_profile", "a tail bound, without the factor (1 - 1/a)^(a-1)/a"),
    "renyi_profile_optimised": ("renyi_profile", "Markov's inequality at the best order"),
}
"""Loose conversions: the sharp one beside them, and where the difference comes from."""

FAILING = (tr.ApproxDP, tr.TradeOff, tr.Profile)


def name_of(theorem: Theorem) -> str:
    return theorem.name


@cache
def trials(name: str, count: int) -> list[Trial]:
    theorem = named(name)
    failing = theorem.source in FAILING and theorem.target in (*FAILING, tr.TradeOff)
    chosen = enumerate(pools(count, failing=failing), start=len(name))
    return [trial(theorem, pairs, seed) for seed, pairs in chosen]


def assert_not_refuted(name: str, count: int) -> None:
    for one in trials(name, count):
        assert not np.isnan(one.claim).any()
        for row in np.flatnonzero(one.refuted())[:1]:
            p, q = one.pairs.log_p[row].tolist(), one.pairs.log_q[row].tolist()
            pytest.fail(f"{name}: claims {one.claim[row]!r}, true is {one.truth[row]!r}: {p}, {q}")


@pytest.mark.parametrize("theorem", EDGES, ids=name_of)
def test_no_pair_refutes_a_conversion(theorem: Theorem) -> None:
    assert_not_refuted(theorem.name, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("theorem", EDGES, ids=name_of)
def test_none_of_ten_thousand_pairs_refutes_a_conversion(theorem: Theorem) -> None:
    assert_not_refuted(theorem.name, MANY)


@pytest.mark.parametrize("theorem", SHARP, ids=name_of)
def test_some_pair_refutes_what_is_five_percent_too_strong(theorem: Theorem) -> None:
    counted = sum(int(one.refuted(TOO_STRONG).sum()) for one in trials(theorem.name, FEW))
    print(f"{theorem.name}: refuted by {counted} pairs")
    assert counted > 0


def test_the_slack_of_every_loose_conversion_is_documented() -> None:
    assert {t.name for t in EDGES if t.grade is Grade.LOOSE} == set(SLACK)


@pytest.mark.parametrize("name", SLACK)
def test_a_loose_conversion_is_above_the_sharp_one(name: str) -> None:
    sharp, loose = named(SLACK[name][0]), named(name)
    parameters = {
        tr.ZCDP: (0.5, 0.0),
        tr.TCDP: (0.5, 8.0),
        tr.RDP: (tr.RDP(lambda order: 0.5 * order).curve,),
    }[loose.source]
    for epsilon in (1.0, 3.0, 6.0):
        assert loose(epsilon, *parameters) > sharp(epsilon, *parameters)
