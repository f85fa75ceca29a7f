"""What a command is about: an event or a guarantee as text, or a specification's file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tightrope._check import OPEN_PROBABILITY, validated
from tightrope._errors import InvalidArgument

if TYPE_CHECKING:
    from tightrope._check import Real
    from tightrope.events import Event
    from tightrope.notions import Guarantee
    from tightrope.spec.query import Query
    from tightrope.spec.reader import Spec

PATH = re.compile(r"[^()*:+=,]*\.[A-Za-z]{2,6}|[^()*:+=,]*[/\\][^()*:+=,]*")
"""What reads as the name of a file, and as no event."""

DELTA = "1e-6"
"""Where epsilon is told if nobody says."""

INLINE = "command line"
"""The name of a document that stands on the command line."""


def names_file(text: str) -> bool:
    """Whether ``text`` is meant as a file: it reads like one, or there is one."""
    if text.endswith(".toml") or PATH.fullmatch(text):
        return True
    try:
        return bool(text) and Path(text).exists()
    except (OSError, ValueError):  # too long, or no path at all
        return False


def spec_of(text: str) -> Spec:
    """The specification in the file of that name."""
    from tightrope.spec.reader import load

    return load(Path(text))


def event_of(text: str) -> Event:
    """The event that ``text`` spells, or that the file of that name describes."""
    if names_file(text):
        return spec_of(text).event
    from tightrope._parse import parse

    event: Event = parse(text)
    return event


def asked_about(text: str, delta: str | None) -> Spec:
    """The specification in a file, or the usual questions about an event, at its ``--delta``."""
    from tightrope.spec.account import spec_about

    if not names_file(text):
        at = DELTA if delta is None else delta
        delta_of(at)
        return spec_about(event_of(text), text, at)
    if delta is not None:
        raise InvalidArgument("--delta is for events; in a file, say what to report there")
    return spec_of(text)


def number_of(text: str, option: str) -> Real:
    """The exact number that an option was given."""
    from tightrope.spec.arithmetic import evaluate, shortest

    try:
        return shortest(evaluate(text, {}))
    except InvalidArgument:
        raise InvalidArgument(
            f"{option} must be a number such as 0.5, 1e-6 or 1/3; you wrote {text!r}"
        ) from None


def delta_of(text: str) -> Real:
    """A delta strictly between 0 and 1 that the option --delta was given."""
    number = number_of(text, "--delta")
    if number == 0:
        raise InvalidArgument(
            "--delta must be above 0: at delta = 0, (epsilon, delta)-DP is pure DP, for which ask "
            "by --to pure"
        )
    return validated(number, OPEN_PROBABILITY, "--delta")


def stated_about(text: str, event: Event, option: str) -> Guarantee:
    """A guarantee in short form, about the same neighbours as ``event``."""
    from tightrope._parse import parse
    from tightrope.notions import Guarantee
    from tightrope.spec.document import Document, Place
    from tightrope.spec.errors import SpecError
    from tightrope.spec.leaves import stated
    from tightrope.spec.scope import Scope

    if "(" in text:
        claim = parse(text)
    else:
        try:
            claim = stated(Place(Document(INLINE, ""), (), text), Scope(event.neighbors))
        except SpecError as error:
            raise InvalidArgument(f"{option} {text}: {error.problem}") from None
    if not isinstance(claim, Guarantee):
        raise InvalidArgument(f"{option} must be a guarantee such as approx:3,1e-5; it is {text!r}")
    return claim


def query_of(to: str, delta: str | None, epsilon: str | None) -> Query:
    """The question behind ``--to``, ``--delta`` and ``--epsilon``."""
    from tightrope.spec.query import known, read_query
    from tightrope.spec.vocabulary import notions

    classes = {named.owner.__name__.lower(): name for name, named in notions().items()}
    head, _, rest = to.strip().partition(" ")
    name = head.lower() if head.lower() in known() else classes.get(head.lower(), head.lower())
    points = {
        key: text for key, text in (("delta", delta), ("epsilon", epsilon)) if text is not None
    }
    if name != "approx" and points:
        raise InvalidArgument(f"--{next(iter(points))} belongs to --to approx, not to --to {to}")
    if name == "approx" and len(points) + bool(rest) != 1:
        raise InvalidArgument("--to approx needs --delta or --epsilon, one of the two")
    asked = f"{name} {rest}".strip() if rest else name
    for key, text in points.items():
        if key == "delta":
            delta_of(text)
        else:
            number_of(text, f"--{key}")
        asked = f"{name} {key}={text}"
    return read_query(asked, {})
