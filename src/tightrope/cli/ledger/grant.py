"""``tightrope ledger grant``: rights of the roles of PostgreSQL."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from tightrope.cli.ledger.store import StoreName, opened
from tightrope.cli.output import Json, show_json

Right = Literal["owner", "analyst", "reader"]


def grant(
    role: str,
    right: Right,
    /,
    *,
    only_show: Annotated[bool, Parameter(name="--show", negative="", show_default=False)] = False,
    store: StoreName = None,
    json_: Json = False,
) -> None:
    """Grant a right to a role.

    Parameters
    ----------
    role: str
        A role of the database.
    right: str
        owner, analyst or reader.
    only_show: bool
        Print the SQL, and do nothing.
    """
    from tightrope._text import cleaned
    from tightrope.ledger.access import script

    statements = script(role, right)
    if not only_show:
        with opened(store) as found:
            found.grant(role, right)
    if json_:
        show_json("ledger grant", {"role": role, "right": right, "sql": statements})
        return
    print(cleaned("\n".join(f"{statement};" for statement in statements)))  # one line each
