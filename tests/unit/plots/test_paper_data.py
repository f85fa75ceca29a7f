"""What the paper's figures plot, at points: by mpmath, by hand, and by published numbers.

Literals of 15 digits and more are from tests/golden/golden.json.
"""

import math

import mpmath as mp
import numpy as np
import pytest

from tightrope.plots.paper import (
    accounting,
    boundaries,
    budgets,
    growth,
    lemmas,
    mechanisms,
    reduction,
)


def phi_inverse(p):
    return mp.sqrt(2) * mp.erfinv(2 * mp.mpf(p) - 1)


def g(t):
    return phi_inverse(1 / (1 + mp.exp(-mp.mpf(t))))


def mu_zcdp(rho):
    return 2 * g(mp.findroot(lambda t: t * mp.tanh(t / 2) - rho, mp.sqrt(2 * rho) + rho / 2))


def gaussian(mu, alpha):
    return mp.ncdf(-phi_inverse(alpha) - mp.mpf(mu))


def close(value, expected, rel=1e-11):
    assert float(value) == pytest.approx(float(expected), rel=rel)


def test_figure_1_is_the_boundary_of_1_zcdp_between_two_gaussian_curves():
    data = boundaries.zcdp_boundaries(1.0, [0.01, 0.1, 0.3, 0.7])
    known = [0.73850129873104907, 0.31078277345504178, 0.10501131181344486, 0.01312406743105644]
    assert data["boundary"].y == pytest.approx(known, rel=1e-11)
    for alpha, inner, outer in zip(data["inner"].x, data["inner"].y, data["outer"].y, strict=True):
        close(inner, gaussian(mp.sqrt(2), alpha))
        close(outer, gaussian(1.8611178465811440576, alpha))


def test_figure_1_meets_the_gaussian_curve_at_one_point():
    level = 0.176040885485198625
    data = boundaries.zcdp_boundaries(1.0, [level])
    for name in ("boundary", "outer"):
        close(data[name].y[0], level)


def test_figure_2_needs_least_at_the_symmetric_threshold():
    data = budgets.along_thresholds(1.0, [0.0, 0.7, -0.7])
    assert data["exact"].y[0] == pytest.approx(1, rel=1e-12)
    assert data["closed"].y[0] == pytest.approx(1, rel=1e-12)
    for name in ("exact", "closed"):
        close(data[name].y[1], data[name].y[2], rel=1e-9)


def test_figure_2_by_a_scan_of_orders():
    x, half = 0.7, float(mu_zcdp(1)) / 2
    p, q = float(mp.ncdf(-(x + half))), float(mp.ncdf(-(x - half)))
    order = 1 + np.geomspace(1e-6, 20, 200_001)
    both = [
        np.log(a**order * b ** (1 - order) + (1 - a) ** order * (1 - b) ** (1 - order))
        / ((order - 1) * order)
        for a, b in ((p, q), (q, p))
    ]
    data = budgets.along_thresholds(1.0, [x])
    close(data["exact"].y[0], np.max(both), rel=1e-8)
    u, v = mp.log(p / (1 - mp.mpf(p))), mp.log(q / (1 - mp.mpf(q)))
    c, d = abs(u + v) / 2, abs(v - u) / 2
    close(data["closed"].y[0], d / c * mp.log(mp.cosh((c + d) / 2) / mp.cosh((c - d) / 2)))


def test_figure_3_at_points():
    """T - G at epsilon 4, to the digits that are known; they cross twice."""
    alpha = [0.001, 0.01, 0.05, 0.1, 0.2]
    data = boundaries.range_boundaries(4.0, alpha)
    gap = data["zcdp"].y - data["gdp"].y
    assert gap == pytest.approx([0.066, 0.055, 0.019, -0.020, 0.0028], abs=6e-4)
    rho = 4 / mp.expm1(4) + mp.log(mp.expm1(4) / 4) - 1
    for n, a in enumerate(alpha):
        close(data["envelope"].y[n], (1 - a) / (1 + mp.expm1(4) * mp.mpf(a)))
        close(data["gdp"].y[n], gaussian(2 * g(2), a))
        close(data["detour"].y[n], gaussian(mu_zcdp(rho), a))


def test_figure_3_has_coins_that_touch_the_envelope():
    coins = boundaries.range_coins(4.0, -1.3)
    p = 1 / (1 + mp.exp(1.3))
    assert coins.x == pytest.approx([0, float(p), 1])
    close(coins.y[1], (1 - p) / (1 + mp.expm1(4) * p))


def test_figure_4_at_points():
    """mu_BR at 1, 5 and 100."""
    known = np.array([0.62389259209850819, 2.8669904674765064, 19.349650567224713])
    epsilon = np.array([1.0, 5.0, 100.0])
    curves, ratios = growth.range_growth(epsilon), growth.range_ratios(epsilon)
    assert curves["mu"].y == pytest.approx(known, rel=1e-13)
    assert curves["linear"].y == pytest.approx(epsilon * 0.62665706865775013, rel=1e-14)
    assert curves["root"].y == pytest.approx([2, 2 * math.sqrt(5), 20], rel=1e-14)
    assert ratios["by_epsilon"].y == pytest.approx(known / epsilon, rel=1e-13)
    assert ratios["by_root"].y == pytest.approx(known / np.sqrt(epsilon), rel=1e-13)


