"""Filters: their capacities against the papers' formulas, and their limits on the safe side."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest

import tightrope as tr
from tightrope.ledger.amounts import exact_down, exact_up, read, root_down, total, written
from tightrope.ledger.choosing import choose
from tightrope.ledger.partition import Partition
from tightrope.theorems.filters import advanced_filter, mixture_odometer


@pytest.mark.parametrize(
    ("epsilon", "delta", "slack"), [(1.0, 1e-6, 5e-7), (10, 0.1, 0.09), (1e-3, 1e-9, 1e-10)]
)
def test_the_capacity_of_the_advanced_filter(epsilon: float, delta: float, slack: float) -> None:
    squares, deltas = advanced_filter(epsilon, delta, slack)
    v = mpmath.mpf(squares.numerator) / squares.denominator
    reached = mpmath.sqrt(-2 * mpmath.log(mpmath.mpf(slack)) * v) + v / 2
    assert reached <= epsilon
    assert reached > epsilon * (1 - mpmath.mpf(10) ** -12)
    assert deltas == Fraction(delta) - Fraction(slack)


def test_the_odometer_by_a_mixture() -> None:
    v, s, g = 0.3, 1e-6, 0.05
    wide = mpmath.mpf(v) + mpmath.mpf(g)
    exact = mpmath.sqrt(wide * mpmath.log(wide / (mpmath.mpf(g) * mpmath.mpf(s) ** 2))) + v / 2
    assert exact <= mixture_odometer(v, s, g) <= exact * (1 + mpmath.mpf(10) ** -12)


def test_a_zcdp_filter_for_epsilon_and_delta() -> None:
    guard = choose(tr.ApproxDP(1.0, 1e-6), None, None)
    rho = float(guard.capacity()[0])
    assert tr.ZCDP(rho).to(tr.ApproxDP, delta=1e-6).epsilon <= 1.0
    assert tr.ZCDP(rho * (1 + 1e-9)).to(tr.ApproxDP, delta=1e-6).epsilon > 1.0


def test_an_offset_without_room_is_put_under_the_slope() -> None:
    guard = choose(tr.ZCDP(1.0), None, None)
    assert guard.price(tr.ZCDP(0.25, 0.5)) == (Decimal("0.75"), 0)
    assert choose(tr.ZCDP(1.0, 1.0), None, None).price(tr.ZCDP(0.25, 0.5)) == (
        Decimal("0.25"),
        Decimal("0.5"),
    )


def test_the_advanced_filter_wants_a_delta() -> None:
    guard = choose(tr.ApproxDP(1.0, 1e-6), "advanced", None)
    assert guard.price(tr.ApproxDP(0.5, 1e-9) ** 3) == (
        Decimal("0.75"),
        exact_up(3 * Fraction(1e-9)),
    )
    with pytest.raises(tr.NotReachable, match=r"delta=\.\.\."):
        guard.price(tr.Gaussian(10.0))


def test_zcdp_has_no_room_for_a_delta_and_says_which_filter_has() -> None:
    guard = choose(tr.ApproxDP(1.0, 1e-6), "zcdp", None)
    for event in (tr.ApproxDP(0.1, 1e-9), tr.compose(tr.PureDP(0.1), tr.ApproxDP(0.1, 1e-9))):
        with pytest.raises(tr.NotReachable, match='filter="advanced"'):
            guard.price(event)


def test_what_would_count_an_event_is_named_and_nothing_else() -> None:
    delta = tr.ApproxDP(0.1, 1e-9)
    steps = tr.Gaussian(1.0).sampled(0.01) ** 10
    curve = tr.RDP([2, 8], [0.1, 0.4])
    renyi, advanced = "tr.RDP(orders, epsilons)", 'filter="advanced"'
    for budget, kind, event, said, unsaid in (
        (tr.GDP(1.0), None, delta, advanced, renyi),
        (tr.ZCDP(1.0), None, delta, advanced, renyi),
        (tr.PureDP(1.0), None, steps, f"{renyi}, or a budget in tr.ApproxDP with {advanced}", "!"),
        (tr.ApproxDP(1.0, 1e-6), "advanced", steps, renyi, advanced),
        (tr.RDP([2, 16], [0.1, 0.4]), None, curve, advanced, renyi),
        (tr.GDP(1.0), None, curve, renyi, "!"),
    ):
        with pytest.raises(tr.NotReachable) as met:
            choose(budget, kind, None).price(event)
        assert said in str(met.value), (budget, event)
        assert unsaid not in str(met.value), (budget, event)


def test_a_budget_in_which_samples_gain_nothing_says_so(store: tr.Ledger) -> None:
    steps = tr.Gaussian(1.0).sampled(0.01) ** 100
    for name, budget in (("g", tr.GDP(1.0)), ("z", tr.ApproxDP(1.0, 1e-6))):
        book = store.create(name, budget)
        with pytest.raises(tr.BudgetExceeded, match=r"Samples gain nothing here; .*tr\.RDP"):
            book.charge(steps)
        with pytest.raises(tr.BudgetExceeded) as met:
            book.charge(tr.Gaussian(0.1))
        assert "Samples" not in str(met.value)


def test_every_order_must_stay_inside() -> None:
    guard = choose(tr.RDP([2, 8], [1.0, 4.0]), None, None)
    with pytest.raises(tr.NotReachable, match="order 8"):
        guard.price(tr.RDP([2], [0.1]))


def test_amounts_are_exact() -> None:
    tenth = exact_up(0.1)
    assert Fraction(tenth) == Fraction(0.1)
    assert read(written(tenth)) == tenth
    assert written(total((tenth,), (tenth,))[0]) == written(exact_up(0.2))
    third = exact_up(Fraction(1, 3))
    assert Fraction(third) > Fraction(1, 3) > Fraction(exact_down(Fraction(1, 3)))
    assert written(exact_up(1e300)) == str(int(1e300))
    assert Fraction(root_down(Decimal("0.5"))) ** 2 <= Fraction(1, 2)


def test_the_two_greatest_parts_under_any_order_of_charges() -> None:
    chance = random.Random(7)
    structure = Partition("s", ("a", "b", "c", "d"))
    sums: dict[str, tuple[Decimal, ...]] = {}
    plain: dict[str, list[Decimal]] = {part: [] for part in "abcd"}
    for _ in range(300):
        part = chance.choice("abcd")
        held = plain[part]
        if held and chance.random() < 0.4:
            amount = -held.pop(chance.randrange(len(held)))
        else:
            amount = Decimal(chance.randrange(5))
            held.append(amount)
        structure.post(sums, f"part:{part}", (4 * amount, amount))
        adds = sorted(sum(amounts) for amounts in plain.values())
        assert structure.demand(sums, f"part:{part}", 1) == (
            max(4 * adds[-1], adds[-1] + adds[-2]),
        )
