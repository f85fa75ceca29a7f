"""Every value of golden.json against what the library reports, with the side that is safe.

The file holds reference values to 20 digits (60-digit arithmetic, checked against 85 digits); an
argument means the double nearest to its text, a count is whole. What is a bound must not lie on
the unsafe side by more than the last printed digit, and all must agree to a relative 1e-12.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mpmath as mp
import pytest
from reported import DOWN, RAW, REPORTED, UP, Reported, mu_of

import tightrope as tr
from tightrope.theorems import constants, discrete_gaussian

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden.json").read_text())
WHOLE = {"Delta", "k", "dim"}
LAST_DIGIT = mp.mpf("1e-19")
SMALLEST = mp.mpf(2) ** -1022

WIDE_NOISE = 1e4
"""Variance of discrete Gaussian noise beyond which mu is a proved bound and not the tight value."""


def arguments(name: str, row: list[str]) -> list[Any]:
    told = zip(GOLDEN[name]["args"], row, strict=False)
    return [
        text if arg == "direction" else int(text) if arg in WHOLE else float(text)
        for arg, text in told
    ]


def exceeds(told: Reported, value: float, reference: mp.mpf) -> mp.mpf:
    """How far the value lies above the reference, as a share of it (of its log if tiny)."""
    if reference == 0:
        return mp.mpf(0) if value == (-mp.inf if told.logarithm else 0) else mp.inf
    if not told.logarithm:
        return (mp.mpf(value) - reference) / abs(reference)
    gap = mp.mpf(value) - mp.log(reference)
    return mp.expm1(gap) if reference >= SMALLEST else gap / abs(mp.log(reference))


def rows(name: str) -> list[tuple[list[Any], mp.mpf]]:
    return [(arguments(name, row), mp.mpf(row[-1])) for row in GOLDEN[name]["values"]]


def loosely(name: str, args: list[Any]) -> bool:
    return name == "mu_dgauss" and args[0] > WIDE_NOISE


def test_no_function_of_the_file_is_left_out() -> None:
    assert set(REPORTED) == set(GOLDEN)
    assert len(GOLDEN) == 59
    assert sum(len(entry["values"]) for entry in GOLDEN.values()) == 672


@pytest.mark.parametrize("name", sorted(REPORTED))
def test_golden(name: str) -> None:
    told, worst, unsafe = REPORTED[name], mp.mpf(0), []
    with mp.workdps(40):
        for args, reference in rows(name):
            excess = exceeds(told, float(told.value(*args)), reference)
            outward = {UP: excess, DOWN: -excess, RAW: abs(excess)}[told.side]
            if outward < -LAST_DIGIT:
                unsafe.append((args, float(excess)))
            tolerance = 1e-7 if loosely(name, args) else told.tolerance
            assert abs(excess) <= tolerance, (name, args, float(excess))
            worst = max(worst, mp.mpf(0) if loosely(name, args) else abs(excess))
    print(f"{name}: worst relative error {float(worst):.1e}, side {told.side}")
    assert not unsafe, (name, unsafe)


@pytest.mark.parametrize("name", ["mu_zcdp", "mu_br", "rho_br", "rho_pure", "mu_pure", "tv_zcdp"])
def test_formulas_that_round_to_nearest(name: str) -> None:
    formula = getattr(constants, name)
    with mp.workdps(40):
        for (argument,), reference in rows(name):
            assert abs(mp.mpf(formula(argument)) / reference - 1) <= 2e-15, argument


def test_the_central_vertex_of_wide_discrete_gaussians() -> None:
    """The formula that is tight in all cases ever scanned; what is reported never lies below."""
    with mp.workdps(40):
        for (variance, shift), reference in rows("mu_dgauss"):
            central = discrete_gaussian.central_mu(variance, shift)
            assert abs(mp.mpf(central) / reference - 1) <= 1e-12, (variance, shift)


@pytest.mark.parametrize(
    ("name", "notion"),
    [
        ("gdp_delta", tr.GDP),
        ("logistic_delta", tr.LogisticDP),
        ("pure_delta", tr.PureDP),
        ("zcdp_delta_opt", tr.ZCDP),
    ],
)
def test_delta_itself(name: str, notion: Any) -> None:
    """The logarithm's exponential, rounded up, is as good; no tiny delta comes back as 0."""
    with mp.workdps(40):
        for (parameter, epsilon), reference in rows(name):
            delta = notion(parameter).delta(epsilon)
            assert delta >= reference * (1 - LAST_DIGIT)
            if reference == 0:
                assert delta == 0
            elif reference < SMALLEST:
                assert 0 < delta < 1e-307
            else:
                assert abs(delta / reference - 1) <= 1e-12


@pytest.mark.parametrize(
    ("name", "event"),
    [
        ("mu_convert_then_compose", lambda r1, r2: tr.ZCDP(r1) + tr.ZCDP(r2)),
        ("mu_convert_then_group", lambda k, rho: tr.ZCDP(rho).group(k)),
        ("mu_br_convert_then_compose", lambda e1, e2: tr.BoundedRange(e1) + tr.BoundedRange(e2)),
        ("mu_br_group_then_convert", lambda k, e: tr.BoundedRange(e).group(k)),
    ],
)
def test_the_planner_is_at_least_as_good_as_the_better_order(name: str, event: Any) -> None:
    for args, reference in rows(name):
        assert mu_of(event(*args)) <= float(reference) * (1 + 1e-14), args
