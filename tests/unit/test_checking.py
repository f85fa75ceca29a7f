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
        (tr.ZCDP(0.5), tr.GDP(1.2839), "does not follow"),
        (tr.ZCDP(0.5), tr.ApproxDP(1, 1e-5), "does not follow"),
        (tr.GDP(1.0) ** 3, tr.PureDP(5), "does not follow"),
        (tr.ZCDP(0.5).sampled(0.1) ** 2, tr.GDP(0.1), "undecided"),
        (tr.parallel(tr.GDP(1.0), tr.Laplace(1.0)), tr.PureDP(0.5), "false"),
        (tr.parallel(tr.PureDP(1.0), tr.Laplace(2.0)), tr.PureDP(0.6), "does not follow"),
        (tr.Gaussian(1.0) + tr.GDP(1.0), tr.GDP(1.2), "does not follow"),
        (tr.Gaussian(1.0) + tr.GDP(1.0), tr.GDP(0.9), "false"),
        ((tr.Gaussian(1.0) + tr.GDP(1.0)).sampled(0.1), tr.GDP(0.9), "false"),
        (tr.ZCDP(0.5), tr.GDP(1.284), "holds"),
        (tr.Gaussian(1.0).sampled(0.01), tr.ZCDP(0.00005), "false"),
        (tr.Gaussian(1.0).sampled(0.01), tr.GDP(0.5), "false"),
        (tr.Gaussian(1.0), tr.PureDP(10), "false"),
        (tr.BoundedRange(0.1) ** 10, tr.ApproxDP(0.6, 1e-6), "undecided"),
        (tr.Gaussian(1.0) + tr.Laplace(1.0), tr.GDP(1.35), "false"),
        (tr.Gaussian(1.0) + tr.Laplace(1.0), tr.GDP(1.3521), "holds"),
        (tr.BoundedRange(0.1) ** 10, tr.GDP(0.16), "undecided"),
        (tr.Gaussian(1.0).sampled(0.01) ** 100, tr.ApproxDP(0.5, 1e-5), "false"),
        (tr.TCDP(0.1, 10), tr.GDP(1.0), "undecided"),
        (tr.ZCDP(0.2, xi=0.3), tr.ZCDP(0.5), "holds"),
        (tr.ZCDP(0.5), tr.ZCDP(0.2, xi=0.3), "undecided"),
    ],
)
def test_outcomes(event, claim, outcome):
    verdict = tr.check(event, claim)
    assert verdict.outcome == outcome, verdict
    assert verdict.lower <= verdict.upper
    assert verdict.exit_code == {"holds": 0, "false": 1}.get(outcome, 4)


def test_sentences():
    assert tr.check(tr.Gaussian(4.0) ** 16, tr.GDP(2.0)).sentence == "holds, with 50 % to spare"
    false = tr.check(tr.Gaussian(1.0), tr.ApproxDP(4.0, 1e-5)).sentence
    assert false.startswith("false: the truth is in [4.377, 4.378]")
    trap = tr.check(tr.Gaussian(1.0).sampled(0.01), tr.ZCDP(0.00005)).sentence
    assert "does not turn rho into rate^2 rho" in trap


def test_a_guarantee_never_makes_a_claim_false():
    """Something that leaks nothing at all satisfies every guarantee, and every claim."""
    found = tr.check(tr.ZCDP(0.5), tr.ApproxDP(1, 1e-5))
    assert found.sentence.startswith(
        "does not follow: 4.729 follows from what was stated, and nothing below 4.728. "
    )
    endless = tr.check(tr.ZCDP(0.5), tr.PureDP(1)).sentence
    assert endless.startswith("does not follow: no finite number follows from what was stated. ")


def test_the_mechanisms_beside_a_guarantee_bound_the_truth():
    """Gaussian noise alone leaks 4.377; what is only stated may leak nothing, or add to it."""
    found = tr.check(tr.Gaussian(1.0) + tr.ZCDP(0.1), tr.ApproxDP(1, 1e-5))
    assert found.sentence.startswith("false: the truth is in [4.377, 5.1")
    assert found.lower == pytest.approx(4.3771781, rel=1e-8)


def test_intervals_are_proved_at_both_ends():
    run = tr.Gaussian(2.0) ** 3 + tr.Laplace(5.0)
    lower, upper = run.epsilon_interval(1e-6)
    assert (tr.Gaussian(2.0) ** 3).epsilon(1e-6) < lower < upper
    assert lower == pytest.approx(upper, rel=1e-9)


def test_the_claim_must_speak_of_the_same_neighbours():
    with pytest.raises(tr.NeighborsMismatch):
        tr.check(tr.GDP(1.0), tr.GDP(2.0, neighbors=tr.replace_one))


@pytest.mark.parametrize(
    "event",
    [
        tr.DiscreteLaplace(2.0, 3),
        tr.RandomizedResponse(1.0, categories=7),
        tr.RandomizedResponse(0.1, categories=50) + tr.Laplace(5.0),
        tr.DiscreteGaussian(150.0, 2),
        tr.DiscreteGaussian(3.0),
        tr.RDP([2, 8], [0.3, 2.0]),
        tr.TCDP(0.1, 20),
        tr.ZCDP(0.1, xi=0.3),
        tr.PermuteAndFlip(1.0),
    ],
    ids=repr,
)
def test_what_is_proved_is_never_called_false(event):
    """A floor must stay below every number that is proved, and below the mechanism's own truth."""
    for delta in (0.1, 1e-3, 1e-9):
        lower, upper = event.epsilon_interval(delta)
        assert 0 <= lower <= upper
    for notion in (tr.PureDP, tr.ZCDP, tr.GDP):
        try:
            proved = event.to(notion)
        except tr.NotReachable:
            continue
        assert tr.check(event, proved).outcome == "holds"


def test_exact_curves_of_discrete_mechanisms():
    """Brute force: discrete Laplace with three values of the log-ratio, and 3-ary response."""
    import math

    scale, shift = 2.0, 3
    r = math.exp(-1 / scale)
    mass = {z: (1 - r) / (1 + r) * r ** abs(z) for z in range(-400, 400)}
    for e in (0.2, 0.9, 1.3):
        exact = sum(
            max(0.0, mass[z] - math.exp(e) * mass.get(z - shift, 0.0)) for z in range(-390, 390)
        )
        found = tr.DiscreteLaplace(scale, shift).delta(e)
        assert found == pytest.approx(exact, rel=1e-10)
        assert found >= exact * (1 - 1e-14)
    p = math.exp(1.0) / (math.exp(1.0) + 2)
    q = 1 / (math.exp(1.0) + 2)
    assert tr.RandomizedResponse(1.0, categories=3).delta(0.5) == pytest.approx(
        p - math.exp(0.5) * q, rel=1e-12
    )
