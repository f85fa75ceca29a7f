"""Piecewise-linear trade-off curves: the f-DP guarantees that a computer can hold exactly.

A trade-off curve gives the least type II error `f(alpha)` of a test of one neighbour against the
other at type I error `alpha`.  Every finite set of points or claims, and every pair of laws on
finitely many outcomes, has a polygonal one; products, maxima, minima and group steps of polygons
are polygons.

Rounding only ever lowers a curve, that is, it takes protection away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from tightrope._errors import InvalidArgument
from tightrope.notions.piecewise_algebra import greater, iterated, less
from tightrope.notions.piecewise_atoms import LossAtoms
from tightrope.notions.piecewise_claims import loss_of_claims
from tightrope.notions.piecewise_points import points_polygon
from tightrope.notions.piecewise_products import (
    atoms_of_losses,
    atoms_of_vertices,
    product,
    repeated,
    symmetric_atoms,
    without_failure,
)
from tightrope.notions.piecewise_vertices import Rising, Vertices
from tightrope.num.elementwise import FloatArray, elementwise
from tightrope.num.rounding import EPS, down

__all__ = ["PiecewiseCurve"]


@dataclass(frozen=True, eq=False)
class PiecewiseCurve:
    """A convex, non-increasing, piecewise-linear f on [0, 1] with `f(alpha) <= 1 - alpha`.

    J. Dong, A. Roth and W. J. Su, "Gaussian differential privacy" (2022), Proposition 2.2.  It is
    the curve of a pair (P, Q) of laws, alpha being the error under P.

    Attributes:
        vertices: the corners of the curve.
        atoms: the same curve as a pair of laws; this is what composes without loss of digits.

    >>> f = PiecewiseCurve.from_points([0, 0.25, 1], [1, 0.25, 0])
    >>> f.alpha, f.beta
    (array([0.  , 0.25, 1.  ]), array([1.  , 0.25, 0.  ]))
    >>> f.power(2).alpha.round(9)
    array([0.    , 0.0625, 0.4375, 1.    ])
    """

    vertices: Vertices
    atoms: LossAtoms

    @classmethod
    def from_points(cls, alpha: ArrayLike, beta: ArrayLike) -> Self:
        """The curve through points: `points_polygon` says what happens outside of their range.

        Raises:
            InvalidArgument: no trade-off curve goes through the points; the message names one.
        """
        return cls._of_vertices(points_polygon(alpha, beta))

    @classmethod
    def from_profile_points(cls, epsilon: ArrayLike, delta: ArrayLike) -> Self:
        """The greatest of the curves of (epsilon, delta) claims that hold at once.

        Raises:
            InvalidArgument: an epsilon is negative or not finite, or a delta is not in [0, 1].
        """
        return cls._of_atoms(symmetric_atoms(*loss_of_claims(epsilon, delta)))

    @classmethod
    def from_losses(cls, loss: ArrayLike, weight: ArrayLike) -> Self:
        """The curve of a pair (P, Q) by its outcomes; with more than 4,096 it is lowered to fewer.

        Args:
            loss: log(q/p) of every outcome, infinite where one law rules it out.
            weight: the larger of p and q; both columns to four units of rounding.
        """
        columns = (np.asarray(column, np.float64) for column in (loss, weight))
        return cls._of_atoms(atoms_of_losses(*columns))

    @classmethod
    def _of_vertices(cls, vertices: Vertices) -> Self:
        return cls(vertices, atoms_of_vertices(vertices))

    @classmethod
    def _of_atoms(cls, atoms: LossAtoms) -> Self:
        return cls(atoms.vertices(), atoms)

    @property
    def alpha(self) -> FloatArray:
        """Type I errors of the corners, from 0 to 1, strictly rising."""
        return self._corners()[0]

    @property
    def beta(self) -> FloatArray:
        """Type II errors of the corners, down to 0."""
        return self._corners()[1]

    def _corners(self) -> tuple[FloatArray, FloatArray]:
        alpha = self.vertices.alpha.rounded_down
        beta = self.vertices.power.mirrored().rounded_down[::-1]
        distinct = np.append(np.diff(alpha) > 0, True)
        return _read_only(alpha[distinct]), _read_only(beta[distinct])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PiecewiseCurve) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        atoms = self.atoms
        arrays = (self.alpha, self.beta, atoms.loss, atoms.weight)
        return (*(x.tobytes() for x in arrays), atoms.mass_error, atoms.loss_error)

    def __call__(self, alpha: ArrayLike) -> float | FloatArray:
        """The least type II error at type I error `alpha` in [0, 1], rounded down.

        Raises:
            InvalidArgument: an alpha is not in [0, 1].
        """
        points = np.asarray(alpha, np.float64)
        if not np.all((points >= 0) & (points <= 1)):
            raise InvalidArgument(f"a type I error must lie in [0, 1]; you passed {alpha!r}")
        return elementwise(self._least_error)(points)

    def _least_error(self, alpha: FloatArray) -> FloatArray:
        power = self.vertices.at(Rising.of(alpha))
        from_one = np.nextafter(1 - power.low * (1 + 8 * EPS), 0.0)
        from_zero = np.maximum(down(power.high, 8), 0.0)
        return np.where(power.low == 0, 1.0, np.where(power.low < 0.5, from_one, from_zero))

    def log_delta(self, epsilon: ArrayLike) -> float | FloatArray:
        """`log sup over a of [1 - f(a) - exp(epsilon) a]` at any real epsilon, rounded up.

        This is the hockey-stick divergence of Q from P, alpha being the error under P.  Values
        below `exp(-550)` are safe but not sharp once the curve is a product.

        >>> PiecewiseCurve.from_profile_points(1.0, 1e-30).log_delta(1.0) <= -69.0775527898
        True
        """
        return elementwise(self.atoms.log_delta)(np.asarray(epsilon, np.float64))

    @property
    def failure(self) -> float:
        """`1 - f(0)`: the probability under Q of what is impossible under P, rounded up."""
        return self.atoms.failure

    @property
    def epsilon_max(self) -> float:
        """The largest log-ratio of either sign, apart from failures, rounded up.

        It is the logarithm of the steepest slope of `without_failure()` and of its inverse.
        """
        return self.atoms.largest_loss

    def mu(self) -> float:
        """The least mu such that `f >= G_mu`, rounded up; infinite if there is none.

        J. Dong, A. Roth and W. J. Su (2022), Definition 2.6.

        >>> f = PiecewiseCurve.from_profile_points(1.0, 0.0)
        >>> round(f.mu(), 12)  # 2 Phi^-1(e / (1 + e))
        1.232035385345
        """
        return self.atoms.gaussian_parameter()

    def pair(self) -> tuple[FloatArray, FloatArray]:
        """Log-masses of P and Q; they are as exact as `atoms` says, and not rounded to one side."""
        return self.atoms.log_masses

    def inverse(self) -> Self:
        """The curve of (Q, P)."""
        return type(self)(self.vertices.inverse(), self.atoms.mirrored())

    def symmetrised(self) -> Self:
        """The maximum of the curve and its inverse.

        If the curve holds for both orders of two neighbours, so does its inverse, and the maximum.
        """
        return self if self.atoms.symmetric else self.higher(self.inverse())

    def lower(self, other: Self) -> Self:
        """The greatest curve below both: what holds for each of two alternatives."""
        return self._of_vertices(less(self.vertices, other.vertices))

    def higher(self, other: Self) -> Self:
        """The pointwise maximum: what follows if both curves hold."""
        return self._of_vertices(greater(self.vertices, other.vertices))

    def without_failure(self) -> Self:
        """The curve `x -> f((1 - d) x) / (1 - d)` of a symmetric curve with failure d.

        A mechanism with curve f behaves, except with probability d, as one with the result.  A
        curve that is not symmetric is made so.

        Raises:
            InvalidArgument: the failure is certain.
        """
        return self._of_atoms(without_failure(self.symmetrised().atoms))

    def tensor(self, other: Self) -> Self:
        """The curve of the product pair: J. Dong, A. Roth and W. J. Su (2022), Definition 3.1.

        It is exact up to rounding; with more than 4,096 corners it is lowered to fewer.
        """
        return self._of_atoms(product(self.atoms, other.atoms))

    def power(self, n: int) -> Self:
        """The n-fold tensor product with itself, `n >= 1`."""
        return self._of_atoms(repeated(self.atoms, _count(n)))

    def compose_group(self, k: int) -> Self:
        """The curve for groups of k: its power is that of this curve, applied k times.

        J. Dong, A. Roth and W. J. Su (2022), Theorem 2.14.
        """
        return self._of_vertices(iterated(self.vertices, _count(k)))


def _count(n: int) -> int:
    if n < 1 or n != int(n):
        raise InvalidArgument(f"a number of repetitions must be a positive integer; got {n!r}")
    return int(n)


def _read_only(values: FloatArray) -> FloatArray:
    values.flags.writeable = False
    return values
