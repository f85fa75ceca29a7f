"""The oracle of composed profiles against published figures, and its slower checks."""

from __future__ import annotations

import pytest
from flint import arb, ctx
from mpmath import mp, mpf

from . import composed
from .composed_contour import on_a_curve
from .composed_intervals import laplace
from .test_composed import ROWS, double, select


@pytest.fixture(autouse=True)
def _precision():
    with mp.workdps(45), ctx.workprec(160):
        yield


def brackets(loss: str, args: dict, n: int, epsilon: str, delta: float) -> bool:
    """Is delta passed within half a unit of the last digit of epsilon?"""
    half = 0.6 * 10.0 ** -len(epsilon.split(".")[1])
    values = [composed.first(loss, args, n, float(epsilon) + d) for d in (-half, half)]
    return values[0] > delta > values[1]


def test_the_discrete_gaussian_figure():
    args = {"sigma": "10", "shift": 1}
    assert brackets("discrete_gaussian", args, 1000, "19.423664552", 1e-6)


def test_the_laplace_figure():
    law = laplace(arb(0.1))
    c, scale = composed.sketch("laplace", {"epsilon": "0.1"}).saddle(500, 12.27)
    low, high = (
        on_a_curve(law.transform, 500, 12.270368083 + d, c, scale) for d in (-6e-10, 6e-10)
    )
    assert low > 1e-6 > high


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sigma", "rate", "n", "delta", "epsilon"),
    [
        ("1", "0.01", 10_000, 1e-5, "6.187712390"),
        ("0.8", "0.001", 100_000, 1e-6, "2.914478335"),
        ("9.4", "0.328", 2000, 1e-5, "7.433065647"),
    ],
)
def test_dp_sgd_figures(sigma, rate, n, delta, epsilon):
    args = {"sigma": sigma, "rate": rate}
    loss = "poisson_gaussian"
    lower, upper = (
        composed.first(loss, {**args, "order": order}, n, float(epsilon))
        for order in ("without", "with")
    )
    larger = "with" if upper > lower else "without"
    assert brackets(loss, {**args, "order": larger}, n, epsilon, delta)
    assert min(lower, upper) < delta


@pytest.mark.slow
@pytest.mark.parametrize("sigma", ["1", "0.8", "9.4"])
def test_two_sampled_gaussian_releases_by_one_integral(sigma):
    """Where the quadrature still sees the peak: at 1e-300 it misses a part of it."""
    rows = select("poisson_gaussian", 2, order="with", sigma=sigma)
    for row in (row for row in rows if float(row["log_delta"]) > -300):
        value = sampled_twice(row)
        assert abs(mpf(row["log_delta"]) - mp.log(value)) < mpf("1e-18"), row


def sampled_twice(row: dict) -> mpf:
    """E_P[delta_1(e - L)], cut where the support of the second release ends."""
    sigma, rate = (double(row["args"][name]) for name in ("sigma", "rate"))
    e, root = double(row["epsilon"]), mp.sqrt(2)
    tail = lambda x: mp.erfc(x / (sigma * root)) / 2  # noqa: E731
    ratio = lambda x: 1 - rate + rate * mp.exp((2 * x - 1) / (2 * sigma**2))  # noqa: E731
    x_of = lambda r: sigma**2 * mp.log((r - 1 + rate) / rate) + mpf(1) / 2  # noqa: E731

    def inner(x: mpf) -> mpf:
        r = ratio(x)
        density = mp.exp(-(x**2) / (2 * sigma**2)) / (sigma * mp.sqrt(2 * mp.pi))
        rest = mp.exp(e) / r
        if rest <= 1 - rate:
            return density * r * (1 - rest)
        edge = x_of(rest)
        return density * r * ((1 - rate) * tail(edge) + rate * tail(edge - 1) - rest * tail(edge))

    cut = x_of(mp.exp(e) / (1 - rate))
    points = sorted({cut, *(k * sigma for k in range(-45, 46, 3))})
    return mp.quad(inner, points)


@pytest.mark.slow
def test_the_table_is_what_the_oracle_says():
    cheap = [row for row in ROWS if not row["loss"].startswith("poisson") and row["n"] <= 1000]
    for row in cheap[::7]:
        value = composed.second(row["loss"], row["args"], row["n"], float(row["epsilon"]))
        with ctx.workprec(200):
            assert abs(value.log() - arb(row["log_delta"])) < 1e-20
