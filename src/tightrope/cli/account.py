"""``tightrope account``: all that can be proved about an analysis, on one page."""

from __future__ import annotations

import json
from typing import Annotated

from cyclopts import Parameter

from tightrope._errors import InvalidArgument
from tightrope.cli.output import Json, progress, show, show_json
from tightrope.cli.subject import delta_of, event_of, names_file, spec_of

DELTA = "1e-6"


def account(
    analysis: str | None = None,
    /,
    *,
    delta: str | None = None,
    json_: Json = False,
    schema: Annotated[bool, Parameter(name="--schema", negative="", show_default=False)] = False,
) -> None:
    """Report all that can be proved about an analysis, in every notion, and what it means.

    Parameters
    ----------
    analysis: str
        A specification (TOML, see docs/spec.md), or an event.
    delta: str
        For an event: the delta of the epsilon (1e-6).
    schema: bool
        Print the JSON schema of specifications, and nothing else.
    """
    if schema:
        _show_schema()
        return
    if analysis is None:
        raise InvalidArgument("account needs a SPEC.toml or an event such as 'zcdp:0.5'")
    from tightrope.spec.account import account as accounted
    from tightrope.spec.account import account_of

    with progress() as step:
        if names_file(analysis):
            if delta is not None:
                raise InvalidArgument("--delta is for events; in a file, say what to report there")
            found = accounted(spec_of(analysis), step)
        else:
            at = DELTA if delta is None else delta
            delta_of(at)
            found = account_of(event_of(analysis), analysis, at, step)
    if json_:
        show_json("account", {"account": found})
        return
    from tightrope.cli.page import page

    show(*page(found))


def _show_schema() -> None:
    from tightrope.spec.schema import schema

    print(json.dumps(schema(), indent=2, ensure_ascii=False))
