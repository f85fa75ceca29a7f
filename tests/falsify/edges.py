"""Conversions as claims about concrete pairs of laws.

A pair satisfies a statement of the source notion exactly (its own parameters, from the oracle);
the theorem claims something about the target; the oracle says what is true of the pair.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from oracle import divergences as oracle
from oracle.finite_pairs import FinitePairs
from statements import PLAIN, rho_star, stated
from trials import ORDERS, Array, Trial, corner, delta_at, finite_loss, renyi_at

import tightrope as tr
from tightrope.theorems.registry import Theorem

OFFSET = {"zcdp_to_gdp", "zcdp_to_rdp", "zcdp_to_tcdp", "zcdp_tradeoff"}
"""Conversions from zCDP, beside the profiles, that take an offset xi."""

SEARCHED = {tr.ZCDP, tr.TCDP, tr.RDP, tr.TradeOff, tr.Profile}
"""Sources whose curves are found by a search, one number at a time."""

TRUTHS: dict[type, Callable[[FinitePairs], Array]] = {
    **PLAIN,
    tr.ZCDP: rho_star,
    tr.TCDP: rho_star,
}


def trial(theorem: Theorem, pairs: FinitePairs, seed: int) -> Trial:
    """What the theorem claims of each pair, and what is true."""
    parameters = stated(theorem.source, pairs, _variant(theorem))
    point, truth = _truth(theorem, pairs, np.random.default_rng(seed))
    claim = _claims(theorem, point, parameters)
    alpha = point[0] if theorem.target is tr.TradeOff else 0.0
    return Trial(pairs, claim, truth, theorem.target, alpha)


def _variant(theorem: Theorem) -> str:
    if theorem.source is not tr.ZCDP:
        return ""
    if theorem.name == "offset_zcdp_to_pure":
        return "pure"
    return "offset" if theorem.name in OFFSET or theorem.target is tr.Profile else ""


def _truth(
    theorem: Theorem, pairs: FinitePairs, rng: np.random.Generator
) -> tuple[tuple[Array, ...], Array]:
    """The point of a curve that is looked at, if any, and the true value there."""
    target = theorem.target
    if target is tr.RDP:
        orders = rng.choice(ORDERS, len(pairs))
        return (orders,), renyi_at(pairs, orders)
    if target is tr.Profile:
        share = rng.uniform(0, 1, len(pairs)) * (rng.random(len(pairs)) > 0.1)
        epsilon = share * finite_loss(pairs)
        return (epsilon,), delta_at(pairs, epsilon)
    if target is tr.TradeOff:
        alpha, beta = corner(pairs, rng)
        return (alpha,), beta
    if theorem.name == "pure_to_offset_zcdp":
        return (), oracle.renyi_both(pairs, np.inf)
    return (), TRUTHS[target](pairs)


def _claims(theorem: Theorem, point: tuple[Array, ...], parameters: tuple[Any, ...]) -> Array:
    one_by_one = theorem.source in SEARCHED and (point or theorem.source not in (tr.ZCDP, tr.TCDP))
    with np.errstate(all="ignore"):
        if not one_by_one or theorem.target is tr.RDP:
            return _number(theorem, theorem(*point, *parameters))
        arguments = zip(*(_as_list(column) for column in (*point, *parameters)), strict=True)
        return np.array([float(_number(theorem, theorem(*row))) for row in arguments])


def _as_list(column: Any) -> list[Any]:
    return column.tolist() if isinstance(column, np.ndarray) else list(column)


def _number(theorem: Theorem, result: Any) -> Any:
    """The number that a distortion makes smaller: xi where rho is 0, else the first one."""
    if not isinstance(result, tuple):
        return np.asarray(result, dtype=float)
    return np.asarray(result[theorem.name == "pure_to_offset_zcdp"], dtype=float)
