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

tight_mu_of_composition = _rule(
    "tight_mu_of_composition",
    "tightrope",
    "tight mu of compositions",
    "the least mu whose privacy profile lies above that of the composed pairs at every epsilon, "
    "proved piece by piece",
)

exact_attained = _rule(
    "exact_composition_attained",
    "zhu2022",
    "Theorem 10",
    "the dominating pairs of the parts compose to one of the whole, order by order; its "
    "privacy profile is integrated with bounded errors",
    Grade.LOSSLESS,
)

exact_cover = _rule(
    "exact_composition_cover",
    "zhu2022",
    "Theorem 10",
    "pairs that cover what is known of the parts compose to one that covers the whole; its "
    "privacy profile is integrated with bounded errors",
    Grade.LOOSE,
)

adaptive_ranges = _rule(
    "exact_composition_ranges",
    "dong2020",
    "Section 4",
    "many bounded-range releases of one epsilon leak at most what the worst adaptive choice of "
    "their ranges does; the pair of that profile composes with those of the other parts",
    Grade.SHARP,
)

fixed_size_sample = _rule(
    "fixed_size_sample",
    "balle2018b",
    "Theorem 9",
    "on a batch of m of n units a unit is replaced by another: pure DP and profiles improve as "
    "with a Poisson sample of rate m/n, all else is unchanged by joint convexity",
)

draws_with_replacement = _rule(
    "draws_with_replacement",
    "balle2018b",
    "Theorem 10",
    "with k ~ Binomial(m, 1/n) copies of the unit, 1 + (e^e - 1) P(k > 0) goes with the mean of "
    "the profiles of groups of k; pure DP: m log(1 + (e^epsilon - 1)/n)",
    Grade.LOOSE,
)

truncated_sample = _rule(
    "truncated_sample",
    "tightrope",
    "truncated Poisson samples",
    "in a full batch the unit takes the place of another (a group of two), else it is added",
    Grade.LOOSE,
)

shuffled_reports = _rule(
    "shuffled_reports",
    "tightrope",
    "shuffled reports",
    "who sent which report is lost, so what one report guarantees still holds",
    Grade.LOOSE,
)
