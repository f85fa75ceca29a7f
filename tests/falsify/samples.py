"""Trials of Poisson sampling: the unit is in the sample or not, whatever else is in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from compositions import Greatest
from oracle import divergences as oracle
from oracle.finite_pairs import FinitePairs, random_pairs
from pools import coins, extremal_coins, log_normal_tail, shifted
from runs import Parameter, mixtures
from statements import PairCurve
from trials import ORDERS, Array, Trial, delta_at, renyi_at
from truncated import shown_rho, stated_rho

import tightrope as tr
from tightrope.theorems.registry import named

Drawn = tuple[FinitePairs, Array, FinitePairs]
"""The pairs of two states in turn, the rate, and the pair of the sampled release."""


def drawn(pairs: FinitePairs, seed: int) -> Drawn:
    rng = np.random.default_rng(seed)
    size = len(pairs) // 2
    rate = 10 ** rng.uniform(-3, 0, size) * (1 - 1e-9)
    return pairs, rate, mixtures(pairs, rate, rng.uniform(0.01, 0.99, size))


def alone(pairs: FinitePairs, rate: float) -> Drawn:
    """Nothing else in the sample: both states are the same."""
    twice = pairs[np.repeat(np.arange(len(pairs)), 2)]
    rates = np.full(len(pairs), rate)
    return twice, rates, mixtures(twice, rates, np.full(len(pairs), 0.5))


def far_out() -> FinitePairs:
    """Coins 30 deviations out, one apart: there a sampled Gaussian looks like the whole one."""
    odds = [log_normal_tail(z) - log_normal_tail(-z) for z in (31.0, 30.0)]
    return coins(np.array(odds[:1]), np.array(odds[1:]))


def wide() -> FinitePairs:
    """Two Gaussians seen far enough to the right for high orders."""
    cuts = np.linspace(-6, 16, 149)
    return FinitePairs.of(*shifted(log_normal_tail, np.array([0.0, 1.0]), cuts))


def tried(count: int) -> list[Drawn]:
    many = random_pairs(61, 2 * count)
    order = np.argsort(oracle.pure_epsilon(many), kind="stable")
    return [drawn(many, 61), drawn(many[order], 67), alone(extremal_coins(), 0.3)]


def strongest(parameter: Parameter, pairs: FinitePairs) -> Array:
    """What both states satisfy."""
    value = parameter(pairs)
    return np.maximum(value[0::2], value[1::2])


def scalar(
    rule: str, target: type, parameter: Parameter, extremal: tuple[Drawn, ...], count: int
) -> list[Trial]:
    found = []
    for pairs, rate, sampled in [*tried(count), *extremal]:
        stated = strongest(parameter, pairs)
        zeros = (np.zeros_like(stated),) if target is tr.ZCDP else ()
        result = named(rule)(stated, *zeros, rate)
        claim = np.asarray(result[0] if isinstance(result, tuple) else result)
        found.append(Trial(sampled, claim, parameter(sampled), target))
    return found


def zcdp(count: int) -> list[Trial]:
    found = scalar("sample_zcdp", tr.ZCDP, oracle.rho_star, (alone(wide(), 0.9),), count)
    for pairs, rate, sampled in tried(count):
        rho = 0.6 * strongest(oracle.rho_star, pairs)
        xi = strongest(lambda x, r=rho: oracle.xi_star(x, np.repeat(r, 2)), pairs)
        slope, offset = named("sample_zcdp")(rho, np.maximum(xi, 0.0), rate)
        truth = oracle.xi_star(sampled, slope)
        found.append(Trial(sampled, np.asarray(offset), truth, tr.ZCDP))
    return found


def tcdp(count: int) -> list[Trial]:
    found = []
    for pairs, rate, sampled in tried(count):
        omega = 1 + 10 ** np.random.default_rng(71).uniform(-1, 1.5, len(rate))
        rho = strongest(lambda x, w=omega: stated_rho(x, np.repeat(w, 2)), pairs)
        slope, reach = named("sample_tcdp")(rho, omega, rate)
        truth = shown_rho(sampled, np.asarray(reach))
        found.append(Trial(sampled, np.asarray(slope), truth, tr.TCDP))
    return found


def renyi(count: int) -> list[Trial]:
    found = []
    for pairs, rate, sampled in tried(count):
        orders = np.random.default_rng(73).choice(ORDERS, len(rate))
        claim = []
        for row, order in enumerate(orders):
            curve = Greatest([PairCurve(pairs, 2 * row), PairCurve(pairs, 2 * row + 1)])
            claim.append(float(named("sample_rdp")(curve, rate[row])(order)))
        found.append(Trial(sampled, np.array(claim), renyi_at(sampled, orders), tr.RDP))
    return found


def profile(count: int) -> list[Trial]:
    found = []
    for pairs, rate, sampled in tried(count):
        share = np.random.default_rng(79).random(len(rate))
        epsilon = share * oracle.pure_epsilon(sampled)
        claim = []
        for row, e in enumerate(epsilon):
            whole = partial(_log_delta, pairs[2 * row : 2 * row + 2])
            claim.append(float(named("sample_profile")(e, float(rate[row]), whole)))
        found.append(Trial(sampled, np.array(claim), delta_at(sampled, epsilon), tr.Profile))
    return found


def _log_delta(both: FinitePairs, epsilon: Any) -> float:
    delta = float(np.max(oracle.hockey_stick(both, float(epsilon))))
    return float(np.log(delta)) if delta > 0 else -np.inf


def _plain(
    rule: str, target: type, parameter: Parameter, *extremal: Drawn
) -> Callable[[int], list[Trial]]:
    return partial(scalar, rule, target, parameter, extremal)


SAMPLES: dict[str, Callable[[int], list[Trial]]] = {
    "sample_pure": _plain("sample_pure", tr.PureDP, oracle.pure_epsilon),
    "sample_gdp": _plain("sample_gdp", tr.GDP, oracle.tight_mu, alone(far_out(), 0.9)),
    "sample_logistic": _plain("sample_logistic", tr.LogisticDP, oracle.logistic_epsilon),
    "sample_zcdp": zcdp,
    "sample_tcdp": tcdp,
    "sample_rdp": renyi,
    "sample_profile": profile,
}
