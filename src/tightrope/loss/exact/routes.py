"""Laws of sums that are known outright: tried in order before any contour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tightrope.loss.bent.law import FewSampledLaw
from tightrope.loss.exact.atoms import ExactSum
from tightrope.loss.exact.discrete_sum import DiscreteSum
from tightrope.loss.exact.far_apart import FarApart
from tightrope.loss.exact.one_mixture import one_mixture
from tightrope.loss.exact.one_spliced import OneSpliced
from tightrope.loss.exact.uniform_sums import FewUniform
from tightrope.loss.interval import LogInterval
from tightrope.loss.loss import Floats

if TYPE_CHECKING:
    from tightrope.loss.contour.contour import Contour
    from tightrope.loss.total import Total


class Law(Protocol):
    """The law of a sum of losses."""

    @property
    def quick(self) -> bool:
        """Whether it is to be preferred to a contour that closes."""

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log of what finite losses add to delta, at every epsilon >= 0."""


ROUTES = (
    ExactSum.of,
    FewUniform.of,
    OneSpliced.of,
    DiscreteSum.of,
    one_mixture,
    FarApart.of,
    FewSampledLaw.of,
)

LONG = 1 << 11
"""Nodes of a contour that is longer than a bent one."""


def law(total: Total) -> Law | None:
    """The law by the first route that leads to one."""
    return next((found for route in ROUTES if (found := route(total)) is not None), None)


def preferred(law: Law, contour: Contour) -> bool:
    """Whether the law is to be asked instead of a contour that was laid."""
    return contour.eta > 0 or (isinstance(law, FewSampledLaw) and contour.nodes > LONG)
