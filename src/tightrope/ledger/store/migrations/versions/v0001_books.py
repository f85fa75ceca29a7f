"""Books, sums and entries; entries are appended and never changed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v0001"
down_revision = None

SQLITE = """
CREATE TRIGGER tightrope_append_only_{what} BEFORE {what} ON tightrope_entries
BEGIN SELECT RAISE(ABORT, 'entries of a ledger are appended, never changed'); END
"""

POSTGRESQL = """
CREATE FUNCTION tightrope_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'entries of a ledger are appended, never changed'; END $$
"""

TRIGGER = """
CREATE TRIGGER tightrope_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tightrope_entries
FOR EACH STATEMENT EXECUTE FUNCTION tightrope_append_only()
"""


def upgrade() -> None:
    """Create the tables and the triggers."""
    op.create_table(
        "tightrope_books",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("config", sa.Text, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("head", sa.Text, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
    )
    op.create_table(
        "tightrope_sums",
        sa.Column("book", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("amounts", sa.Text, nullable=False),
    )
    op.create_table(
        "tightrope_entries",
        sa.Column("book", sa.Text, primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.UniqueConstraint("book", "key", name="tightrope_key"),
    )
    if op.get_bind().dialect.name == "sqlite":
        op.execute(SQLITE.format(what="UPDATE"))
        op.execute(SQLITE.format(what="DELETE"))
    else:
        op.execute(POSTGRESQL)
        op.execute(TRIGGER)


def downgrade() -> None:
    """There is nothing before the first version."""
    raise NotImplementedError("a ledger is never taken back to a store without one")
