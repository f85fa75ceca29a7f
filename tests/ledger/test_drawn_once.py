"""What was paid once is drawn once: a key reserves for one block, and not again after its end."""

from __future__ import annotations

from pathlib import Path

import pytest

import tightrope as tr


@pytest.fixture
def book(tmp_path: Path) -> tr.Book:
    return tr.Ledger(tmp_path / "budget.db").create("b", tr.ZCDP(1.0))


def test_a_key_that_was_released_reserves_nothing_any_more(book: tr.Book) -> None:
    book.reserve(tr.ZCDP(0.25), key="job").release()
    with pytest.raises(tr.KeyReused, match=r"'job'.*has ended.*release.*key of its own"):
        book.reserve(tr.ZCDP(0.25), key="job")


def test_a_block_that_ran_is_not_entered_again(book: tr.Book) -> None:
    with book.reserve(tr.ZCDP(0.25), key="job"):
        pass
    with pytest.raises(tr.KeyReused, match="has ended"):
        book.reserve(tr.ZCDP(0.25), key="job")


def test_a_block_that_died_is_not_entered_again(book: tr.Book) -> None:
    with pytest.raises(RuntimeError), book.reserve(tr.ZCDP(0.25), key="job"):
        raise RuntimeError("died while it was drawing")
    again = book.reserve(tr.ZCDP(0.25), key="job")
    with pytest.raises(tr.KeyReused, match="what was drawn then is not known"), again:
        pytest.fail("the block was entered")
    with pytest.raises(tr.KeyReused), book.reservation("job"):
        pytest.fail("the block was entered")
    assert str(again.commit().head)
    assert book.spent().amounts[0] == book.price(tr.ZCDP(0.25))[0]


def test_a_reservation_is_for_one_block(book: tr.Book) -> None:
    held = book.reserve(tr.ZCDP(0.25))
    with held:
        pass
    with pytest.raises(tr.KeyReused), held:
        pytest.fail("the block was entered")


def test_keys_in_errors_are_those_of_the_caller(book: tr.Book) -> None:
    book.charge(tr.ZCDP(0.25), key="k1")
    with pytest.raises(tr.KeyReused, match="the key 'k1' stands for another entry"):
        book.charge(tr.ZCDP(0.5), key="k1")
