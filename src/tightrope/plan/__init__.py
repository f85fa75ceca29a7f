"""The planner: what can be proved about an event, by the best order of theorems."""

from tightrope.plan.answers import (
    advantage,
    bayes_risk,
    delta,
    epsilon,
    log_delta,
    tpr,
    tradeoff,
)
from tightrope.plan.calibration.calibrate import calibrate
from tightrope.plan.calibration.fit import GaussianFit, fit_gdp
from tightrope.plan.checking import Verdict, check
from tightrope.plan.continuous import as_continuous
from tightrope.plan.exact import fixed_size  # noqa: F401  (registers its rules)
from tightrope.plan.grids import epsilon_grid
from tightrope.plan.intervals import (
    delta_interval,
    epsilon_interval,
    gdp_interval,
    tradeoff_interval,
)
from tightrope.plan.meaning import meaning
from tightrope.plan.portfolio import (  # noqa: F401  (they register their rules)
    fixed_size_samples,
    grouping,
    poisson_samples,
    selecting,
)
from tightrope.plan.remarks import remarks
from tightrope.plan.to_notion import reachable, to, why

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
    "remarks",
    "to",
    "tpr",
    "tradeoff",
    "tradeoff_interval",
    "why",
]
