"""Calibration lands on the safe side, right at the edge."""

import math
import tracemalloc

import pytest

import tightrope as tr

PROMISED = 1e-10
"""Relative distance from the edge that the documentation promises."""


def training(noise, rate=0.01, steps=2000):
    return tr.Gaussian(noise).sampled(rate) ** steps


class Counted:
    """A function that counts its calls."""

    def __init__(self, f):
        self.f, self.calls = f, 0

    def __call__(self, x):
        self.calls += 1
        return self.f(x)


# --- one Gaussian release -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("epsilon", "delta", "scale", "digits"),
    [
        # analytic Gaussian mechanism (Balle and Wang 2018), 20-digit references
        (0.01, 1e-5, 243.78543767567802221, PROMISED),  # dpsynth #71: hangs, 75 GB
        (0.5, 1e-5, 7.0318266755824914044, PROMISED),
        # autodp #39: .158257 and .098365, loose
        (50, 1e-6, 0.156592870, 1e-8),
        (100, 1e-6, 0.097837, 1e-5),
        # delta(0) = 2 Phi(1/(2 s)) - 1 is close to 1/(s sqrt(2 pi))
        (0, 1e-5, 1e5 / math.sqrt(2 * math.pi), 1e-9),
    ],
)
def test_the_analytic_gaussian_mechanism(epsilon, delta, scale, digits):
    found = tr.calibrate(tr.Gaussian, tr.ApproxDP(epsilon, delta))
    assert found == pytest.approx(scale, rel=digits)
    if digits == PROMISED:
        assert found >= scale


@pytest.mark.parametrize("epsilon", [0, 1e-6, 1e-3, 1, 20, 709, 1e3, 1e4])
@pytest.mark.parametrize("delta", [1e-11, 0.1])
def test_any_epsilon_calibrates(epsilon, delta):
    """opacus #601, #604, #591: calibration failed above epsilon = 10 or so."""
    scale = tr.calibrate(tr.Gaussian, tr.ApproxDP(epsilon, delta))
    assert tr.Gaussian(scale).delta(epsilon) <= delta
    assert tr.Gaussian(scale).epsilon(delta) <= epsilon
    assert tr.Gaussian(scale * (1 - PROMISED)).log_delta(epsilon) > math.log(delta)


# --- training -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("epsilon", "delta", "rate", "steps", "noise", "digits"),
    [
        (1, 1e-5, 0.01, 2000, 1.842777776, 1e-9),
        (8, 1e-5, 0.01, 2000, 0.643333919, 1e-9),
        (69.815711, 1e-5, 0.01, 1000, 0.3, 1e-7),  # opacus #601
        (56.72595, 1e-6, 0.125, 1000, 0.8, 1e-6),  # prv_accountant #36
        (1, 1e-6, 0.01, 1, 0.776436, 1e-6),  # autodp #2: .9366 and 1.2585 by looser methods
    ],
)
def test_noise_of_training(epsilon, delta, rate, steps, noise, digits):
    family = Counted(lambda noise: training(noise, rate, steps))
    found = tr.calibrate(family, tr.ApproxDP(epsilon, delta))
    assert found == pytest.approx(noise, rel=digits)
    event = training(found, rate, steps)
    assert event.epsilon(delta) <= epsilon  # opacus #346: bisection stopped on the wrong side
    assert event.delta(epsilon) <= delta
    assert tr.check(event, tr.ApproxDP(epsilon, delta)).outcome == "holds"
    assert family.calls <= 60


def test_the_tolerance_is_on_the_parameter():
    """opacus #566: with rate 1 and 60 steps, the noise was up to 17 % larger than needed."""
    noise = tr.calibrate(lambda s: training(s, 1, 60), tr.ApproxDP(1, 1e-5))
    one = tr.calibrate(tr.Gaussian, tr.ApproxDP(1, 1e-5))
    assert noise == pytest.approx(one * math.sqrt(60), rel=2 * PROMISED)
    assert training(noise * (1 - PROMISED), 1, 60).epsilon(1e-5) > 1


def test_memory_is_bounded():
    """opacus #602: a tiny data set (large rate, few steps, hardly any noise) ran out of memory."""
    tracemalloc.start()
    noise = tr.calibrate(lambda s: training(s, 0.5, 10), tr.ApproxDP(50, 1e-5))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert training(noise, 0.5, 10).epsilon(1e-5) <= 50
    assert peak < 2e8


def test_rate_and_steps_of_training():
    target = tr.ApproxDP(2.0, 1e-6)
    rate = tr.calibrate(lambda r: training(1.1, r, 1000), target, bounds=(0, 1))
    assert training(1.1, rate, 1000).epsilon(1e-6) <= 2.0
    assert training(1.1, rate * (1 + PROMISED), 1000).epsilon(1e-6) > 2.0
    steps = tr.calibrate(lambda n: training(1.1, 0.01, n), target, integer=True)
    assert training(1.1, 0.01, steps).epsilon(1e-6) <= 2.0
    assert training(1.1, 0.01, steps + 1).epsilon(1e-6) > 2.0
    batch = tr.calibrate(
        lambda b: training(1.1, b / 60_000, 1000), target, bounds=(1, 60_000), integer=True
    )
    assert batch == math.floor(rate * 60_000)


# --- any parameter --------------------------------------------------------------------------