def test_figure_5_at_points():
    left = mechanisms.bounded_range(4.0, [0.05, 0.3, 0.9])
    right = mechanisms.concentrated(1.0, [0.05, 0.3, 0.9])
    for n, a in enumerate((0.05, 0.3, 0.9)):
        close(left["exponential"].y[n], mp.expm1(4 * (1 - mp.mpf(a))) / mp.expm1(4))
        close(left["response"].y[n], max(1 - mp.exp(2) * a, mp.exp(-2) * (1 - mp.mpf(a))))
        close(left["bound"].y[n], gaussian(2 * g(2), a))
        close(right["gaussian"].y[n], gaussian(mp.sqrt(2), a))
        t = mp.findroot(lambda t: t * mp.tanh(t / 2) - 1, 1.5)
        close(right["response"].y[n], max(1 - mp.exp(t) * a, mp.exp(-t) * (1 - mp.mpf(a))))
        close(right["bound"].y[n], gaussian(mu_zcdp(1), a))


def test_figure_6_shows_a_test_below_the_bound():
    p, q = reduction.TEST
    data = reduction.below_the_curve(1.0, p, q, [p])
    close(data["through"].y[0], 1 - mp.mpf(q))
    close(data["bound"].y[0], gaussian(mu_zcdp(1), p))
    assert data["coins"].y.tolist() == [1, 1 - q, 0]
    assert data["coins"].y[1] < data["bound"].y[0]


def test_figure_7_at_points():
    """Divergences of coins 0.1 and 0.6 at orders 1 and 2, and the supremum over orders."""
    data = reduction.over_orders(0.1, 0.6, [1.0, 2.0])
    assert data["backward"].y == pytest.approx([0.55066124767189033, 0.71376646776268092 / 2])
    close(data["forward"].y[1], 1.3291359472799418890 / 2)
    order, closed = reduction.selected_order(0.1, 0.6)
    u, v = mp.log(mp.mpf(1) / 9), mp.log(mp.mpf(3) / 2)
    c, d = abs(u + v) / 2, (v - u) / 2
    close(order, 1 + c / d)
    close(closed, d / c * mp.log(mp.cosh((c + d) / 2) / mp.cosh((c - d) / 2)))
    close(reduction.over_orders(0.1, 0.6, order)["forward"].y, closed)  # the value at eta_*
    assert closed < 0.75549564329509511


def test_figure_8_at_points():
    for u in (0.01, 1.0, 30.0):
        w = mp.sqrt(mp.tanh(mp.mpf(u) / 2) / u)
        close(lemmas.slope_over_weight(u).y, mp.diff(g, u) / w, rel=1e-10)
    for c, d in ((0.5, 1.0), (3.0, 4.0), (20.0, 16.0), (4.0, 4.0)):
        x, y = mp.mpf(c - d), mp.mpf(c + d)
        left = 4 * mp.log(mp.cosh(y / 2) / mp.cosh(x / 2))
        w_x = mp.sqrt(mp.tanh(x / 2) / x) if x else mp.sqrt(0.5)
        right = (y * y - x * x) * w_x * mp.sqrt(mp.tanh(y / 2) / y)
        close(lemmas.lemma_18_ratio(d, c).y, left / right)


def test_figure_8_never_rises_and_stays_below_1():
    assert (np.diff(lemmas.slope_over_weight(np.geomspace(1e-3, 1e3, 400)).y) <= 1e-13).all()
    for line in lemmas.lemma_18(np.linspace(0, 60, 400)).values():
        assert (line.y <= 1 + 1e-13).all()


def test_figure_9_solves_its_condition():
    for a in (0.5, 2.0, 5.0):
        line = budgets.along_centres(a, [0.0, 1.0, 2.5])
        assert line.y[0] == pytest.approx(1, rel=1e-12)
        assert (np.diff(line.y) > 0).all()
        for c, ratio in zip(line.x[1:], line.y[1:], strict=True):
            d = mp.findroot(lambda d, c=c, a=a: g(c + d) - g(c - d) - 2 * g(a), a)
            budget = d / c * mp.log(mp.cosh((c + d) / 2) / mp.cosh((c - d) / 2))
            close(ratio, budget / (a * mp.tanh(a / 2)))


def test_figures_10_and_11_at_points():
    rho = np.array([0.5, 1.0, 100.0])
    mu = np.array([1.2839125401133709, 1.8611178465811441, 27.776952066007773])
    squares = growth.zcdp_squares(rho)
    assert squares["square"].y == pytest.approx(mu**2, rel=1e-13)
    assert squares["below"].y == pytest.approx(math.pi * rho, rel=1e-14)
    assert squares["above"].y == pytest.approx([4, 8, 800], rel=1e-14)
    assert growth.zcdp_ratio(rho).y == pytest.approx(mu / np.sqrt(rho), rel=1e-13)


def test_figure_12_at_points():
    squares = growth.range_squares([2.0, 10.0])
    assert squares["square"].y == pytest.approx([1.2320353853449010**2, 4.9466784455956**2])
    assert squares["small"].y == pytest.approx([math.pi / 2, 12.5 * math.pi])
    assert squares["large"].y == pytest.approx([8, 40])


def test_figure_13_at_points():
    two = accounting.zcdp_composition([0.5])["2"].y[0]
    close(two, mp.mpf("1.8611178465811440576") / mp.mpf("1.8157265271292195754"))
    group = accounting.zcdp_groups([0.5])["2"].y[0]
    close(group, mp.mpf("2.7674450061402780896") / mp.mpf("2.5678250802267418272"))
    sixteen = accounting.zcdp_composition([0.1])["16"].y[0]
    close(sixteen, mu_zcdp(mp.mpf(1.6)) / (4 * mu_zcdp(mp.mpf(0.1))))


def test_figure_14_at_points():
    two = accounting.range_composition([1.0])["2"].y[0]
    close(two, mp.mpf("1.2320353853449009729") / mp.mpf("0.88231736520981556226"))
    group = accounting.range_groups([1.0])["4"].y[0]
    close(group, 2 * g(2) / (4 * 2 * g(0.5)))
