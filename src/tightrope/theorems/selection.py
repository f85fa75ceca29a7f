"""Private selection: the best of a random number of runs, from what is known of one run.

If one run has the law Q, and f(x) = E[x^K] is the generating function of the number K of runs,
then the best result y has probability f(Q(<= y)) - f(Q(< y)), which is Q(y) times the mean of f'
between the two. So everything hangs on how far f'(q) and f'(q') can lie apart for a test that
accepts with probabilities q and q'. The extremal tests are known in closed form for the two laws
here, which improves the published bounds; proofs stand in docs/theory.md.

In formulas gamma and eta are those of the negative binomial law, mu is the mean of the Poisson law.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tightrope.events.repeated import (
    NegativeBinomialRepetitions,
    PoissonRepetitions,
    Repetitions,
)
from tightrope.notions.approx import ApproxDP
from tightrope.notions.profile import Profile
from tightrope.notions.pure import PureDP
from tightrope.notions.rdp import RDP
from tightrope.notions.renyi_curve import RenyiCurve
from tightrope.num.logspace import log_expm1
from tightrope.num.rounding import EPS, up
from tightrope.num.solve import solve_up
from tightrope.theorems.outward import above, log_above, product_up
from tightrope.theorems.registry import F, Grade, theorem
from tightrope.theorems.selection_curves import BestOfBinomial, BestOfPoisson

OWN = "private selection"

NOTHING_BETTER = 1e-9
"""A shift is not searched again for a relative gain below this."""


def _selection(
    notion: type, grade: Grade, cite: str, item: str, statement: str
) -> Callable[[F], F]:
    return theorem("selection", notion, notion, grade, cite, item, statement)


@_selection(
    PureDP,
    Grade.SHARP,
    "tightrope",
    OWN,
    "epsilon + (1 + eta) log((e^epsilon + gamma)/(1 + gamma e^epsilon)), less than the "
    "(2 + eta) epsilon of Papernot and Steinke (2022); negative binomial runs",
)
def select_pure(epsilon: Any, law: NegativeBinomialRepetitions) -> Any:
    """The most revealing test is that of randomised response, at the corner of its curve."""
    epsilon = np.asarray(epsilon, dtype=float)
    gamma = law.gamma_down
    odds = (1 - gamma) * -np.expm1(-epsilon) / (np.exp(-epsilon) + gamma)
    return above(epsilon + law.exponent_up * np.log1p(odds), 16, epsilon)


@_selection(
    PureDP,
    Grade.SHARP,
    "tightrope",
    OWN,
    "epsilon + mu tanh(epsilon/2), Poisson runs",
)
def select_pure_poisson(epsilon: Any, law: PoissonRepetitions) -> Any:
    """Largest where acceptance probabilities differ by the total variation of one run."""
    epsilon = np.asarray(epsilon, dtype=float)
    return above(epsilon + law.mean_up * np.tanh(epsilon / 2), 16, epsilon)


@_selection(
    ApproxDP,
    Grade.LOOSE,
    "tightrope",
    OWN,
    "epsilon as for pure DP, delta = E[K] delta: no run of all fails",
)
def select_approx(epsilon: Any, delta: Any, law: Repetitions) -> tuple[Any, Any]:
    """Given that no run fails, K has a law of the same family, with fewer runs."""
    rule = select_pure if isinstance(law, NegativeBinomialRepetitions) else select_pure_poisson
    return rule(epsilon, law), np.minimum(product_up(law.mean_up, delta), 1.0)  # type: ignore[arg-type]


@_selection(
    Profile,
    Grade.LOOSE,
    "tightrope",
    OWN,
    "delta'(e) = E[K] delta(e - shift), shift the largest log-ratio of f' at the two acceptance "
    "probabilities of a test",
)
def select_profile(
    epsilon: Any, law: Repetitions, shift: float, log_delta: Callable[[Any], Any]
) -> Any:
    """The profile at epsilon >= 0, from that of one run; f' is at most E[K]."""
    inner = np.asarray(epsilon, dtype=float) - shift
    lowered = np.maximum(inner - 2 * EPS * np.abs(inner), 0.0)
    known = np.where(inner < 0, 0.0, log_delta(lowered))
    return log_above(law.log_mean + known, 4)


def shift_binomial(
    law: NegativeBinomialRepetitions, log_delta: Callable[[Any], Any], known: float = math.inf
) -> float:
    """(1 + eta) e for the least e with (1 - gamma) delta(e) <= gamma (exp(e) - 1).

    With p = gamma + (1 - gamma)(1 - q), where f' is proportional to p^-(1 + eta), that inequality
    says p' <= exp(e) p for every test; every e that satisfies it will do. ``known`` is a shift
    from a weaker profile, kept if this one gives nothing better.
    """
    log_odds = math.log1p(-law.gamma_down) - math.log(law.gamma_down)

    def excess(e: float) -> float:
        has, admits = float(log_delta(e)), float(log_expm1(e))
        if has == -math.inf:
            return -math.inf
        return log_odds + has - admits + 16 * EPS * (1 + abs(log_odds) + abs(has) + abs(admits))

    if float(log_delta(0.0)) == -math.inf:
        return 0.0
    enough = 1.0 - math.log(law.gamma_down)  # there even delta = 1 satisfies it
    top = min(enough, known / law.exponent_up * (1 - NOTHING_BETTER))
    if excess(top) > 0:
        return known
    least = float(solve_up(excess, 0.0, top, increasing=False))
    return up(law.exponent_up * least, 4)


def shift_poisson(law: PoissonRepetitions, log_delta: Callable[[Any], Any]) -> float:
    """mu delta(0): f'(q)/f'(q') = exp(mu (q - q')), and delta(0) is the total variation."""
    return up(law.mean_up * math.exp(float(log_delta(0.0))), 8)


@_selection(
    RDP,
    Grade.LOOSE,
    "papernot2022",
    "Lemma 7, at its extremal test (below Theorem 2)",
    "D(a) + (log E[K] + (1 + eta)(log gamma + sup (a - 1) log p' - a log p))/(a - 1), p = gamma + "
    "(1 - gamma)(1 - q) over all tests that one run admits; negative binomial runs",
)
def select_rdp(
    curve: RenyiCurve, law: NegativeBinomialRepetitions, log_delta: Callable[[Any], Any]
) -> RenyiCurve:
    """Implies Theorem 2 of that paper, which takes one order in place of all tests.

    ``log_delta`` is any profile of one run: it says which tests one run admits.
    """
    return BestOfBinomial(curve, log_delta, law)


@_selection(
    RDP,
    Grade.LOOSE,
    "papernot2022",
    "Theorem 6, with the chance of no run",
    "log(e^-mu + mu e^((a - 1)(D(a) + mu delta(log(a/(a - 1))))))/(a - 1), Poisson runs",
)
def select_rdp_poisson(
    curve: RenyiCurve, law: PoissonRepetitions, log_delta: Callable[[Any], Any]
) -> RenyiCurve:
    """``log_delta`` is any profile of one run; the term e^-mu is of the result without runs."""
    return BestOfPoisson(curve, log_delta, law)
