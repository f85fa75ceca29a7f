"""Laws of the registry: what every theorem must state, and which theorems there must be."""

from __future__ import annotations

import ast
import inspect
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tightrope as tr
import tightrope.plan
from tightrope import _cite, mechanisms, theorems
from tightrope.plan import candidates, composition
from tightrope.plan.portfolio import SCALARS
from tightrope.theorems.registry import (
    Grade,
    Theorem,
    impossibilities,
    named,
)
from tightrope.theorems.registry import theorems as registered

LOSSLESS, SHARP, LOOSE = Grade.LOSSLESS, Grade.SHARP, Grade.LOOSE
WORTH = {LOOSE: 1, SHARP: 2, LOSSLESS: 3}
KINDS = ("conversion", "composition", "group", "sampling", "structure", "mechanism")

NOTIONS = (
    tr.PureDP,
    tr.ApproxDP,
    tr.ZCDP,
    tr.TCDP,
    tr.RDP,
    tr.GDP,
    tr.BoundedRange,
    tr.LogisticDP,
    tr.TradeOff,
    tr.Profile,
)

CONVERSIONS = [
    # f-DP and profiles say the same
    (tr.TradeOff, tr.Profile, LOSSLESS),
    (tr.Profile, tr.TradeOff, LOSSLESS),
    (tr.ApproxDP, tr.Profile, LOSSLESS),
    (tr.ApproxDP, tr.TradeOff, LOSSLESS),
    (tr.TradeOff, tr.GDP, SHARP),
    (tr.TradeOff, tr.PureDP, SHARP),
    # pure DP
    (tr.PureDP, tr.TradeOff, SHARP),
    (tr.PureDP, tr.Profile, SHARP),
    (tr.PureDP, tr.ZCDP, SHARP),
    (tr.PureDP, tr.ZCDP, LOSSLESS),  # as (epsilon, 0)-zCDP
    (tr.PureDP, tr.RDP, SHARP),
    (tr.PureDP, tr.BoundedRange, SHARP),
    (tr.PureDP, tr.LogisticDP, SHARP),
    (tr.PureDP, tr.GDP, SHARP),
    # bounded range and logistic DP
    (tr.BoundedRange, tr.PureDP, SHARP),
    (tr.BoundedRange, tr.ZCDP, SHARP),
    (tr.BoundedRange, tr.GDP, SHARP),
    (tr.BoundedRange, tr.Profile, SHARP),
    (tr.BoundedRange, tr.LogisticDP, SHARP),
    (tr.BoundedRange, tr.TradeOff, SHARP),
    (tr.LogisticDP, tr.PureDP, SHARP),
    (tr.LogisticDP, tr.BoundedRange, SHARP),
    (tr.LogisticDP, tr.ZCDP, SHARP),
    (tr.LogisticDP, tr.GDP, SHARP),
    (tr.LogisticDP, tr.Profile, SHARP),
    (tr.LogisticDP, tr.TradeOff, SHARP),
    # GDP
    (tr.GDP, tr.ZCDP, SHARP),
    (tr.GDP, tr.RDP, SHARP),
    (tr.GDP, tr.Profile, LOSSLESS),
    (tr.GDP, tr.TradeOff, LOSSLESS),
    # zCDP and truncated CDP
    (tr.ZCDP, tr.GDP, SHARP),
    (tr.ZCDP, tr.TradeOff, SHARP),
    (tr.ZCDP, tr.Profile, SHARP),
    (tr.ZCDP, tr.PureDP, LOSSLESS),  # if rho = 0
    (tr.ZCDP, tr.TCDP, LOOSE),
    (tr.ZCDP, tr.RDP, LOOSE),
    (tr.TCDP, tr.Profile, LOOSE),
    (tr.TCDP, tr.TradeOff, SHARP),
    (tr.TCDP, tr.RDP, LOOSE),
    # Renyi DP
    (tr.RDP, tr.Profile, SHARP),
    (tr.RDP, tr.TradeOff, SHARP),
    (tr.RDP, tr.ZCDP, SHARP),
    (tr.RDP, tr.PureDP, SHARP),  # its order infinity
]
"""Every edge of the table of conversions, with the grade that it must have at least."""

