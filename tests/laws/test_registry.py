"""Laws of the registry: what every theorem must state, and which theorems there must be."""

from __future__ import annotations

import ast
import inspect
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from required import (
    APPROX_COMPOSITIONS,
    COMPOSITIONS,
    CONDITIONAL,
    CONVERSIONS,
    EXAMPLES,
    FACTS,
    GROUPS,
    IMPOSSIBLE,
    LOOSE,
    LOSSLESS,
    NOTIONS,
    ROUTES,
    SAMPLED,
    SELECTIONS,
    SHARP,
    STRUCTURE,
)

import tightrope as tr
import tightrope.plan
from tightrope import _cite, mechanisms, theorems
from tightrope.plan.portfolio import candidates, composition
from tightrope.plan.portfolio.portfolio import SCALARS
from tightrope.theorems.registry import (
    Grade,
    Theorem,
    impossibilities,
    named,
)
from tightrope.theorems.registry import theorems as registered

WORTH = {LOOSE: 1, SHARP: 2, LOSSLESS: 3}
KINDS = (
    "conversion",
    "composition",
    "filter",
    "group",
    "odometer",
    "sampling",
    "selection",
    "structure",
    "mechanism",
)


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
    entries = {"theorem", "conversion", "_composition", "_group", "_sampling", "_selection", "fact"}
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


@pytest.mark.parametrize(("name", "grade"), SELECTIONS.items())
def test_rules_of_private_selection(name: str, grade: Grade) -> None:
    assert named(name).kind == "selection"
    assert named(name).grade is grade


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
    assert all(named(name).condition for name in found)


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


# --- the planner's tables --------------------------------------------------------------------


def planner_strings() -> set[str]:
    """Every string constant of the planner that is shaped like the name of a theorem."""
    found = set()
    for file in Path(tightrope.plan.__path__[0]).rglob("*.py"):
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
