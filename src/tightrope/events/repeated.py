"""Private selection: an event that is run a random number of times, of which the best is kept.

The number of runs must be random, and its law fixed in advance: the best of a fixed number of
runs may reveal much more than one run does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Self

from tightrope import _wire
from tightrope._calls import Spoken
from tightrope._check import OPEN_PROBABILITY, POSITIVE, Domain, Real, declared, validate_fields
from tightrope._errors import InvalidArgument
from tightrope.events.nodes import Node, wrapped
from tightrope.num.logspace import log1mexp, log_expm1
from tightrope.num.rounding import EPS, float_down, float_up, up
from tightrope.num.solve import solve_down

ABOVE_MINUS_ONE = Domain("a finite number above -1", lambda x: x > -1)
FEWEST = 1e-300
"""Smallest gamma that is searched for a wanted mean."""


class Repetitions(metaclass=Spoken):
    """Base of the laws of the number of runs."""

    @property
    def log_mean(self) -> float:
        """Logarithm of the expected number of runs, rounded up."""
        raise NotImplementedError  # pragma: no cover

    @property
    def mean_up(self) -> float:
        """The expected number of runs, rounded up."""
        raise NotImplementedError  # pragma: no cover

    def __repr__(self) -> str:
        told = [f"{f.name}={_wire.typed(getattr(self, f.name))}" for f in fields(self)]  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(told)})"


@_wire.register
@dataclass(frozen=True, repr=False)
class PoissonRepetitions(Repetitions):
    """A Poisson number of runs; if it is 0, something that does not depend on the data is told.

    Args:
        mean: the expected number of runs, a finite number above 0.

    Raises:
        InvalidArgument: the mean lies outside its range.

    Source: Papernot and Steinke (2022), Section 3.3.

    Examples:
        >>> import tightrope as tr
        >>> tr.PureDP(0.1).best_of(tr.PoissonRepetitions(mean=10)).to(tr.PureDP)
        PureDP(epsilon=0.5996)
    """

    mean: Real = declared("μ", r"\mu", POSITIVE, (1, 1000), "expected number of runs")

    def __post_init__(self) -> None:
        validate_fields(self)

    @property
    def mean_up(self) -> float:
        """See ``Repetitions.mean_up``."""
        return float_up(self.mean)

    @property
    def log_mean(self) -> float:
        """See ``Repetitions.log_mean``."""
        value = math.log(self.mean_up)
        return value + 4 * EPS * abs(value)


@_wire.register
@dataclass(frozen=True, repr=False)
class NegativeBinomialRepetitions(Repetitions):
    """A number of runs with the negative binomial law, given that it is at least 1.

    P(k) is proportional to (1 - gamma)^k (eta)(eta + 1)...(eta + k - 1)/k!, for k = 1, 2, ...
    For ``eta=1`` it is geometric (stop after each run with probability gamma), for ``eta=0``
    logarithmic.

    Args:
        eta: the shape, a finite number above -1; the smaller, the heavier the tail, and the less
            is lost for the same mean.
        gamma: strictly between 0 and 1; the smaller, the more runs.

    Raises:
        InvalidArgument: an argument lies outside its range.

    Source: Papernot and Steinke (2022), Definition 1.

    Examples:
        >>> import tightrope as tr
        >>> tr.NegativeBinomialRepetitions(eta=1, gamma=0.1).mean
        10.0...
        >>> tr.PureDP(0.1).best_of(tr.NegativeBinomialRepetitions(eta=1, gamma=0.1)).to(tr.PureDP)
        PureDP(epsilon=0.2636)
    """

    eta: Real = declared("η", r"\eta", ABOVE_MINUS_ONE, (0, 5), "shape: 1 is geometric")
    gamma: Real = declared("γ", r"\gamma", OPEN_PROBABILITY, (1e-4, 0.5), "chance of few runs")

    def __post_init__(self) -> None:
        validate_fields(self)

    @classmethod
    def of_mean(cls, mean: Real, eta: Real = 1) -> Self:
        """The law with the given expected number of runs (above 1), gamma rounded down.

        Raises:
            InvalidArgument: the mean is not above 1, or no gamma above 1e-300 gives it.
        """
        largest = math.nextafter(1.0, 0.0)
        if not cls(eta, largest).log_mean < math.log(mean) < cls(eta, FEWEST).log_mean:
            raise InvalidArgument(
                f"{cls.__name__}.of_mean: mean must be a number above 1 that a gamma above "
                f"{FEWEST} gives; you passed {mean!r}"
            )

        def excess(gamma: float) -> float:
            return cls(eta, gamma).log_mean - math.log(mean)

        return cls(eta, float(solve_down(excess, FEWEST, largest, increasing=False)))

    @property
    def exponent_up(self) -> float:
        """1 + eta, rounded up: the derivative of E[x^K] is a power with this exponent."""
        return float_up(1 + Fraction(self.eta))

    @property
    def gamma_down(self) -> float:
        """gamma, rounded down."""
        return max(float_down(self.gamma), 5e-324)

    @property
    def mean(self) -> float:
        """The expected number of runs, eta (1 - gamma)/(gamma (1 - gamma^eta)), rounded up."""
        return self.mean_up

    @property
    def mean_up(self) -> float:
        """See ``Repetitions.mean_up``."""
        return up(math.exp(self.log_mean), 2)

    @cached_property
    def log_mean(self) -> float:
        """See ``Repetitions.log_mean``; at eta = 0 the mean is (1/gamma - 1)/log(1/gamma)."""
        eta, gamma = float_up(self.eta), self.gamma_down
        log_gamma = math.log(gamma)
        x = abs(eta) * -log_gamma  # of 1 - gamma^eta, the sign is that of eta
        if x < EPS:
            terms = [-math.log(-log_gamma)]
        elif eta > 0:
            terms = [math.log(eta), -float(log1mexp(x))]
        else:
            terms = [math.log(-eta), -float(log_expm1(x))]
        terms += [math.log1p(-gamma), -log_gamma]
        size = 2 + sum(abs(term) for term in terms)
        return math.fsum(terms) + 2 * EPS * (size + (x if eta < 0 else 0.0))


@dataclass(frozen=True, repr=False)
class Repeated(Node):
    """The event inside, run a random number of times, of which only the best result is told.

    Results are compared by an order that is fixed in advance and looks at the results alone.
    """

    times: Repetitions

    def __repr__(self) -> str:
        return f"{wrapped(self.event)}.best_of({self.times!r})"
