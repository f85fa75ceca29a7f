"""``tightrope account``: all that can be proved about an analysis, on one page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from tightrope._errors import InvalidArgument
from tightrope.cli.output import Json, progress, show, show_json
from tightrope.cli.subject import asked_about

if TYPE_CHECKING:
    from tightrope.spec.reader import Spec


def account(  # noqa: PLR0913  (the options of the command)
    analysis: str | None = None,
    /,
    *,
    delta: str | None = None,
    certificate: str | None = None,
    registry: str | None = None,
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
    certificate: str
        A file for a certificate, which ``tightrope verify`` checks.
    registry: str
        A file for an entry of the registry of deployments.
    schema: bool
        Print only the JSON schema of specifications.
    """
    if schema:
        _show_schema()
        return
    if analysis is None:
        raise InvalidArgument("account needs a SPEC.toml or an event such as 'zcdp:0.5'")
    from tightrope.spec.account import account as accounted

    with progress() as step:
        spec = asked_about(analysis, delta)
        found = accounted(spec, step)
        if certificate is not None or registry is not None:
            step("the certificate")
            _certify(spec, certificate, registry)
    if json_:
        show_json("account", {"account": found})
        return
    from tightrope.cli.page import page

    show(*page(found))
    if certificate is not None:
        print(f"the certificate is in {certificate}")
    if registry is not None:
        print(f"the entry of the registry is in {registry}")


def _certify(spec: Spec, certificate: str | None, registry: str | None) -> None:
    from tightrope.certifying import certificate_of

    made = certificate_of(spec)
    if certificate is not None:
        made.write(certificate)
    if registry is not None:
        text = json.dumps(made.registry_entry(), indent=2, ensure_ascii=False)
        Path(registry).write_text(text + "\n", encoding="utf-8")


def _show_schema() -> None:
    from tightrope.spec.schema import schema

    print(json.dumps(schema(), indent=2, ensure_ascii=False))
