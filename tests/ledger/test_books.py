"""Books: what may be spent, what a charge costs, and what is refused with nothing written."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest

import tightrope as tr
from tightrope.ledger import Partition, Units, Windows


def test_the_example_of_the_documentation(store: tr.Ledger) -> None:
    book = store.create("census-2030", tr.GDP(1.0), unit="person", neighbors=tr.replace_one)
    event = tr.Gaussian(noise_scale=2.0, neighbors=tr.replace_one)
    receipt = book.charge(event, note="table 3")
    assert (receipt.seq, receipt.kind, receipt.note) == (2, "charge", "table 3")
    assert receipt.amounts == (Decimal("0.25"),)
    assert book.spent().amounts == (Decimal("0.25"),)
    assert book.remaining().mu == pytest.approx(0.75**0.5, rel=1e-15)
    assert Fraction(book.remaining().mu) ** 2 <= Fraction(3, 4)
    assert book.to(tr.ApproxDP, delta=1e-6) == book.budget.to(tr.ApproxDP, delta=1e-6)
    assert store.open("census-2030").spent() == book.spent()
    assert book.unit == "person"


@pytest.mark.parametrize(
    ("budget", "event", "times"),
    [
        (tr.GDP(1.0), tr.Gaussian(10), 100),  # 100 (1/10)^2 = 1, exactly
        (tr.GDP(0.2), tr.GDP(0.1), 4),
        (tr.ZCDP(0.5), tr.Gaussian(10), 100),
        (tr.ZCDP(0.5), tr.DiscreteGaussian(10), 100),
        (tr.PureDP(1.0), tr.PureDP(0.25), 4),
    ],
    ids=repr,
)
def test_a_budget_affords_exactly_what_it_is_worth(
    sqlite_path: str, budget: tr.Guarantee, event: tr.Event, times: int
) -> None:
    book = tr.Ledger(sqlite_path).create("book", budget)
    book.charge(event ** (times - 1))
    book.charge(event)
    assert not book.affords(event)
    with pytest.raises(tr.BudgetExceeded):
        book.charge(event)


def test_events_in_other_notions_are_counted_at_their_sharp_price(sqlite_path: str) -> None:
    # chen2026, Theorems 6 and 13: 2 Phi^-1(s(t)), t tanh(t/2) = rho, and t = epsilon/2
    def mu(t: mpmath.mpf) -> mpmath.mpf:
        p = 1 / (1 + mpmath.exp(-t))
        return 2 * mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1)

    book = tr.Ledger(sqlite_path).create("book", tr.GDP(1.0))
    t = mpmath.findroot(lambda t: t * mpmath.tanh(t / 2) - mpmath.mpf(0.1), 0.5)
    for event, exact in ((tr.ZCDP(0.1), mu(t)), (tr.Exponential(0.5), mu(mpmath.mpf(0.25)))):
        (square,) = book.price(event)
        assert exact**2 <= mpmath.mpf(str(square)) <= exact**2 * (1 + mpmath.mpf(10) ** -14)
    assert book.price(tr.Gaussian(4.0)) == (Decimal("0.0625"),)


def test_what_is_affordable_is_told(sqlite_path: str) -> None:
    book = tr.Ledger(sqlite_path).create("book", tr.GDP(1.0))
    with pytest.raises(tr.BudgetExceeded, match=r"affordable is Gaussian\(noise_scale=1\.0") as met:
        book.charge(tr.Gaussian(0.5))
    assert met.value.remaining == book.remaining()
    assert met.value.requested == "mu = 2.0"
    book.charge(met.value.affordable)
    assert next(book.entries(2)).kind == "charge"


BAD = [
    (lambda s: s.create("b", tr.GDP(0)), tr.InvalidArgument, "above 0"),
    (lambda s: s.create("b", tr.TradeOff([0, 1], [1, 0])), tr.InvalidArgument, "2602.06756"),
    (lambda s: s.create("b", tr.Profile([0], [0.1])), tr.InvalidArgument, "natural filter"),
    (lambda s: s.create("b", tr.TCDP(1, 2)), tr.InvalidArgument, "must be PureDP"),
    (lambda s: s.create("b", tr.RDP(lambda a: a)), tr.InvalidArgument, "orders"),
    (lambda s: s.create("b", tr.ApproxDP(1, 0)), tr.InvalidArgument, "pure"),
    (lambda s: s.create("b", 1.0), tr.InvalidArgument, "guarantee"),
    (lambda s: s.create("", tr.GDP(1)), tr.InvalidArgument, "name"),
    (lambda s: s.create("a\nb", tr.GDP(1)), tr.InvalidArgument, "printable"),
    (lambda s: s.create("old", tr.GDP(1)), tr.InvalidArgument, "already"),
    (lambda s: s.create("b", tr.GDP(1), filter="zcdp"), tr.InvalidArgument, "one filter"),
    (
        lambda s: s.create("b", tr.GDP(1, neighbors=tr.replace_one), neighbors=tr.add_or_remove),
        tr.NeighborsMismatch,
        "replace one",
    ),
    (
        lambda s: s.create("b", tr.GDP(1), neighbors=tr.replace_one, structure=Units()),
        tr.InvalidArgument,
        "adding or removing",
    ),
    (lambda s: s.create("b", tr.GDP(1), plan=[tr.GDP(2)]), tr.InvalidArgument, "more than"),
    (lambda s: s.open("none"), tr.UnknownBook, "old"),
    (lambda s: s.open("old").charge(tr.GDP(0.1, neighbors=tr.replace_one)), ValueError, "restated"),
    (
        lambda s: s.open("old").charge(
            tr.GDP(0.1, neighbors=tr.add_or_remove.of("person").keeping("totals"))
        ),
        tr.NeighborsMismatch,
        "totals",
    ),
    (
        lambda s: s.open("old").charge(tr.GDP(0.1, neighbors=tr.add_or_remove.of("household"))),
        tr.NeighborsMismatch,
        "household",
    ),
    (lambda s: s.open("old").charge(tr.ApproxDP(1, 1e-6)), tr.NotReachable, "Reachable"),
    (lambda s: s.open("old").charge("gdp:1"), tr.InvalidArgument, "event"),
    (lambda s: s.open("old").charge(tr.GDP(0.1), part="x"), tr.InvalidArgument, "no parts"),
    (lambda s: s.open("old").charge(tr.GDP(0.1), note="\ud800"), tr.InvalidArgument, "surrogate"),
    (lambda s: s.open("old").charge(tr.GDP(0.1), key=""), tr.InvalidArgument, "key"),
    (lambda s: s.open("old").charge(tr.GDP(9.0)), tr.BudgetExceeded, "Nothing was written"),
    (lambda s: s.open("done").charge(tr.GDP(0.1)), tr.BookClosed, "done"),
]


@pytest.mark.parametrize(("call", "error", "words"), BAD)
def test_bad_input_is_one_clear_error_and_writes_nothing(
    sqlite_path: str, call: object, error: type[Exception], words: str
) -> None:
    store = tr.Ledger(sqlite_path)
    store.create("old", tr.GDP(1.0), unit="person")
    store.create("done", tr.GDP(1.0)).close()
    before = [store.open(name).head() for name in store.books()]
    with pytest.raises(error, match=words):
        call(store)  # type: ignore[operator]
    assert [store.open(name).head() for name in store.books()] == before


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf")])
def test_a_budget_is_a_number_above_zero(sqlite_path: str, value: float) -> None:
    with pytest.raises(tr.InvalidArgument):
        tr.Ledger(sqlite_path).create("b", tr.GDP(value))


def test_a_key_pays_once(store: tr.Ledger) -> None:
    book = store.create("book", tr.GDP(1.0))
    first = book.charge(tr.Gaussian(4), key="table 3")
    assert book.charge(tr.Gaussian(4), key="table 3") == first
    assert book.spent().amounts == (Decimal("0.0625"),)
    with pytest.raises(tr.KeyReused, match="number 2"):
        book.charge(tr.Gaussian(5), key="table 3")
    book.close()
    assert book.charge(tr.Gaussian(4), key="table 3") == first


def test_reservations_count_until_they_are_released(store: tr.Ledger) -> None:
    book = store.create("book", tr.ZCDP(1.0))
    hold = book.reserve(tr.ZCDP(0.75), key="run")
    assert not book.affords(tr.ZCDP(0.5))
    assert book.spent().reserved == (Decimal("0.75"), Decimal(0))
    assert book.reservation("run").release() == hold.release()
    assert book.spent().amounts == (0, 0)
    with pytest.raises(tr.KeyReused):
        hold.commit()
    with book.reserve(tr.ZCDP(0.5)) as kept:
        pass
    assert book.spent().reserved == (0, 0)
    assert kept.commit().kind == "commit"
    with pytest.raises(RuntimeError), book.reserve(tr.ZCDP(0.25)):
        raise RuntimeError("the release failed, and something may have been drawn")
    assert book.spent().amounts == (Decimal("0.75"), 0)
    assert book.verify(book.head()).ok


def test_a_share_gives_back_what_it_did_not_spend(store: tr.Ledger) -> None:
    agency = store.create("agency", tr.GDP(1.0), unit="person")
    project = agency.share("project", tr.GDP(0.5))
    assert agency.spent().amounts == (Decimal("0.25"),)
    project.charge(tr.Gaussian(4))
    with pytest.raises(tr.BudgetExceeded):
        project.charge(tr.Gaussian(2))
    project.close()
    assert project.close().seq == 3
    assert agency.spent().amounts == (Decimal("0.0625"),)
    assert (project.parent, project.unit) == ("agency", "person")
    with pytest.raises(tr.BudgetExceeded):
        agency.share("too much", tr.GDP(2.0))
    assert store.books() == ("agency", "project")
    assert all(found.ok for found in store.verify([agency.head(), project.head()]))


def test_parts_cost_the_worst_of_them(sqlite_path: str) -> None:
    store = tr.Ledger(sqlite_path)
    book = store.create("parts", tr.ZCDP(1.0), structure=Partition("state", ("a", "b", "c")))
    book.charge(tr.ZCDP(0.25), part="a")
    book.charge(tr.ZCDP(0.5), part="b")
    book.charge(tr.ZCDP(0.125))
    assert book.spent().amounts[0] == Decimal("0.625")
    assert book.spent(part="a").amounts[0] == Decimal("0.375")
    hold = book.reserve(tr.ZCDP(0.875), part="c")
    assert not book.affords(tr.ZCDP(0.125))
    hold.release()
    assert book.spent().amounts[0] == Decimal("0.625")
    assert book.verify(book.head()).ok


def test_a_unit_that_moves_pays_in_both_parts(sqlite_path: str) -> None:
    # rules of parallel composition: two counts of sigma 1 under replace-one have mu = sqrt 2
    store = tr.Ledger(sqlite_path)
    moving = store.create(
        "moving", tr.GDP(5), neighbors=tr.replace_one, structure=Partition("s", ("a", "b"))
    )
    count = tr.Gaussian(1.0)
    moving.charge(count, part="a")
    moving.charge(count, part="b")
    assert moving.spent().amounts == (Decimal(4),)  # replaced within one part: a group of two
    moving.charge(tr.Gaussian(1.0) ** 3, part="b")
    assert 16 <= moving.spent().amounts[0] < Decimal("16.00000000000001")
    with pytest.raises(tr.NeighborsMismatch, match="fixed_parts"):
        moving.charge(tr.Gaussian(1.0, neighbors=tr.replace_one), part="a")
    fixed = store.create(
        "fixed",
        tr.GDP(5),
        neighbors=tr.replace_one,
        structure=Partition("s", ("a", "b"), fixed_parts=True),
    )
    for part in ("a", "b"):
        fixed.charge(tr.Gaussian(1.0, neighbors=tr.replace_one), part=part)
    assert fixed.spent().amounts == (Decimal(1),)
    assert moving.verify(moving.head()).ok


def test_every_unit_of_a_stream_has_a_budget_that_nobody_sees(store: tr.Ledger) -> None:
    book = store.create("stream", tr.GDP(1.0), structure=Units())
    for _ in range(4):
        assert "ann" in book.admit(tr.Gaussian(2.0), ["ann"])
    both = book.admit(tr.Gaussian(2.0), ["ann", "bob"], key="fifth")
    assert both.units == {"bob"}
    assert book.admit(tr.Gaussian(2.0), ["bob", "ann"], key="fifth").units == {"bob"}
    assert "bob" not in repr(both)
    with pytest.raises(tr.InvalidArgument, match="not shown"):
        book.spent(part="ann")
    assert book.verify(book.head()).ok
    public = store.create("public", tr.GDP(1.0), structure=Units(public=True))
    public.admit(tr.Gaussian(2.0), ["ann"])
    assert public.spent(part="ann").amounts == (Decimal("0.25"),)


def test_a_window_has_its_own_budget(sqlite_path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from tightrope.ledger import pricing

    now = [1_000_000.0]
    monkeypatch.setattr(pricing.time, "time", lambda: now[0])
    book = tr.Ledger(sqlite_path).create("w", tr.PureDP(1), structure=Windows(3600))
    first = book.charge(tr.PureDP(1), key="a")
    assert not book.affords(tr.PureDP(0.5))
    now[0] += 3600
    assert book.charge(tr.PureDP(1), key="a") == first
    book.charge(tr.PureDP(1))
    assert book.verify(book.head()).ok


def test_a_budget_of_windows_never_promises_more_than_one_window(store: tr.Ledger) -> None:
    shape = Windows(3600)
    book = store.create("w", tr.GDP(1.0), unit="person", structure=shape)
    per = "person per window of 1 hour"
    assert book.budget == tr.GDP(1.0, neighbors=tr.add_or_remove.of("person"))
    for promise in (book.guarantee, book.to(tr.ApproxDP, delta=1e-6), book.to(tr.TradeOff)):
        assert promise.neighbors == tr.add_or_remove.of(per)
    for text in (repr(book), repr(book.guarantee), repr(book.statement())):
        assert per in text
    assert str(book.scope) == "per window of 1 hour; over k windows up to mu = 1.0 sqrt(k)"
    assert str(book.scope) in book.odometer().why
    with pytest.raises(tr.NeighborsMismatch):
        tr.compose(book.guarantee, tr.GDP(1.0, neighbors=book.neighbors))
    with pytest.raises(tr.BudgetExceeded, match=r"remains in this window of 1 hour") as met:
        book.charge(tr.GDP(2.0))
    assert met.value.remaining == book.remaining()


@pytest.mark.parametrize("unit", ["unit", "person"])
def test_what_remains_of_a_window_is_per_window_too(store: tr.Ledger, unit: str) -> None:
    book = store.create("w", tr.GDP(1.0), unit=unit, structure=Windows(86400))
    book.charge(tr.Gaussian(2.0))
    told = book.statement()
    for left in (book.guarantee, book.remaining(), told.remaining):
        assert left is not None
        assert left.neighbors == tr.add_or_remove.of(f"{unit} per window of 1 day")
        with pytest.raises(tr.NeighborsMismatch, match=r"per window of time") as met:
            tr.compose(left, tr.GDP(1.0))
        assert ". " not in str(met.value)
    assert tr.compose(book.guarantee, book.remaining()).neighbors == book.guarantee.neighbors


def test_a_receipt_says_that_it_was_given_before(store: tr.Ledger) -> None:
    book = store.create("b", tr.GDP(1.0))
    first, again = (book.charge(tr.Gaussian(4.0), key="a") for _ in range(2))
    assert first == again
    assert (first.repeated, again.repeated) == (False, True)
    held = [book.reserve(tr.Gaussian(4.0), key="b") for _ in range(2)]
    assert [one.receipt.repeated for one in held] == [False, True]
    assert [one.release().repeated for one in held] == [False, True]
    assert [book.close().repeated for _ in range(2)] == [False, True]


@pytest.mark.parametrize(
    ("by", "words"), [("part", "2 declared parts, such"), ("state", "by state")]
)
def test_the_column_of_parts_is_named_if_it_has_a_name(
    store: tr.Ledger, by: str, words: str
) -> None:
    book = store.create("p", tr.GDP(1.0), structure=Partition(by, ("a", "b")))
    with pytest.raises(tr.InvalidArgument, match=words):
        book.charge(tr.Gaussian(4.0), part="c")
    assert ("by part" in book.statement().to_text()) is False
    assert ("by state" in book.statement().to_text()) is (by == "state")


@pytest.mark.parametrize(
    ("budget", "several"),
    [
        (tr.PureDP(0.5), "epsilon = 0.5 k"),
        (tr.ZCDP(0.5, 0.1), "rho = 0.5 k, xi = 0.1 k"),
        (tr.GDP(1 / 3), "mu = 0.3334 sqrt(k)"),
        (tr.ApproxDP(1.0, 1e-6), "epsilon = 1.0 k, delta = 1e-06 k"),
        (tr.RDP([2, 4], [0.1, 0.2]), "k times the divergence at every order"),
    ],
)
def test_what_several_windows_come_to(store: tr.Ledger, budget: tr.Guarantee, several: str) -> None:
    book = store.create("w", budget, structure=Windows(1))
    assert str(book.scope) == f"per window of 1 second; over k windows up to {several}"
    assert type(book.guarantee) is type(budget)


def test_a_plan_that_fits_into_one_window_holds_for_all_times(store: tr.Ledger) -> None:
    plan = [tr.Gaussian(4.0)] * 2
    book = store.create("w", tr.GDP(1.0), structure=Windows(1), plan=plan)
    assert book.scope is None
    assert book.guarantee == tr.GDP(1.0)


def test_the_odometer_promises_only_what_a_theorem_does(sqlite_path: str) -> None:
    store = tr.Ledger(sqlite_path)
    pure = store.create("pure", tr.PureDP(1.0))
    pure.charge(tr.PureDP(0.25))
    assert pure.odometer().guarantee == tr.PureDP(0.25)
    gdp = store.create("gdp", tr.GDP(1.0))
    assert gdp.odometer().guarantee is None
    advanced = store.create("adv", tr.ApproxDP(1.0, 1e-6), filter="advanced", slack=5e-7)
    advanced.charge(tr.PureDP(0.01) ** 20)
    assert store.open("adv").verify().ok
    met = advanced.odometer(slack=1e-7).guarantee
    assert met.delta == 1e-7
    assert 0.002**0.5 < met.epsilon < 2


def test_the_advanced_odometer_is_never_above_basic_composition(store: tr.Ledger) -> None:
    book = store.create("adv", tr.ApproxDP(1.0, 1e-6), filter="advanced")
    book.charge(tr.PureDP(0.0625))
    book.charge(tr.ApproxDP(0.03125, 1e-8) ** 2)
    book.reserve(tr.PureDP(0.125)).release()
    met = book.odometer()
    assert met.guarantee.epsilon == 0.125
    assert Fraction(met.guarantee.delta) >= Fraction(1e-6) / 2 + 2 * Fraction(1e-8)
    assert "Rogers" in met.why
    assert book.statement().odometer == met
    many = store.create("many", tr.ApproxDP(4.0, 1e-6), filter="advanced")
    many.charge(tr.PureDP(0.02) ** 1000)
    assert many.odometer().guarantee.epsilon < 20
    assert "mixture" in many.odometer().why
    book.share("child", tr.ApproxDP(0.1, 1e-7))
    assert "mixture" in book.odometer().why


def test_declared_events_may_be_converted_together(sqlite_path: str) -> None:
    plan = [tr.Gaussian(4.0), tr.Gaussian(4.0), tr.Exponential(0.1)]
    book = tr.Ledger(sqlite_path).create("plan", tr.ZCDP(1.0), plan=plan)
    assert book.to(tr.ApproxDP, delta=1e-6) == tr.compose(*plan).to(tr.ApproxDP, delta=1e-6)
    for event in plan:
        book.charge(event)
    with pytest.raises(tr.InvalidArgument, match="declared 2 times"):
        book.charge(tr.Gaussian(4.0))
    with pytest.raises(tr.InvalidArgument, match="none of them"):
        book.charge(tr.Gaussian(5.0))
    assert book.verify(book.head()).ok


HOSTILE = "<script>alert(1)</script>&"


@pytest.mark.parametrize("form", ["html", "markdown", "latex"])
def test_notebooks_show_what_a_ledger_hands_out(store: tr.Ledger, form: str) -> None:
    book = store.create(HOSTILE, tr.GDP(1.0), unit=HOSTILE, structure=Windows(60))
    held = book.reserve(tr.Gaussian(4.0), note=HOSTILE, key=HOSTILE)
    receipt = held.commit(note=HOSTILE)
    advanced = store.create("a", tr.ApproxDP(1.0, 1e-6), filter="advanced", unit=HOSTILE)
    units = store.create("u", tr.GDP(1.0), structure=Units())
    things = (store, book, held, receipt, book.verify(), book.spent(), book.odometer())
    for thing in (*things, advanced.odometer(), units, book.verify(advanced.head())):
        page = getattr(thing, f"_repr_{form}_")()
        assert page.strip()
        if form == "html":
            assert "<script" not in page
            assert "style" not in page  # no colours of its own, so that dark themes stay legible
    assert "per window of 1 minute" in getattr(book, f"_repr_{form}_")()


def test_a_book_is_a_purse(sqlite_path: str) -> None:
    assert isinstance(tr.Ledger(sqlite_path).create("b", tr.GDP(1)), tr.Purse)


def test_what_is_left_of_a_spent_book_is_no_negative_zero(store: tr.Ledger) -> None:
    book = store.create("spent", tr.ZCDP(1.0))
    book.charge(tr.ZCDP(1.0))
    assert "-0.0" not in repr(book.remaining())
