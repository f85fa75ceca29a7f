"""Pairs of paths of the 2020 Census DHC person file against an independent computation.

The reference convolves on the whole lattice and is good to 2e-14; its file is no part of this
repository. The environment variable TIGHTROPE_DHC names its folder, by default one beside the
repository; without it there is nothing to compare with.
"""

from __future__ import annotations

import csv
import math
import os
from collections import Counter
from fractions import Fraction
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from engine import log_delta

from tightrope.loss.contour.laying import through
from tightrope.loss.contour.saddle import for_epsilon
from tightrope.loss.discrete.discrete_gaussian import DiscreteGaussianLoss
from tightrope.loss.total import Total

BESIDE = Path(__file__).resolve().parents[4] / "shared" / "data" / "dhc"
FOLDER = Path(os.environ.get("TIGHTROPE_DHC", BESIDE))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="the published allocations are not here"),
]


def path(number: int) -> Counter[Fraction]:
    text = (FOLDER / f"dhc_allocation_path_{number}.csv").read_text()
    rows = list(csv.reader(text.splitlines()))[1:]
    return Counter(Fraction(cell) for row in rows for cell in row if cell != "0/1")


def pair(one: int, other: int) -> Total:
    queries = path(one) + path(other)
    return Total.of((DiscreteGaussianLoss.one(1 / rho), n) for rho, n in queries.items())


def reference() -> dict[tuple[int, int], list[tuple[float, float]]]:
    text = (FOLDER / "reference.csv").read_text() if FOLDER.is_dir() else ""
    rows = list(csv.DictReader(text.splitlines()))
    groups = groupby(rows, lambda row: (int(row["path1"]), int(row["path2"])))
    return {
        name: [(float(row["epsilon"]), float(row["delta"])) for row in group]
        for name, group in groups
    }


@pytest.mark.parametrize("name", reference())
def test_at_the_saddle_of_every_epsilon(name: tuple[int, int]) -> None:
    total = pair(*name)
    for epsilon, delta in reference()[name]:
        contour = through(total, for_epsilon(total, epsilon), epsilon)
        sums = contour.sums(np.array([epsilon]))
        assert sums.log_lower[0] - 3e-14 <= math.log(delta) <= sums.log_upper[0] + 3e-14
        assert sums.log_upper[0] - sums.log_lower[0] < 5e-12


@pytest.mark.parametrize("name", reference())
def test_all_epsilons_at_once(name: tuple[int, int]) -> None:
    epsilon, delta = np.array(reference()[name]).T
    found = log_delta(pair(*name), epsilon)
    assert (found.lower - 3e-14 <= np.log(delta)).all()
    assert (np.log(delta) <= found.upper + 3e-14).all()
    assert (found.upper - found.lower < 1e-10).all()


def test_doubles_for_fractions_change_little() -> None:
    """Without the common lattice a fictitious Gaussian closes the tail; the ends stay true."""
    queries = path(1) + path(11)
    total = Total.of((DiscreteGaussianLoss.one(float(1 / rho)), n) for rho, n in queries.items())
    epsilon, delta = np.array(reference()[1, 11]).T
    found = log_delta(total, epsilon)
    assert (found.lower - 1e-12 <= np.log(delta)).all()
    assert (np.log(delta) <= found.upper + 1e-12).all()
    assert (found.upper - found.lower < 1e-9).all()
