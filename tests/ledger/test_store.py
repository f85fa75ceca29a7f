"""Stores: chains that show what was changed, exports, roles, and no secret anywhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from databases import connected
from forger import edited
from sqlalchemy import make_url, text

import tightrope as tr
from tightrope.ledger.access import script
from tightrope.ledger.chain import canonical, digest


@pytest.fixture
def filled(sqlite_path: str) -> tuple[tr.Book, tr.Receipt]:
    book = tr.Ledger(sqlite_path).create("book", tr.GDP(1.0))
    return book, [book.charge(tr.Gaussian(10), note=f"table {n}") for n in range(9)][-1]


def change(path: str, *statements: str) -> None:
    """Edit the file as somebody who owns it could, triggers or not."""
    with edited(path) as connection:
        for statement in statements:
            connection.execute(statement)


E = "tightrope_entries"
EDITS = [
    (f"UPDATE {E} SET body = replace(body, 'table 3', 'table 4') WHERE seq = 5", "changed"),
    (f"UPDATE {E} SET hash = replace(hash, 'a', 'b') WHERE seq = 5", "changed"),
    (f"DELETE FROM {E} WHERE seq = 5", "missing or moved"),
    (f"UPDATE {E} SET key = 'use:other' WHERE seq = 5", "place"),
    ("UPDATE tightrope_sums SET amounts = '[\"0\"]'", "sums"),
    ("UPDATE tightrope_books SET closed = 1", "row"),
    ("UPDATE tightrope_books SET config = replace(config, 'mu=1.0', 'mu=9.0')", "promises"),
    ("DELETE FROM tightrope_books", "gone"),
]


@pytest.mark.parametrize(("edit", "words"), EDITS)
def test_an_edit_shows_even_without_an_anchor(
    sqlite_path: str, filled: tuple[tr.Book, tr.Receipt], edit: str, words: str
) -> None:
    book, _ = filled
    assert book.verify().ok
    change(sqlite_path, edit)
    found = book.verify()
    assert not found.ok
    assert words in found.problem


def test_a_truncation_needs_an_anchor(sqlite_path: str, filled: tuple[tr.Book, tr.Receipt]) -> None:
    book, last = filled
    kept = list(book.entries())[8]
    change(
        sqlite_path,
        f"DELETE FROM {E} WHERE seq > 9",
        f"UPDATE tightrope_books SET seq = 9, head = '{kept.hash}'",
        "UPDATE tightrope_sums SET amounts = '[\"0.08\"]'",
    )
    assert book.verify().ok
    assert any("cut off" in attack for attack in book.verify().cannot_exclude)
    assert "cut off" in book.verify(last).problem
    assert "cut off" in book.verify(str(last.head)).problem


def test_a_chain_that_was_hashed_anew_needs_an_anchor(
    sqlite_path: str, filled: tuple[tr.Book, tr.Receipt]
) -> None:
    book, last = filled
    edits, head = [], "0" * 64
    for entry in book.entries():
        content = json.loads(entry.body) | {"previous": head}
        content["note"] = content["note"].replace("table 3", "table 33")
        body = canonical(content)
        head = digest(body)
        edits.append(f"UPDATE {E} SET body = '{body}', hash = '{head}' WHERE seq = {entry.seq}")
    change(sqlite_path, *edits, f"UPDATE tightrope_books SET head = '{head}'")
    assert book.verify().ok
    assert "not the one of the anchor" in book.verify(last).problem


def test_entries_are_appended_and_never_changed(store: tr.Ledger) -> None:
    store.create("book", tr.GDP(1.0))
    for statement in (f"DELETE FROM {E}", f"UPDATE {E} SET body = ''"):
        with (
            pytest.raises(tr.StoreUnavailable, match="appended"),
            store._store.writing(("book",)) as connection,
        ):
            connection.execute(text(statement))


def test_a_store_of_a_newer_program_is_refused(
    sqlite_path: str, filled: tuple[tr.Book, tr.Receipt]
) -> None:
    change(sqlite_path, "UPDATE tightrope_version SET version_num = 'v9999'")
    with pytest.raises(tr.StoreTooNew, match="v9999"):
        tr.Ledger(sqlite_path)


def test_a_book_moves_to_another_store(tmp_path: Path, filled: tuple[tr.Book, tr.Receipt]) -> None:
    book, last = filled
    key = Ed25519PrivateKey.generate()
    head = book.export(tmp_path / "book.jsonl", key)
    assert head == last.head
    other = tr.Ledger(tmp_path / "other.db")
    moved = other.receive(tmp_path / "book.jsonl", public_key=key.public_key())
    assert moved.verify(last).ok
    assert moved.spent() == book.spent()
    moved.charge(tr.Gaussian(10))
    with pytest.raises(tr.InvalidArgument, match="already"):
        other.receive(tmp_path / "book.jsonl", public_key=key.public_key())
    stranger = Ed25519PrivateKey.generate().public_key()
    with pytest.raises(tr.TamperedExport):
        tr.Ledger(tmp_path / "third.db").receive(tmp_path / "book.jsonl", public_key=stranger)


def test_no_secret_is_shown(postgres_url: str, caplog: pytest.LogCaptureFixture) -> None:
    store = tr.Ledger(postgres_url)
    book = store.create("book", tr.GDP(1.0))
    receipt = book.charge(tr.Gaussian(4))
    wrong = make_url(postgres_url).set(port=1).render_as_string(hide_password=False)
    with pytest.raises(tr.StoreUnavailable) as met:
        tr.Ledger(wrong)
    bodies = [entry.body for entry in book.entries()]
    for shown in (repr(store), repr(book), repr(receipt), str(met.value), caplog.text, *bodies):
        assert "secret" not in shown
    assert receipt.by == "owner"


def as_role(url: str, role: str) -> tr.Ledger:
    return tr.Ledger(make_url(url).set(username=role).render_as_string(hide_password=False))


def test_roles_may_do_what_was_granted(postgres_url: str) -> None:
    owner = tr.Ledger(postgres_url)
    owner.create("book", tr.GDP(1.0))
    with connected(postgres_url) as connection:
        for role in ("ann lyst", "reader"):
            connection.execute(text(f'DROP ROLE IF EXISTS "{role}"'))
            connection.execute(text(f'CREATE ROLE "{role}" LOGIN'))
    owner.grant("ann lyst", "analyst")
    owner.grant("reader", "reader")
    analyst, reader = as_role(postgres_url, "ann lyst"), as_role(postgres_url, "reader")
    book = analyst.open("book")
    receipt = book.charge(tr.Gaussian(4))
    assert receipt.by == "ann lyst"
    book.reserve(tr.Gaussian(4)).release()
    assert reader.open("book").verify(book.head()).ok
    refused: list[Callable[[], object]] = [
        lambda: reader.open("book").charge(tr.Gaussian(4)),
        lambda: analyst.create("other", tr.GDP(1.0)),
        lambda: book.close(),
    ]
    for call in refused:
        with pytest.raises(tr.NoRight):
            call()
    assert owner.open("book").verify(book.head()).ok
    assert '"ann lyst"' in script("ann lyst", "reader")[0]


def test_where_a_store_may_be(tmp_path: Path) -> None:
    for where in (":memory:", "", 7, "mysql://root:secret@host/db", "postgresql://[::secret"):
        with pytest.raises(tr.InvalidArgument) as met:
            tr.Ledger(where)
        assert "secret" not in str(met.value)
    with pytest.raises(tr.StoreUnavailable):
        tr.Ledger(tmp_path / "no" / "such" / "folder.db")
