"""Randomised response: tell the truth, or one of the other answers, by chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tightrope._check import CATEGORIES, NONNEGATIVE, Real, declared
from tightrope.loss.dominating import Dominating
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.mechanisms.mechanism import Mechanism, fact
from tightrope.mechanisms.responses import Responses
from tightrope.mechanisms.rows import rows
from tightrope.mechanisms.source import source_of
from tightrope.mechanisms.truths import Label, read_truths
from tightrope.noise.entropy import Entropy
from tightrope.noise.response import categorical_response
from tightrope.notions import GDP, RDP, ZCDP, Profile, PureDP, TradeOff
from tightrope.num.logspace import log1mexp, softplus
from tightrope.num.rounding import float_up
from tightrope.theorems import randomized_response
from tightrope.theorems.into_gdp import pure_to_gdp
from tightrope.theorems.into_rdp import pure_to_rdp
from tightrope.theorems.into_zcdp import pure_to_zcdp
from tightrope.theorems.outward import log_above
from tightrope.theorems.registry import Grade
from tightrope.theorems.supporting_lines import tradeoff_of_lines

LARGEST_AT_ORDER_ONE = 6
"""Most answers for which the zCDP parameter is the Kullback-Leibler divergence at any epsilon."""


@dataclass(frozen=True, repr=False)
class RandomizedResponse(Mechanism):
    """Reports the true category with odds e^epsilon against each single other one.

    A local randomiser: its guarantee is about the *value* that one person reports, which is
    what changes between neighbours, whatever relation is named.

    Args:
        epsilon: at least 0; the probability of the truth is e^epsilon/(e^epsilon + k - 1).
        categories: the number k of possible answers, at least 2.
        neighbors: the relation; by default one report's value is replaced.

    Source: Warner (1965); Kairouz, Oh and Viswanath (2016), Section 4.

    Examples:
        >>> import tightrope as tr
        >>> tr.RandomizedResponse(epsilon=1.0).to(tr.GDP)
        GDP(mu=1.233)
        >>> tr.RandomizedResponse(epsilon=0.1, categories=7).to(tr.ZCDP)
        ZCDP(rho=0.001497)
    """

    title: ClassVar[str] = "randomised response"
    local: ClassVar[bool] = True

    epsilon: Real = declared(  # type: ignore[assignment]  # the parameter, not the verb
        "ε", r"\varepsilon", NONNEGATIVE, (0.1, 5), "log-odds of the truth"
    )
    categories: Real = declared(
        "k", "k", CATEGORIES, (2, 1000), "number of possible answers", default=2
    )

    @property
    def slope_at_order_one(self) -> bool:
        """Not for more than six answers, where a higher order may ask for more."""
        return self.categories <= LARGEST_AT_ORDER_ONE

    def strength(self) -> tuple[float, ...]:
        """(epsilon, categories)."""
        return float_up(self.epsilon), float(self.categories)

    def release(
        self,
        values: Any,
        *,
        labels: Sequence[Label] | None = None,
        entropy: Entropy | None = None,
    ) -> Responses:
        """Randomise values, each of which is the only one that its person reports.

        Every value is kept with probability e^epsilon/(e^epsilon + k - 1), exactly, and else
        becomes any of the other k - 1, equally likely. Each person answers for one value, so the
        event is that of one report, however many there are. A person who reports more than once
        pays each time: ``event ** times``.

        Args:
            values: whole numbers from 0 to k - 1, or all booleans; one, or an array of any shape,
                or a column of pandas, polars or Arrow. Of a frame give the columns one by one: a
                person answers for each.
            labels: what the k categories are called, if values are such labels. Those of a polars
                Enum or a pandas Categorical are known; declare them (``pd.CategoricalDtype``),
                since ``astype("category")`` collects them from the data, and tells what was there.
            entropy: where random bits come from, the operating system by default.

        Returns:
            The responses, with ``value`` of the shape and kind of what was passed, ``event``,
            ``estimate()`` and ``interval()``.

        Raises:
            InvalidArgument: a value is no category (its place is told), or missing, or not whole by
                type; or the labels are not as many as the categories.

        Examples:
            >>> import tightrope as tr
            >>> answers = tr.RandomizedResponse(2.0).release([True, False] * 500)
            >>> round(float(answers.estimate().sum()), 6)
            1000.0
            >>> asked = tr.RandomizedResponse(epsilon=9.0, categories=3)
            >>> votes = asked.release(["no"] * 99, labels=["yes", "no", "abstained"])
            >>> int((votes.value == "no").sum()) > 90, int(votes.estimate().argmax())
            (True, 1)
        """
        caller = f"{type(self).__name__}.release"
        source = source_of(entropy, caller)
        truths = read_truths(values, int(self.categories), labels, caller)
        drawn = categorical_response(
            truths.codes, self.epsilon, int(self.categories), entropy=source
        )
        return Responses(
            truths.answers(drawn),
            self,
            source.secure,
            epsilon=float(self.epsilon),
            categories=int(self.categories),
            labels=truths.labels,
        )

    def dominating(self) -> Dominating:
        """The answers of two different truths."""
        epsilon, categories = self.strength()
        return Dominating.symmetric(FiniteLoss.categorical_response(epsilon, int(categories)))

    @fact(PureDP, Grade.SHARP, "warner1965", "the randomised answer", "epsilon-DP")
    @staticmethod
    def pure(epsilon: Any, categories: Any) -> Any:
        """The ratio of truth to any other answer."""
        return epsilon

    @fact(
        ZCDP,
        Grade.SHARP,
        "harrison2025",
        "k-ary randomised response",
        "rho = epsilon (e^epsilon - 1)/(e^epsilon + k - 1) for k <= 6; else sup of D(order)/order",
    )
    @staticmethod
    def zcdp(epsilon: Any, categories: Any) -> Any:
        """For more than six answers the supremum leaves order 1."""
        if np.all(categories == 2):
            return pure_to_zcdp(epsilon)
        rho = rows(randomized_response.rho_krr, epsilon, categories)
        return rho, np.zeros_like(rho)

    @fact(
        GDP,
        Grade.SHARP,
        "tightrope",
        "vertices of discrete noise",
        "mu = Phi^-1(e^epsilon/(e^epsilon + k - 1)) - Phi^-1(1/(e^epsilon + k - 1))",
    )
    @staticmethod
    def gdp(epsilon: Any, categories: Any) -> Any:
        """The two vertices of its trade-off curve mirror each other."""
        if np.all(categories == 2):
            return pure_to_gdp(epsilon)
        return rows(randomized_response.mu_krr, epsilon, categories)

    @fact(RDP, Grade.LOSSLESS, "mironov2017", "Proposition 5", "the exact Renyi curve")
    @staticmethod
    def rdp(orders: Any, epsilon: Any, categories: Any) -> Any:
        """Exact at every order."""
        if np.all(categories == 2):
            return pure_to_rdp(orders, epsilon)
        return rows(randomized_response.renyi_krr, epsilon, categories, np.ravel(orders))

    @fact(
        TradeOff,
        Grade.LOSSLESS,
        "tightrope",
        "vertices of discrete noise",
        "piecewise linear through its two vertices",
    )
    @staticmethod
    def tradeoff_curve(alpha: Any, epsilon: Any, categories: Any) -> Any:
        """The exact trade-off curve."""
        losses = np.array([0.0, epsilon])
        return tradeoff_of_lines(alpha, losses, _log_delta(losses, epsilon, categories))

    @fact(
        Profile,
        Grade.LOSSLESS,
        "dong2022",
        "Proposition 2.13",
        "delta(e) = (exp(epsilon) - exp(e))+ / (exp(epsilon) + k - 1)",
    )
    @staticmethod
    def profile(e: Any, epsilon: Any, categories: Any) -> Any:
        """The exact profile."""
        return _log_delta(e, epsilon, categories)


def _log_delta(e: Any, epsilon: float, categories: float) -> Any:
    gap = np.maximum(epsilon - np.asarray(e, dtype=float), 0.0)
    odds = float(softplus(math.log(categories - 1) - epsilon))
    return log_above(np.asarray(log1mexp(gap)) - odds, 8 + epsilon + math.log(categories))
