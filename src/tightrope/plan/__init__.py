"""The planner: what can be proved about an event, by the best order of theorems."""

from tightrope.plan import (  # noqa: F401  (they register their rules)
    exact_samples,
    grouping,
    samples,
    sampling,
    selecting,
)
from tightrope.plan.answers import (
    advantage,
    bayes_risk,
    delta,
    epsilon,
    log_delta,
    tpr,
    tradeoff,
)
from tightrope.plan.calibrate import calibrate
from tightrope.plan.checking import Verdict, check
from tightrope.plan.continuous import as_continuous
from tightrope.plan.fit import GaussianFit, fit_gdp
from tightrope.plan.floor import epsilon_interval
from tightrope.plan.grids import epsilon_grid
from tightrope.plan.intervals import delta_interval, gdp_interval, tradeoff_interval
from tightrope.plan.meaning import meaning
from tightrope.plan.target import reachable, to, why

__all__ = [
    "GaussianFit",
    "Verdict",
    "advantage",
    "as_continuous",
    "bayes_risk",
    "calibrate",
    "check",
    "delta",
    "delta_interval",
    "epsilon",
    "epsilon_grid",
    "epsilon_interval",
    "fit_gdp",
    "gdp_interval",
    "log_delta",
    "meaning",
    "reachable",
    "to",
    "tpr",
    "tradeoff",
    "tradeoff_interval",
    "why",
]
