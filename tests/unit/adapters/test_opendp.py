"""Measurements of OpenDP, by objects that only look like them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from peers import fake

import tightrope as tr
from tightrope.adapters import from_opendp


def measurement(measure, distance, metric="SymmetricDistance()"):
    mapped = distance if callable(distance) else lambda d_in: distance
    return fake("Measurement", input_metric=metric, output_measure=measure, map=mapped)


@pytest.mark.parametrize(
    ("measure", "distance", "expected"),
    [
        ("MaxDivergence", 0.5, tr.PureDP(0.5)),
        ("MaxDivergence(f64)", 0.5, tr.PureDP(0.5)),
        ("MaxDivergence()", 0.5, tr.PureDP(0.5)),
        ("ZeroConcentratedDivergence", 0.1, tr.ZCDP(0.1)),
        ("ZeroConcentratedDivergence(f64)", 0.1, tr.ZCDP(0.1)),
        ("Approximate(MaxDivergence)", (1.0, 1e-6), tr.ApproxDP(1.0, 1e-6)),
        ("Approximate<MaxDivergence>", (1.0, 1e-6), tr.ApproxDP(1.0, 1e-6)),
        ("Approximate(MaxDivergence(f64))", (1.0, 1e-6), tr.ApproxDP(1.0, 1e-6)),
        ("FixedSmoothedMaxDivergence(f64)", (1.0, 1e-6), tr.ApproxDP(1.0, 1e-6)),
    ],
)
def test_measures(measure, distance, expected):
    assert from_opendp(measurement(measure, distance)) == expected


@pytest.mark.parametrize(
    ("metric", "relation"),
    [
        ("SymmetricDistance()", tr.add_or_remove),
        ("InsertDeleteDistance()", tr.add_or_remove),
        ("ChangeOneDistance()", tr.replace_one),
        ("HammingDistance()", tr.replace_one),
    ],
)
def test_metrics(metric, relation):
    assert from_opendp(measurement("MaxDivergence", 0.5, metric)).neighbors == relation


def test_units_of_several_records_say_so():
    found = from_opendp(measurement("MaxDivergence", lambda d_in: 0.5 * d_in), d_in=3)
    assert found.epsilon == 1.5
    assert found.neighbors == tr.add_or_remove.of("unit of at most 3 records")


@pytest.mark.parametrize("at_infinity", [math.inf, RuntimeError("no such order")])
def test_renyi_curves(at_infinity):
    def curve(order):
        if order <= 1:
            raise RuntimeError("order must be above 1")
        if math.isinf(order) and isinstance(at_infinity, Exception):
            raise at_infinity
        return 0.5 * order

    found = from_opendp(measurement("RenyiDivergence", lambda d_in: curve))
    assert np.allclose(found([1.0, 2.0, 10.0]), [0.5, 1.0, 5.0], rtol=1e-5)
    assert found(1.0) >= 0.5
    assert found.epsilon(1e-6) == pytest.approx(tr.RDP(lambda a: 0.5 * a).epsilon(1e-6), rel=1e-6)


@pytest.mark.parametrize(
    ("source", "d_in", "words"),
    [
        (measurement("SmoothedMaxDivergence", 1.0), 1, "make_fix_delta"),
        (measurement("Approximate(ZeroConcentratedDivergence)", 1.0), 1, "is not supported"),
        (measurement("MaxDivergence", 1.0, "L1Distance(i32)"), 1, "does not count records"),
        (measurement("MaxDivergence", 1.0), 0, "d_in must be a whole number of records"),
        (measurement("MaxDivergence", 1.0), 1.5, "d_in must be a whole number of records"),
        (fake("Transformation", input_metric="SymmetricDistance()"), 1, "'output_measure'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_refused(source, d_in, words):
    with pytest.raises(tr.InvalidArgument, match=words):
        from_opendp(source, d_in)
