"""Trials of the rules of composition, the second release chosen after seeing the first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from oracle import divergences as oracle
from oracle.finite_pairs import FinitePairs, random_pairs
from pools import coins, log_normal_tail, shifted
from runs import ATOMS, Parameter, adaptive, alike
from statements import PairCurve, exact_curve
from trials import ORDERS, Array, Trial, corner, delta_at, finite_loss, renyi_at
from truncated import shown_rho, stated_rho

import tightrope as tr
from tightrope.theorems.registry import named

Releases = tuple[FinitePairs, list[FinitePairs]]
ONCE = [1, 1]

ROUNDED = 1 + 1e-14
"""Log-ratios of several releases are sums, so the largest may exceed its bound by an ulp."""


def answers() -> Releases:
    """Two randomised responses, the second turned round after one of the first answers."""
    t = np.geomspace(0.02, 6, 12)
    pairs = coins(t, -t)
    return pairs, [pairs, pairs.swapped()]


def normal() -> Releases:
    """Two Gaussian releases."""
    p, q = shifted(log_normal_tail, np.array([0.0, 0.7]), np.linspace(-6, 7, 59))
    pair = FinitePairs.of(p, q)
    return pair, [pair] * 60


def lopsided() -> Releases:
    """After the answer of smaller log-ratio its range goes on downwards, else upwards."""
    t = np.geomspace(0.05, 5, 8)
    upwards = coins(-20 - t, np.full(8, -20.0))
    return coins(t / 2, -t / 2), [upwards.swapped(), upwards]


def random(parameter: Parameter, seed: int, count: int) -> Releases:
    return random_pairs(seed, count, ATOMS), alike(parameter, seed + 1, count)


def strongest(parameter: Parameter, parts: list[FinitePairs]) -> Array:
    return np.max([parameter(part) for part in parts], axis=0)


def scalar(
    rule: str, target: type, parameter: Parameter, extremal: list[Releases], count: int
) -> list[Trial]:
    """Rules that take a number from each release and give one."""
    found = []
    for first, second in [random(parameter, 11, count), *extremal]:
        parts = zip(parameter(first), strongest(parameter, second), strict=True)
        zeros = (np.zeros(2),) if target is tr.ZCDP else ()
        results = [named(rule)(np.array(pair), *zeros, ONCE) for pair in parts]
        claim = np.array([r[0] if isinstance(r, tuple) else r for r in results])
        joint = adaptive(first, second)
        found.append(Trial(joint, claim, parameter(joint), target))
    return found


def zcdp(count: int) -> list[Trial]:
    """Without offsets; and with them, where what is left beside the summed slope is compared."""
    found = scalar("compose_zcdp", tr.ZCDP, oracle.rho_star, [answers()], count)
    first, second = random(oracle.rho_star, 13, count)
    rng = np.random.default_rng(13)
    rho = rng.random((2, count)) * [oracle.rho_star(first), strongest(oracle.rho_star, second)]
    xi = [np.maximum(oracle.xi_star(first, rho[0]), 0.0)]
    xi.append(strongest(lambda part: np.maximum(oracle.xi_star(part, rho[1]), 0.0), second))
    rows = zip(rho.T, np.transpose(xi), strict=True)
    total = np.array([named("compose_zcdp")(*row, ONCE) for row in rows])
    joint = adaptive(first, second)
    found.append(Trial(joint, total[:, 1], oracle.xi_star(joint, total[:, 0]), tr.ZCDP))
    return found


def tcdp(count: int) -> list[Trial]:
    found = []
    for first, second in (random(oracle.rho_star, 17, count), answers()):
        omega = 1 + 10 ** np.random.default_rng(17).uniform(-1, 1.5, (2, len(first)))
        rho = [stated_rho(first, omega[0])]
        rho.append(strongest(lambda part, w=omega[1]: stated_rho(part, w), second))
        rows = zip(np.transpose(rho), omega.T, strict=True)
        total = np.array([named("compose_tcdp")(*row, ONCE) for row in rows])
        joint = adaptive(first, second)
        found.append(Trial(joint, total[:, 0], shown_rho(joint, total[:, 1]), tr.TCDP))
    return found


class Greatest:
    """The greatest of several Renyi curves: what holds whichever release follows."""

    max_order = np.inf

    def __init__(self, curves: list[PairCurve]):
        self.curves = curves

    def __call__(self, orders: Any) -> Any:
        return np.max([curve(orders) for curve in self.curves], axis=0)


def renyi(count: int) -> list[Trial]:
    found = []
    for first, second in (random(oracle.rho_star, 19, count), answers()):
        joint = adaptive(first, second)
        orders = np.random.default_rng(19).choice(ORDERS, len(first))
        claim = []
        for row, order in enumerate(orders):
            parts = (PairCurve(first, row), Greatest([PairCurve(part, row) for part in second]))
            claim.append(named("compose_rdp")(parts, ONCE)(order))
        found.append(Trial(joint, np.array(claim), renyi_at(joint, orders), tr.RDP))
    return found


def tradeoff(count: int) -> list[Trial]:
    found = []
    for first, second in (random(oracle.tight_mu, 23, count), answers()):
        joint = adaptive(first, second)
        alpha, beta = corner(joint, np.random.default_rng(23))
        claim = []
        for row in range(len(first)):
            at = slice(row, row + 1)
            later = FinitePairs(*(_stack(second, side, at) for side in ("log_p", "log_q")))
            product = named("compose_tradeoff")(exact_curve(first[at]), exact_curve(later))
            claim.append(float(product(alpha[row])))
        found.append(Trial(joint, np.array(claim), beta, tr.TradeOff, alpha))
    return found


def _stack(parts: list[FinitePairs], side: str, at: slice) -> Array:
    return np.vstack([getattr(part, side)[at] for part in parts])


# --- (epsilon, delta) --------------------------------------------------------------------------


def statements(parts: list[list[FinitePairs]], seed: int) -> list[tuple[Array, Array]]:
    """An epsilon for each release, and the delta that goes with it, whichever one follows."""
    rng = np.random.default_rng(seed)
    found = []
    for options in parts:
        epsilon = rng.choice([0.3, 0.7, 1.0], len(options[0])) * strongest(finite_loss, options)
        found.append((epsilon, strongest(lambda x, e=epsilon: delta_at(x, e), options)))
    return found


def leaky_answers() -> Releases:
    t, delta = np.array([0.1, 0.5, 1.0, 2.0]), np.array([1e-6, 1e-3, 0.1, 1e-2])
    pairs = coins(t, -t).with_failure(delta)
    return pairs, [pairs] * 4


def basic(count: int) -> list[Trial]:
    found = []
    for first, second in (random(oracle.pure_epsilon, 29, count), leaky_answers()):
        (e1, d1), (e2, d2) = statements([[first], second], 29)
        rows = zip(np.transpose([e1, e2]), np.transpose([d1, d2]), strict=True)
        total = np.array([named("compose_basic")(*row, ONCE) for row in rows])
        joint = adaptive(first, second)
        with np.errstate(divide="ignore"):
            claim = np.log(total[:, 1])
        found.append(Trial(joint, claim, delta_at(joint, ROUNDED * total[:, 0]), tr.Profile))
    return found


def optimal(count: int) -> list[Trial]:
    found = []
    for first, second in (random(oracle.pure_epsilon, 31, count), leaky_answers()):
        stated = statements([[first], second], 31)
        joint = adaptive(first, second)
        asked = np.random.default_rng(31).random(len(first)) * (stated[0][0] + stated[1][0])
        claim = []
        for row, epsilon in enumerate(asked):
            counts: dict[tuple[float, float], int] = {}
            for part in stated:
                key = (float(part[0][row]), min(float(part[1][row]), 1 - 1e-15))
                counts[key] = counts.get(key, 0) + 1
            claim.append(float(named("optimal_composition")(epsilon, counts)))
        found.append(Trial(joint, np.array(claim), delta_at(joint, ROUNDED * asked), tr.Profile))
    return found


def advanced(count: int) -> list[Trial]:
    """Six equal parts; the theorem loses too much to be of use for fewer."""
    pairs = random_pairs(37, count, 2)
    joint = pairs
    for _ in range(5):
        joint = joint.product(pairs)
    (epsilon, delta) = statements([[pairs]], 37)[0]
    rows = zip(epsilon.tolist(), delta.tolist(), strict=True)
    total = np.array([named("compose_advanced")(e, d, 6, 1e-3) for e, d in rows])
    with np.errstate(divide="ignore"):
        claim = np.log(total[:, 1])
    return [Trial(joint, claim, delta_at(joint, ROUNDED * total[:, 0]), tr.Profile)]


def _plain(
    rule: str, target: type, parameter: Parameter, *extremal: Callable[[], Releases]
) -> Callable[[int], list[Trial]]:
    built = [make() for make in extremal]
    return partial(scalar, rule, target, parameter, built)


COMPOSITIONS: dict[str, Callable[[int], list[Trial]]] = {
    "compose_pure": _plain("compose_pure", tr.PureDP, oracle.pure_epsilon, answers),
    "compose_logistic": _plain("compose_logistic", tr.LogisticDP, oracle.logistic_epsilon, answers),
    "compose_bounded_range": _plain(
        "compose_bounded_range", tr.BoundedRange, oracle.bounded_range, answers, lopsided
    ),
    "compose_gdp": _plain("compose_gdp", tr.GDP, oracle.tight_mu, answers, normal),
    "compose_zcdp": zcdp,
    "compose_tcdp": tcdp,
    "compose_rdp": renyi,
    "compose_tradeoff": tradeoff,
    "compose_basic": basic,
    "compose_advanced": advanced,
    "optimal_composition": optimal,
}
