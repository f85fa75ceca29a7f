"""Edits of a store's file by somebody who may write to it, and knows how it is made.

Every edit takes the opened file, a die and what was ``kept`` of the book's past; it returns False
if the die asked for something that changes nothing.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from forger import bodies, rewrite, set_sum, sha, text

BOOK = "census"
OTHER = "income"

Edit = Callable[[sqlite3.Connection, random.Random, "Kept"], bool]


@dataclass(frozen=True)
class Kept:
    """The tables of heads and sums as they were after every entry of the book."""

    rows: list[tuple[int, str, int]]
    sums: list[list[tuple[str, str]]]


def _seq(connection: sqlite3.Connection, dice: random.Random) -> int:
    query = "SELECT max(seq) FROM tightrope_entries WHERE book = ?"
    return dice.randint(1, connection.execute(query, (BOOK,)).fetchone()[0])


def _body(connection: sqlite3.Connection, seq: int) -> str:
    query = "SELECT body FROM tightrope_entries WHERE book = ? AND seq = ?"
    found: str = connection.execute(query, (BOOK, seq)).fetchone()[0]
    return found


def _set(connection: sqlite3.Connection, at: int, **columns: object) -> bool:
    for name, value in columns.items():
        connection.execute(
            f"UPDATE tightrope_entries SET {name} = ? WHERE book = ? AND seq = ?",
            (value, BOOK, at),
        )
    return True


def _changed(content: dict[str, object], dice: random.Random) -> dict[str, object]:
    """Another note, amount, author, event or time."""
    new = dict(content)
    name = dice.choice(["note", "amounts", "by", "event", "time", "kind", "key", "book", "part"])
    if name == "amounts":
        old = content["amounts"]
        assert isinstance(old, list)
        new["amounts"] = ["0.0001", *old[1:]] if old else ["0"]
    else:
        new[name] = f"{content.get(name)}!"
    return new


def change_a_character(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    seq = _seq(connection, dice)
    body = _body(connection, seq)
    at = dice.randrange(len(body))
    new = body[:at] + dice.choice('0123456789abc,{}"') + body[at + 1 :]
    return new != body and _set(connection, seq, body=new)


def change_a_field(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    seq = _seq(connection, dice)
    content = json.loads(_body(connection, seq))
    return _set(connection, seq, body=text(_changed(content, dice)))


def change_and_hash_one(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    seq = _seq(connection, dice)
    body = text(_changed(json.loads(_body(connection, seq)), dice))
    return _set(connection, seq, body=body, hash=sha(body))


def change_a_column(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    seq = _seq(connection, dice)
    name, value = dice.choice(
        [("hash", "0" * 64), ("hash", ""), ("key", "use:forged"), ("seq", 10**6), ("seq", -1)]
    )
    return _set(connection, seq, **{name: value})


def break_a_row(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    """What nobody can read, with a hash that is right where there is one."""
    seq = _seq(connection, dice)
    body = dice.choice(
        [
            "", "{}", "null", "[]", "7", '{"seq":1}', "[" * 100_000, "9" * 5000, "\udc80", "é",
            text({**json.loads(_body(connection, seq)), "amounts": ["1E+999999", "NaN"]}),
            text({**json.loads(_body(connection, seq)), "amounts": [[], 0]}),
            text({**json.loads(_body(connection, seq)), "kind": ["charge"]}),
            text({**json.loads(_body(connection, seq)), "config": {"budget": "(" * 5000}}),
        ]
    )  # fmt: skip
    raw = body.encode("utf-8", "surrogateescape")
    hashed = sha(body) if body.isascii() else "0" * 64
    if dice.random() < 0.3:
        return _set(connection, seq, body=raw, hash=hashed)
    connection.execute(
        "UPDATE tightrope_entries SET body = CAST(? AS TEXT), hash = ? WHERE book = ? AND seq = ?",
        (raw, hashed, BOOK, seq),
    )
    return True


def delete(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    connection.execute(
        "DELETE FROM tightrope_entries WHERE book = ? AND seq = ?", (BOOK, _seq(connection, dice))
    )
    return True


def reorder(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    one, two = _seq(connection, dice), _seq(connection, dice)
    if one == two:
        return False
    _set(connection, one, seq=-one)
    _set(connection, two, seq=one)
    connection.execute(
        "UPDATE tightrope_entries SET seq = ? WHERE book = ? AND seq = ?", (two, BOOK, -one)
    )
    return True


def swap_bodies(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    one, two = _seq(connection, dice), _seq(connection, dice)
    a, b = _body(connection, one), _body(connection, two)
    _set(connection, one, body=b, hash=sha(b))
    _set(connection, two, body=a, hash=sha(a))
    return one != two


def swap_books(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    tables = [
        ("tightrope_books", "name"),
        ("tightrope_sums", "book"),
        ("tightrope_entries", "book"),
    ]
    for table, column in tables if dice.random() < 0.5 else [dice.choice(tables)]:
        for old, new in ((BOOK, "?"), (OTHER, BOOK), ("?", OTHER)):
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (new, old))
    return True


def edit_a_sum(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    found = connection.execute(
        "SELECT account, amounts FROM tightrope_sums WHERE book = ?", (BOOK,)
    )
    account, amounts = dice.choice(sorted(found.fetchall()))
    how = dice.randrange(3)
    if how == 0:
        set_sum(connection, BOOK, account, ["0.0125", *json.loads(amounts)[1:]])
    elif how == 1:
        connection.execute(
            "DELETE FROM tightrope_sums WHERE book = ? AND account = ?", (BOOK, account)
        )
    else:
        set_sum(connection, BOOK, "part:nobody", ["0", "0"])
    return True


def garble_a_sum(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    """What is no list of amounts."""
    garbage = ["", "{}", "[", '["x"]', "[1]", '["NaN","0"]', '["1E+999999"]', "7", "[" * 100_000]
    connection.execute(
        "UPDATE tightrope_sums SET amounts = ? WHERE book = ?", (dice.choice(garbage), BOOK)
    )
    return True


def garble_the_row(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    """What is no row of a book."""
    column, value = dice.choice(
        [("config", "{}"), ("config", "x"), ("closed", 7), ("closed", "x"), ("seq", "x"),
         ("head", b"\xff"), ("config", "[" * 100_000)]
    )  # fmt: skip
    connection.execute(f"UPDATE tightrope_books SET {column} = ? WHERE name = ?", (value, BOOK))
    return True


def edit_the_head(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    config = connection.execute("SELECT config FROM tightrope_books WHERE name = ?", (BOOK,))
    promised = config.fetchone()[0]
    richer = promised.replace("ZCDP(rho=1.0", "ZCDP(rho=9.0")
    column, value = dice.choice(
        [("seq", 3), ("seq", 10**6), ("head", "0" * 64), ("closed", 1), ("config", richer)]
    )
    connection.execute(f"UPDATE tightrope_books SET {column} = ? WHERE name = ?", (value, BOOK))
    return richer != promised


def delete_the_book(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    connection.execute("DELETE FROM tightrope_books WHERE name = ?", (BOOK,))
    if dice.random() < 0.7:
        connection.execute("DELETE FROM tightrope_entries WHERE book = ?", (BOOK,))
        connection.execute("DELETE FROM tightrope_sums WHERE book = ?", (BOOK,))
    return True


LOCAL: tuple[Edit, ...] = (
    change_a_character,
    change_a_field,
    change_and_hash_one,
    change_a_column,
    break_a_row,
    delete,
    reorder,
    swap_bodies,
    swap_books,
    edit_a_sum,
    garble_a_sum,
    edit_the_head,
    garble_the_row,
    delete_the_book,
)
"""Edits that leave something that does not fit."""


def truncate_roughly(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    """The last entries are gone; the head may know, the sums do not."""
    seq = _seq(connection, dice)
    connection.execute("DELETE FROM tightrope_entries WHERE book = ? AND seq >= ?", (BOOK, seq))
    if seq > 1 and dice.random() < 0.5:
        _, head, closed = kept.rows[seq - 2]
        connection.execute(
            "UPDATE tightrope_books SET seq = ?, head = ?, closed = ? WHERE name = ?",
            (seq - 1, head, closed, BOOK),
        )
    return True


def put_back(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    """The book as it was at an earlier time, with its head and its sums: nothing contradicts."""
    seq = dice.choice(range(2, len(kept.rows)))
    connection.execute("DELETE FROM tightrope_entries WHERE book = ? AND seq > ?", (BOOK, seq))
    connection.execute(
        "UPDATE tightrope_books SET seq = ?, head = ?, closed = ? WHERE name = ?",
        (*kept.rows[seq - 1], BOOK),
    )
    connection.execute("DELETE FROM tightrope_sums WHERE book = ?", (BOOK,))
    for account, amounts in kept.sums[seq - 1]:
        set_sum(connection, BOOK, account, json.loads(amounts))
    return True


def hash_anew(connection: sqlite3.Connection, dice: random.Random, kept: Kept) -> bool:
    """One entry tells something else, and the chain is made again from there."""
    contents = bodies(connection, BOOK)
    at = dice.randrange(len(contents))
    field = dice.choice(["note", "by", "time"])
    contents[at] = {**contents[at], field: "1970-01-01T00:00:00.000000+00:00"}
    rewrite(connection, BOOK, contents)
    return True


WHOLE: tuple[Edit, ...] = (put_back, hash_anew)
"""Edits after which everything fits together again: only an anchor shows them."""
