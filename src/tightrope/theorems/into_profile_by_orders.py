"""Conversions of Renyi and concentrated DP into privacy profiles, with continuous orders.

As in ``into_profile``: epsilon comes first, and log delta is rounded up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tightrope.notions.profile import Profile
from tightrope.notions.rdp import RDP
from tightrope.notions.tcdp import TCDP
from tightrope.notions.zcdp import ZCDP
from tightrope.theorems.conversions_to_delta import bs16_log_delta, cks_log_delta
from tightrope.theorems.into_rdp import tcdp_to_rdp, zcdp_to_rdp
from tightrope.theorems.outward import log_above
from tightrope.theorems.registry import Grade, conversion
from tightrope.theorems.renyi_epsilon import epsilon_at_log_delta
from tightrope.theorems.renyi_profile import log_delta as least_log_delta
from tightrope.theorems.renyi_tail import tail_log_delta

_ULPS = 8


@conversion(
    ZCDP,
    Profile,
    Grade.LOOSE,
    "bun2016",
    "Lemma 3.5",
    "delta = exp(-(e - xi - rho)^2/(4 rho)), that is e = xi + rho + 2 sqrt(rho log(1/delta))",
)
def zcdp_profile_classic(epsilon: Any, rho: Any, xi: Any) -> Any:
    """The textbook conversion."""
    excess = np.maximum(np.asarray(epsilon - xi - rho, dtype=float), 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = -excess * excess / (4 * np.asarray(rho, dtype=float))
    return log_above(np.where(excess == 0, 0.0, value), _ULPS)


@conversion(
    ZCDP,
    Profile,
    Grade.LOOSE,
    "bun2016",
    "Lemma 3.6",
    "delta = exp(-(e - rho)^2/(4 rho)) 2/(x + sqrt(x^2 + 4/(pi rho))), x = 1 + (e - rho)/(2 rho)",
)
def zcdp_profile_sharpened(epsilon: Any, rho: Any, xi: Any) -> Any:
    """The sharpened closed form; an offset xi shifts epsilon."""
    return bs16_log_delta(rho, np.asarray(epsilon - xi, dtype=float))


@conversion(
    ZCDP,
    Profile,
    Grade.LOOSE,
    "canonne2020",
    "Proposition 12",
    "delta = inf over orders a of exp((a - 1)(a rho - e)) (1 - 1/a)^(a - 1)/a",
)
def zcdp_profile_optimised(epsilon: Any, rho: Any, xi: Any) -> Any:
    """The conversion of the 2020 Census: nearly sharp at small delta."""
    return cks_log_delta(lambda order: zcdp_to_rdp(order, rho, xi), epsilon)


@conversion(
    ZCDP,
    Profile,
    Grade.SHARP,
    "chen2026",
    "Appendix B",
    "delta(e) = sup{q - exp(e) p : K_zCDP(p, q) <= rho}",
)
def zcdp_profile(epsilon: Any, rho: Any, xi: Any) -> Any:
    """The profile of the class of all zCDP mechanisms."""
    return least_log_delta(lambda order: zcdp_to_rdp(order, rho, xi), epsilon)


@conversion(
    TCDP,
    Profile,
    Grade.SHARP,
    "asoodeh2021",
    "Theorem 3",
    "delta(e) = inf over orders up to omega of sup{q - exp(e) p : D(q||p) <= rho order}",
)
def tcdp_profile(epsilon: Any, rho: Any, omega: Any) -> Any:
    """The best profile from the orders up to omega."""
    return least_log_delta(lambda order: tcdp_to_rdp(order, rho, omega), epsilon, max_order=omega)


@conversion(
    TCDP,
    Profile,
    Grade.LOOSE,
    "bun2018",
    "Lemma 6",
    "e = rho a + log(1/delta)/(a - 1), a = min(1 + sqrt(log(1/delta)/rho), omega)",
)
def tcdp_profile_tail(epsilon: Any, rho: Any, omega: Any) -> Any:
    """The tail bound at the best order up to omega."""
    return tail_log_delta(lambda order: tcdp_to_rdp(order, rho, omega), epsilon, omega)


@conversion(
    RDP,
    Profile,
    Grade.SHARP,
    "asoodeh2021",
    "Theorem 3",
    "delta(e) = inf over orders of sup{q - exp(e) p : D(q||p) <= curve(order)}",
)
def renyi_profile(epsilon: Any, curve: Any) -> Any:
    """The best profile from single orders, the order being continuous and optimised."""
    return least_log_delta(curve, epsilon, max_order=curve.max_order)


@conversion(
    RDP,
    Profile,
    Grade.LOOSE,
    "mironov2017",
    "Proposition 3",
    "delta(e) = inf over orders of exp((order - 1)(curve(order) - e))",
)
def renyi_profile_tail(epsilon: Any, curve: Any) -> Any:
    """The moments accountant of Abadi et al. (2016), with a continuous order."""
    return tail_log_delta(curve, epsilon, curve.max_order)


@conversion(
    RDP,
    Profile,
    Grade.LOOSE,
    "canonne2020",
    "Proposition 12",
    "delta = inf over orders a of exp((a - 1)(curve(a) - e)) (1 - 1/a)^(a - 1)/a",
)
def renyi_profile_optimised(epsilon: Any, curve: Any) -> Any:
    """The usual conversion from Renyi DP, with a continuous order."""
    return cks_log_delta(curve, epsilon, max_order=curve.max_order)


def zcdp_epsilon(log_delta: float, rho: float, xi: float) -> float:
    """The inverse of ``zcdp_profile``: the least epsilon at log delta, rounded up."""
    return float(epsilon_at_log_delta(lambda order: zcdp_to_rdp(order, rho, xi), log_delta))


def curve_epsilon(log_delta: float, curve: Any) -> float:
    """The inverse of ``renyi_profile``: the least epsilon at log delta, rounded up."""
    return float(epsilon_at_log_delta(curve, log_delta, max_order=curve.max_order))
