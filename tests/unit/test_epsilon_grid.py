"""Many configurations at once: the same numbers as one by one, in the shape of the parameters."""

import math

import numpy as np
import pytest

import tightrope as tr


def training(noise, rate, steps):
    return tr.Gaussian(noise).sampled(rate) ** steps


@pytest.mark.parametrize(
    ("noise", "rate", "steps", "delta", "epsilon"),
    [
        # ten digits, found by two contours and, in the first three, between two other libraries
        (1, 0.01, 10_000, 1e-5, 6.187712390),
        (9.4, 0.328, 2000, 1e-5, 7.433065647),
        (0.8, 0.125, 1000, 1e-6, 56.72595),
        (1, 0.2, [10, 500], 1e-5, [4.984213, 38.170247]),
        (4, 0.01, [10_000, 40_000], 1e-5, [0.946867, 2.033065]),
        (1.3, 0.0167, 900, 1e-5, 1.895697),
        (1.54, 1024 / 50_000, 1464, 1e-5, 2.386293),
        (0.3, 0.01, 1000, 1e-5, 69.815711),
        (1, [0.01, 0.08], 100, 1e-5, [0.718036, 5.613419]),
        (10, 0.001, 10, 0.1, 0),
    ],
)
def test_training(noise, rate, steps, delta, epsilon):
    found = tr.epsilon_grid(training, noise, rate, steps, delta=delta)
    assert found == pytest.approx(np.array(epsilon), rel=2e-6, abs=1e-12)


def test_a_tiny_delta_stays_on_the_safe_side():
    """prv_accountant #17: .056 and 3.8; by 40 digits log delta(.067185564) = -41.3244268871622."""
    found = tr.epsilon_grid(training, 4, 0.00033, 10_000, delta=[1.1e-18, math.exp(-41.3244268872)])
    assert found[0] > found[1] > 0.0671855639
    assert (found < 0.06723).all()


def test_a_line_without_digits_is_not_trusted():
    """Rare large losses: what a line between two saddles says here is all aliases."""
    noise, rate, delta = 3.470820203972503, 0.001019037531238455, 1.0280088083533883e-12
    found = tr.epsilon_grid(training, noise, rate, 1583, delta=delta)
    assert found == pytest.approx(training(noise, rate, 1583).epsilon(delta), rel=1e-8)


def test_the_same_numbers_as_one_by_one():
    noise, rate, steps = np.array([0.8, 2.0])[:, None, None], np.array([[0.003], [0.03]]), [70, 900]
    found = tr.epsilon_grid(training, noise, rate, steps, delta=1e-6)
    assert found.shape == (2, 2, 2)
    for place in np.ndindex(2, 2, 2):
        event = training(float(noise.ravel()[place[0]]), rate[place[1], 0].item(), steps[place[2]])
        assert found[place] == pytest.approx(event.epsilon(1e-6), rel=1e-8)


def test_parameters_arrive_as_they_are():
    seen = []

    def family(noise, steps):
        seen.append((type(noise), type(steps)))
        return tr.Gaussian(noise) ** steps

    found = tr.epsilon_grid(family, [1.0, 2.0], 4, delta=1e-5)
    assert seen == [(float, int)] * 2
    one = tr.Gaussian(1).epsilon(1e-5)
    assert found[1] == pytest.approx(one, rel=1e-8)


def test_delta_is_an_axis_too():
    found = tr.epsilon_grid(tr.Gaussian, [[1.0], [2.0]], delta=[1e-3, 1e-6, 1e-9])
    expected = [tr.Gaussian(noise).epsilon([1e-3, 1e-6, 1e-9]) for noise in (1.0, 2.0)]
    assert found == pytest.approx(np.array(expected), rel=1e-8)
    assert tr.epsilon_grid(tr.Gaussian, 1.0, delta=1e-3).shape == ()


def test_events_of_every_kind():
    events = [
        tr.Laplace(1.0),
        tr.Laplace(1.0) ** 30,
        tr.Laplace(1.0) ** 30 + tr.Gaussian(3.0) ** 5,
        tr.RandomizedResponse(1.0) ** 10,
        tr.Exponential(0.5) ** 10,
        tr.ApproxDP(0.1, 1e-7) ** 3,
        tr.ZCDP(0.1) + tr.Gaussian(3.0),
        (tr.Gaussian(3.0).sampled(0.1) ** 20).group(2),
        tr.parallel(tr.Gaussian(1.0), tr.Gaussian(2.0)),
        tr.Gaussian(1.0).then("a mean"),
        tr.Gaussian(3.0) ** 6 + tr.Gaussian(2.0).sampled(0.1) ** 9,
    ]
    found = tr.epsilon_grid(lambda i: events[i], np.arange(len(events)), delta=1e-5)
    assert found == pytest.approx(np.array([e.epsilon(1e-5) for e in events]), rel=1e-8)
    pure = tr.epsilon_grid(lambda i: events[i], np.arange(5), delta=0)
    assert pure == pytest.approx([1, 30, math.inf, 10, 5], rel=1e-12)


def test_misuse_is_named():
    with pytest.raises(tr.InvalidArgument, match="f must be a function"):
        tr.epsilon_grid(tr.Gaussian(1), 1.0, delta=1e-5)
    with pytest.raises(tr.InvalidArgument, match="f must give an event"):
        tr.epsilon_grid(lambda x: x, [1.0], delta=1e-5)
    with pytest.raises(tr.InvalidArgument, match="must broadcast"):
        tr.epsilon_grid(training, [1.0, 2.0], [0.1, 0.2, 0.3], 10, delta=1e-5)
    with pytest.raises(tr.InvalidArgument, match="delta"):
        tr.epsilon_grid(tr.Gaussian, 1.0, delta=2.0)
    with pytest.raises(tr.InvalidArgument, match="noise_scale"):
        tr.epsilon_grid(tr.Gaussian, [1.0, -1.0], delta=1e-5)


def test_the_order_that_does_not_decide_adds_nothing():
    """Its own line gave an answer 9e-7 above the truth at this point, and it counted."""
    noise, delta = 2.488888888888889, 1e-5
    steps = [100, 180, 324, 584, 1053, 1898, 3420, 6161, 11101, 20000]
    found = tr.epsilon_grid(training, noise, 0.001, steps, delta=delta)
    assert found[0] == pytest.approx(training(noise, 0.001, 100).epsilon(delta), rel=1e-8)
