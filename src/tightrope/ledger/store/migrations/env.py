"""Alembic's entry: migrate by the connection that the store has opened."""

from alembic import context

from tightrope.ledger.store.schema import VERSIONS, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSIONS,
)
context.run_migrations()
