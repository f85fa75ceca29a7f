"""The oracle of composed profiles against brute force, closed forms and published figures."""

from __future__ import annotations

import itertools
import json
import math
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from flint import arb, ctx
from mpmath import mp, mpf

from . import composed
from .composed_contour import on_a_curve
from .composed_intervals import by_residues, laplace, logistic
from .composed_sampled import SampledLaplace, laplace_profile

ROWS = json.loads((Path(__file__).parents[1] / "golden" / "composed.json").read_text())
DIGITS = 30


@pytest.fixture(autouse=True)
def _precision():
    with mp.workdps(DIGITS + 10), ctx.workprec(160):
        yield


def ball(value: arb) -> mpf:
    return mpf(value.str(DIGITS + 5, radius=False))


def agree(row: dict, expected: mpf) -> None:
    assert abs(mpf(row["log_delta"]) - mp.log(expected)) < mpf("1e-24"), row


def select(loss: str, n: int, **args) -> list[dict]:
    match = [
        row
        for row in ROWS
        if row["loss"] == loss and row["n"] == n and args.items() <= row["args"].items()
    ]
    assert match, (loss, n, args)
    return match


def double(text: str) -> mpf:
    return mpf(float(text))


def hockey_stick(atoms: dict, n: int, epsilon: mpf) -> mpf:
    """The definition, over all sequences of n losses; masses are P's."""
    total = mpf(0)
    for outcome in itertools.combinations_with_replacement(atoms.items(), n):
        loss = mp.fsum(loss for loss, _ in outcome)
        if loss > epsilon:
            ways = math.factorial(n)
            for count in defaultdict(int, _counts(outcome)).values():
                ways //= math.factorial(count)
            total += ways * mp.fprod(mass for _, mass in outcome) * -mp.expm1(epsilon - loss)
    return total


def _counts(outcome) -> dict:
    counts: dict = defaultdict(int)
    for loss, _ in outcome:
        counts[loss] += 1
    return counts


@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_randomised_response_by_all_outcomes(n):
    for row in select("randomized_response", n):
        e = double(row["args"]["epsilon"])
        atoms = {e: 1 / (1 + mp.exp(-e)), -e: 1 / (1 + mp.exp(e))}
        agree(row, hockey_stick(atoms, n, double(row["epsilon"])))
    for row in select("k_randomized_response", n):
        e, k = double(row["args"]["epsilon"]), row["args"]["k"]
        total = mp.exp(e) + k - 1
        atoms = {e: mp.exp(e) / total, mpf(0): (k - 2) / total, -e: 1 / total}
        agree(row, hockey_stick(atoms, n, double(row["epsilon"])))


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("shift", [1, 3])
def test_discrete_laplace_from_its_masses_on_the_integers(n, shift):
    scale, atoms = mpf(2), defaultdict(mpf)
    total = mp.coth(1 / (2 * scale))
    for z in range(-200, 201):
        atoms[mpf(abs(z - shift) - abs(z)) / scale] += mp.exp(-abs(z) / scale) / total
    for row in select("discrete_laplace", n, shift=shift):
        agree(row, hockey_stick(atoms, n, double(row["epsilon"])))


@pytest.mark.parametrize(("n", "sigma", "shift"), [(1, "10", 1), (1, "3", 4), (2, "0.5", 1)])
def test_discrete_gaussian_from_its_masses_on_the_integers(n, sigma, shift):
    spread = double(sigma) ** 2
    reach = int(45 * float(sigma)) + 10
    weight = {z: mp.exp(-(mpf(z) ** 2) / (2 * spread)) for z in range(-reach, reach + 1)}
    total = mp.fsum(weight.values())
    atoms = {(shift**2 + 2 * shift * z) / (2 * spread): w / total for z, w in weight.items()}
    for row in select("discrete_gaussian", n, sigma=sigma, shift=shift):
        agree(row, hockey_stick(atoms, n, double(row["epsilon"])))


@pytest.mark.parametrize("n", [1, 3, 10])
def test_three_outcomes_by_all_counts(n):
    for row in select("finite", n):
        p, q = ([double(x) for x in row["args"][name]] for name in "pq")
        atoms = {mp.log(a / b): a for a, b in zip(p, q, strict=True)}
        agree(row, hockey_stick(atoms, n, double(row["epsilon"])))


@pytest.mark.parametrize("n", [1, 1000, 100_000])
def test_gaussian_losses_add_up_to_a_gaussian_loss(n):
    for row in select("gaussian", n):
        mu, e = double(row["args"]["mu"]) * mp.sqrt(n), double(row["epsilon"])
        upper = mp.erfc((e / mu - mu / 2) / mp.sqrt(2)) / 2
        agree(row, upper - mp.exp(e) * mp.erfc((e / mu + mu / 2) / mp.sqrt(2)) / 2)


