"""All pairs of paths of the 2020 Census DHC person file: delta at forty epsilons, proved.

A person's record enters the queries of one path; replacing it takes it out of one path and puts
it into another, so that every query of both shifts by one. This computes the privacy profile of
all 946 pairs (903 of different paths, 43 of a path with itself) at the epsilons at which the
continuous Gaussian has delta = 10^-1 to 10^-30, and names the worst pair at each. Every number is
an interval that holds the truth.

usage: census_dhc.py FOLDER [--csv FILE]

FOLDER has dhc_allocation_path_N.csv, one file a path: the published allocation, rho of every query
as a fraction below a line of headings. With a reference.csv beside them (columns path1, path2,
epsilon, delta) its values are compared too.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import math
import os
import platform
import re
import resource
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tightrope.loss.contour import laying, saddle
from tightrope.loss.contour.contour import Contour
from tightrope.loss.discrete.discrete_gaussian import DiscreteGaussianLoss
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.inverse import Inverse
from tightrope.loss.profile import OrderProfile
from tightrope.loss.total import Total

DELTAS = np.linspace(-1, -30, 40) * math.log(10)
CONTOURS = 6
TOLERANCE = 1e-18
"""Relative error of each of aliasing and truncation."""

Floats = NDArray[np.float64]
Path_ = Counter[Fraction]


class Stretch(NamedTuple):
    """A contour, and the epsilons that it serves."""

    start: Contour
    epsilon: Floats


class Table(NamedTuple):
    """Bounds on log delta, pairs by epsilons."""

    lower: Floats
    upper: Floats


def paths(folder: Path) -> dict[int, Path_]:
    """rho of every query of every path, with its multiplicity."""
    found = {}
    for file in folder.glob("dhc_allocation_path_*.csv"):
        rows = list(csv.reader(file.read_text().splitlines()))[1:]
        number = int(re.findall(r"\d+", file.stem)[-1])
        found[number] = Counter(Fraction(cell) for row in rows for cell in row if cell != "0/1")
    return dict(sorted(found.items()))


def pair(one: Path_, other: Path_) -> Total:
    """Every query of both paths shifts by one; its noise has variance 1/rho."""
    return Total.of(
        (DiscreteGaussianLoss.one(1 / rho, 1), count) for rho, count in (one + other).items()
    )


def square(one: Path_, other: Path_) -> float:
    """mu^2 of continuous Gaussians in place of the discrete ones; all pairs have the same."""
    return float(sum(rho * count for rho, count in (one + other).items()))


def epsilons(gaussian: Total) -> Floats:
    """Where continuous Gaussians of the same rho have the deltas."""
    profile = OrderProfile(gaussian)
    return np.array([Inverse(profile, float(delta)).bounds()[1] for delta in DELTAS])


def plan(gaussian: Total, epsilon: Floats) -> list[Stretch]:
    """Contours for the Gaussian, each for a stretch of epsilons."""
    ends = np.linspace(epsilon[0], epsilon[-1], CONTOURS + 1)
    stretches = []
    for near in np.split(epsilon, np.searchsorted(epsilon, ends[1:-1])):
        middle = float(near[0] + near[-1]) / 2
        c = saddle.for_epsilon(gaussian, middle)
        stretches.append(Stretch(laying.through(gaussian, c, middle, tolerance=TOLERANCE), near))
    return stretches


def profile(total: Total, stretches: Sequence[Stretch]) -> Table:
    """One row of the table, along the same lines with the same steps."""
    parts = []
    for start, near in stretches:
        line = total.line(start.c)
        along = replace(start, total=total, line=line)
        parts.append(laying.closed(along, TOLERANCE).sums(near))
    return Table(
        np.concatenate([part.log_lower for part in parts]),
        np.concatenate([part.log_upper for part in parts]),
    )


def profiles(pairs: list[tuple[Path_, Path_]], stretches: list[Stretch]) -> tuple[Table, int]:
    """The rows of some pairs, and the peak memory in kB."""
    rows = [profile(pair(*both), stretches) for both in pairs]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Table(*(np.array(side) for side in zip(*rows, strict=True))), memory


def all_profiles(pairs: list[tuple[Path_, Path_]], stretches: list[Stretch]) -> tuple[Table, int]:
    """The whole table, in two processes."""
    with ProcessPoolExecutor(2) as pool:
        halves = [pool.submit(profiles, pairs[start::2], stretches) for start in (0, 1)]
        (even, first), (odd, second) = (half.result() for half in halves)
    lower, upper = np.empty((2, len(pairs), even.lower.shape[1]))
    for start, part in ((0, even), (1, odd)):
        lower[start::2], upper[start::2] = part
    return Table(lower, upper), first + second


def compare(folder: Path, by_number: dict[int, Path_]) -> Iterable[str]:
    """Lines on how far the reference lies from the middle of the proved intervals."""
    file = folder / "reference.csv"
    rows = csv.DictReader(file.read_text().splitlines() if file.is_file() else ())
    for row in rows:
        total = pair(by_number[int(row["path1"])], by_number[int(row["path2"])])
        epsilon, delta = float(row["epsilon"]), float(row["delta"])
        c = saddle.for_epsilon(total, epsilon)
        sums = laying.through(total, c, epsilon, tolerance=TOLERANCE).sums(np.array([epsilon]))
        lower, upper = float(sums.log_lower[0]), float(sums.log_upper[0])
        away = abs(math.expm1((lower + upper) / 2 - math.log(delta)))
        yield (
            f"{row['path1']}+{row['path2']} at {epsilon:.8g}: reference {delta!r}, "
            f"{away:.0e} from the middle of an interval of relative width {upper - lower:.0e}"
        )


def worst(table: Table, names: list[tuple[int, int]], epsilon: Floats) -> Iterable[str]:
    """At every epsilon the pairs that can be the worst, their delta, and by how much they lead.

    Pairs with the same finest lattice agree to many more digits than are computed.
    """
    for column, e in enumerate(epsilon):
        lower, upper = table.lower[:, column], table.upper[:, column]
        able = np.flatnonzero(upper >= lower.max())
        rest = np.delete(upper, able).max()
        lead = math.expm1(lower.max() - rest)
        pairs = " ".join(f"{one}+{other}" for one, other in (names[i] for i in able))
        ends = f"{math.exp(lower.max()):.14e} .. {math.exp(upper.max()):.14e}"
        yield f"{e:.13f}  {ends}  lead {lead:.0e}  {len(able)}: {pairs}"


def main() -> None:
    """Print the table and what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the allocations are")
    parser.add_argument("--csv", type=Path, help="write the table to this file")
    options = parser.parse_args()
    by_number = paths(options.folder)
    names = list(itertools.combinations_with_replacement(by_number, 2))
    pairs = [(by_number[one], by_number[other]) for one, other in names]
    start = time.perf_counter()
    gaussian = Total.of([(GaussianLoss(square(*pairs[0])), 1)])
    epsilon = epsilons(gaussian)
    table, memory = all_profiles(pairs, plan(gaussian, epsilon))
    seconds = time.perf_counter() - start
    print(f"{date.today()}, {platform.machine()}, {os.cpu_count()} cores")
    busy = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{len(pairs)} pairs at {len(epsilon)} epsilons: {seconds:.1f} s "
        f"(processor time {busy.ru_utime + busy.ru_stime:.1f} s), {memory / 1e3:.0f} MB"
    )
    print(f"widest interval, relative to delta: {np.expm1(table.upper - table.lower).max():.1e}")
    print("epsilon, delta of the worst pair, lead before the others, pairs that can be the worst")
    print("\n".join(worst(table, names, epsilon)))
    print("\n".join(compare(options.folder, by_number)))
    if options.csv:
        write(options.csv, names, epsilon, table)


def write(file: Path, names: list[tuple[int, int]], epsilon: Floats, table: Table) -> None:
    """One line a pair and epsilon."""
    with file.open("w", newline="") as out:
        lines = csv.writer(out)
        lines.writerow(["path1", "path2", "epsilon", "log_delta_lower", "log_delta_upper"])
        for name, lower, upper in zip(names, table.lower, table.upper, strict=True):
            lines.writerows(
                [*name, *map(repr, row)]
                for row in zip(epsilon.tolist(), lower.tolist(), upper.tolist(), strict=True)
            )


if __name__ == "__main__":
    main()
