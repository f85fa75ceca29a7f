"""Claims that circulate and are false, each with a counterexample and the right tool.

The functions at the end carry the names under which people look for these formulas; they compute
what is true within its conditions, and refuse with the explanation outside of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NoReturn

from tightrope._check import NONNEGATIVE, OPEN_PROBABILITY, POSITIVE, RATE, Real, validated
from tightrope._errors import FalseClaim
from tightrope.num.rounding import up


@dataclass(frozen=True)
class Refuted:
    """A false claim: what is said, what is true, numbers that show it, and what to use."""

    name: str
    claim: str
    truth: str
    counterexample: str
    use: str

    def __str__(self) -> str:
        return (
            f"Claim: {self.claim}\nTruth: {self.truth}\n"
            f"Counterexample: {self.counterexample}\nUse instead: {self.use}"
        )


REFUTED = (
    Refuted(
        "subsampled-zcdp",
        "Poisson sampling at rate r turns a rho-zCDP mechanism into an (r^2 rho)-zCDP one.",
        "The exact zCDP parameter stays rho at every rate above 0: at high orders the sampled "
        "mechanism diverges like the whole one, D(a) >= a rho + a log(r)/(a - 1).",
        "Gaussian with rho = 0.5 at rate 0.01: delta at epsilon = 1 is 2.73e-9, where "
        "0.00005-zCDP would promise 2e-2176.",
        "event.sampled(rate) and ask for (epsilon, delta) or RDP, which sampling does improve.",
    ),
    Refuted(
        "lossless-zcdp-to-approx",
        "zCDP and Renyi DP convert to (epsilon, delta)-DP without loss.",
        "The best conversion of the whole class is sharp, but a particular mechanism usually has "
        "a smaller epsilon: zCDP forgets which mechanism it was.",
        "rho = 0.5 at delta = 1e-6: the class needs epsilon = 5.2216, the Gaussian 4.8866.",
        "account for the mechanism itself, tr.Gaussian(...), rather than for its rho.",
    ),
    Refuted(
        "classic-gaussian",
        "sigma = Delta sqrt(2 log(1.25/delta))/epsilon gives (epsilon, delta)-DP for all epsilon.",
        "The proof needs epsilon <= 1; beyond, the formula fails, and below it wastes noise.",
        "delta = 1e-5: epsilon = 10 gives a true delta of 2.27e-5, epsilon = 50 one of 0.586; at "
        "epsilon = 1 it gives 4.845 where 3.731 is enough.",
        "tr.calibrate(lambda s: tr.Gaussian(s), tr.ApproxDP(epsilon, delta)).",
    ),
    Refuted(
        "clt-guarantee",
        "The central limit theorem of Gaussian DP gives a guarantee for DP-SGD.",
        "It is an approximation that may lie below the truth; mu of a sampled Gaussian is not "
        "smaller than that of the whole one.",
        "sigma = 1, rate 0.01, 10,000 steps, delta = 1e-5: it says 6.007, the truth is 6.188.",
        "event.sampled(rate) ** steps; wrap an approximation in tr.Estimate.",
    ),
    Refuted(
        "krr-kl",
        "k-ary randomised response is epsilon (e^epsilon - 1)/(e^epsilon + k - 1)-zCDP for all k.",
        "That is its Kullback-Leibler divergence, which is the zCDP parameter only for k <= 6; for "
        "larger k a higher order asks for more.",
        "k = 7, epsilon = 0.1: the supremum is 1.0113 times that, near order 16.9; k = 1000, "
        "epsilon = 1: 22.8 times.",
        "tr.RandomizedResponse(epsilon, categories=k).to(tr.ZCDP).",
    ),
    Refuted(
        "delta-is-tail",
        "delta is the probability that the privacy loss exceeds epsilon.",
        "That probability is an upper bound only: delta = E[(1 - e^(epsilon - L))+].",
        "mu = 1, epsilon = 1: the loss exceeds epsilon with probability 0.3085, delta is 0.1269.",
        "event.delta(epsilon).",
    ),
    Refuted(
        "mu-through-small-delta",
        "Converting zCDP to GDP first gives the best (epsilon, delta).",
        "mu_zCDP is sharp for trade-off curves and total variation; at small delta the route "
        "through it is worse than even the textbook formula.",
        "rho = 1, delta = 1e-6: 10.084 through GDP, 8.434 by the textbook, 7.766 sharp.",
        "event.to(tr.ApproxDP, delta=...), which compares all routes.",
    ),
)
"""Every claim that is refused."""


def refuted(name: str) -> Refuted:
    """The false claim of that name; KeyError if there is none."""
    return {claim.name: claim for claim in REFUTED}[name]


def classic_gaussian_scale(epsilon: Real, delta: Real, sensitivity: Real = 1) -> float:
    """The textbook noise scale of the Gaussian mechanism, where it is valid.

    Source: Dwork and Roth (2014), Theorem 3.22, which needs 0 < epsilon <= 1. It wastes noise:
    ``calibrate`` finds the least scale for every epsilon.

    Raises:
        FalseClaim: epsilon exceeds 1, where the formula does not hold.
    """
    e = validated(epsilon, POSITIVE, "classic_gaussian_scale: epsilon")
    d = validated(delta, OPEN_PROBABILITY, "classic_gaussian_scale: delta")
    s = validated(sensitivity, NONNEGATIVE, "classic_gaussian_scale: sensitivity")
    if e > 1:
        _refuse("classic-gaussian")
    return up(float(s) * math.sqrt(2 * math.log(1.25 / float(d))) / float(e), 4)


def subsampled_zcdp(rho: Real, rate: Real) -> NoReturn:
    """rate^2 rho, a formula that is refused at every rate: it is not the zCDP parameter.

    Raises:
        FalseClaim: always.
    """
    validated(rho, NONNEGATIVE, "subsampled_zcdp: rho")
    validated(rate, RATE, "subsampled_zcdp: rate")
    _refuse("subsampled-zcdp")


def _refuse(name: str) -> NoReturn:
    raise FalseClaim(str(refuted(name)))
