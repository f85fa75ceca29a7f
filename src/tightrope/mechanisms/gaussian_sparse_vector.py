"""The sparse vector technique with Gaussian noise: the first of many queries above a threshold."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, ClassVar

import numpy as np

from tightrope._check import COUNT, NONNEGATIVE, Domain, Real, declared, validated
from tightrope._errors import InvalidArgument
from tightrope.mechanisms.crossings import Crossings
from tightrope.mechanisms.mechanism import fact
from tightrope.mechanisms.noise_law import GaussianLaw, NoiseLaw
from tightrope.mechanisms.noisy_threshold import Points, Stream
from tightrope.mechanisms.threshold_mechanism import NoisyThreshold
from tightrope.noise.entropy import Entropy
from tightrope.notions import RDP, Profile
from tightrope.num.rounding import float_down, float_up, sqrt_up
from tightrope.theorems import discrete_gaussian
from tightrope.theorems.into_profile import gaussian_profile
from tightrope.theorems.outward import above, log_above
from tightrope.theorems.registry import Grade

_MU = Domain("a number from 2^-20 to 64", lambda x: 2**-20 <= x <= 64)

_WIDER = 1 + Fraction(1, 1 << 40)


@dataclass(frozen=True, repr=False)
class GaussianSparseVector(NoisyThreshold):
    """Answers below a noisy threshold until the first one above, of at most ``length`` queries.

    For more answers above, run it again on the queries that are left, and compose. Unlike with
    Laplace noise, what it costs grows with the number of queries, as the logarithm; so
    ``SparseVector`` costs less for as much noise, unless there are one or two queries a run.

    Args:
        mu: at least 0; threshold and one query alone, both noisy, would be mu-Gaussian DP.
        length: the most queries that are answered, at least 1.
        monotone: whether one unit moves all queries in one direction.
        neighbors: the relation that the queries' sensitivity refers to.

    Source: the proof is in docs/theory.md; Zhu and Wang (2020) study the mechanism under Renyi DP.

    Examples:
        >>> import tightrope as tr
        >>> tr.GaussianSparseVector(mu=0.5, length=1000).to(tr.ApproxDP, delta=1e-6)
        ApproxDP(epsilon=2.91, delta=1e-06)
    """

    title: ClassVar[str] = "sparse vector technique with Gaussian noise"

    mu: Real = declared("μ", r"\mu", NONNEGATIVE, (0.1, 2), "GDP parameter of one comparison")
    length: Real = declared("k", "k", COUNT, (1, 1000), "most queries that are answered")
    monotone: bool = False

    @property
    def most_above(self) -> int:
        """It stops at the first."""
        return 1

    @property
    def has_exact_profile(self) -> bool:
        """It is a bound."""
        return False

    @property
    def has_tight_mu(self) -> bool:
        """None is known that does not come from the profile."""
        return False

    def strength(self) -> tuple[float, ...]:
        """(mu, length)."""
        return float_up(self.mu), float_up(self.length)

    def release(
        self,
        queries: Any,
        threshold: Real,
        sensitivity: Real = 1.0,
        *,
        entropy: Entropy | None = None,
    ) -> Crossings:
        """Answer queries, above the threshold or not, until one was above.

        The threshold gets discrete Gaussian noise of variance 3 (sensitivity/mu)^2, and every query
        noise of twice that variance; if the queries are ``monotone``, both get
        2 (sensitivity/mu)^2. These are wider by what rounding to the grid, and the integers, cost
        (less than a 2^-22nd).

        Args:
            queries: the true answers of the queries, at most ``length``, of any integer or float
                type; or an iterator, from which no more than ``length`` are taken, and no more than
                are answered. What lies beyond 2^34 sensitivities counts as that.
            threshold: a finite number, public.
            sensitivity: the most by which one unit can change any one query, above 0; if the
                mechanism says ``monotone``, all in one direction.
            entropy: where random bits come from, the operating system by default.

        Returns:
            As ``SparseVector.release``.

        Raises:
            InvalidArgument: a query is not finite (its place is told), there are more than
                ``length``, an argument is not admissible, or mu is not within 2^-20 and 64.

        Examples:
            >>> import tightrope as tr
            >>> mechanism = tr.GaussianSparseVector(mu=0.5, length=100)
            >>> mechanism.release([0, 3, 900, 1], threshold=450).indices.tolist()
            [2]
        """
        return self._answered(queries, threshold, sensitivity, entropy)

    def laws(self, moved: int, caller: str) -> tuple[NoiseLaw, NoiseLaw]:
        """The noise of the threshold, and of a query, in steps of which a query moves so many."""
        mu = Fraction(validated(self.mu, _MU, f"{caller}: mu"))
        first, second = variances(mu, moved, self.monotone)
        return GaussianLaw(Fraction(first)), GaussianLaw(Fraction(second))

    def _limited(self, points: Points | Stream, caller: str) -> Points | Stream:
        length = int(self.length)
        if isinstance(points, Iterator):
            return islice(points, length)
        if len(points) > length:
            raise InvalidArgument(
                f"{caller}: there are {len(points)} queries, and length={length} was accounted for"
            )
        return points

    @fact(
        Profile,
        Grade.LOOSE,
        "tightrope",
        "sparse vector with Gaussian noise",
        "delta(e) = length times that of mu-GDP",
    )
    @staticmethod
    def profile(e: Any, mu: Any, length: Any) -> Any:
        """A sum over the places where it may stop."""
        total = np.asarray(gaussian_profile(e, mu)) + np.log(length)
        return np.minimum(log_above(total, 4), 0.0)

    @fact(
        RDP,
        Grade.LOOSE,
        "tightrope",
        "sparse vector with Gaussian noise",
        "epsilon(order) = order mu^2/2 + log(length)/(order - 1)",
    )
    @staticmethod
    def rdp(orders: Any, mu: Any, length: Any) -> Any:
        """The same sum under Renyi divergences; nothing is said of order 1 of several queries."""
        with np.errstate(divide="ignore", invalid="ignore"):
            places = np.where(length > 1, np.log(length) / (orders - 1), 0.0)
        return above(orders * mu**2 / 2 + places, 8, mu, length - 1)


def variances(mu: Fraction, moved: int, monotone: bool) -> tuple[int, int]:
    """Variances of the threshold's and the queries' noise, in squared steps.

    Integer noise is at most a little weaker than its continuous twin of the same variance; widened
    until the proved parameters of both together are at most mu.
    """
    twice, shift = (1, moved) if monotone else (2, 2 * moved)
    least = math.ceil((1 + twice) * moved**2 / mu**2)
    while _together(least, moved, twice * least, shift) > mu:
        least = math.ceil(least * _WIDER)
    return least, twice * least


def _together(first: int, moved: int, second: int, shift: int) -> float:
    """The mu of two discrete Gaussians under these shifts, rounded up."""
    pairs = (first, moved), (second, shift)
    parts = (Fraction(discrete_gaussian.mu(float_down(v), size)) for v, size in pairs)
    return sqrt_up(sum(part**2 for part in parts))
