"""Stores that get older and newer, and books that move between them, signed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from databases import connected
from sqlalchemy import text

import tightrope as tr
from tightrope.ledger import Partition, Units

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))

NEXT = '''
"""A column more."""
import sqlalchemy as sa
from alembic import op

revision = "v0002"
down_revision = "v0001"


def upgrade():
    op.add_column("tightrope_books", sa.Column("colour", sa.Text, server_default="blue"))
'''
OPEN = """
import sys
import tightrope as tr
print(tr.__file__)
with tr.Ledger(sys.argv[1]) as store:
    for book in store.books():
        print(store.open(book).head())
"""


@pytest.fixture
def future(tmp_path: Path) -> Path:
    """The program of tomorrow: a copy of this one, with a migration more."""
    package = Path(str(tr.__file__)).parent
    copy = tmp_path / "future" / "tightrope"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    store = copy / "ledger" / "store"
    (store / "migrations" / "versions" / "v0002_colour.py").write_text(NEXT)
    schema = store / "schema.py"
    known = schema.read_text()
    assert 'REVISIONS = ("v0001",)' in known
    schema.write_text(known.replace('REVISIONS = ("v0001",)', 'REVISIONS = ("v0001", "v0002")'))
    return copy.parent


def run(where: str, future: Path) -> list[str]:
    """Open the store by the program of tomorrow: the heads of its books."""
    environment = {**os.environ, "PYTHONPATH": str(future)}
    done = subprocess.run(
        [sys.executable, "-c", OPEN, where],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    module, *heads = done.stdout.splitlines()
    assert module.startswith(str(future))
    return heads


def version(where: str) -> str:
    """The revision that the store notes."""
    with connected(where) as connection:
        return str(connection.execute(text("SELECT version_num FROM tightrope_version")).scalar())


def test_an_old_store_is_brought_up_to_date_and_is_then_too_new(where: str, future: Path) -> None:
    with tr.Ledger(where) as store:
        book = store.create("book", tr.ZCDP(1.0))
        receipt = book.charge(tr.ZCDP(0.1))
    assert version(where) == "v0001"
    for _ in range(2):
        assert run(where, future) == [str(receipt.head)]
        assert version(where) == "v0002"
    with pytest.raises(tr.StoreTooNew, match="v0002"):
        tr.Ledger(where)
    assert version(where) == "v0002"
    assert run(where, future) == [str(receipt.head)]


def test_a_store_that_was_opened_before_it_got_too_new(sqlite_path: str, future: Path) -> None:
    """A program that runs on while another one migrates the store spends as before, or says why."""
    with tr.Ledger(sqlite_path) as store:
        book = store.create("book", tr.ZCDP(1.0))
        run(sqlite_path, future)
        try:
            receipt = book.charge(tr.ZCDP(0.1))
        except tr.TightropeError:
            return
    assert run(sqlite_path, future) == [str(receipt.head)]


def test_a_migration_that_was_interrupted_is_made_again(tmp_path: Path) -> None:
    """A file in which nothing but an empty table of versions stands."""
    path = tmp_path / "budget.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE tightrope_version (version_num VARCHAR(32) NOT NULL)")
    connection.close()
    with tr.Ledger(path) as store:
        book = store.create("book", tr.ZCDP(1.0))
        assert book.verify(book.charge(tr.ZCDP(0.1))).ok


def test_a_file_that_is_no_ledger(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir or Madam, " * 1000)
    with pytest.raises(tr.StoreUnavailable, match="not a database"):
        tr.Ledger(path)
    assert path.read_text() == "Dear Sir or Madam, " * 1000


# --- signed files ---


def filled(store: tr.Ledger) -> tr.Book:
    """A book with every kind of entry but those of shares."""
    book = store.create("book", tr.ZCDP(2.0), structure=Partition("state", ("a", "b")), note="n")
    book.charge(tr.ZCDP(0.1), note="naïve \u2028 <b>", key="k")
    book.charge(tr.Gaussian(3.0), part="a")
    book.reserve(tr.ZCDP(0.25), part="b", key="open")
    book.reserve(tr.ZCDP(0.125)).release()
    book.reserve(tr.ZCDP(0.125)).commit()
    return book


def everything(book: tr.Book) -> list[Any]:
    """What two stores should agree on."""
    return [
        [(entry.hash, entry.body, entry.key) for entry in book.entries()],
        book.spent(),
        book.spent(part="a"),
        book.remaining(part="b"),
        book.head(),
        book.closed,
        book.budget,
        book.structure,
        book.neighbors,
        book.filter,
    ]


@pytest.mark.parametrize("closed", [False, True])
def test_a_round_trip(where: str, tmp_path: Path, closed: bool) -> None:
    with tr.Ledger(where) as store, tr.Ledger(tmp_path / "other.db") as other:
        book = filled(store)
        if closed:
            book.close()
        head = book.export(tmp_path / "book.jsonl", KEY)
        public = KEY.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        moved = other.receive(tmp_path / "book.jsonl", public_key=public)
        assert everything(moved) == everything(book)
        assert moved.verify(head).ok
        moved.export(tmp_path / "again.jsonl", KEY)
        assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "book.jsonl").read_bytes()
        if closed:
            return
        moved.reservation("open").release()
        assert moved.charge(tr.ZCDP(0.1), key="k").seq == 2
        assert moved.verify(moved.head()).ok


def test_a_book_of_units_moves_too(tmp_path: Path) -> None:
    with tr.Ledger(tmp_path / "a.db") as store, tr.Ledger(tmp_path / "b.db") as other:
        book = store.create("book", tr.GDP(1.0), structure=Units())
        book.admit(tr.Gaussian(1.0), ["ann", "bob"])
        book.export(tmp_path / "book.jsonl", KEY)
        moved = other.receive(tmp_path / "book.jsonl", public_key=KEY.public_key())
        assert moved.admit(tr.Gaussian(1.0), ["ann", "cy"]).units == {"cy"}
        assert moved.verify(moved.head()).ok


def test_a_book_with_shares_moves_with_them(tmp_path: Path) -> None:
    """Once parent and shares are there, they check; and a share can be closed."""
    with tr.Ledger(tmp_path / "a.db") as store, tr.Ledger(tmp_path / "b.db") as other:
        parent = store.create("parent", tr.ZCDP(2.0))
        child = parent.share("child", tr.ZCDP(1.0))
        child.charge(tr.ZCDP(0.25))
        for book in (parent, child):
            book.export(tmp_path / f"{book.name}.jsonl", KEY)
            other.receive(tmp_path / f"{book.name}.jsonl", public_key=KEY.public_key())
        assert all(found.ok for found in other.verify([parent.head(), child.head()]))
        other.open("child").close()
        assert other.open("parent").spent().amounts[0] == 0.25
        assert all(found.ok for found in other.verify())


def _flip(raw: bytes, at: int) -> bytes:
    return raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]


def _lines(raw: bytes, chosen: list[int]) -> bytes:
    """The file of these lines, as far as there are so many."""
    lines = raw.splitlines(keepends=True)
    return b"".join(lines[at] for at in chosen if at < len(lines))


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda raw: b"",
    "without its last line": lambda raw: raw[: raw.rindex(b"\n", 0, -1) + 1],
    "cut off": lambda raw: raw[:-10],
    "without its second line": lambda raw: _lines(raw, [0, *range(2, 99)]),
    "a line twice": lambda raw: _lines(raw, [0, 1, 2, *range(2, 99)]),
    "an empty line": lambda raw: raw.replace(b"\n", b"\n\n", 1),
    "other line ends": lambda raw: raw.replace(b"\n", b"\r\n"),
    "more behind the signature": lambda raw: raw + b"{}\n",
    "another signature": lambda raw: raw.replace(b'"signature":"', b'"signature":"00', 1),
    "not JSON": lambda raw: b"\xff\xfe" * 1000,
    "a number": lambda raw: b"7\n7\n",
    "a list": lambda raw: b"[]\n[]\n",
    "deep": lambda raw: b"[" * 100_000,
}


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    with tr.Ledger(tmp_path / "a.db") as store:
        filled(store).export(tmp_path / "book.jsonl", KEY)
    return tmp_path / "book.jsonl"


def refused(raw: bytes, folder: Path) -> None:
    """Nothing of the file is taken over."""
    (folder / "changed.jsonl").write_bytes(raw)
    with tr.Ledger(folder / "b.db") as other:
        with pytest.raises(tr.TamperedExport):
            other.receive(folder / "changed.jsonl", public_key=KEY.public_key())
        assert other.books() == ()


@pytest.mark.parametrize("name", CHANGES)
def test_a_file_that_was_changed(exported: Path, tmp_path: Path, name: str) -> None:
    refused(CHANGES[name](exported.read_bytes()), tmp_path)


def test_a_changed_byte_is_refused(exported: Path, tmp_path: Path) -> None:
    raw = exported.read_bytes()
    for at in range(0, len(raw) - 1, len(raw) // 40):
        refused(_flip(raw, at), tmp_path)


@pytest.mark.slow
def test_every_changed_byte_is_refused(exported: Path, tmp_path: Path) -> None:
    raw = exported.read_bytes()
    for at in range(len(raw) - 1):
        refused(_flip(raw, at), tmp_path)


def test_keys_that_are_none(exported: Path, tmp_path: Path) -> None:
    with tr.Ledger(tmp_path / "a.db") as store:
        book = store.open("book")
        for key in (None, "secret", b"secret", b"", KEY.public_key(), bytes(32)):
            with pytest.raises(tr.InvalidArgument):
                book.export(tmp_path / "new.jsonl", key)
        for key in (None, "public", b"public", b"", KEY, bytes(32)):
            with pytest.raises(tr.InvalidArgument):
                store.receive(exported, public_key=key)
        assert not (tmp_path / "new.jsonl").exists()
        with pytest.raises(tr.StoreUnavailable):
            store.receive(tmp_path / "nowhere.jsonl", public_key=KEY.public_key())


def test_a_signed_file_of_a_chain_that_does_not_hold(exported: Path, tmp_path: Path) -> None:
    """The owner of the key has signed nonsense; it is not taken over all the same."""
    first, *lines = exported.read_bytes().splitlines(keepends=True)[:-1]
    wrong = [first, *lines[:2], lines[2].replace(b'"by":"', b'"by":"x'), *lines[3:]]
    seal = KEY.sign(hashlib.sha512(b"".join(wrong)).digest()).hex()
    last = json.dumps({"signature": seal}, separators=(",", ":")).encode() + b"\n"
    refused(b"".join([*wrong, last]), tmp_path)
