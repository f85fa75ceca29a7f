"""Skellam noise as a mechanism: releases, vectors, calibration, description, audit."""

import numpy as np
import pytest

import tightrope as tr
from tightrope.auditing.noise_shapes import SkellamShape
from tightrope.cli import run
from tightrope.spec.reader import loads


def test_a_release_of_integers():
    noisy = tr.Skellam(variance=9).release([10, 20], coordinates=1, entropy=tr.InsecureEntropy(2))
    assert noisy.value.dtype == np.int64
    assert noisy.event == tr.Skellam(variance=9)
    low, high = noisy.interval(0.95)
    assert ((noisy.value - low) == 6).all()  # P(|Y| > 6) = 0.0313, P(|Y| > 5) = 0.0682
    assert ((high - noisy.value) == 6).all()


def test_an_interval_covers_as_often_as_it_says():
    noisy = tr.Skellam(2.5).release(np.zeros(20_000, np.int64), entropy=tr.InsecureEntropy(4))
    low, high = noisy.interval(0.9)
    assert ((low <= 0) & (high >= 0)).mean() + 6 * 0.0022 >= 0.9


def test_several_entries_are_a_vector():
    noisy = tr.Skellam(variance=16, sensitivity=3).release([1, 2, 3, 4])
    assert noisy.event == tr.SkellamVector(variance=16, sensitivity=3, dimension=4)
    assert noisy.event.l1_sensitivity == 6  # the root of 9 * 4
    assert tr.SkellamVector(variance=16, sensitivity=2, dimension=100).l1_sensitivity == 4


def test_real_values_and_too_much_noise_are_refused():
    with pytest.raises(tr.InvalidArgument, match="values must be whole numbers"):
        tr.Skellam(variance=9).release(1.5)
    with pytest.raises(tr.InvalidArgument, match=r"variance must be .* at most 2\^26"):
        tr.Skellam(variance=2**26 + 1).release(1)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda: tr.Skellam(), "give noise_scale or variance"),
        (lambda: tr.Skellam(1, 0.5), "sensitivity must be a whole number"),
        (lambda: tr.Skellam(0), "noise_scale must be"),
        (lambda: tr.SkellamVector(1, 2), "dimension must be"),
        (lambda: tr.SkellamVector(1, 2, 3, l1_sensitivity=1.5), "l1_sensitivity must be"),
        (
            lambda: tr.SkellamVector(1, 2, 3).release([1, 2, 3, 4], coordinates=4),
            "a unit can touch 4 entries",
        ),
    ],
)
def test_arguments_that_are_none(wrong, told):
    with pytest.raises(tr.InvalidArgument, match=told):
        wrong()


def test_no_change_leaks_nothing():
    event = tr.Skellam(variance=4, sensitivity=0)
    assert event.epsilon(1e-9) == 0
    assert event.to(tr.ZCDP).rho == 0


def test_a_scale_that_is_not_drawn_is_told_as_it_was_given():
    for noise in (tr.Skellam(1e6), tr.SkellamVector(1e6, 1, 2)):
        with pytest.raises(
            tr.InvalidArgument, match=r"noise_scale must be .* 8192.* passed 1000000"
        ):
            noise.release([1, 2][: getattr(noise, "dimension", 1)])
        assert noise.as_released().epsilon(1e-9) > 0


@pytest.mark.parametrize("notion", [tr.PureDP, tr.BoundedRange, tr.LogisticDP])
@pytest.mark.parametrize("run", [tr.Skellam(3), tr.SkellamVector(3, 1, 2), tr.Skellam(3) ** 2])
def test_its_own_log_ratio_is_why_no_notion_of_log_ratios_holds(run, notion):
    with pytest.raises(tr.NotReachable, match="log-ratio of Skellam noise grows") as told:
        run.to(notion)
    assert len(told.value.reasons) == 1


def test_pure_dp_is_out_of_reach():
    with pytest.raises(tr.NotReachable, match="PureDP cannot be reached"):
        tr.Skellam(variance=4).to(tr.PureDP)


