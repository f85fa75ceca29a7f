"""A second opinion: holds, false, or not decidable, with proved ends."""

import pytest

import tightrope as tr


@pytest.mark.parametrize(
    ("event", "claim", "outcome"),
    [
        (tr.Gaussian(4.0) ** 16, tr.GDP(1.0), "holds"),
        (tr.Gaussian(4.0) ** 16, tr.GDP(0.999), "false"),
        (tr.Gaussian(1.0), tr.ApproxDP(4.38, 1e-5), "holds"),
        (tr.Gaussian(1.0), tr.ApproxDP(4.37, 1e-5), "false"),
        (tr.Laplace(1.0) ** 3, tr.PureDP(3.0), "holds"),
        (tr.Laplace(1.0) ** 3, tr.PureDP(2.9), "false"),
        (tr.Laplace(1.0) ** 3, tr.ZCDP(1.0), "false"),
        (tr.ZCDP(0.5), tr.GDP(1.2839), "false"),
        (tr.ZCDP(0.5), tr.GDP(1.284), "holds"),
        (tr.Gaussian(1.0).sampled(0.01), tr.ZCDP(0.00005), "false"),
        (tr.Gaussian(1.0).sampled(0.01), tr.GDP(0.5), "false"),
        (tr.Gaussian(1.0), tr.PureDP(10), "false"),
        (tr.BoundedRange(0.1) ** 10, tr.ApproxDP(0.6, 1e-6), "undecided"),
        (tr.Gaussian(1.0) + tr.Laplace(1.0), tr.GDP(1.35), "undecided"),
        (tr.TCDP(0.1, 10), tr.GDP(1.0), "undecided"),
        (tr.ZCDP(0.2, xi=0.3), tr.ZCDP(0.5), "holds"),
        (tr.ZCDP(0.5), tr.ZCDP(0.2, xi=0.3), "undecided"),
    ],
)
def test_outcomes(event, claim, outcome):
    verdict = tr.check(event, claim)
    assert verdict.outcome == outcome, verdict
    assert verdict.lower <= verdict.upper
    assert verdict.exit_code == {"holds": 0, "false": 1, "undecided": 4}[outcome]


def test_sentences():
    assert tr.check(tr.Gaussian(4.0) ** 16, tr.GDP(2.0)).sentence == "holds, with 50 % to spare"
    false = tr.check(tr.Gaussian(1.0), tr.ApproxDP(4.0, 1e-5)).sentence
    assert false.startswith("false: the truth is in [4.377, 4.378]")
    trap = tr.check(tr.Gaussian(1.0).sampled(0.01), tr.ZCDP(0.00005)).sentence
    assert "does not turn rho into rate^2 rho" in trap


def test_intervals_are_proved_at_both_ends():
    run = tr.Gaussian(2.0) ** 3 + tr.Laplace(5.0)
    lower, upper = run.epsilon_interval(1e-6)
    assert 0 < lower < upper
    exact = (tr.Gaussian(2.0) ** 3).epsilon(1e-6)
    assert lower == pytest.approx(exact, rel=1e-12)
    assert lower <= exact


def test_the_claim_must_speak_of_the_same_neighbours():
    with pytest.raises(tr.NeighborsMismatch):
        tr.check(tr.GDP(1.0), tr.GDP(2.0, neighbors=tr.replace_one))