def test_directions_are_found():
    target = tr.ApproxDP(1.0, 1e-6)
    rate = tr.calibrate(lambda r: tr.PureDP(2.0).sampled(r), tr.PureDP(1.0), bounds=(0, 1))
    assert rate == pytest.approx(math.expm1(1) / math.expm1(2), rel=PROMISED)
    assert tr.PureDP(2.0).sampled(rate).to(tr.PureDP).epsilon <= 1.0
    steps = tr.calibrate(lambda n: tr.Gaussian(20) ** n, target, integer=True)
    assert (
        (tr.Gaussian(20) ** steps).epsilon(1e-6)
        <= 1.0
        < (tr.Gaussian(20) ** (steps + 1)).epsilon(1e-6)
    )
    group = tr.calibrate(lambda k: tr.GDP(0.1).group(k), tr.GDP(0.95), integer=True)
    assert group == 9
    norm = tr.calibrate(lambda c: tr.Gaussian(3.0, sensitivity=c), tr.GDP(0.5))
    assert norm == pytest.approx(1.5, rel=PROMISED)


def test_a_rate_without_bounds():
    """Rates above 1 are refused by the event, and count as too much leakage."""
    rate = tr.calibrate(lambda r: tr.PureDP(2.0).sampled(r), tr.PureDP(1.0))
    assert rate == pytest.approx(math.expm1(1) / math.expm1(2), rel=PROMISED)


def test_a_composition_of_laplace_noise():
    target = tr.ApproxDP(1, 1e-5)
    scale = tr.calibrate(lambda s: tr.Laplace(s) ** 100, target)
    assert (tr.Laplace(scale) ** 100).epsilon(1e-5) <= 1
    assert (tr.Laplace(scale * (1 - 2 * PROMISED)) ** 100).epsilon(1e-5) > 1


def test_steps_are_found_in_a_function_with_jumps():
    """A function that rounds its argument has an edge, too."""
    found = tr.calibrate(lambda x: tr.Gaussian(10) ** math.ceil(x), tr.GDP(1.0), bounds=(1, 1e6))
    assert 100 * (1 - 1e-12) <= found <= 100


# --- what is refused ------------------------------------------------------------------------


def test_an_impossible_target_says_what_is_possible():
    with pytest.raises(tr.NotReachable, match=r"no parameter in .*best .*epsilon=1\.9.*, at 2"):
        tr.calibrate(tr.Gaussian, tr.ApproxDP(1.0, 1e-5), bounds=(0.1, 2))
    with pytest.raises(tr.NotReachable, match=r"no parameter in \[0.1, 10\] meets .*GDP"):
        tr.calibrate(tr.Gaussian, tr.PureDP(1.0), bounds=(0.1, 10))
    lossy = lambda s: tr.Gaussian(s) + tr.ApproxDP(0.1, 1e-4)  # noqa: E731
    with pytest.raises(tr.NotReachable, match="no parameter in"):
        tr.calibrate(lossy, tr.ApproxDP(1.0, 1e-5))


def test_a_target_that_everything_meets_gives_the_end():
    assert tr.calibrate(tr.Gaussian, tr.ApproxDP(1, 1e-5), bounds=(10, 20)) == 10
    steps = tr.calibrate(
        lambda n: tr.Gaussian(100) ** n, tr.ApproxDP(1, 1e-5), bounds=(0, 9), integer=True
    )
    assert steps == 9


def test_what_is_not_monotone_is_refused():
    with pytest.raises(tr.InvalidArgument, match="does both"):
        tr.calibrate(lambda x: tr.GDP(abs(math.log(x))), tr.GDP(0.9), bounds=(0.1, 10))
    with pytest.raises(tr.InvalidArgument, match="does both"):
        tr.calibrate(lambda x: tr.Gaussian(x + 1 / x), tr.ApproxDP(1, 1e-5))


def test_what_does_not_depend_on_the_parameter_is_refused():
    with pytest.raises(tr.InvalidArgument, match="does not depend"):
        tr.calibrate(lambda _: tr.Gaussian(9), tr.ApproxDP(1, 1e-5))


def test_relations_must_agree():
    with pytest.raises(tr.NeighborsMismatch):
        tr.calibrate(tr.Gaussian, tr.GDP(1.0, neighbors=tr.replace_one))


@pytest.mark.parametrize(
    ("f", "target", "options", "match"),
    [
        (3, tr.GDP(1), {}, "f must be a function"),
        (tr.Gaussian, 1.0, {}, "target must be a guarantee"),
        (tr.Gaussian, tr.Laplace(1.0), {}, "target must be a guarantee"),
        (tr.Gaussian, tr.RDP(lambda a: a), {}, "needs orders"),
        (tr.Gaussian, tr.ZCDP(1).to(tr.Profile), {}, "given by points"),
        (lambda x: x, tr.GDP(1), {}, "f must give an event"),
        (tr.Gaussian, tr.GDP(1), {"bounds": (2, 1)}, "two ascending numbers"),
        (tr.Gaussian, tr.GDP(1), {"bounds": 3}, "two ascending numbers"),
        (tr.Gaussian, tr.GDP(1), {"bounds": (1.2, 1.8), "integer": True}, "no whole number"),
    ],
)
def test_misuse_is_named(f, target, options, match):
    with pytest.raises(tr.InvalidArgument, match=match):
        tr.calibrate(f, target, **options)
