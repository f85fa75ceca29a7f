"""Who may do what in a shared store: PostgreSQL's own roles and grants, and nothing beside them.

*owner*: everything, creating and closing books among it. *analyst*: charging, reserving and
reading. *reader*: reading. An analyst's program plans the price of a release, so analysts are
trusted to use it; what they write by other means contradicts the chain or the sums, and a check
finds it.
"""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.dialects import postgresql

from tightrope._errors import InvalidArgument
from tightrope.ledger import texts
from tightrope.ledger.store.schema import VERSIONS, books, entries, sums
from tightrope.ledger.store.store import NO_BOOK, Store

RIGHTS = {
    "owner": ("ALL ON {all}",),
    "analyst": (
        "SELECT ON {all}",
        "INSERT ON {entries}",
        "INSERT, UPDATE ON {sums}",
        "UPDATE (seq, head) ON {books}",
    ),
    "reader": ("SELECT ON {all}",),
}
"""What each kind of user is granted."""


def script(role: str, right: str) -> tuple[str, ...]:
    """The statements that give a role exactly these rights.

    >>> script("ann", "reader")[-1]
    'GRANT SELECT ON tightrope_books, tightrope_sums, tightrope_entries, tightrope_version TO ann'
    """
    if right not in RIGHTS:
        raise InvalidArgument(f"grant: right must be one of {sorted(RIGHTS)}; you passed {right!r}")
    texts.name(role, "grant: role")
    named = {"books": books.name, "sums": sums.name, "entries": entries.name}
    everything = ", ".join([*named.values(), VERSIONS])
    quoted = postgresql.dialect().identifier_preparer.quote(role)  # type: ignore[no-untyped-call]
    grants = [what.format(all=everything, **named) for what in RIGHTS[right]]
    return (
        f"REVOKE ALL ON {everything} FROM {quoted}",
        *(f"GRANT {what} TO {quoted}" for what in grants),
    )


def grant(store: Store, role: str, right: str) -> None:
    """See ``Ledger.grant``."""
    statements = script(role, right)
    if store.url.get_backend_name() != "postgresql":
        raise InvalidArgument(
            "grant: an SQLite file has no roles; who may read or write it is a matter of the "
            "permissions of the file"
        )
    with store.writing(NO_BOOK) as connection:
        for statement in statements:
            connection.execute(text(statement.replace(":", "\\:")))
