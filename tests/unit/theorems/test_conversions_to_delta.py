"""Golden rows are those of tests/golden/golden.json; bounds must lie on the upper side."""

import math

import mpmath as mp
import numpy as np
import pytest
from coin_reference import golden

from tightrope._errors import InvalidArgument
from tightrope.theorems.conversions_to_delta import (
    bs16_log_delta,
    cks_epsilon,
    cks_log_delta,
    cks_rdp_epsilon,
    cks_zcdp_log_delta,
    classic_epsilon,
    mironov_epsilon,
    tcdp_epsilon,
)
from tightrope.theorems.renyi_epsilon import epsilon
from tightrope.theorems.renyi_profile import log_delta

EPSILONS = {
    "zcdp_eps_cks": cks_epsilon,
    "zcdp_eps_classic": classic_epsilon,
    "rdp_eps_mironov": mironov_epsilon,
    "rdp_eps_cks": cks_rdp_epsilon,
    "tcdp_eps": tcdp_epsilon,
}


def along_the_curve(rho: float, e: float) -> float:
    return cks_log_delta(lambda order: rho * order, e)


@pytest.mark.parametrize("name", EPSILONS)
def test_golden_epsilon(name: str) -> None:
    for args, truth in golden(name):
        assert 0 <= (mp.mpf(float(EPSILONS[name](*args))) - truth) / abs(truth) < 1e-14, args


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("zcdp_delta_cks", cks_zcdp_log_delta),
        ("zcdp_delta_cks", along_the_curve),
        ("zcdp_delta_bs16", bs16_log_delta),
    ],
)
def test_golden_delta(name: str, function) -> None:
    for args, truth in golden(name):
        excess = mp.mpf(float(function(*args))) - mp.log(truth)
        assert 0 <= excess / max(1, -mp.log(truth) / 700) < 1e-12, args


def test_from_sharp_to_classic() -> None:
    """Each refinement is at least as good as the one before it."""
    rho = np.geomspace(1e-3, 10, 9)
    sharp = np.array([epsilon(lambda order, r=r: r * order, 1e-6) for r in rho])
    assert np.all(sharp <= cks_epsilon(rho, 1e-6) * (1 + 1e-12))
    assert np.all(cks_epsilon(rho, 1e-6) < classic_epsilon(rho, 1e-6))
    e = classic_epsilon(rho, 1e-6)
    assert np.all(cks_zcdp_log_delta(rho, e) < bs16_log_delta(rho, e))
    assert np.all(bs16_log_delta(rho, e) < math.log(1e-6))
    assert log_delta(lambda order: order, 2.0) < along_the_curve(1.0, 2.0)


def test_both_forms_agree() -> None:
    for rho in (1e-9, 1e-3, 1.0, 300.0):
        for e in (0.0, rho, 3 * rho + math.sqrt(rho), 30 * rho):
            equation, search = cks_zcdp_log_delta(rho, e), along_the_curve(rho, e)
            assert equation == pytest.approx(search, rel=1e-11, abs=1e-13)
            if equation > -600:
                inverse = cks_epsilon(rho, math.exp(equation))
                assert inverse == pytest.approx(e, rel=1e-9, abs=1e-9)


def test_last_order() -> None:
    value = cks_log_delta(lambda order: order, 8.0, max_order=2.0)
    assert value == pytest.approx((2 - 8) + math.log(0.5) - math.log(2), rel=1e-14)
    assert cks_log_delta(lambda order: order, 8.0, max_order=1.0) == 0
    assert tcdp_epsilon(1.0, 2.0, 1e-10) == pytest.approx(2 + 10 * math.log(10), rel=1e-14)


def test_trivial_arguments() -> None:
    np.testing.assert_array_equal(cks_zcdp_log_delta(0.0, [-1.0, 0.0]), [0.0, -np.inf])
    np.testing.assert_array_equal(bs16_log_delta(0.0, 1.0), -np.inf)
    np.testing.assert_array_equal(cks_epsilon([0.0, 1.0], [1e-9, 1.0]), 0.0)
    assert bs16_log_delta(1.0, 0.5) == 0
    assert 0 <= classic_epsilon(0.0, 0.5) < 1e-300
    assert 1 <= classic_epsilon(1.0, 1.0) < 1 + 1e-14


@pytest.mark.parametrize(
    "call",
    [
        lambda: classic_epsilon(1.0, 0.0),
        lambda: cks_epsilon(-1.0, 0.5),
        lambda: mironov_epsilon(1.0, 0.5, 0.1),
        lambda: tcdp_epsilon(1.0, 0.5, 0.1),
        lambda: bs16_log_delta(math.nan, 1.0),
    ],
)
def test_refused(call) -> None:
    with pytest.raises(InvalidArgument):
        call()
