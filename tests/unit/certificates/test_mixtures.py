"""The checker's own view of Poisson samples of normal noise, against mpmath and closed forms."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb, ctx

import tightrope as tr
from tightrope.plan import delta_interval
from tightrope.verify import verify
from tightrope.verify.exact.contour import delta_by_contour
from tightrope.verify.exact.mixture import Mixture, power_sums
from tightrope.verify.exact.screen import screen_of
from tightrope.verify.rules.far_vertices import doubtful

from .mutations import sealed

STEP = mpmath.mpf("0.03125")
LAWS = [
    (Fraction(1), Fraction(1, 100), Fraction(10), True),
    (Fraction(1), Fraction(1, 100), Fraction(10), False),
    (Fraction(100, 121), Fraction(1, 100), Fraction(17), True),
    (Fraction(9), Fraction(1, 2), Fraction(3), True),
    (Fraction(9), Fraction(1, 2), Fraction(30), False),
    (Fraction(1, 100), Fraction(1, 1000), Fraction(100), True),
    (Fraction(16), Fraction(1, 100), Fraction(2), True),
]


@pytest.fixture(autouse=True)
def digits():
    with ctx.workprec(160):
        yield


def sampled(square, rate, with_unit):
    return Mixture(square, ((Fraction(0), 1 - rate), (Fraction(1), rate)), with_unit)


def moment(square, rate, z, with_unit):
    """E[exp(zL)] by the trapezoid rule of so fine a step that nothing else is to be seen."""
    mu = mpmath.sqrt(mpmath.mpf(square.numerator) / square.denominator)
    q = mpmath.mpf(rate.numerator) / rate.denominator

    def term(x):
        g = 1 - q + q * mpmath.exp(mu * x - mu * mu / 2)
        return mpmath.npdf(x) * mpmath.exp((z + 1 if with_unit else -z) * mpmath.log(g))

    last = int((16 + (z.real + 1) * mu) / STEP)
    return STEP * mpmath.fsum(term(k * STEP) for k in range(int(-16 / STEP), last))


@pytest.mark.parametrize(("square", "rate", "c", "with_unit"), LAWS)
def test_transforms_hold_the_truth(square, rate, c, with_unit):
    with mpmath.workdps(50):
        truth = moment(square, rate, mpmath.mpc(int(c), 25), with_unit)
        found = sampled(square, rate, with_unit).line(c, arb(5), 5)[5]
        assert abs(complex(found) - complex(truth)) < 1e-10 * abs(truth)
    assert found.real.rel_accuracy_bits() > 20


@pytest.mark.parametrize(("square", "rate", "c", "with_unit"), LAWS)
def test_screens_are_never_above_the_truth(square, rate, c, with_unit):
    law = sampled(square, rate, with_unit)
    screen = screen_of(law, float(c))
    whole = law.transform(acb(int(c))).real
    for share in (0.02, 0.1, 0.25, 0.6, 1.0, 2.0, 5.0):
        t = share / math.sqrt(screen.variance)
        if t * law.largest > 500:
            continue
        size = abs(law.transform(acb(arb(int(c)), arb(t)))) / whole
        truth = -float(size.log().mid())
        assert screen.beyond(t) <= truth
        assert 0.3 * truth - 1e-3 <= screen.exponent(t * 0.9999, t * 1.0001) <= truth


def test_composed_samples_agree_with_the_engine():
    runs = ((sampled(Fraction(1), Fraction(1, 4), with_unit=True), 80),)
    low, high = delta_by_contour(runs, Fraction(1, 2))
    interval = delta_interval(tr.Gaussian(1.0).sampled(0.25) ** 80, 0.5)
    assert low <= arb(interval[1])
    assert high >= arb(interval[0])
    assert float(high) == pytest.approx(float(low), rel=1e-12)


def test_sums_of_powers():
    phases = [acb(0, k).exp() for k in range(5)]
    weights = [acb(k + 1) for k in range(5)]
    found = power_sums(weights, phases, 300)
    for j in (0, 1, 16, 17, 18, 299):
        truth = sum((w * acb(0, k * j).exp() for k, w in enumerate(weights)), acb(0))
        assert found[j].overlaps(truth)
        assert found[j].real.rel_accuracy_bits() > 20


@pytest.mark.parametrize("field", ["rate", "noise_scale"])
def test_a_certificate_of_a_smaller_sample_or_more_noise_is_not_verified(field):
    content = tr.certificate(tr.Gaussian(1.0).sampled(0.01) ** 1000, delta=1e-6).content
    content = json.loads(json.dumps(content))
    (node,) = [n for n in content["nodes"] if field in n.get("parameters", {})]
    node["parameters"][field] = "0.0099" if field == "rate" else "1.001"
    report = verify(json.dumps(sealed(content)))
    assert report.verdict == "not checked"  # what it claims is true, and more than is needed
    assert report.where.startswith("step")


def test_far_vertices_are_doubtful_only_next_to_the_largest_increment():
    v, scale = 144.0, 12.0
    whole = 1 + 2 * sum(math.exp(-x * x / (2 * v)) for x in range(1, 300))
    middle = float(2 * arb(2).sqrt() * (1 - 1 / arb(whole)).erfcinv())
    assert len(doubtful(v, 1, middle, 120, 700)) <= 1
    assert len(doubtful(v, 1, 1 / scale, 120, 700)) > 500
