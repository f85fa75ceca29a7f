"""``tightrope audit``: try to break a claim about a mechanism, or about anybody's program."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tightrope._errors import InvalidArgument
from tightrope.cli.output import Json, progress, show, show_json
from tightrope.cli.subject import event_of, number_of

if TYPE_CHECKING:
    from tightrope.auditing.findings import Audit
    from tightrope.events import Event

PROGRAM = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
"""A module and a function in it."""


def audit(  # noqa: PLR0913  (one argument for every option)
    mechanism: str,
    /,
    *,
    claim: str | None = None,
    neighbors: str | None = None,
    law: str | None = None,
    trials: str | None = None,
    confidence: str | None = None,
    seed: int | None = None,
    json_: Json = False,
) -> int:
    """Try to refute a claim about a mechanism, or about a program, by its outputs.

    Exit code 0 if the claim is not refuted, 1 if it is.

    Parameters
    ----------
    mechanism: str
        A mechanism as text, or a program here as module:function.
    claim: str
        What is claimed, such as pure:1 (that of the mechanism).
    neighbors: str
        Two inputs, such as "0.0, 1.0" or "[1, 0], [0, 1]".
    law: str
        The mechanism whose noise a program is said to add.
    trials: str
        Outputs of each input (100,000).
    confidence: str
        The chance of no false alarm, at least (0.999).
    seed: int
        Repeat the audit: draw the noise from this seed.
    """
    from tightrope import auditing

    given: dict[str, Any] = {"law": None if law is None else event_of(law)}
    for name, text in (("trials", trials), ("confidence", confidence)):
        if text is not None:
            given[name] = number_of(text, f"--{name}")
    if seed is not None:
        from tightrope.noise import InsecureEntropy

        given["entropy"] = InsecureEntropy(seed)
    subject: Any = _program(mechanism) if PROGRAM.fullmatch(mechanism) else event_of(mechanism)
    claimed = None if claim is None else event_of(claim)
    with progress() as step:
        found = auditing.audit(subject, claimed, _pair(neighbors), step=step, **given)
    if json_:
        show_json("audit", record(found, claimed))
    else:
        from tightrope.auditing.page import page

        show(*page(found))
    return found.exit_code


def record(found: Audit, claimed: Event | None) -> dict[str, Any]:
    """The audit, in the shape of what ``check`` tells; a claim that is no guarantee is a text."""
    from tightrope.notions import Guarantee
    from tightrope.spec.convert import structured

    told = found.to_dict()
    about = {"subject": told.pop("subject"), "inputs": told.pop("inputs")}
    claim = structured(claimed) if isinstance(claimed, Guarantee) else {}
    return about | {"exit_code": found.exit_code, "verdicts": [claim | told]}


def _pair(text: str | None) -> Any:
    """The two inputs that ``--neighbors`` spells, as literals of Python."""
    if text is None:
        return None
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise InvalidArgument(
            f"--neighbors must be two inputs such as '0.0, 1.0' or '[1, 0], [0, 1]'; it is {text!r}"
        ) from None


def _program(text: str) -> Any:
    """The function of that name; the current directory is searched first."""
    module, _, path = text.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module)
        for name in path.split("."):
            found = getattr(found, name)
    except (Exception, SystemExit) as error:  # a program that ends is no verdict
        raise InvalidArgument(f"cannot load {text}: {type(error).__name__}: {error}") from error
    return found
