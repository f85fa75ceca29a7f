"""Laws of sums that are known outright: tried in order before any contour."""

from __future__ import annotations

from tightrope.loss.bent.law import FewSampledLaw
from tightrope.loss.exact.atoms import ExactSum
from tightrope.loss.exact.beside_atoms import BesideAtoms
from tightrope.loss.exact.between_lattices import BetweenLattices
from tightrope.loss.exact.corner_sums import CornerSum
from tightrope.loss.exact.discrete_sum import DiscreteSum
from tightrope.loss.exact.far_apart import FarApart
from tightrope.loss.exact.few_sampled_gaussian import FewSampledGaussian
from tightrope.loss.exact.few_sampled_laplace import FewSampledLaplace
from tightrope.loss.exact.halves import Halves
from tightrope.loss.exact.likely_atoms import LikelyAtoms
from tightrope.loss.exact.one_mixture import one_mixture
from tightrope.loss.exact.one_sampled_laplace import OneSampledLaplace
from tightrope.loss.exact.one_spliced import OneSpliced
from tightrope.loss.exact.one_union import OneUnion
from tightrope.loss.exact.strong_sum import StrongSum
from tightrope.loss.exact.two_sampled_laplace import TwoSampledLaplace
from tightrope.loss.exact.uniform_sums import FewUniform
from tightrope.loss.law import Law
from tightrope.loss.total import Total

ROUTES = (
    ExactSum.of,
    StrongSum.of,
    Halves.of,
    BetweenLattices.of,
    LikelyAtoms.of,
    FewUniform.of,
    OneSampledLaplace.of,
    TwoSampledLaplace.of,
    FewSampledLaplace.of,
    OneSpliced.of,
    OneUnion.of,
    CornerSum.of,
    BesideAtoms.of,
    DiscreteSum.of,
    one_mixture,
    FarApart.of,
    FewSampledGaussian.of,
    FewSampledLaw.of,
)


def law(total: Total) -> Law | None:
    """The law by the first route that leads to one."""
    return next((found for route in ROUTES if (found := route(total)) is not None), None)