ROUTES = {
    # the several ways between the same two notions, each with the grade that it may claim
    "zcdp_profile_classic": LOOSE,
    "zcdp_profile_sharpened": LOOSE,
    "zcdp_profile_optimised": LOOSE,
    "zcdp_profile": SHARP,
    "renyi_profile_tail": LOOSE,
    "renyi_profile_optimised": LOOSE,
    "renyi_profile": SHARP,
    "tcdp_profile_tail": LOOSE,
    "zcdp_to_gdp": SHARP,
    "offset_zcdp_to_gdp": SHARP,
}

IMPOSSIBLE = [
    (tr.RDP, tr.GDP),
    (tr.ApproxDP, tr.GDP),
    (tr.ApproxDP, tr.RDP),
    (tr.ApproxDP, tr.ZCDP),
    (tr.TCDP, tr.GDP),
    (tr.GDP, tr.PureDP),
    (tr.ZCDP, tr.PureDP),
]

CONDITIONAL = {
    "offset_zcdp_to_pure": "only if rho = 0",
    "rdp_to_pure": "only if the order infinity is known",
    "rdp_to_zcdp": "only if the order infinity is known",
}
"""Theorems between a pair that is impossible in general: they give infinity where it is."""

COMPOSITIONS = {
    tr.PureDP: SHARP,
    tr.BoundedRange: LOOSE,
    tr.LogisticDP: LOOSE,
    tr.ZCDP: SHARP,
    tr.TCDP: LOOSE,
    tr.RDP: LOOSE,
    tr.GDP: LOSSLESS,
    tr.TradeOff: LOSSLESS,
    tr.ApproxDP: LOOSE,
}
APPROX_COMPOSITIONS = {
    "compose_basic": LOOSE,
    "compose_advanced": LOOSE,
    "optimal_composition": SHARP,
}
GROUPS = {
    tr.PureDP: SHARP,
    tr.BoundedRange: SHARP,
    tr.LogisticDP: SHARP,
    tr.GDP: SHARP,
    tr.ZCDP: LOOSE,
    tr.TCDP: LOOSE,
    tr.RDP: LOOSE,
    tr.ApproxDP: LOOSE,
    tr.TradeOff: SHARP,
}
SAMPLED = (tr.PureDP, tr.Profile, tr.GDP, tr.ZCDP, tr.LogisticDP, tr.RDP, tr.TCDP)
STRUCTURE = {
    "post_processing",
    "parallel_one_part",
    "parallel_two_parts",
    "joint_units",
    "removal_and_addition",
    "greatest_sensitivity",
}
FACTS = [
    (tr.Gaussian, tr.GDP, LOSSLESS),
    (tr.Gaussian, tr.ZCDP, SHARP),
    (tr.DiscreteGaussian, tr.ZCDP, SHARP),
    (tr.DiscreteGaussian, tr.GDP, SHARP),
    (tr.DiscreteGaussian, tr.Profile, LOSSLESS),
    (tr.Laplace, tr.PureDP, SHARP),
    (tr.Laplace, tr.ZCDP, SHARP),
    (tr.Laplace, tr.GDP, SHARP),
    (tr.Laplace, tr.RDP, LOSSLESS),
    (tr.Laplace, tr.TradeOff, LOSSLESS),
    (tr.DiscreteLaplace, tr.PureDP, SHARP),
    (tr.DiscreteLaplace, tr.ZCDP, SHARP),
    (tr.DiscreteLaplace, tr.GDP, SHARP),
    (tr.RandomizedResponse, tr.PureDP, SHARP),
    (tr.RandomizedResponse, tr.ZCDP, SHARP),
    (tr.RandomizedResponse, tr.GDP, SHARP),
    (tr.RandomizedResponse, tr.RDP, LOSSLESS),
    (tr.Exponential, tr.BoundedRange, SHARP),
    (tr.Logistic, tr.LogisticDP, LOSSLESS),
    (tr.PermuteAndFlip, tr.PureDP, LOOSE),
    (tr.ReportNoisyMax, tr.PureDP, LOOSE),
    (tr.ReportNoisyMax, tr.BoundedRange, LOOSE),
    (tr.SparseVector, tr.PureDP, LOOSE),
]
"""The table of exact mechanism parameters, and what the others guarantee."""

