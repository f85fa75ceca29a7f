"""What a book guarantees, and by which sums: each rule with the number that tests it."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

import tightrope as tr
from tightrope.ledger import Partition, Units

Make = Callable[..., tr.Book]


@pytest.fixture
def make(sqlite_path: str) -> Make:
    return tr.Ledger(sqlite_path).create


def gaussian_delta(squared_mu: Any, epsilon: float = 1.0) -> Any:
    """delta(epsilon) of mu-GDP, by its formula."""
    mu = mpmath.sqrt(mpmath.mpf(squared_mu.numerator) / squared_mu.denominator)
    low, high = -epsilon / mu + mu / 2, -epsilon / mu - mu / 2
    return mpmath.ncdf(low) - mpmath.exp(epsilon) * mpmath.ncdf(high)


def used(book: tr.Book) -> Fraction:
    return Fraction(book.spent().amounts[0])


# --- parallel composition ---


def test_disjoint_counts_cost_the_greatest_under_add_or_remove(make: Make) -> None:
    book = make("b", tr.GDP(1.0), structure=Partition("state", ("a", "b")))
    for part in ("a", "b"):
        book.charge(tr.Gaussian(1.0), part=part)
    assert used(book) == 1
    assert abs(gaussian_delta(used(book)) - mpmath.mpf(".127")) < 5e-4
    assert not book.affords(tr.GDP(1e-6))


def test_disjoint_counts_under_replace_one_cost_at_least_the_root_of_two(make: Make) -> None:
    shape = Partition("state", ("a", "b"))
    book = make("b", tr.GDP(9.0), neighbors=tr.replace_one, structure=shape)
    for part in ("a", "b"):
        book.charge(tr.Gaussian(1.0), part=part)
    assert used(book) >= 2
    assert gaussian_delta(used(book)) >= mpmath.mpf(".2855")
    small = make("s", tr.GDP(1.4), neighbors=tr.replace_one, structure=shape)
    assert not any(small.affords(tr.Gaussian(1.0), part=part) for part in ("a", "b"))


@pytest.mark.parametrize("fixed", [False, True])
def test_the_order_of_parts_does_not_hide_a_move(make: Make, fixed: bool) -> None:
    """mu (1 | .1) and then (.1 | 1): whoever moves from one part to the other pays 2.02."""
    shape = Partition("state", ("a", "b"), fixed_parts=fixed)
    book = make("b", tr.GDP(9.0), neighbors=tr.replace_one, structure=shape)
    relation = tr.replace_one if fixed else tr.add_or_remove
    for sigmas in ((1.0, 10.0), (10.0, 1.0)):
        for part, sigma in zip("ab", sigmas, strict=True):
            book.charge(tr.Gaussian(sigma, neighbors=relation), part=part)
    if fixed:
        assert used(book) == Fraction("1.01")
        assert abs(gaussian_delta(used(book)) - mpmath.mpf(".129")) < 5e-4
    else:
        assert used(book) >= Fraction("2.02")
        assert gaussian_delta(used(book)) >= mpmath.mpf(".286")


def test_a_whole_release_adds_to_every_part(make: Make) -> None:
    book = make("b", tr.ZCDP(1.0), structure=Partition("state", ("a", "b")))
    book.charge(tr.ZCDP(0.5))
    book.charge(tr.ZCDP(0.5), part="a")
    with pytest.raises(tr.BudgetExceeded):
        book.charge(tr.ZCDP(1e-9))
    book.charge(tr.ZCDP(0.5), part="b")
    with pytest.raises(tr.BudgetExceeded):
        book.charge(tr.ZCDP(1e-9), part="b")


def test_what_a_part_has_spent_is_exact(make: Make) -> None:
    """One tenth as a double has 55 decimal digits, and none of them may be lost."""
    book = make("b", tr.ZCDP(1.0), structure=Partition("state", ("a", "b")))
    book.charge(tr.ZCDP(0.1))
    book.charge(tr.ZCDP(0.1), part="a")
    spent = Fraction(book.spent(part="a").amounts[0])
    assert spent == 2 * Fraction(0.1)
    assert Fraction(book.remaining(part="a").rho) <= 1 - 2 * Fraction(0.1)


# --- the budget is the guarantee ---


def test_what_was_spent_is_no_guarantee(make: Make) -> None:
    book = make("b", tr.ZCDP(0.5))
    promised = book.to(tr.ApproxDP, delta=1e-6).epsilon
    book.charge(tr.ZCDP(0.001))
    assert book.to(tr.ApproxDP, delta=1e-6).epsilon == promised
    assert book.guarantee == book.budget == tr.ZCDP(0.5)
    spent = book.spent()
    assert not isinstance(spent, tr.Guarantee)
    assert not hasattr(spent, "to")
    assert "no guarantee" in repr(spent)
    assert book.odometer().guarantee is None
    assert "adaptively" in book.odometer().why


def test_only_a_declared_plan_is_converted(make: Make) -> None:
    plan = (tr.Gaussian(4.0), tr.Gaussian(4.0))
    book = make("b", tr.GDP(2.0), plan=plan)
    assert book.to(tr.GDP).mu == pytest.approx(8**-0.5, rel=1e-12)
    with pytest.raises(tr.InvalidArgument, match="declared"):
        book.charge(tr.Gaussian(8.0))
    for event in plan:
        book.charge(event)
    with pytest.raises(tr.InvalidArgument, match="2 times"):
        book.charge(plan[0])
    assert make("c", tr.GDP(2.0)).to(tr.GDP).mu == 2.0


def test_the_running_sum_of_epsilons_is_a_guarantee(make: Make) -> None:
    book = make("b", tr.PureDP(1.0))
    for _ in range(3):
        book.charge(tr.PureDP(0.1))
    told = book.odometer().guarantee
    assert isinstance(told, tr.PureDP)
    assert Fraction(told.epsilon) >= 3 * Fraction(0.1)
    assert told.epsilon == pytest.approx(0.3, rel=1e-15)


def test_every_order_has_to_stay_inside(make: Make) -> None:
    """Some order that fits is not enough: nobody has paid for choosing it afterwards."""
    book = make("b", tr.RDP((2.0, 8.0), (1.0, 1.0)))
    book.charge(tr.RDP((2.0, 8.0), (0.25, 0.75)))
    with pytest.raises(tr.BudgetExceeded):
        book.charge(tr.RDP((2.0, 8.0), (0.25, 0.75)))
    book.charge(tr.RDP((2.0, 8.0), (0.5, 0.25)))  # a curve rises, so .25 at order 2 as well
    assert tuple(map(Fraction, book.spent().amounts)) == (Fraction("0.5"), 1)


def test_the_filter_is_fixed_when_the_book_is_created(sqlite_path: str) -> None:
    with tr.Ledger(sqlite_path) as store:
        for kind in ("zcdp", "advanced"):
            store.create(kind, tr.ApproxDP(1.0, 1e-6), filter=kind)
        assert [store.open(kind).filter for kind in ("zcdp", "advanced")] == ["zcdp", "advanced"]
        for kind in ("natural", "pld", "gdp", ""):
            with pytest.raises(tr.InvalidArgument):
                store.create("x", tr.ApproxDP(1.0, 1e-6), filter=kind or "f-DP")
        assert store.books() == ("advanced", "zcdp")


def test_balances_of_units_are_not_shown(make: Make) -> None:
    book = make("b", tr.GDP(1.0), structure=Units())
    admitted = book.admit(tr.Gaussian(1.0), ["ann"])
    for show in (book.spent, book.remaining, book.odometer):
        with pytest.raises(tr.InvalidArgument, match="not shown"):
            show()
        with pytest.raises((tr.InvalidArgument, TypeError)):
            show(part="ann")
    assert "ann" not in repr(admitted)
    assert "ann" not in repr(admitted.receipt)


# --- filters, adaptively ---

Plain = Callable[[float], Any]

FILTERS: dict[str, tuple[Any, Plain, Callable[[Fraction], Fraction]]] = {
    "pure": (tr.PureDP(1.0), tr.PureDP, lambda x: x),
    "zcdp": (tr.ZCDP(0.7), tr.ZCDP, lambda x: x),
    "gdp": (tr.GDP(0.3), tr.GDP, lambda x: x**2),
}


@pytest.mark.parametrize("name", FILTERS)
def test_greedy_adversaries_stay_inside_exactly(make: Make, name: str) -> None:
    """Every next parameter depends on what is left; sums are of exact fractions."""
    budget, event, price = FILTERS[name]
    book, dice = make("b", budget), random.Random(name)
    capacity, spent, refusals = price(Fraction(budget.values[0])), Fraction(), 0
    for _ in range(60):
        left = book.remaining().values[0]
        asked = left * dice.choice([0.1, 0.5, 1.0, 1.0 + 2**-52, 1.5]) or 2.0**-40
        if not asked:
            continue
        cost = price(Fraction(asked))
        try:
            book.charge(event(asked))
            spent += cost
        except tr.BudgetExceeded:
            refusals += 1
            assert spent + cost > capacity
        assert used(book) == spent <= capacity
    assert refusals > 5
    assert book.verify(book.head()).ok


def test_a_thousand_releases_for_the_price_of_a_thousand(make: Make) -> None:
    """No rounding costs the thousandth, and none gives a further one."""
    for name, budget, event, most in [
        ("a", tr.ZCDP(0.5), tr.Gaussian(10.0), 100),
        ("b", tr.GDP(1.0), tr.Gaussian(10.0), 100),
        ("c", tr.PureDP(1.0), tr.PureDP(0.0625), 16),
        ("d", tr.PureDP(1.0), tr.Laplace(16.0), 16),
    ]:
        book = make(name, budget)
        for _ in range(most):
            book.charge(event)
        with pytest.raises(tr.BudgetExceeded):
            book.charge(event)


def test_the_advanced_filter_ends_within_its_formula(make: Make) -> None:
    book = make("b", tr.ApproxDP(1.0, 1e-6), filter="advanced")
    dice, squares, deltas = random.Random(5), Fraction(), Fraction()
    for _ in range(200):
        epsilon, delta = dice.choice([0.01, 0.05, 0.1]), dice.choice([0.0, 1e-9])
        event = tr.ApproxDP(epsilon, delta) if delta else tr.PureDP(epsilon)
        try:
            book.charge(event)
        except tr.BudgetExceeded:
            continue
        squares += Fraction(epsilon) ** 2
        deltas += Fraction(delta)
    v = mpmath.mpf(squares.numerator) / squares.denominator
    epsilon = mpmath.sqrt(2 * mpmath.log(1 / mpmath.mpf(5e-7)) * v) + v / 2
    assert 0.9 < epsilon <= 1
    assert deltas + Fraction(1e-6) / 2 <= Fraction(1e-6)


# --- prices ---

EVENTS: dict[str, Any] = {
    "Gaussian": tr.Gaussian(3.0),
    "DiscreteGaussian": tr.DiscreteGaussian(3.0),
    "Laplace": tr.Laplace(4.0),
    "DiscreteLaplace": tr.DiscreteLaplace(4.0),
    "RandomizedResponse": tr.RandomizedResponse(0.3),
    "Exponential": tr.Exponential(0.3),
    "PermuteAndFlip": tr.PermuteAndFlip(0.3),
    "Logistic": tr.Logistic(4.0),
    "BoundedRange": tr.BoundedRange(0.3),
    "LogisticDP": tr.LogisticDP(0.3),
    "Skellam": tr.Skellam(10.0),
    "sampled": tr.Gaussian(3.0).sampled(0.01),
    "composed": tr.Gaussian(3.0) ** 3 + tr.Laplace(4.0),
    "PureDP": tr.PureDP(0.3),
    "ZCDP": tr.ZCDP(0.1),
    "TCDP": tr.TCDP(0.1, 4.0),
    "GDP": tr.GDP(0.3),
    "RDP": tr.RDP((2.0, 8.0), (0.1, 0.2)),
    "ApproxDP": tr.ApproxDP(0.3, 1e-9),
}
BOOKS: dict[str, tuple[Any, Callable[[Any], tuple[Any, ...]]]] = {
    "pure": (tr.PureDP(9.0), lambda event: (event.to(tr.PureDP).epsilon,)),
    "zcdp": (tr.ZCDP(9.0, 9.0), lambda event: event.to(tr.ZCDP).values),
    "gdp": (tr.GDP(9.0), lambda event: (Fraction(event.to(tr.GDP).mu) ** 2,)),
    "rdp": (
        tr.RDP((2.0, 8.0), (9.0, 9.0)),
        lambda event: tuple(event.to(tr.RDP)([2.0, 8.0]).tolist()),
    ),
}


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("event", EVENTS)
def test_the_price_is_the_planners(make: Make, book: str, event: str) -> None:
    """Never above it; and never below by more than the outward rounding of the planner."""
    budget, planned = BOOKS[book]
    made = make("b", budget)
    try:
        expected = tuple(map(Fraction, planned(EVENTS[event])))
    except (tr.NotReachable, OverflowError):
        with pytest.raises(tr.NotReachable):
            made.charge(EVENTS[event])
        assert made.head().seq == 1
        return
    price = tuple(map(Fraction, made.price(EVENTS[event])))
    for known, asked in zip(expected, price, strict=False):
        assert known * (1 - Fraction(1, 10**12)) <= asked <= known
    assert made.charge(EVENTS[event]).amounts == made.price(EVENTS[event])


@pytest.mark.parametrize("epsilon", [1e-3, 0.3, 2.0])
def test_sharp_prices_by_their_formulas(make: Make, epsilon: float) -> None:
    """Pure DP in other notions, as randomised response attains it."""
    e = mpmath.mpf(epsilon)
    mu = 2 * mpmath.sqrt(2) * mpmath.erfinv(2 / (1 + mpmath.exp(-e)) - 1)
    rho = e * mpmath.tanh(e / 2)
    for book, exact in (
        (make("gdp", tr.GDP(99.0)), mu**2),
        (make("zcdp", tr.ZCDP(99.0)), rho),
    ):
        asked = Fraction(book.price(tr.PureDP(epsilon))[0])
        price = mpmath.mpf(asked.numerator) / asked.denominator
        assert exact <= price <= exact * (1 + mpmath.mpf(10) ** -12)


def test_prices_are_rounded_up(make: Make) -> None:
    """A square that no 400 decimals hold costs more than it is, by less than the last of them."""
    book = make("b", tr.ZCDP(1.0))
    sigma = 3.0
    asked, exact = Fraction(book.price(tr.Gaussian(sigma))[0]), Fraction(1, 18)
    assert exact < asked <= exact + Fraction(1, 10**400)
    for _ in range(17):
        book.charge(tr.Gaussian(sigma))
    assert used(book) == 17 * asked <= 1
