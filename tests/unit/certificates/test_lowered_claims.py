"""Certificates of random events are verified, and none that claims a little less is.

Whoever lowers a claim lowers the step that it names as well, rounds it anew and makes the digest
again: nothing but the mathematics tells the difference.
"""

from __future__ import annotations

import copy
import json
import random
from fractions import Fraction

import pytest

import tightrope as tr
from tightrope.verify import verify
from tightrope.verify.outcome import Report
from tightrope.verify.step import PROTECTIVE

from .mutations import number, sealed
from .random_events import random_event

LOWERED = Fraction(999, 1000)
"""A claim that is better than it should be by a thousandth."""

MOVED = frozenset(("epsilon", "delta", "mu", "rho", "beta"))


def certified(rng: random.Random) -> tuple[tr.Event, dict]:
    """A random event of which something can be certified, with the content of its certificate."""
    while True:
        try:
            event = random_event(rng)
            return event, tr.certificate(event).content
        except tr.TightropeError:
            continue


def lowered(content: dict):
    """The claims with one of their numbers better by a thousandth, and the files that say so."""
    for place, claim in enumerate(content["claims"]):
        for name, text in claim["values"].items():
            was = number(text)
            if name not in MOVED or not was:
                continue
            now = 1 - (1 - was) * LOWERED if name in PROTECTIVE else was * LOWERED
            changed = copy.deepcopy(content)
            told = changed["claims"][place]
            told["values"][name] = told["shown"][name] = str(now)
            (step,) = (step for step in changed["steps"] if step["id"] == told["step"])
            step["values"][name] = str(now)
            step.pop("interval", None)
            for other in changed["claims"]:
                if other["step"] == told["step"]:
                    other["values"], other["shown"] = told["values"], told["shown"]
            yield claim["question"], name, verify(json.dumps(sealed(changed)))


def require_told(event: tr.Event, report: Report) -> None:
    """A true certificate is verified; else the checker says which step it cannot derive."""
    assert report.exit_code in (0, 4), (event, report.sentence)
    assert report.exit_code == 0 or report.reason


def require_sharp(seed: int, events: int) -> tuple[int, int]:
    """How many of so many certificates are verified, and how many changes were refuted."""
    rng, verified, refuted = random.Random(seed), 0, 0
    for _ in range(events):
        event, content = certified(rng)
        report = verify(json.dumps(content))
        require_told(event, report)
        if report.exit_code:
            continue
        verified += 1
        for question, name, outcome in lowered(content):
            assert outcome.exit_code in (1, 4), (event, question, name)
            refuted += outcome.exit_code == 1
    return verified, refuted


def test_no_claim_that_is_lower_by_a_thousandth_passes():
    verified, refuted = require_sharp(seed=7, events=3)
    assert verified >= 2
    assert refuted >= 4


@pytest.mark.slow
def test_no_claim_of_many_that_is_lower_by_a_thousandth_passes():
    verified, refuted = require_sharp(seed=8, events=120)
    assert verified >= 115
    assert refuted >= 300
