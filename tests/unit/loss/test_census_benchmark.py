"""The benchmark of the census's pairs of paths, on allocations made up here.

One contour serves many epsilons there: every interval has to be as narrow as the docs promise.
"""

from __future__ import annotations

import itertools
import runpy
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tightrope.loss.profile import OrderProfile

SCRIPT = Path(__file__).resolve().parents[3] / "benchmarks" / "census_dhc.py"

ALLOCATIONS = {
    1: "a,b,c\n1/8,1/4,0/1\n1/16,1/8,5/16\n",
    2: "a,b,c\n3/16,1/4,1/8\n1/16,0/1,1/4\n",
    3: "a,b,c\n7/8,0/1,0/1\n0/1,0/1,0/1\n",
}
"""Each sums to 7/8."""


@pytest.fixture(scope="module")
def benchmark() -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(SCRIPT)))


def test_every_interval_is_narrow_and_holds_the_profile(
    benchmark: SimpleNamespace, tmp_path: Path
) -> None:
    for number, text in ALLOCATIONS.items():
        (tmp_path / f"dhc_allocation_path_{number}.csv").write_text(text)
    by_number = benchmark.paths(tmp_path)
    pairs = [
        (by_number[one], by_number[other])
        for one, other in itertools.combinations_with_replacement(by_number, 2)
    ]
    gaussian = benchmark.Total.of([(benchmark.GaussianLoss(benchmark.square(*pairs[0])), 1)])
    epsilon = benchmark.epsilons(gaussian)
    table, _ = benchmark.profiles(pairs, benchmark.plan(gaussian, epsilon))
    assert table.upper.shape == (6, 40)
    assert (table.lower <= table.upper).all()
    assert (table.upper - table.lower < 1e-9).all()
    for row, both in enumerate(pairs):
        found = OrderProfile(benchmark.pair(*both)).log_delta(epsilon)
        lower = np.maximum(found.lower, table.lower[row])
        assert (lower <= np.minimum(found.upper, table.upper[row])).all()