@pytest.mark.parametrize("n", [2, 10])
def test_mass_at_infinity_is_never_hidden(n):
    for row in select("approx_dp", n):
        e, delta = (double(row["args"][name]) for name in ("epsilon", "delta"))
        kept = (1 - delta) ** n
        atoms = {e: 1 / (1 + mp.exp(-e)), -e: 1 / (1 + mp.exp(e))}
        agree(row, 1 - kept + kept * hockey_stick(atoms, n, double(row["epsilon"])))


def laplace_once(base: mpf, e: mpf) -> mpf:
    if e >= base:
        return mpf(0)
    return -mp.expm1(e) if e <= -base else -mp.expm1((e - base) / 2)


def logistic_once(base: mpf, e: mpf) -> mpf:
    """(exp(b/2) - exp(e/2))^2 / (exp(b) - 1) on (-b, b)."""
    if abs(e) >= base:
        return mpf(0) if e > 0 else -mp.expm1(e)
    return mp.exp(e) * mp.expm1((base - e) / 2) ** 2 / mp.expm1(base)


def twice(once: Callable, density: Callable, base: mpf, e: mpf) -> mpf:
    """E_P[delta_1(e - L)] over the density of L on (-base, base)."""
    points = sorted({-base, base, *(x for x in (e - base, e + base) if abs(x) < base)})
    return mp.quad(lambda x: density(x) * once(base, e - x), points)


def test_two_laplace_releases_by_one_integral():
    for row in select("laplace", 2):
        b, e = double(row["args"]["epsilon"]), double(row["epsilon"])
        atoms = laplace_once(b, e - b) / 2 + mp.exp(-b) / 2 * laplace_once(b, e + b)
        inner = twice(laplace_once, partial(lambda b, x: mp.exp((x - b) / 2) / 4, b), b, e)
        agree(row, atoms + inner)


def test_two_logistic_releases_by_one_integral():
    for row in select("logistic", 2):
        b, e = double(row["args"]["epsilon"]), double(row["epsilon"])
        scale = 4 * mp.sinh(b / 2)
        agree(row, twice(logistic_once, partial(lambda s, x: mp.exp(x / 2) / s, scale), b, e))


def sampled_once(row: dict) -> mpf:
    """P(S) - exp(e) Q(S) on the likelihood-ratio test S = {x beyond the edge}."""
    sigma, rate = (double(row["args"][name]) for name in ("sigma", "rate"))
    e, sign = double(row["epsilon"]), 1 if row["args"]["order"] == "with" else -1
    edge = sigma**2 * mp.log((mp.exp(sign * e) - 1 + rate) / rate) + mpf(1) / 2
    base, shifted = (mp.erfc(sign * x / (sigma * mp.sqrt(2))) / 2 for x in (edge, edge - 1))
    mixture = (1 - rate) * base + rate * shifted
    return mixture - mp.exp(e) * base if sign > 0 else base - mp.exp(e) * mixture


def test_one_sampled_gaussian_release_by_its_definition():
    mp.dps += 20
    for row in select("poisson_gaussian", 1):
        agree(row, sampled_once(row))


def test_sampling_everything_is_no_sampling():
    whole = SampledLaplace(1.0, 1.0, "with")
    for e in (0.25, 1.5):
        unsampled = by_residues(lambda: laplace(arb(1)), 2, arb(e))
        assert abs(whole.profile(2, arb(e), 40) / unsampled - 1) < 1e-30
    assert abs(whole.profile(1, arb(0.5), 2) - laplace_profile(arb(1), arb(0.5))) < 1e-40


def test_residues_are_the_contour_integral():
    law = logistic(arb(4))
    c, scale = composed.sketch("logistic", {"epsilon": "4"}).saddle(200, 450.0)
    contour = on_a_curve(law.transform, 200, 450.0, c, scale)
    residues = by_residues(lambda: logistic(arb(4)), 200, arb(450))
    assert abs(contour / residues - 1) < 1e-24


def test_delta_falls_with_epsilon_and_grows_with_copies():
    profiles = defaultdict(list)
    for row in ROWS:
        key = (row["loss"], json.dumps(row["args"]), row["n"])
        profiles[key].append((float(row["epsilon"]), mpf(row["log_delta"])))
    assert len(profiles) > 100
    for profile in profiles.values():
        assert profile == sorted(profile, key=lambda point: -point[1])
        assert profile == sorted(profile)
