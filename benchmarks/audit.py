"""How often audits refute wrong programs, and how often right ones.

The programs are those of tests/unit/auditing/programs.py; an audit sees the program, the claim and
two inputs. False alarms are counted over 1,000 audits of right programs at the usual 99.9 %, and by
their p-values at two lower confidences, where there is something to count.

usage: audit.py [--audits N] [--each N] [--trials N]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "unit" / "auditing"))

from programs import RIGHT, WRONG

LEVELS = (0.1, 0.01, 0.001)


def caught(each: int) -> Iterator[tuple[str, int, float, str]]:
    """For every wrong program: audits that refute it, seconds an audit, and the tests that do."""
    for name, case in WRONG.items():
        start = time.perf_counter()
        found = [case.audit(seed) for seed in range(10_000, 10_000 + each)]
        seconds = (time.perf_counter() - start) / each
        tests = {f.name for audit in found for f in audit.findings if f.refuted}
        yield name, sum(audit.refuted for audit in found), seconds, ", ".join(sorted(tests))


def alarms(audits: int, trials: int) -> dict[float, int]:
    """Of audits of right programs, those with p-values up to each level."""
    cases: list[Any] = list(RIGHT.values())
    values = [cases[n % len(cases)].audit(20_000 + n, trials=trials).p_value for n in range(audits)]
    return {level: sum(value <= level for value in values) for level in LEVELS}


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--audits", type=int, default=1000)
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--trials", type=int, default=5000)
    given = parser.parse_args()
    print("| wrong program | refuted | seconds | by |\n| --- | --- | --- | --- |")
    for name, hits, seconds, tests in caught(given.each):
        print(f"| {name} | {hits} of {given.each} | {seconds:.2f} | {tests} |", flush=True)
    found = alarms(given.audits, given.trials)
    print(
        f"\n| p-value at most | of {given.audits:,} right audits | allowed |\n| --- | --- | --- |"
    )
    for level, count in found.items():
        print(f"| {level:g} | {count} | {level * given.audits:g} |")


if __name__ == "__main__":
    main()