EXAMPLES: dict[type, tr.Guarantee] = {
    tr.PureDP: tr.PureDP(1.0),
    tr.ApproxDP: tr.ApproxDP(1.0, 1e-6),
    tr.ZCDP: tr.ZCDP(0.5),
    tr.TCDP: tr.TCDP(0.1, 30.0),
    tr.RDP: tr.RDP([2, 8], [0.1, 0.5]),
    tr.GDP: tr.GDP(1.0),
    tr.BoundedRange: tr.BoundedRange(1.0),
    tr.LogisticDP: tr.LogisticDP(1.0),
    tr.TradeOff: tr.TradeOff([0, 0.25, 1], [1, 0.25, 0]),
    tr.Profile: tr.Profile([0.5, 1.0], [1e-2, 1e-4]),
}


def names(theorem: Theorem) -> str:
    return theorem.name


def between(kind: str, source: type, target: type) -> list[Theorem]:
    return [t for t in registered(kind) if t.source is source and t.target is target]


def best(found: list[Theorem]) -> int:
    return max((WORTH[t.grade] for t in found), default=0)


def edge(pair: tuple[type, ...]) -> str:
    return " to ".join(part.__name__ for part in pair if isinstance(part, type))


# --- what every theorem states ---------------------------------------------------------------


def test_something_is_registered_of_every_kind() -> None:
    assert {t.kind for t in registered()} == set(KINDS)


@pytest.mark.parametrize("theorem", registered(), ids=names)
def test_a_theorem_is_cited_stated_and_documented(theorem: Theorem) -> None:
    assert theorem.cite in _cite.bibliography()
    reference = theorem.reference
    assert all([reference.author, reference.year, reference.title, reference.venue])
    assert len(theorem.item.strip()) > 3
    assert len(theorem.statement.strip()) > 5
    assert theorem.item in theorem.citation
    assert (inspect.getdoc(theorem.function) or "").strip(), "the function has no docstring"
    assert named(theorem.name) is theorem


def test_names_are_unique() -> None:
    counted = Counter(theorem.name for theorem in registered())
    assert max(counted.values()) == 1
    assert len({(i.source, i.target) for i in impossibilities()}) == len(impossibilities())


def test_no_registration_was_overwritten_by_one_of_the_same_name() -> None:
    """As many theorems as there are decorators in the source."""
    entries = {"theorem", "conversion", "_composition", "_group", "_sampling", "fact"}
    written: Counter[str] = Counter()
    for package in (theorems, mechanisms):
        for file in Path(package.__path__[0]).glob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                for decorator in getattr(node, "decorator_list", ()):
                    called = getattr(getattr(decorator, "func", None), "id", "")
                    written[called] += called in entries
    assert written["conversion"] == len(registered("conversion"))
    assert written["fact"] == len(registered("mechanism"))
    decorated = [t for t in registered() if t.kind != "structure"]
    assert written.total() == len(decorated)


def test_no_key_stands_twice_in_the_bibliography() -> None:
    """The reader would silently keep the last."""
    text = (Path(tr.__file__).parent / "refs.bib").read_text(encoding="utf-8")
    keys = [line.split("{")[1].split(",")[0] for line in text.splitlines() if line[:1] == "@"]
    assert len(keys) == len(set(keys)) == len(_cite.bibliography())


# --- which theorems there are ----------------------------------------------------------------


@pytest.mark.parametrize("row", CONVERSIONS, ids=edge)
def test_the_table_of_conversions_is_complete(row: tuple[type, type, Grade]) -> None:
    source, target, grade = row
    assert best(between("conversion", source, target)) >= WORTH[grade]


