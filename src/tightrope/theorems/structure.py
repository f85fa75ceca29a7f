"""Rules about how events relate to the data: post-processing, parts, units, neighbours."""

from __future__ import annotations

from typing import Any

from tightrope.notions.guarantee import Guarantee
from tightrope.theorems.registry import Grade, Theorem, named, theorem


def _rule(name: str, cite: str, item: str, statement: str, grade: Grade = Grade.SHARP) -> Theorem:
    def unchanged(*parameters: Any) -> Any:
        return parameters

    unchanged.__name__, unchanged.__doc__ = name, statement
    theorem("structure", Guarantee, Guarantee, grade, cite, item, statement)(unchanged)
    return named(name)


post_processing = _rule(
    "post_processing",
    "dong2022",
    "Lemma 2.9",
    "what is computed from the result alone costs nothing (data-processing inequality)",
)

parallel_one_part = _rule(
    "parallel_one_part",
    "mcsherry2009",
    "Theorem 4",
    "one unit lies in one part, so the greatest guarantee of the parts holds",
)

parallel_two_parts = _rule(
    "parallel_two_parts",
    "tightrope",
    "parallel composition",
    "a replaced unit may leave one part and enter another: the greatest composition of two parts",
)

joint_units = _rule(
    "joint_units",
    "tightrope",
    "joint relations",
    "one unit of each kind may change at once: the parts compose",
)

removal_and_addition = _rule(
    "removal_and_addition",
    "tightrope",
    "bridging neighbours",
    "replacing is one removal and one addition: a group of two under add-or-remove",
    Grade.LOOSE,
)

greatest_sensitivity = _rule(
    "greatest_sensitivity",
    "tightrope",
    "groups of additive noise",
    "k units shift the query by at most k times the sensitivity of one",
)
