"""Chains that are made by hand, from what the documentation says of them; nothing of ours is used.

An entry is the JSON of its fields with sorted keys, without spaces, in ASCII. Its hash is the
SHA-256 of these bytes, and the next entry holds it as ``previous``. So whoever can write to the
store can make any chain anew, which is what the tests of tampering do; and a million entries can be
inserted without asking a million times.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

GENESIS = "0" * 64
TRIGGERS = ("tightrope_append_only_UPDATE", "tightrope_append_only_DELETE")

Content = dict[str, Any]


def text(content: Content) -> str:
    return json.dumps(content, sort_keys=True, separators=(",", ":"))


def sha(body: str) -> str:
    return hashlib.sha256(body.encode("ascii")).hexdigest()


@contextmanager
def edited(path: str | Path) -> Iterator[sqlite3.Connection]:
    """The file, opened by somebody who takes the triggers off and puts them back."""
    connection = sqlite3.connect(path, isolation_level=None)
    kept = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    triggers = kept.fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("BEGIN")
    yield connection
    connection.execute("COMMIT")
    for _, sql in triggers:
        connection.execute(sql)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def bodies(connection: sqlite3.Connection, book: str) -> list[Content]:
    rows = connection.execute(
        "SELECT body FROM tightrope_entries WHERE book = ? ORDER BY seq", (book,)
    )
    return [json.loads(body) for (body,) in rows]


def chained(contents: list[Content]) -> Iterator[tuple[int, str, str, str]]:
    """(seq, key, hash, body) of entries that are numbered and linked anew."""
    previous = GENESIS
    for seq, content in enumerate(contents, 1):
        body = text({**content, "seq": seq, "previous": previous})
        previous = sha(body)
        yield seq, content["key"], previous, body


def rewrite(connection: sqlite3.Connection, book: str, contents: list[Content]) -> None:
    """Put other entries in the place of a book's, as whole as if they had been written."""
    connection.execute("DELETE FROM tightrope_entries WHERE book = ?", (book,))
    lines = list(chained(contents))
    connection.executemany(
        "INSERT INTO tightrope_entries (book, seq, key, hash, body) VALUES (?, ?, ?, ?, ?)",
        [(book, *line) for line in lines],
    )
    seq, _, head, _ = lines[-1]
    connection.execute(
        "UPDATE tightrope_books SET seq = ?, head = ? WHERE name = ?", (seq, head, book)
    )


def set_sum(connection: sqlite3.Connection, book: str, account: str, amounts: list[str]) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO tightrope_sums (book, account, amounts) VALUES (?, ?, ?)",
        (book, account, json.dumps(amounts, separators=(",", ":"))),
    )


def prolong(path: str | Path, book: str, count: int, amounts: Callable[[int], str]) -> str:
    """Append charges of a zCDP book, each of ``amounts(n)`` units of rho; the last one's hash.

    The amounts are whole numbers as texts, so that their sum is one too.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    query = "SELECT seq, head FROM tightrope_books WHERE name = ?"
    seq, previous = connection.execute(query, (book,)).fetchone()
    lines, spent = [], 0
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("BEGIN")
    for number in range(count):
        seq += 1
        amount = amounts(number)
        spent += int(amount)
        body = text(_charge(book, seq, previous, amount))
        previous = sha(body)
        lines.append((book, seq, f"use:{number}", previous, body))
        if len(lines) == 10_000 or number == count - 1:
            connection.executemany("INSERT INTO tightrope_entries VALUES (?, ?, ?, ?, ?)", lines)
            lines = []
    row = (seq, previous, book)
    connection.execute("UPDATE tightrope_books SET seq = ?, head = ? WHERE name = ?", row)
    set_sum(connection, book, "", [str(spent), "0"])
    connection.execute("COMMIT")
    connection.close()
    return previous


def _charge(book: str, seq: int, previous: str, amount: str) -> Content:
    return {
        "account": "",
        "amounts": [amount, "0"],
        "book": book,
        "by": "somebody",
        "event": f"ZCDP(rho={amount}.0)",
        "key": f"use:{seq - 2}",
        "kind": "charge",
        "note": f"number {seq}",
        "part": None,
        "previous": previous,
        "seq": seq,
        "time": "2030-01-01T00:00:00.000000+00:00",
    }