@pytest.mark.parametrize(("name", "grade"), ROUTES.items())
def test_routes_between_the_same_two_notions(name: str, grade: Grade) -> None:
    assert named(name).grade is grade


@pytest.mark.parametrize(("notion", "grade"), COMPOSITIONS.items())
def test_every_notion_composes(notion: type, grade: Grade) -> None:
    assert best(between("composition", notion, notion)) >= WORTH[grade]


@pytest.mark.parametrize(("name", "grade"), APPROX_COMPOSITIONS.items())
def test_the_three_compositions_of_approximate_dp(name: str, grade: Grade) -> None:
    assert named(name).kind == "composition"
    assert WORTH[named(name).grade] >= WORTH[grade]


@pytest.mark.parametrize(("notion", "grade"), GROUPS.items())
def test_every_notion_has_a_group_rule(notion: type, grade: Grade) -> None:
    assert best(between("group", notion, notion)) >= WORTH[grade]


@pytest.mark.parametrize("notion", SAMPLED)
def test_sampling_rules(notion: type) -> None:
    assert between("sampling", notion, notion)


def test_bounded_range_has_no_sampling_rule() -> None:
    """Mixing over samples mixes intervals: the range is lost."""
    assert not between("sampling", tr.BoundedRange, tr.BoundedRange)


def test_rules_of_structure() -> None:
    assert {theorem.name for theorem in registered("structure")} >= STRUCTURE
    assert named("removal_and_addition").grade is LOOSE
    assert named("post_processing").grade is SHARP


@pytest.mark.parametrize("row", FACTS, ids=edge)
def test_the_table_of_mechanisms_is_complete(row: tuple[type, type, Grade]) -> None:
    source, target, grade = row
    assert best(between("mechanism", source, target)) >= WORTH[grade]
    assert source.facts()[target] in registered("mechanism")  # type: ignore[attr-defined]


# --- what is impossible ----------------------------------------------------------------------


@pytest.mark.parametrize("pair", IMPOSSIBLE, ids=edge)
def test_impossible_pairs_have_a_reason_and_no_theorem(pair: tuple[type, type]) -> None:
    reasons = [i.reason for i in impossibilities() if (i.source, i.target) == pair]
    assert len(reasons) == 1
    assert len(reasons[0]) > 20
    assert {t.name for t in between("conversion", *pair)} <= set(CONDITIONAL)


def test_every_theorem_between_an_impossible_pair_is_conditional() -> None:
    pairs = {(i.source, i.target) for i in impossibilities()}
    found = {t.name for t in registered("conversion") if (t.source, t.target) in pairs}
    assert found == set(CONDITIONAL)


def test_conditional_theorems_give_infinity_where_they_do_not_hold() -> None:
    finite_orders = tr.RDP([2, 8], [0.1, 0.5]).curve
    assert named("offset_zcdp_to_pure")(0.1, 1.0) == np.inf
    assert named("rdp_to_pure")(finite_orders) == np.inf
    assert named("rdp_to_zcdp")(finite_orders)[0] == np.inf


@pytest.mark.parametrize("pair", list(product(NOTIONS, (*SCALARS, tr.RDP))), ids=edge)
def test_every_notion_is_reached_or_refused_with_a_reason(pair: tuple[type, type]) -> None:
    source, target = pair
    try:
        found = EXAMPLES[source].to(target)
    except tr.NotReachable as refusal:
        assert refusal.reasons  # noqa: PT017  (either outcome is admissible)
        assert refusal.reachable  # noqa: PT017
    else:
        assert isinstance(found, target)


@pytest.mark.parametrize("notion", NOTIONS)
def test_every_notion_reaches_a_profile_and_a_tradeoff_curve(notion: type) -> None:
    guarantee = EXAMPLES[notion]
    assert 0 < guarantee.to(tr.ApproxDP, epsilon=0.5).delta < 1
    assert 0 < guarantee.to(tr.TradeOff).tradeoff(0.2) < 0.8


# --- how theorems behave as functions --------------------------------------------------------

