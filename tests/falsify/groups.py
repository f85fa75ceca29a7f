"""Trials of group privacy: chains of laws, each a neighbour of the next."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from compositions import ROUNDED, Greatest, strongest
from oracle import divergences as oracle
from oracle.finite_pairs import FinitePairs
from pools import coins, log_normal_tail, shifted
from runs import Parameter, chains, pairs_of
from statements import PairCurve, exact_curve
from trials import Array, Trial, corner, delta_at, finite_loss, renyi_at
from truncated import shown_rho, stated_rho

import tightrope as tr
from tightrope.theorems.registry import named

Chain = list[Array]

SIZES = (2, 3, 5)


def masses(log_odds: Array) -> Array:
    return coins(log_odds, log_odds).log_p


def walking(size: int) -> Chain:
    """Coins whose log-odds go up by the same step each time, from the far end and the middle."""
    step = np.geomspace(0.01, 3, 6)
    start = np.concatenate([np.full(6, -20.0), -size * step / 2])
    step = np.tile(step, 2)
    return [masses(start + j * step) for j in range(size + 1)]


def scoring(size: int) -> Chain:
    """Coins whose normal scores go up by the same step each time."""
    steps = np.array([0.1, 0.5, 1.0])
    scores = [-size * steps / 2 + j * steps for j in range(size + 1)]
    odds = [[log_normal_tail(-z) - log_normal_tail(z) for z in row] for row in scores]
    return [masses(np.array(row)) for row in odds]


def normal(size: int) -> Chain:
    """Gaussian laws, one shift after the other."""
    cuts = np.linspace(-6, 6 + 0.6 * size, 99)
    laws = shifted(log_normal_tail, 0.3 * np.arange(size + 1.0), cuts)
    return [law[None] for law in laws]


def leaking(size: int) -> Chain:
    """Coins of an outcome that starts impossible and grows by e^epsilon and delta each time."""
    epsilon, delta = np.array([0.1, 0.5, 1.0]), np.array([1e-6, 1e-4, 1e-9])
    odds = [np.full(3, -np.inf)]
    p = np.zeros(3)
    for _ in range(size):
        p = np.exp(epsilon) * p + delta
        odds.append(np.log(p) - np.log1p(-p))
    return [masses(row) for row in odds]


def on_a_curve(size: int) -> Chain:
    """Coins on the curve of randomised response, each at the power of the one before."""
    t = np.array([0.2, 1.0])
    p, laws = np.full(2, 0.01), []
    for _ in range(size + 1):
        laws.append(masses(np.log(p) - np.log1p(-p)))
        p = np.minimum(np.exp(t) * p, 1 - np.exp(-t) * (1 - p))
    return laws


def tried(count: int, *extremal: Callable[[int], Chain]) -> list[tuple[int, Chain]]:
    found = []
    for size in SIZES:
        for chain in [*chains(size, count // len(SIZES), size), *(make(size) for make in extremal)]:
            found.append((size, chain))
    return found


def ends(chain: Chain) -> FinitePairs:
    return FinitePairs(chain[0], chain[-1])


def scalar(
    rule: str,
    target: type,
    parameter: Parameter,
    extremal: tuple[Callable[[int], Chain], ...],
    count: int,
) -> list[Trial]:
    found = []
    for size, chain in tried(count, *extremal):
        stated = strongest(parameter, pairs_of(chain))
        zeros = (np.zeros_like(stated),) if target is tr.ZCDP else ()
        result = named(rule)(stated, *zeros, size)
        claim = np.asarray(result[0] if isinstance(result, tuple) else result)
        found.append(Trial(ends(chain), claim, parameter(ends(chain)), target))
    return found


def zcdp(count: int) -> list[Trial]:
    found = scalar("group_zcdp", tr.ZCDP, oracle.rho_star, (normal, scoring), count)
    rng = np.random.default_rng(41)
    for size, chain in tried(count, walking):
        steps = pairs_of(chain)
        rho = rng.random(len(chain[0])) * strongest(oracle.rho_star, steps)
        xi = strongest(lambda x, r=rho: np.maximum(oracle.xi_star(x, r), 0.0), steps)
        slope, offset = named("group_zcdp")(rho, xi, size)
        truth = oracle.xi_star(ends(chain), slope)
        found.append(Trial(ends(chain), np.asarray(offset), truth, tr.ZCDP, note=size))
    return found


def tcdp(count: int) -> list[Trial]:
    found = []
    for size, chain in tried(count, normal):
        omega = size * (1 + 10 ** np.random.default_rng(43).uniform(-1, 1.2, len(chain[0])))
        rho = strongest(lambda x, w=omega: stated_rho(x, w), pairs_of(chain))
        slope, reach = (np.asarray(x) for x in named("group_tcdp")(rho, omega, size))
        found.append(Trial(ends(chain), slope, shown_rho(ends(chain), reach), tr.TCDP))
    return found


def renyi(count: int) -> list[Trial]:
    found = []
    for size, chain in tried(count, normal):
        steps = pairs_of(chain)
        orders = np.random.default_rng(47).choice([1.0, 1.3, 2.0, 6.0], len(chain[0]))
        claim = []
        for row, order in enumerate(orders):
            curve = Greatest([PairCurve(step, row) for step in steps])
            claim.append(float(named("group_rdp")(curve, size)(order)))
        truth = renyi_at(ends(chain), orders)
        found.append(Trial(ends(chain), np.array(claim), truth, tr.RDP))
    return found


def approximate(count: int) -> list[Trial]:
    found = []
    rng = np.random.default_rng(53)
    for size, chain in tried(count):
        steps = pairs_of(chain)
        epsilon = rng.choice([0.2, 0.6, 1.0], len(chain[0])) * strongest(finite_loss, steps)
        found.append(_approximate(size, chain, epsilon))
    for size in SIZES:
        found.append(_approximate(size, leaking(size), np.array([0.1, 0.5, 1.0])))
    return found


def _approximate(size: int, chain: Chain, epsilon: Array) -> Trial:
    delta = strongest(lambda x: delta_at(x, epsilon), pairs_of(chain))
    total = named("group_approx")(epsilon, np.minimum(delta, 1.0), size)
    with np.errstate(divide="ignore"):
        claim = np.log(np.asarray(total[1]))
    return Trial(
        ends(chain), claim, delta_at(ends(chain), ROUNDED * np.asarray(total[0])), tr.Profile
    )


def tradeoff(count: int) -> list[Trial]:
    found = []
    for size, chain in tried(count, on_a_curve):
        steps = pairs_of(chain)
        alpha, beta = corner(ends(chain), np.random.default_rng(59))
        claim = []
        for row in range(len(chain[0])):
            both = ("log_p", "log_q")
            stacked = (np.vstack([getattr(s, side)[row] for s in steps]) for side in both)
            curve = named("group_tradeoff")(exact_curve(FinitePairs(*stacked)), size)
            claim.append(float(curve(alpha[row])))
        found.append(Trial(ends(chain), np.array(claim), beta, tr.TradeOff, alpha))
    return found


def _plain(
    rule: str, target: type, parameter: Parameter, *extremal: Callable[[int], Chain]
) -> Callable[[int], list[Trial]]:
    return partial(scalar, rule, target, parameter, extremal)


GROUPS: dict[str, Callable[[int], list[Trial]]] = {
    "group_pure": _plain("group_pure", tr.PureDP, oracle.pure_epsilon, walking),
    "group_bounded_range": _plain(
        "group_bounded_range", tr.BoundedRange, oracle.bounded_range, walking
    ),
    "group_logistic": _plain("group_logistic", tr.LogisticDP, oracle.logistic_epsilon, walking),
    "group_gdp": _plain("group_gdp", tr.GDP, oracle.tight_mu, scoring, normal),
    "group_zcdp": zcdp,
    "group_tcdp": tcdp,
    "group_rdp": renyi,
    "group_approx": approximate,
    "group_tradeoff": tradeoff,
}
