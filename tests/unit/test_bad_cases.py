"""Floors of exponential mechanisms: by a case whose leakage is known exactly."""

import math

import pytest

import tightrope as tr
from tightrope.plan.attained import bad_case
from tightrope.plan.stated import has_stated


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_the_case_is_an_exponential_mechanism(epsilon):
    """Scores 1/2 and -1/2 beside -1/2 and 1/2: each moves by 1, and the odds by exp(epsilon)."""
    weights = [math.exp(epsilon * score / 2) for score in (0.5, -0.5)]
    moved = [math.exp(epsilon * score / 2) for score in (-0.5, 0.5)]
    truth = weights[0] / sum(weights)
    case = bad_case(tr.Exponential(epsilon))
    assert truth == pytest.approx(math.exp(case.epsilon) / (1 + math.exp(case.epsilon)))
    assert moved[0] / sum(moved) == pytest.approx(1 - truth)


@pytest.mark.parametrize(
    "event",
    [
        tr.Exponential(0.1) ** 100,
        tr.BoundedRange(0.5) ** 20,
        tr.Exponential(0.3) ** 10 + tr.Gaussian(3.0) ** 4,
        tr.Exponential(1.0) ** 3 + tr.Exponential(0.2) ** 5 + tr.Laplace(2.0),
    ],
    ids=repr,
)
def test_floors_lie_below_what_is_proved_and_not_far(event):
    for delta in (1e-3, 1e-6, 1e-9):
        upper = event.epsilon(delta)
        verdict = tr.check(event, tr.ApproxDP(upper, delta))
        assert verdict.outcome == "holds"
        assert 0.55 * upper < verdict.lower <= verdict.upper
        stronger = tr.check(event, tr.ApproxDP(0.55 * upper, delta)).outcome
        assert stronger == ("does not follow" if has_stated(event) else "false")


def test_an_rdp_claim_is_refused_by_what_is_true_of_it():
    with pytest.raises(tr.InvalidArgument, match="RDP is a whole curve: compare it"):
        tr.check(tr.Gaussian(1.0), tr.RDP([2], [1.0]))