def test_a_vector_by_the_theorem():
    """The bound at every order is that of the theorem, so it adds up over equal cells."""
    cells = tr.SkellamVector(variance=50, sensitivity=3, dimension=9, l1_sensitivity=9).to(tr.RDP)
    one = tr.Skellam(variance=50).to(tr.RDP)
    assert cells(8.0) == pytest.approx(9 * one(8.0), rel=1e-12)
    assert (tr.Skellam(variance=50) ** 9).epsilon(1e-6) < tr.SkellamVector(
        variance=50, sensitivity=3, dimension=9
    ).epsilon(1e-6)
    assert tr.SkellamVector(variance=50, sensitivity=1, dimension=4).grouped(3) == tr.SkellamVector(
        variance=50, sensitivity=3, dimension=4, l1_sensitivity=3
    )


def test_repr_reads_back():
    for event in (
        tr.Skellam(2.5, 3),
        tr.Skellam(variance=7),
        tr.SkellamVector(variance=7, sensitivity=2, dimension=3),
    ):
        assert tr.parse(repr(event)) == event


def test_noise_for_a_target():
    found = tr.Skellam.for_(tr.ApproxDP(1.0, 1e-6))
    assert 0.999 <= found.epsilon(1e-6) <= 1.0
    found = tr.calibrate(lambda scale: tr.Skellam(scale), tr.ApproxDP(0.5, 1e-6))
    assert 0.499 <= tr.Skellam(found).epsilon(1e-6) <= 0.5


def test_wider_noise_than_is_listed_goes_by_the_theorem():
    wide = tr.Skellam(variance=2**23)
    assert wide.epsilon(1e-6) >= tr.Gaussian(variance=2**23).epsilon(1e-6)
    assert wide.epsilon(1e-6) < 1.3 * tr.Gaussian(variance=2**23).epsilon(1e-6)
    assert wide.epsilon_interval(1e-6)[1] == wide.epsilon(1e-6)


def test_why_cites_the_theorem():
    derivation = str(tr.Skellam(variance=9).to(tr.ZCDP).why())
    assert "Agarwal, Kairouz and Liu (2021), Theorem 3.5" in derivation


def test_a_description():
    spec = loads(
        'unit = "person"\nrelease = [\n'
        '  { mechanism = "skellam", variance = 100, times = 10 },\n'
        '  { mechanism = "skellam_vector", variance = 1e4, sensitivity = 2, dimension = 9 },\n]\n'
    )
    relation = tr.add_or_remove.of("person")
    assert spec.event == tr.Skellam(variance=100, neighbors=relation) ** 10 + tr.SkellamVector(
        variance=1e4, sensitivity=2, dimension=9, neighbors=relation
    )


def test_the_command_line(tmp_path, capsys):
    path = tmp_path / "run.toml"
    path.write_text(
        'unit = "person"\nrelease = [{ mechanism = "skellam", variance = 100, times = 10 }]\n'
    )
    run(["account", str(path)])
    assert "skellam" in capsys.readouterr().out.lower()
    run(["explain", "Skellam"])
    assert "Skellam mechanism" in capsys.readouterr().out


def test_the_shape_that_an_audit_compares_with():
    shape = SkellamShape(3.0, True)
    y = np.arange(-80, 81.0)
    masses = np.exp(shape.log_mass(y, 3.0))
    assert masses.sum() == pytest.approx(1, abs=1e-12)
    assert masses @ y**2 == pytest.approx(9, rel=1e-12)
    assert shape.below(y) == pytest.approx(np.cumsum(masses), abs=1e-12)
    far = shape.log_mass(np.array([2000.0]), 3.0)
    assert far == pytest.approx(2000 * np.log(4.5) - 13206.52435051381 - 9, rel=1e-6)


def test_an_audit_of_the_noise():
    entropy = tr.InsecureEntropy(7)
    good = tr.audit(tr.Skellam(variance=9), trials=20_000, entropy=entropy)
    assert not good.refuted
    wrong = tr.audit(
        lambda x: tr.Skellam(variance=9).release(x, entropy=entropy).value,
        claim=tr.Skellam(variance=12),
        neighbors=(0, 1),
        law=tr.Skellam(variance=12),
        trials=3_000,
    )
    assert wrong.refuted


def test_thresholds_take_it():
    words = ["oak"] * 40 + ["elm"]
    found = tr.stable_histogram(
        words, tr.Skellam(variance=4), delta=1e-9, entropy=tr.InsecureEntropy(1)
    )
    assert "oak" in str(found.value)
    assert "Skellam(variance=4)" in repr(found.event)
