"""Measurements of OpenDP: the guarantee that a measurement's privacy map states."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from tightrope._errors import InvalidArgument
from tightrope.adapters.foreign import attribute
from tightrope.neighbors import Neighbors, add_or_remove, replace_one
from tightrope.notions import RDP, ZCDP, ApproxDP, Guarantee, PureDP

CALLER = "from_opendp"

METRICS: dict[str, Neighbors] = {
    "SymmetricDistance": add_or_remove,
    "InsertDeleteDistance": add_or_remove,
    "ChangeOneDistance": replace_one,
    "HammingDistance": replace_one,
}
"""Relations by the name of the metric between data sets."""

JUST_ABOVE_ONE = 1 + 2.0**-20
"""A Renyi divergence is asked for at this order where order 1 is wanted: it is no less there."""


def from_opendp(measurement: Any, d_in: int = 1) -> Guarantee:
    """The guarantee of a measurement of OpenDP for data sets at distance ``d_in``.

    Args:
        measurement: a ``Measurement`` whose input metric counts records (``SymmetricDistance``,
            ``InsertDeleteDistance``, ``ChangeOneDistance`` or ``HammingDistance``), and whose
            output measure is pure, approximate, zero-concentrated or Renyi DP.
        d_in: how many records one unit contributes at most; above 1 the unit's name says so.

    Raises:
        InvalidArgument: the metric or the measure is another one, or an attribute is missing.

    Examples:
        >>> from types import SimpleNamespace
        >>> from_opendp(SimpleNamespace(
        ...     input_metric="SymmetricDistance()",
        ...     output_measure="ZeroConcentratedDivergence",
        ...     map=lambda d_in: 0.5 * d_in**2,
        ... ))
        ZCDP(rho=0.5)
    """
    neighbors = _relation(attribute(CALLER, measurement, "input_metric"), d_in)
    measure = _measure(attribute(CALLER, measurement, "output_measure"))
    build = _BUILDERS.get(measure)
    if build is None:
        raise InvalidArgument(
            f"{CALLER}: the output measure {measure} is not supported; supported are "
            f"{', '.join(_BUILDERS)}. A measurement of SmoothedMaxDivergence becomes one of these "
            "by dp.c.make_fix_delta(measurement, delta)"
        )
    return build(attribute(CALLER, measurement, "map")(d_in), neighbors)


def _relation(metric: Any, d_in: Any) -> Neighbors:
    name = re.split(r"\W", str(metric), maxsplit=1)[0]
    if name not in METRICS:
        raise InvalidArgument(
            f"{CALLER}: the input metric {metric} does not count records; chain the measurement "
            f"to a transformation, so that it is one of {', '.join(METRICS)}"
        )
    if not isinstance(d_in, int) or isinstance(d_in, bool) or d_in < 1:
        raise InvalidArgument(
            f"{CALLER}: d_in must be a whole number of records, at least 1; you passed {d_in!r}"
        )
    relation = METRICS[name]
    return relation if d_in == 1 else relation.of(f"unit of at most {d_in} records")


def _measure(measure: Any) -> str:
    """The measure's text without the types of its numbers, and with one kind of brackets."""
    plain = str(measure).replace("<", "(").replace(">", ")").replace(" ", "")
    return re.sub(r"\((?:f32|f64)?\)", "", plain)


def _approximate(distance: Any, neighbors: Neighbors) -> Guarantee:
    epsilon, delta = distance
    return ApproxDP(epsilon, delta, neighbors=neighbors)


def _renyi(curve: Callable[[float], float], neighbors: Neighbors) -> Guarantee:
    """At an infinite order, where a curve may have no value, nothing is known."""

    def bound(order: float) -> float:
        try:
            return float(curve(max(order, JUST_ABOVE_ONE)))
        except Exception:
            if math.isinf(order):
                return math.inf
            raise

    return RDP(bound, neighbors=neighbors)


_BUILDERS: dict[str, Callable[[Any, Neighbors], Guarantee]] = {
    "MaxDivergence": lambda distance, relation: PureDP(distance, neighbors=relation),
    "ZeroConcentratedDivergence": lambda distance, relation: ZCDP(distance, neighbors=relation),
    "Approximate(MaxDivergence)": _approximate,
    "FixedSmoothedMaxDivergence": _approximate,
    "RenyiDivergence": _renyi,
}
