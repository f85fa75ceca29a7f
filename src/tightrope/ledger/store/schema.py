"""The tables: books with their heads, the running sums of accounts, and the entries.

Entries are appended and never changed; triggers of the database refuse anything else. The sums and
heads are what the entries add up to, kept so that a charge costs the same however many entries
there are; a check compares them with the entries.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, MetaData, Table, Text, UniqueConstraint

metadata = MetaData()

books = Table(
    "tightrope_books",
    metadata,
    Column("name", Text, primary_key=True),
    Column("config", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("head", Text, nullable=False),
    Column("closed", Boolean, nullable=False),
)

sums = Table(
    "tightrope_sums",
    metadata,
    Column("book", Text, primary_key=True),
    Column("account", Text, primary_key=True),
    Column("amounts", Text, nullable=False),
)

entries = Table(
    "tightrope_entries",
    metadata,
    Column("book", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("key", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("body", Text, nullable=False),
    UniqueConstraint("book", "key", name="tightrope_key"),
)

VERSIONS = "tightrope_version"
"""The table in which migrations note how far they got."""

REVISIONS = ("v0001",)
"""Every revision that this program knows, oldest first."""
