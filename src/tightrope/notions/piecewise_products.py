"""Products of dominating pairs, and how their atoms are kept few without losing safety.

A product has as many atoms as the factors have pairs of them.  Atoms of equal loss unite, which
loses nothing.  If still too many are left, some are split between their neighbours: a finer
experiment, in which more can be learnt.  On the curve, the edges between two kept ones give way to
the intersection of the lines through these two, a vertex below the curve.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tightrope._errors import InvalidArgument
from tightrope.notions.piecewise_atoms import EXTENDED, SMALLEST, LossAtoms, largest_finite
from tightrope.notions.piecewise_vertices import Vertices
from tightrope.num.elementwise import FloatArray
from tightrope.num.rounding import EPS

__all__ = [
    "LIMIT",
    "atoms_of_losses",
    "atoms_of_vertices",
    "coarsened",
    "product",
    "repeated",
    "symmetric_atoms",
    "without_failure",
]

LIMIT = 4096
"""Most atoms that are kept."""

_FACTOR_LIMIT = 1024
_PRODUCT_LIMIT = _FACTOR_LIMIT**2
_LIGHT = 2.0**-800

Mask = NDArray[np.bool_]
Indices = NDArray[np.intp]


def atoms_of_vertices(vertices: Vertices) -> LossAtoms:
    """The edges of a curve, with its failure probabilities as atoms of infinite loss."""
    p = np.append(0.0, vertices.alpha.steps())
    q = np.append(vertices.power.low[:1], vertices.power.steps())
    some = np.maximum(p, q) > 0
    loss = _log_ratio(p[some], q[some])
    error = EPS * (4 + largest_finite(loss))
    return _ordered(loss, np.maximum(p, q)[some], 2 * EPS + error, error, 2 * error)


def atoms_of_losses(loss: FloatArray, weight: FloatArray) -> LossAtoms:
    """Log-ratios and the larger masses, each accurate to four units of rounding."""
    error = 4 * EPS * largest_finite(loss)
    return _ordered(loss, weight, 4 * EPS + error, error, 2 * error)


def symmetric_atoms(loss: FloatArray, weight: FloatArray) -> LossAtoms:
    """The atoms of non-negative loss of a symmetric pair, correctly rounded, and their mirrors."""
    some = weight > 0
    both = np.concatenate([loss[some], -loss[some]])
    return _ordered(both, np.tile(weight[some], 2), EPS, 0.0, 0.0)


def product(first: LossAtoms, second: LossAtoms) -> LossAtoms:
    """The pair of product laws: losses add, masses multiply."""
    if first.weight.size * second.weight.size > _PRODUCT_LIMIT:
        return product(coarsened(first, _FACTOR_LIMIT), coarsened(second, _FACTOR_LIMIT))
    left, right = first.loss[:, None], second.loss
    with np.errstate(invalid="ignore", under="ignore", over="ignore"):
        loss = left + right  # nan where one factor rules out the first law, the other the second
        lost = np.where(left * right < 0, np.minimum(np.abs(left), np.abs(right)), 0.0)
        weight = first.weight[:, None] * second.weight * np.exp(-lost)
    possible = ~np.isnan(loss)
    error = EPS / 2 * largest_finite(loss)
    return _ordered(
        loss[possible],
        weight[possible],
        first.mass_error + second.mass_error + 2 * EPS + error,
        first.loss_error + second.loss_error + error,
        min(2 * (first.loss_error + second.loss_error + error), 32 * error),
    )


def repeated(atoms: LossAtoms, n: int) -> LossAtoms:
    """The n-fold product of a pair with itself, by repeated squaring."""
    if n == 1:
        return atoms
    half = repeated(atoms, n // 2)
    square = product(half, half)
    return product(square, atoms) if n % 2 else square


def coarsened(atoms: LossAtoms, most: int = LIMIT) -> LossAtoms:
    """At most `most` atoms, of a curve that is not above the given one."""
    return atoms if atoms.weight.size <= most else _split_onto(_chosen(atoms, most), atoms)


def without_failure(atoms: LossAtoms) -> LossAtoms:
    """The pair conditional on a finite loss, if both laws fail with the same probability."""
    finite = np.isfinite(atoms.loss)
    if not finite.any():
        raise InvalidArgument("a curve that is 0 everywhere does nothing but fail")
    p, q = (float(np.sum(masses[finite], dtype=np.longdouble)) for masses in atoms.masses)
    error = abs(p / q - 1) + 2 * atoms.mass_error + 2 * EPS + EXTENDED * finite.size
    weight = atoms.weight[finite] / q
    return LossAtoms(atoms.loss[finite], weight, error, atoms.loss_error)


def _ordered(
    loss: FloatArray, weight: FloatArray, mass_error: float, loss_error: float, tolerance: float
) -> LossAtoms:
    """Order atoms by loss, unite those that differ by rounding only, and keep the rest few."""
    order = np.argsort(-loss, kind="stable")
    loss, weight = loss[order], weight[order]
    starts = _run_starts(loss, tolerance)
    ends = np.append(starts[1:], loss.size) - 1
    with np.errstate(invalid="ignore"):
        spread = float(np.nanmax(loss[starts] - loss[ends], initial=0.0))
    united = np.add.reduceat(weight.astype(np.longdouble), starts).astype(np.float64)
    sums = EPS + EXTENDED * int(np.max(ends - starts))
    atoms = LossAtoms(loss[starts], united, mass_error + spread + sums, loss_error + spread)
    return coarsened(_without_dust(atoms))


def _run_starts(loss: FloatArray, tolerance: float) -> Indices:
    """Where runs of falling losses begin whose gaps are within the tolerance.

    Runs that are longer than four times the tolerance are broken: they are no rounding errors.
    """
    with np.errstate(invalid="ignore"):
        first = np.append(True, (loss[:-1] != loss[1:]) & ~(loss[:-1] - loss[1:] <= tolerance))
        offset = loss[np.flatnonzero(first)][np.cumsum(first) - 1] - loss
    if tolerance > 0:
        first[1:] |= np.diff(np.floor(np.nan_to_num(offset) / (4 * tolerance))) != 0
    return np.flatnonzero(first)


def _without_dust(atoms: LossAtoms) -> LossAtoms:
    """Split atoms whose weight is about to underflow between larger ones.

    The infinite and the extreme finite losses stay, with a weight of at least `SMALLEST`: it can
    be taken from the larger atoms, next to whose weight it disappears.
    """
    heavy = atoms.weight >= _LIGHT
    if heavy.all():
        return atoms
    if not np.isfinite(atoms.loss[heavy]).any():
        return LossAtoms(np.array([np.inf, -np.inf]), np.ones(2), 0.0, 0.0)
    return _split_onto(heavy | _outermost(atoms.loss), atoms)


def _split_onto(kept: Mask, atoms: LossAtoms) -> LossAtoms:
    """Split all other atoms between the kept ones on either side, preserving both masses.

    The outermost finite losses must be kept.
    """
    target, source = np.flatnonzero(kept), np.flatnonzero(~kept)
    right = np.searchsorted(target, source)
    loss, weight = atoms.loss[source], atoms.weight[source]
    above, below = atoms.loss[target[right - 1]], atoms.loss[target[right]]
    to_above = weight * np.expm1(below - loss) * _ratio(np.minimum(loss, 0), np.minimum(above, 0))
    to_below = weight * np.expm1(loss - above) * _ratio(np.maximum(below, 0), np.maximum(loss, 0))
    total = atoms.weight[target].astype(np.longdouble)
    whole = np.expm1(below - above)
    most = _add(total, right - 1, to_above / whole) + _add(total, right, to_below / whole)
    return LossAtoms(
        atoms.loss[target],
        np.maximum(total.astype(np.float64), SMALLEST),
        atoms.mass_error + EPS * (8 + largest_finite(loss)) + EXTENDED * most,
        atoms.loss_error,
    )


def _add(total: NDArray[np.longdouble], index: Indices, values: FloatArray) -> int:
    """Add values at rising indices; return how many there are at most at one index."""
    starts = np.flatnonzero(np.diff(index, prepend=-1))
    total[index[starts]] += np.add.reduceat(values.astype(np.longdouble), starts)
    return int(np.max(np.diff(np.append(starts, index.size)), initial=0))


def _ratio(exponent: FloatArray, reference: FloatArray) -> FloatArray:
    with np.errstate(under="ignore"):
        return np.asarray(np.exp(exponent - reference))


def _outermost(loss: FloatArray) -> Mask:
    """The infinite losses, the largest and the smallest finite one."""
    kept = ~np.isfinite(loss)
    kept[np.flatnonzero(~kept)[[0, -1]]] = True
    return kept


def _chosen(atoms: LossAtoms, most: int) -> Mask:
    """Choose which atoms to keep: half evenly over the losses, half where the curve bends.

    A polygon fits a smooth convex function best if the density of its corners is that of the cube
    root of the second derivative, which here is weight over distance.
    """
    kept = _outermost(atoms.loss)
    finite = np.flatnonzero(np.isfinite(atoms.loss))
    distance = -np.gradient(atoms.loss[finite])
    bend = np.cbrt(atoms.weight[finite] * distance**2)
    measure = np.cumsum(bend / bend.sum() + distance / distance.sum())
    levels = np.linspace(0, measure[-1], most - int(np.count_nonzero(kept)) + 2)[1:-1]
    kept[finite[np.searchsorted(measure, levels)]] = True
    return kept


def _log_ratio(p: FloatArray, q: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
        ratio = q / p
        representable = np.isfinite(ratio) & (ratio > 0)
        return np.where(representable, np.log(ratio), np.log(q) - np.log(p))
