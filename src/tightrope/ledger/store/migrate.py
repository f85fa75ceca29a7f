"""Bring a store to the program's schema, or refuse one that is newer than the program."""

from __future__ import annotations

from sqlalchemy import Connection, inspect, text

from tightrope.ledger.errors import StoreTooNew
from tightrope.ledger.store.schema import REVISIONS, VERSIONS


def revision(connection: Connection) -> str | None:
    """The store's revision; None if there is no ledger in it yet."""
    if not inspect(connection).has_table(VERSIONS):
        return None
    found = connection.execute(text(f"SELECT version_num FROM {VERSIONS}")).scalar()
    return None if found is None else str(found)


def is_current(connection: Connection) -> bool:
    """Whether nothing needs to be migrated.

    Raises:
        StoreTooNew: a newer program has migrated the store.
    """
    found = revision(connection)
    if found is not None and found not in REVISIONS:
        raise StoreTooNew(
            f"the store has the schema {found!r}, which this version of tightrope does not know "
            f"(its newest is {REVISIONS[-1]!r}); update tightrope. Nothing was written"
        )
    return found == REVISIONS[-1]


def migrate(connection: Connection) -> None:
    """Run the migrations that are missing, in the transaction of the connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "tightrope.ledger.store:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
