"""A file that was edited: an anchor shows every edit; without one, verify says which it cannot."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from forger import edited
from tampers import BOOK, LOCAL, OTHER, WHOLE, Edit, Kept, truncate_roughly

import tightrope as tr


class Original:
    """A store with a book of every kind of entry, and what an attacker may have kept of it."""

    def __init__(self, folder: Path):
        self.path = folder / "budget.db"
        self.rows: list[tuple[int, str, int]] = []
        self.sums: list[list[tuple[str, str]]] = []
        with tr.Ledger(self.path) as store:
            book = store.create(BOOK, tr.ZCDP(1.0), note="a census")
            store.create(OTHER, tr.ZCDP(2.0)).charge(tr.ZCDP(0.5))
            self.keep()
            for number in range(8):
                book.charge(tr.ZCDP(0.03125), note=f"table {number}")
                self.keep()
            for end in ("commit", "release"):
                held = book.reserve(tr.ZCDP(0.0625))
                self.keep()
                getattr(held, end)()
                self.keep()
            self.anchor = str(book.charge(tr.ZCDP(0.125), note="the last one").head)
            self.keep()
        with sqlite3.connect(self.path) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()

    def keep(self) -> None:
        with sqlite3.connect(self.path) as connection:
            row = connection.execute(
                "SELECT seq, head, closed FROM tightrope_books WHERE name = ?", (BOOK,)
            ).fetchone()
            sums = connection.execute(
                "SELECT account, amounts FROM tightrope_sums WHERE book = ?", (BOOK,)
            ).fetchall()
        connection.close()
        self.rows.append(row)
        self.sums.append(sums)

    def tampered(self, edit: Edit, seed: int, at: Path) -> bool:
        """Copy the file and edit the copy; False if nothing changed."""
        shutil.copy(self.path, at)
        with edited(at) as connection:
            return edit(connection, random.Random(seed), Kept(self.rows, self.sums))


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Original:
    return Original(tmp_path_factory.mktemp("original"))


def verdict(at: Path, *anchors: str) -> tr.ledger.Verification:
    """What a check of the whole store says of the book."""
    with tr.Ledger(at) as store:
        found = {check.book: check for check in store.verify(anchors)}
        return found[BOOK]


def escaped(original: Original, edits: Sequence[Edit], seeds: range, folder: Path) -> Iterator[str]:
    """The edits that a check with an anchor did not find."""
    at = folder / "edited.db"
    for seed in seeds:
        edit = edits[seed % len(edits)]
        if original.tampered(edit, seed, at):
            try:
                if verdict(at, original.anchor).ok:
                    yield f"{edit.__name__} {seed}"
            except tr.TightropeError as error:
                yield f"{edit.__name__} {seed} raises {error!r}"
            except Exception as error:
                yield f"{edit.__name__} {seed} raises {type(error)}"
        at.unlink(missing_ok=True)


def test_the_original_is_whole(original: Original) -> None:
    found = verdict(original.path, original.anchor)
    assert found.ok, found.problem
    assert found.anchored


def test_edits_are_found(original: Original, tmp_path: Path) -> None:
    assert list(escaped(original, LOCAL, range(5 * len(LOCAL)), tmp_path)) == []


def test_truncations_and_new_hashes_are_found(original: Original, tmp_path: Path) -> None:
    edits = (truncate_roughly, *WHOLE)
    assert list(escaped(original, edits, range(10 * len(edits)), tmp_path)) == []


@pytest.mark.slow
def test_800_edits_are_found(original: Original, tmp_path: Path) -> None:
    assert list(escaped(original, LOCAL, range(10_000, 10_850), tmp_path)) == []


@pytest.mark.slow
def test_200_truncations_and_new_hashes_are_found(original: Original, tmp_path: Path) -> None:
    assert list(escaped(original, (truncate_roughly, *WHOLE), range(210), tmp_path)) == []


@pytest.mark.parametrize("edit", WHOLE)
def test_what_is_not_found_without_an_anchor_is_what_the_words_say(
    original: Original, tmp_path: Path, edit: Edit
) -> None:
    at = tmp_path / "edited.db"
    assert original.tampered(edit, 1, at)
    found = verdict(at)
    assert found.ok
    assert not found.anchored
    words = " ".join(found.cannot_exclude)
    assert "cut off" in words
    assert "earlier copy" in words
    assert "with new hashes" in words
    assert all(said in str(found) for said in found.cannot_exclude)


def test_without_an_anchor_all_other_edits_are_found(original: Original, tmp_path: Path) -> None:
    at = tmp_path / "edited.db"
    for seed in range(4 * len(LOCAL)):
        edit = LOCAL[seed % len(LOCAL)]
        if edit.__name__ != "delete_the_book" and original.tampered(edit, seed, at):
            assert not verdict(at).ok, (edit.__name__, seed)
        at.unlink(missing_ok=True)


def test_the_latest_of_several_anchors_counts(original: Original, tmp_path: Path) -> None:
    """Somebody who kept all receipts hands them all over, in whatever order."""
    early = f"{BOOK}:3:{original.rows[2][1]}"
    at = tmp_path / "edited.db"
    assert original.tampered(WHOLE[0], 1, at)
    for anchors in ([early, original.anchor], [original.anchor, early]):
        assert not verdict(at, *anchors).ok


def test_an_early_anchor_cannot_exclude_that_the_end_was_cut_off(
    original: Original, tmp_path: Path
) -> None:
    """The book is put back to the very entry of the anchor, which is not the latest."""

    def cut(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
        return WHOLE[0](connection, _Chosen(5), kept)

    at = tmp_path / "edited.db"
    assert original.tampered(cut, 0, at)
    found = verdict(at, f"{BOOK}:5:{original.rows[4][1]}")
    assert found.ok
    assert "cut off" in " ".join(found.cannot_exclude)


class _Chosen(random.Random):
    """A die that shows what was asked for."""

    def __init__(self, value: int):
        super().__init__(0)
        self._value = value

    def choice(self, seq: Sequence[int]) -> int:  # type: ignore[override]
        return self._value


def flipped(original: Original, seeds: range, folder: Path) -> Iterator[int]:
    """Seeds of flipped bytes that changed what the store says, and were not found."""
    at = folder / "flipped.db"
    content = original.path.read_bytes()
    truth = _dump(original.path)
    for seed in seeds:
        dice = random.Random(seed)
        raw = bytearray(content)
        for _ in range(dice.choice([1, 1, 8, 64])):
            raw[dice.randrange(100, len(raw))] ^= 1 << dice.randrange(8)
        at.write_bytes(raw)
        try:
            found = verdict(at, original.anchor).ok
        except (tr.StoreUnavailable, KeyError):
            found = False
        if found and _dump(at) != truth:
            yield seed
        for rest in folder.glob("flipped.db*"):
            rest.unlink()


def _dump(path: Path) -> object:
    connection = sqlite3.connect(path)
    try:
        tables = ("books WHERE name = 'census'", "sums WHERE book = 'census'",
                  "entries WHERE book = 'census'")  # fmt: skip
        return [
            sorted(connection.execute(f"SELECT * FROM tightrope_{table}").fetchall())
            for table in tables
        ]
    except sqlite3.DatabaseError:
        return None
    finally:
        connection.close()


def test_flipped_bits_are_found_or_mean_nothing(original: Original, tmp_path: Path) -> None:
    assert list(flipped(original, range(40), tmp_path)) == []


@pytest.mark.slow
def test_many_flipped_bits_are_found_or_mean_nothing(original: Original, tmp_path: Path) -> None:
    assert list(flipped(original, range(100, 700), tmp_path)) == []


RAISED = """UPDATE tightrope_books
SET config = replace(replace(config, 'mu=1.0', 'mu=5.0'), '"1"', '"25"')"""
"""A budget of five times as much, and its square."""


def test_a_raised_budget_is_neither_told_nor_spent(sqlite_path: str, tmp_path: Path) -> None:
    with tr.Ledger(sqlite_path) as store:
        open_before = store.create("book", tr.GDP(1.0))
        with edited(sqlite_path) as connection:
            connection.execute(RAISED)
        for ask in (
            lambda: store.open("book"),
            lambda: open_before.charge(tr.GDP(2.0)),
            lambda: open_before.share("part", tr.GDP(0.5)),
            open_before.close,
            open_before.statement,
        ):
            with pytest.raises(tr.TamperedBook, match="promises something else"):
                ask()
        assert "promises something else" in store.verify_book("book").problem
        assert store.verify_book("book").entries == 1


def test_sums_that_were_lowered_are_not_stated(sqlite_path: str) -> None:
    with tr.Ledger(sqlite_path) as store:
        book = store.create("book", tr.GDP(1.0))
        book.charge(tr.GDP(0.5))
        with edited(sqlite_path) as connection:
            connection.execute("UPDATE tightrope_sums SET amounts = '[\"0\"]'")
        with pytest.raises(tr.TamperedBook, match="not what the entries add up to"):
            book.statement()