ARGUMENTS: dict[type, tuple[np.ndarray, ...]] = {
    tr.PureDP: (np.array([0.0, 0.3, 4.0]),),
    tr.BoundedRange: (np.array([0.0, 0.3, 4.0]),),
    tr.LogisticDP: (np.array([0.0, 0.3, 4.0]),),
    tr.GDP: (np.array([0.0, 0.3, 4.0]),),
    tr.ZCDP: (np.array([0.0, 0.3, 4.0]), np.array([0.0, 0.0, 0.0])),
    tr.TCDP: (np.array([0.0, 0.3, 4.0]), np.array([5.0, 6.0, 7.0])),
}
PLAIN = [
    t for t in registered("conversion") if t.source in ARGUMENTS and t.target in (*SCALARS, tr.RDP)
]


def columns(theorem: Theorem, *arguments: Any) -> list[np.ndarray]:
    if theorem.target is tr.RDP:
        arguments = (np.full(np.shape(arguments[0]), 2.5), *arguments)
    with np.errstate(all="ignore"):
        result = theorem(*arguments)
    return [np.asarray(x, dtype=float) for x in (result if isinstance(result, tuple) else [result])]


@pytest.mark.parametrize("theorem", PLAIN, ids=names)
def test_theorems_broadcast(theorem: Theorem) -> None:
    whole = columns(theorem, *ARGUMENTS[theorem.source])
    width = 1 if theorem.target is tr.RDP else len(ARGUMENTS[theorem.target])
    assert len(whole) == width
    for i in range(3):
        one = columns(theorem, *(a[i] for a in ARGUMENTS[theorem.source]))
        assert [float(column[i]) for column in whole] == [float(value) for value in one]


@pytest.mark.parametrize("theorem", PLAIN, ids=names)
def test_nothing_is_lost_where_nothing_leaks(theorem: Theorem) -> None:
    if theorem.name == "offset_zcdp_to_gdp":  # for an offset above 0 only
        return
    found = columns(theorem, *(a[:1] for a in ARGUMENTS[theorem.source]))
    leaked = found[:1] if theorem.target is tr.TCDP else found
    assert all(column[0] == 0 for column in leaked)


@pytest.mark.parametrize("theorem", PLAIN, ids=names)
def test_more_leakage_never_gives_a_smaller_bound(theorem: Theorem) -> None:
    grid = np.geomspace(1e-6, 50.0, 400)
    rest = {tr.ZCDP: (np.zeros(400),), tr.TCDP: (np.full(400, 6.0),)}.get(theorem.source, ())
    for column in columns(theorem, grid, *rest):
        finite = column[np.isfinite(column)]
        assert (np.diff(finite) >= 0).all()


# --- the planner's tables --------------------------------------------------------------------


def planner_strings() -> set[str]:
    """Every string constant of the planner that is shaped like the name of a theorem."""
    found = set()
    for file in Path(tightrope.plan.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            called = getattr(getattr(node, "func", None), "id", "")
            if isinstance(node, ast.Call) and called in {"named", "_renyi_route"}:
                found |= {a.value for a in node.args if isinstance(a, ast.Constant)}
    return {name for name in found if isinstance(name, str) and name.isidentifier()}


def test_the_planner_names_registered_theorems_only() -> None:
    tables = {*candidates._PROFILES.values(), *candidates._TRADEOFFS.values()}
    told = planner_strings() | tables | {"rdp_to_pure", "rdp_to_zcdp"}
    assert len(told) > 10
    assert told <= {theorem.name for theorem in registered()}


def test_the_tables_of_the_planner_fit_their_theorems() -> None:
    for table, target in ((candidates._PROFILES, tr.Profile), (candidates._TRADEOFFS, tr.TradeOff)):
        for source, name in table.items():
            assert named(name).target is target
            assert source in {t.source for t in registered() if t.function is named(name).function}
    for notion, rule in composition.RULES.items():
        assert (rule.kind, rule.source, rule.target) == ("composition", notion, notion)
    assert set(composition.RULES) == set(SCALARS)
