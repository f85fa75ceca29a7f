"""Random pairs of laws on finitely many outcomes, as arrays of log-masses.

The families are those in which false claims about privacy have been caught: smooth pairs, nearly
deterministic ones, two outcomes with extreme log-odds, exponential tilts, binned Gaussian and
Laplace laws, pairs whose likelihood ratios are nearly extreme, and products of many copies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Family = Callable[[np.random.Generator, int, int], tuple[Array, Array]]

ATOMS = 6


@dataclass(frozen=True)
class FinitePairs:
    """Pairs (P, Q), one a row: log-masses of the outcomes, -inf where there are fewer outcomes."""

    log_p: Array
    log_q: Array

    def __len__(self) -> int:
        return len(self.log_p)

    def __getitem__(self, rows: NDArray[np.intp] | NDArray[np.bool_] | slice) -> FinitePairs:
        return FinitePairs(self.log_p[rows], self.log_q[rows])

    @classmethod
    def of(cls, log_p: Array, log_q: Array) -> FinitePairs:
        """Normalise rows of unnormalised log-masses; a single row may be one-dimensional."""
        return cls(normalised(np.atleast_2d(log_p)), normalised(np.atleast_2d(log_q)))

    @property
    def loss(self) -> Array:
        """log(q/p), infinite where one mass is 0, and 0 where both are."""
        with np.errstate(invalid="ignore"):
            return np.nan_to_num(self.log_q - self.log_p, nan=0.0, posinf=np.inf, neginf=-np.inf)

    def swapped(self) -> FinitePairs:
        """The pairs (Q, P)."""
        return FinitePairs(self.log_q, self.log_p)

    def product(self, other: FinitePairs) -> FinitePairs:
        """The product pairs, row by row."""
        rows = len(self)
        p = self.log_p[:, :, None] + other.log_p[:, None, :]
        q = self.log_q[:, :, None] + other.log_q[:, None, :]
        return FinitePairs(p.reshape(rows, -1), q.reshape(rows, -1))

    def with_failure(self, delta: Array) -> FinitePairs:
        """With probability delta an outcome that tells P from Q for sure."""
        rest = np.log1p(-delta)[:, None]
        never = np.full((len(self), 1), -np.inf)
        told = np.log(delta)[:, None]
        return FinitePairs(
            np.hstack([self.log_p + rest, told, never]), np.hstack([self.log_q + rest, never, told])
        )


def normalised(log_masses: Array) -> Array:
    """Subtract from each row the logarithm of its sum."""
    top = np.max(log_masses, axis=1, keepdims=True)
    return log_masses - top - np.log(np.sum(np.exp(log_masses - top), axis=1, keepdims=True))


def random_pairs(
    seed: int, count: int, atoms: int = ATOMS, families: tuple[Family, ...] | None = None
) -> FinitePairs:
    """`count` pairs, shared equally among the families, in random order and orientation."""
    rng = np.random.default_rng(seed)
    chosen = families or FAMILIES
    share = -(-count // len(chosen))
    drawn = [FinitePairs.of(*family(rng, share, atoms)) for family in chosen]
    p, q = (np.vstack([getattr(d, name) for d in drawn]) for name in ("log_p", "log_q"))
    order = rng.permutation(len(p))[:count]
    swap = rng.random((count, 1)) < 0.5
    p, q = p[order], q[order]
    return FinitePairs(np.where(swap, q, p), np.where(swap, p, q))


def batches(seed: int, count: int, size: int = 2000) -> Iterator[FinitePairs]:
    """`random_pairs` in batches of at most `size`, each with a seed of its own."""
    for k, start in enumerate(range(0, count, size)):
        yield random_pairs(seed * 1_000_003 + k, min(size, count - start))


def dirichlet(rng: np.random.Generator, count: int, atoms: int) -> tuple[Array, Array]:
    """Two independent Dirichlet laws on 2 to `atoms` outcomes, nearly equal to nearly sparse."""
    shape = 10 ** rng.uniform(-0.7, 1.5, (count, 1))
    present = np.arange(atoms) < rng.integers(2, atoms + 1, (count, 1))
    p, q = (_log_gamma_draws(rng, shape, (count, atoms)) for _ in range(2))
    return np.where(present, p, -np.inf), np.where(present, q, -np.inf)


def _log_gamma_draws(rng: np.random.Generator, shape: Array, size: tuple[int, int]) -> Array:
    """Logarithms of gamma draws that do not underflow: G(a) = G(a + 1) U^(1/a)."""
    return np.log(rng.standard_gamma(shape + 1, size)) + np.log(rng.random(size)) / shape


def nearly_deterministic(rng: np.random.Generator, count: int, atoms: int) -> tuple[Array, Array]:
    """Most mass on one outcome, the same or another one; the rest down to 1e-30."""
    p, q = (
        -rng.exponential(1, (count, atoms)) * 10 ** rng.uniform(0, 1.5, (count, 1)) for _ in "pq"
    )
    shared = rng.random((count, 1)) < 0.7
    p[:, 0] = 0.0
    q[:, :2] = np.where(shared, [[0.0, -3.0]], [[-3.0, 0.0]])
    return p, np.where(shared, np.maximum(q, p - 4), q)


def bernoulli(rng: np.random.Generator, count: int, atoms: int) -> tuple[Array, Array]:
    """Two outcomes: log-odds (u, v) in general position, mirrored (u, -u), or at a corner."""
    gap = 10 ** rng.uniform(-2, 1, count)
    centre = rng.normal(0, 1, count) * 10 ** rng.uniform(-1, 1.2, count)
    centre = np.where(rng.random(count) < 0.3, 0.0, centre)
    return _two_outcomes(centre + gap / 2, atoms), _two_outcomes(centre - gap / 2, atoms)


def _two_outcomes(log_odds: Array, atoms: int) -> Array:
    masses = np.full((len(log_odds), atoms), -np.inf)
    masses[:, 0] = -np.logaddexp(0, -log_odds)
    masses[:, 1] = -np.logaddexp(0, log_odds)
    return masses


def tilted(rng: np.random.Generator, count: int, atoms: int) -> tuple[Array, Array]:
    """Q proportional to P exp(s x), x in [0, 1]: exponential mechanisms, bounded range s."""
    p = _log_gamma_draws(rng, 10 ** rng.uniform(-0.5, 1, (count, 1)), (count, atoms))
    x = rng.random((count, atoms)) ** 10 ** rng.uniform(-1, 1, (count, 1))
    x[:, :2] = [0.0, 1.0]
    return p, p + 10 ** rng.uniform(-2, 1.2, (count, 1)) * x


def binned_gaussian(rng: np.random.Generator, count: int, atoms: int) -> tuple[Array, Array]:
    """N(0, 1) and N(mu, 1), of which only the interval between random thresholds is seen."""
    mu = 10 ** rng.uniform(-1.5, 0.7, (count, 1))
    cuts = np.sort(rng.normal(mu / 2, 1 + mu / 2, (count, atoms - 1)), axis=1)
    return binned(log_normal_tail, cuts), binned(log_normal_tail, cuts - mu)


def binned_laplace(rng: np.random.Generator, count: int, atoms: int) -> tuple[Array, Array]:
    """Laplace laws with scale 1, shifted, of which only an interval is seen."""
    shift = 10 ** rng.uniform(-1.5, 1, (count, 1))
    cuts = np.sort(rng.uniform(-1 - shift / 2, 1 + 1.5 * shift, (count, atoms - 1)), axis=1)
    return binned(log_laplace_tail, cuts), binned(log_laplace_tail, cuts - shift)


def binned(log_tail: Callable[[Array], Array], cuts: Array) -> Array:
    """Log-masses between cuts, from the tail that is smaller there, so that nothing cancels."""
    ends = np.pad(cuts, ((0, 0), (1, 1)), constant_values=np.inf)
    ends[:, 0] = -np.inf
    low, high = ends[:, :-1], ends[:, 1:]
    right = log_tail(low), log_tail(high)
    left = log_tail(-high), log_tail(-low)
    use_right = right[0] < left[0]
    big, small = (np.where(use_right, r, l) for r, l in zip(right, left, strict=True))
    with np.errstate(divide="ignore"):
        return big + np.log(-np.expm1(np.minimum(small - big, -1e-300)))


def log_normal_tail(x: Array) -> Array:
    """log P(Z > x); beyond 35 standard deviations by two terms of the asymptotic series."""
    with np.errstate(divide="ignore", over="ignore"):
        near = np.log(np.vectorize(math.erfc, otypes=[float])(x / math.sqrt(2)) / 2)
        y = np.maximum(x, 1.0)
        far = -y * y / 2 - np.log(y * math.sqrt(2 * math.pi)) - 1 / y**2
    return np.where(x < 35, near, far)


def log_laplace_tail(x: Array) -> Array:
    """log P(X > x) of the Laplace law with scale 1."""
    with np.errstate(invalid="ignore"):
        below = np.log1p(-np.exp(np.minimum(x, 0.0)) / 2)
        return np.where(x > 0, -x - math.log(2), below)


def nearly_extreme(rng: np.random.Generator, count: int, atoms: int) -> tuple[Array, Array]:
    """Log-ratios close to -e and e, as in randomised response, and a rare larger one at times."""
    e = 10 ** rng.uniform(-2, 1, (count, 1))
    sign = np.where(rng.random((count, atoms)) < 0.5, -1.0, 1.0)
    sign[:, :2] = [-1.0, 1.0]
    loss = sign * e * (1 - rng.random((count, atoms)) * 10 ** rng.uniform(-8, 0, (count, 1)))
    p = _log_gamma_draws(rng, np.ones((count, 1)), (count, atoms))
    p[:, -1] -= 10 ** rng.uniform(-1, 1.5, count)
    loss[:, -1] *= np.where(rng.random(count) < 0.3, 3.0, 1.0)
    return p, p + loss


def repeated_bernoulli(rng: np.random.Generator, count: int, atoms: int) -> tuple[Array, Array]:
    """The number of successes in `atoms - 1` draws: the product pair, as far as ratios go."""
    p, q = bernoulli(rng, count, 2)
    n = atoms - 1
    k = np.arange(atoms)
    log_choose = np.array([math.log(math.comb(n, j)) for j in k])
    return tuple(log_choose + k * m[:, :1] + (n - k) * m[:, 1:] for m in (p, q))


FAMILIES: tuple[Family, ...] = (
    dirichlet,
    nearly_deterministic,
    bernoulli,
    tilted,
    binned_gaussian,
    binned_laplace,
    nearly_extreme,
    repeated_bernoulli,
)
