"""What cannot be meant is one clear error, and not a byte of the store is another one after it."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from typing import Any

import pytest
from databases import connected
from forger import edited
from sqlalchemy import text

import tightrope as tr
from tightrope.ledger import Partition, Units, Windows

TABLES = ("books", "sums", "entries", "version")
LONG = secrets.token_hex(20_000)  # which no database compresses


def content(where: str) -> list[list[Any]]:
    """All rows of all tables."""
    with connected(where) as connection:
        return [
            sorted(map(tuple, connection.execute(text(f"SELECT * FROM tightrope_{table}"))))
            for table in TABLES
        ]


@pytest.fixture
def book(store: tr.Ledger) -> tr.Book:
    made = store.create("book", tr.ZCDP(1.0), unit="person")
    made.charge(tr.ZCDP(0.1), key="first")
    return made


def refused(
    where: str, ask: Callable[[], object], error: type[Exception], *words: str
) -> Exception:
    """The one error; nothing was written."""
    before = content(where)
    with pytest.raises(error) as caught:
        ask()
    assert type(caught.value) is error
    assert content(where) == before
    for word in words:
        assert word in str(caught.value)
    return caught.value


BUDGETS: dict[str, Callable[[], Any]] = {
    "zero": lambda: tr.ZCDP(0.0),
    "zero epsilon": lambda: tr.PureDP(0.0),
    "zero mu": lambda: tr.GDP(0),
    "negative": lambda: tr.GDP(-1.0),
    "not a number": lambda: tr.ZCDP(float("nan")),
    "infinite": lambda: tr.PureDP(float("inf")),
    "zero at every order": lambda: tr.RDP((2.0, 4.0), (0.0, 0.0)),
    "zero epsilon and delta": lambda: tr.ApproxDP(0.0, 0.0),
    "pure as approximate": lambda: tr.ApproxDP(1.0, 0.0),
    "a number": lambda: 1.0,
    "nothing": lambda: None,
    "a mechanism": lambda: tr.Gaussian(noise_scale=1.0),
    "a curve": lambda: tr.Gaussian(noise_scale=1.0).to(tr.TradeOff),
    "a profile": lambda: tr.Gaussian(noise_scale=1.0).to(tr.Profile),
    "too little to count": lambda: tr.GDP(1e-250),
    "Renyi without orders": lambda: tr.Gaussian(noise_scale=1.0).to(tr.RDP),
}


@pytest.mark.parametrize("name", BUDGETS)
def test_budgets(where: str, store: tr.Ledger, name: str) -> None:
    refused(where, lambda: store.create("new", BUDGETS[name]()), tr.InvalidArgument)


def test_a_composed_curve_is_refused_with_the_reason(where: str, store: tr.Ledger) -> None:
    curve = tr.Gaussian(noise_scale=1.0).to(tr.TradeOff)
    refused(where, lambda: store.create("new", curve), tr.InvalidArgument, "adaptively", "GDP")


@pytest.mark.parametrize(
    "name", ["", " ", "a ", "\n", "a\nb", "a\0b", "a\udc80", "x" * 201, "\u202e", None, 7, b"a"]
)
def test_names_of_books(where: str, store: tr.Ledger, name: Any) -> None:
    refused(where, lambda: store.create(name, tr.ZCDP(1.0)), tr.InvalidArgument)


@pytest.mark.parametrize(
    "name", ["naïve", "人口 2030", "a'b\"c;--", "a:1:b", "%s %(x)s", "🦜", ":x"]
)
def test_odd_names_are_names(store: tr.Ledger, name: str) -> None:
    made = store.create(name, tr.ZCDP(1.0))
    receipt = made.charge(tr.ZCDP(0.1), key=name, note=name, by=name)
    assert store.books() == (name,)
    assert store.open(name).verify(str(receipt.head)).ok
    assert made.charge(tr.ZCDP(0.1), key=name).seq == receipt.seq
    assert (receipt.note, receipt.by, receipt.book) == (name, name, name)


NOTES = [
    "\x01\x02\x1b[31m\x7f\x85\u2028\u202e",
    "'; DROP TABLE tightrope_entries; --",
    '<script>alert(1)</script> & "quoted" \\ \\n \\u0000',
    "\ufeff\ufffe 🦜 e\u0301",
    "x" * 100_000,
    "\r\n\t ",
]


@pytest.mark.parametrize("note", NOTES)
def test_notes_come_back_as_they_were(store: tr.Ledger, book: tr.Book, note: str) -> None:
    receipt = book.charge(tr.ZCDP(0.1), note=note)
    assert receipt.note == note
    assert list(book.entries())[-1].note == note
    assert book.verify(receipt).ok


@pytest.mark.parametrize("note", ["a\0b", "half \ud800", "x" * 10_000_000, None, 7, b"a"])
def test_notes_that_are_refused(where: str, book: tr.Book, note: Any) -> None:
    refused(where, lambda: book.charge(tr.ZCDP(0.1), note=note), tr.InvalidArgument, "note")
    refused(where, lambda: book.reserve(tr.ZCDP(0.1), note=note), tr.InvalidArgument, "note")
    refused(where, lambda: book.close(note=note), tr.InvalidArgument, "note")


@pytest.mark.parametrize("key", ["", " ", "a\0b", "half \ud800", "x" * 10_000_000, 7, b"a"])
def test_keys_that_are_refused(where: str, book: tr.Book, key: Any) -> None:
    refused(where, lambda: book.charge(tr.ZCDP(0.1), key=key), tr.InvalidArgument, "key")


def _all_refused(where: str, asks: dict[str, Callable[[], object]]) -> None:
    for name, ask in asks.items():
        refused(where, ask, tr.UnknownBook if name == "open" else tr.InvalidArgument)


@pytest.mark.parametrize("what", ["key", "part", "unit"])
def test_long_names(where: str, store: tr.Ledger, book: tr.Book, what: str) -> None:
    """Both stores take the same names: those that one cannot hold are refused for both."""
    store.create("units", tr.ZCDP(1.0), structure=Units())
    parts = Partition("x", (LONG, "b"))
    asks: dict[str, Callable[[], object]] = {
        "key": lambda: book.charge(tr.ZCDP(0.1), key=LONG),
        "part": lambda: store.create("p", tr.ZCDP(1.0), structure=parts),
        "unit": lambda: store.open("units").admit(tr.ZCDP(0.1), [LONG]),
    }
    refused(where, asks[what], tr.InvalidArgument)


def test_texts_that_no_store_holds(where: str, store: tr.Ledger, book: tr.Book) -> None:
    """NUL, and half a character: refused alike, whatever they would have named."""
    store.create("units", tr.ZCDP(1.0), structure=Units())
    for words in ("a\0b", "half \ud800"):
        parts = ("b", words)
        asks: dict[str, Callable[[], object]] = {
            "stream": lambda: store.open("units").admit(tr.ZCDP(0.1), [words]),  # noqa: B023
            "part": lambda: store.create("b", tr.ZCDP(1.0), structure=Partition("x", parts)),  # noqa: B023
            "unit": lambda: store.create("b", tr.ZCDP(1.0), unit=words),  # noqa: B023
            "open": lambda: store.open(words),  # noqa: B023
            "reservation": lambda: book.reservation(words),  # noqa: B023
        }
        _all_refused(where, asks)


def test_events_that_do_not_fit(where: str, store: tr.Ledger, book: tr.Book) -> None:
    def charge(event: Any) -> Callable[[], object]:
        return lambda: book.charge(event)

    replace = tr.Gaussian(noise_scale=1e6, neighbors=tr.replace_one)
    refused(where, charge(replace), tr.NeighborsMismatch)
    refused(where, charge("ZCDP(0.1)"), tr.InvalidArgument)
    refused(where, charge(None), tr.InvalidArgument)
    refused(where, charge(tr.ZCDP), tr.InvalidArgument)
    pure = store.create("pure", tr.PureDP(1.0))
    unreachable = refused(
        where, lambda: pure.charge(tr.Gaussian(noise_scale=1e6)), tr.NotReachable, "PureDP"
    )
    assert isinstance(unreachable, tr.NotReachable)
    assert unreachable.reasons
    assert "GDP" in {getattr(name, "__name__", name) for name in unreachable.reachable}


def test_units_that_do_not_match(where: str, book: tr.Book, store: tr.Ledger) -> None:
    households = tr.ZCDP(0.1, neighbors=tr.add_or_remove.of("household"))
    refused(where, lambda: book.charge(households), tr.NeighborsMismatch, "household", "person")


def test_a_budget_for_other_units(where: str, store: tr.Ledger) -> None:
    """A budget that speaks of households does not become one of persons by a name."""
    households = tr.ZCDP(0.1, neighbors=tr.add_or_remove.of("household"))
    refused(where, lambda: store.create("n", households, unit="person"), tr.NeighborsMismatch)


def test_parts_that_were_not_declared(where: str, store: tr.Ledger, book: tr.Book) -> None:
    refused(where, lambda: book.charge(tr.ZCDP(0.1), part="a"), tr.InvalidArgument, "part")
    parts = store.create("parts", tr.ZCDP(1.0), structure=Partition("state", ("a", "b")))
    for part in ("c", "", 7, ["a"], "A"):
        refused(
            where,
            lambda part=part: parts.charge(tr.ZCDP(0.1), part=part),  # type: ignore[misc]
            tr.InvalidArgument,
            "part",
        )
    units = store.create("units", tr.ZCDP(1.0), structure=Units())
    refused(where, lambda: units.charge(tr.ZCDP(0.1)), tr.InvalidArgument, "admit")
    refused(where, units.spent, tr.InvalidArgument, "not shown")
    refused(where, units.remaining, tr.InvalidArgument, "not shown")
    for several in ("ann", ["ann", 7], [""]):
        refused(
            where,
            lambda several=several: units.admit(tr.ZCDP(0.1), several),  # type: ignore[misc]
            tr.InvalidArgument,
        )


@pytest.mark.parametrize(
    "make",
    [
        lambda: Partition("state", ("a",)),
        lambda: Partition("state", ("a", "a")),
        lambda: Partition("", ("a", "b")),
        lambda: Partition("state", ("a", "")),
        lambda: Windows(0),
        lambda: Windows(-1),
        lambda: Windows(1.5),  # type: ignore[arg-type]
        lambda: Windows(True),
    ],
)
def test_structures(make: Callable[[], object]) -> None:
    with pytest.raises(tr.InvalidArgument):
        make()


def test_a_book_that_is_closed(where: str, store: tr.Ledger, book: tr.Book) -> None:
    held = book.reserve(tr.ZCDP(0.1))
    other = book.reserve(tr.ZCDP(0.1))
    book.close()
    refused(where, lambda: book.charge(tr.ZCDP(0.1)), tr.BookClosed, "closed")
    refused(where, lambda: book.reserve(tr.ZCDP(0.1)), tr.BookClosed)
    refused(where, lambda: book.share("child", tr.ZCDP(0.1)), tr.BookClosed)
    refused(where, held.release, tr.BookClosed)
    before = content(where)
    assert book.close().kind == "close"
    assert book.charge(tr.ZCDP(0.1), key="first").seq == 2
    assert content(where) == before
    other.commit()
    assert book.verify(book.head()).ok


def test_a_key_that_names_something_else(where: str, book: tr.Book) -> None:
    refused(where, lambda: book.charge(tr.ZCDP(0.2), key="first"), tr.KeyReused, "first")
    refused(where, lambda: book.reserve(tr.ZCDP(0.1), key="first"), tr.KeyReused)
    refused(where, lambda: book.reservation("first"), tr.InvalidArgument)
    refused(where, lambda: book.reservation("nobody's"), tr.InvalidArgument)
    held = book.reserve(tr.ZCDP(0.1), key="held")
    held.commit()
    refused(where, held.release, tr.KeyReused)


def test_too_much(where: str, book: tr.Book) -> None:
    error = refused(where, lambda: book.charge(tr.Gaussian(noise_scale=0.1)), tr.BudgetExceeded)
    assert isinstance(error, tr.BudgetExceeded)
    assert error.requested == "rho = 50.0"
    assert error.remaining.rho <= 0.9
    assert error.affordable is not None
    book.charge(error.affordable)
    refused(where, lambda: book.charge(tr.Gaussian(noise_scale=0.1)), tr.BudgetExceeded)


def test_books_that_are_not_there(where: str, store: tr.Ledger, book: tr.Book) -> None:
    refused(where, lambda: store.open("nobody's"), tr.UnknownBook, "book")
    refused(where, lambda: store.create("book", tr.ZCDP(1.0)), tr.InvalidArgument, "already")
    refused(where, lambda: book.share("book", tr.ZCDP(0.1)), tr.InvalidArgument, "already")
    refused(where, lambda: book.share("child", tr.GDP(0.1)), tr.InvalidArgument, "ZCDP")
    refused(where, lambda: book.share("child", tr.ZCDP(10.0)), tr.BudgetExceeded)


PASSWORD = "hunter2/%s#secret"
QUOTED = "hunter2%2F%25s%23secret"
WRONG_URLS = [
    "postgresql://ann:{}@127.0.0.1:1/db",
    "postgresql://ann:{}@127.0.0.1:port/db",
    "postgresql://127.0.0.1:1/db?user=ann&password={}",
    "postgresql://ann:{}@127.0.0.1:1/db?sslmode={}",
    "postgresql://ann:{}@127.0.0.1:1/db?nonsense={}",
    "postgresql://ann:{}@nowhere.invalid/db",
    "postgresql://ann:{}@[::1/db",
    "postgres://ann:{}@h/db",
    "mysql://ann:{}@h/db",
    "http://ann:{}@h/db",
]
MISTYPED_URLS = ["postgresql:/ann:{}@h/db", "//ann:{}@h/db", "ann:{}@h/db"]


def shows_no_password(url: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(tr.TightropeError) as caught:
        tr.Ledger(url.replace("{}", QUOTED))
    shown = f"{caught.value} {caught.value!r} {caught.value.__cause__} {caplog.text}"
    assert "hunter2" not in shown
    assert caught.value.__context__ is None or caught.value.__suppress_context__


@pytest.mark.parametrize("url", WRONG_URLS)
def test_passwords_of_wrong_urls(url: str, caplog: pytest.LogCaptureFixture) -> None:
    shows_no_password(url, caplog)


@pytest.mark.parametrize("url", MISTYPED_URLS)
def test_passwords_of_mistyped_urls(url: str, caplog: pytest.LogCaptureFixture) -> None:
    shows_no_password(url, caplog)


def test_the_password_is_nowhere(postgres_url: str, caplog: pytest.LogCaptureFixture) -> None:
    url = postgres_url.replace("secret", QUOTED)
    with caplog.at_level(logging.DEBUG), tr.Ledger(url) as store:
        book = store.create("book", tr.ZCDP(1.0))
        receipt = book.charge(tr.ZCDP(0.1))
        held = book.reserve(tr.ZCDP(0.1))
        found = store.verify([receipt])
        with pytest.raises(tr.BudgetExceeded) as caught:
            book.charge(tr.ZCDP(5.0))
        shown = [store, book, receipt, held, found, caught.value, book.spent(), book.odometer()]
    assert "hunter2" not in repr(shown) + str(caught.value) + caplog.text
    assert "hunter2" not in repr(content(postgres_url))


def test_bad_input_leaves_no_thread_waiting(book: tr.Book) -> None:
    """An ask that fails inside of a turn does not keep the turn."""
    for _ in range(3):
        with pytest.raises(tr.BudgetExceeded):
            book.charge(tr.ZCDP(5.0))
    assert book.charge(tr.ZCDP(0.1)).seq == 3


@pytest.mark.parametrize("text", ["", "[", "7", '["x"]', '["1", "2"'])
def test_sums_that_cannot_be_read(sqlite_path: str, text: str) -> None:
    with tr.Ledger(sqlite_path) as store:
        book = store.create("book", tr.ZCDP(1.0))
        book.charge(tr.ZCDP(0.1))
        with edited(sqlite_path) as connection:
            connection.execute("UPDATE tightrope_sums SET amounts = ?", (text,))
        words = ("the sums of book 'book' cannot be read", "Nothing was written")
        for ask in (lambda: book.charge(tr.ZCDP(0.1)), book.spent, book.close):
            refused(sqlite_path, ask, tr.TamperedBook, *words)
        assert not book.verify().ok


def test_entries_that_cannot_be_read(sqlite_path: str) -> None:
    with tr.Ledger(sqlite_path) as store:
        book = store.create("book", tr.ZCDP(1.0))
        held = book.reserve(tr.ZCDP(0.1), key="held")
        with edited(sqlite_path) as connection:
            connection.execute("UPDATE tightrope_entries SET body = '{' WHERE seq = 2")
        for ask in (
            lambda: book.reserve(tr.ZCDP(0.1), key="held"),
            lambda: book.reservation("held"),
            lambda: list(book.entries()),
        ):
            refused(sqlite_path, ask, tr.TamperedBook, "an entry cannot be read")
        refused(sqlite_path, book.statement, tr.TamperedBook, "contradicts itself", "entry 2")
        assert held.key == "held"


GARBLED = ("", "{", "[]", "{}", '{"budget":"ZCDP(0.1)"}', "[" * 100_000)


@pytest.mark.parametrize("config", GARBLED, ids=range(len(GARBLED)))
def test_a_promise_that_cannot_be_read(sqlite_path: str, config: str) -> None:
    with tr.Ledger(sqlite_path) as store:
        book = store.create("book", tr.ZCDP(1.0))
        with edited(sqlite_path) as connection:
            connection.execute("UPDATE tightrope_books SET config = ?", (config,))
        words = ("what book 'book' promises cannot be read", "Nothing was written")
        refused(sqlite_path, lambda: store.open("book"), tr.TamperedBook, *words)
        refused(sqlite_path, lambda: book.charge(tr.ZCDP(0.1)), tr.TamperedBook, *words)
        assert not book.verify().ok
