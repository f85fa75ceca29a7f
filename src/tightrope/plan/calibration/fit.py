"""Gaussian fits: the mu of an event down to a cut-off, which is no guarantee.

Where mu-GDP holds only for a large mu, because of tests that hardly ever reject, a smaller mu may
describe all others well. What it leaves out is told beside it, and it stays an estimate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tightrope._calls import spoken
from tightrope._check import Domain, Real, validated
from tightrope.events import Event, require_event, spelled
from tightrope.notions import GDP, Estimate
from tightrope.num.arrays import Floats
from tightrope.num.normal import cdf, quantile
from tightrope.plan import answers

CUTOFF = Domain("a probability strictly between 0 and 1/2", lambda x: 0 < x < 0.5)

POINTS, ROUNDS = 129, 5
"""Tests that are compared, and how often more are put around the one that is worth most."""


@dataclass(frozen=True, repr=False)
class GaussianFit(Estimate):
    """The least mu that is right for all tests whose errors are both at least a cut-off.

    Attributes:
        subject: the Gaussian mechanism that was fitted, a guarantee of itself only.
        reason: why this is none of the event.
        cutoff: the smallest error of either type that was looked at.
        regret: the largest difference between the curves of the event and of the fit.
    """

    cutoff: float
    regret: float

    @property
    def mu(self) -> float:
        """The parameter of the fit."""
        return float(self.subject.mu)  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        told = f"mu={self.mu:.7g}, cutoff={self.cutoff:g}, regret={self.regret:.3g}"
        return f"GaussianFit({told}; an estimate, no guarantee)"


@spoken
def fit_gdp(event: Event, cutoff: Real = 1e-10) -> GaussianFit:
    """The Gaussian mechanism that fits an event down to a cut-off: an estimate, no guarantee.

    Args:
        event: what was run.
        cutoff: the smallest type I or type II error of the tests that are compared.

    Returns:
        A record with ``mu``, and with the ``regret``: by how much the trade-off curves differ at
        most. Errors below the cut-off may be smaller than the fit says, without any limit.

    Raises:
        InvalidArgument: the cut-off is not in (0, 1/2).

    Examples:
        >>> import tightrope as tr
        >>> run = tr.Gaussian(noise_scale=9.4).sampled(rate=0.328) ** 2000
        >>> tr.fit_gdp(run)
        GaussianFit(mu=1.568471, cutoff=1e-10, regret=0.00244; an estimate, no guarantee)
        >>> run.to(tr.GDP)
        GDP(mu=4.758)
    """
    require_event(event, "fit_gdp: event")
    smallest = float(validated(cutoff, CUTOFF, "fit_gdp: cutoff"))
    z, beta, power = _around_the_most(event, -float(quantile(smallest)))
    seen = beta >= smallest
    mu = float(_worth(z, beta, power)[seen].max(initial=0.0))
    alpha, beta = np.asarray(cdf(-z))[seen], beta[seen]
    regret = max(_difference(alpha, beta, mu), _difference(beta, alpha, mu))
    reason = f"fitted to {spelled(event)} where both errors are at least {smallest:g}"
    return GaussianFit(GDP(mu, neighbors=event.neighbors), reason, smallest, regret)


def _around_the_most(event: Event, furthest: float) -> tuple[Floats, Floats, Floats]:
    """-Phi^-1(alpha), type II errors and powers, denser around the test that is worth most."""
    z = np.linspace(0.0, furthest, POINTS)
    beta, power = answers.errors(event, np.asarray(cdf(-z)))
    for _ in range(ROUNDS):
        best = int(np.argmax(_worth(z, beta, power)))
        near = np.linspace(z[max(best - 1, 0)], z[min(best + 1, len(z) - 1)], 9)
        more = answers.errors(event, np.asarray(cdf(-near)))
        z, index = np.unique(np.append(z, near), return_index=True)
        beta, power = (np.append(a, b)[index] for a, b in zip((beta, power), more, strict=True))
    return z, beta, power


def _worth(z: Floats, beta: Floats, power: Floats) -> Floats:
    """Phi^-1(power) - Phi^-1(alpha)."""
    return np.asarray(z + np.where(power < 0.5, quantile(power), -np.asarray(quantile(beta))))


def _difference(alpha: Floats, beta: Floats, mu: float) -> float:
    """The largest difference of the type II errors at these type I errors."""
    return float(np.abs(np.asarray(answers.tradeoff(GDP(mu), alpha)) - beta).max())
