"""The planner: what can be proved about an event, by the best order of theorems."""

from tightrope.plan import grouping, sampling  # noqa: F401  (they register their rules)
from tightrope.plan.answers import advantage, delta, epsilon, log_delta, tpr, tradeoff
from tightrope.plan.calibrate import calibrate
from tightrope.plan.checking import Verdict, check
from tightrope.plan.continuous import as_continuous
from tightrope.plan.floor import epsilon_interval
from tightrope.plan.meaning import meaning
from tightrope.plan.target import reachable, to, why

__all__ = [
    "Verdict",
    "advantage",
    "as_continuous",
    "calibrate",
    "check",
    "delta",
    "epsilon",
    "epsilon_interval",
    "log_delta",
    "meaning",
    "reachable",
    "to",
    "tpr",
    "tradeoff",
    "why",
]
