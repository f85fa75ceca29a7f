"""Reading a specification: from a TOML text to what was run and what is asked about it."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Literal

from tightrope._check import NONNEGATIVE, OPEN_PROBABILITY, Real
from tightrope.events import Event
from tightrope.spec.document import LONGEST, Document, Place
from tightrope.spec.errors import SpecError
from tightrope.spec.nodes import read_root
from tightrope.spec.query import Query, read_query
from tightrope.spec.scope import SCOPE, Node, Scope

ANALYSES = ("release", "parallel", "jointly")
TOP = (
    "title",
    "about",
    *SCOPE,
    "let",
    *ANALYSES,
    "fixed_parts",
    "report",
    "estimates",
    "published",
)
ESTIMATES = ("continuous",)
METHODS = ("concentrated", "sum")
WHOLE = "whole"
REPORT = ("pure", "zcdp", "gdp", "approx delta=1e-6", "advantage", "tpr 0.01")
"""What is reported where nothing is asked."""

Estimates = tuple[Literal["continuous"], ...]


@dataclass(frozen=True)
class Published:
    """A number that somebody else has reported.

    Attributes:
        part: the label of the part that it is about, or ``whole``.
        epsilon: the reported epsilon, exactly.
        delta: the reported delta, exactly.
        epsilon_written: epsilon as it stands in the document.
        delta_written: delta as it stands in the document.
        method: how it was found (``concentrated`` or ``sum``), or nothing.
        source: where it stands.
        note: what to know about it.
    """

    part: str
    epsilon: Real
    delta: Real
    epsilon_written: str
    delta_written: str
    method: str
    source: str
    note: str


@dataclass(frozen=True)
class Spec:
    """A specification, read.

    Attributes:
        name: the document's name.
        title: its title.
        about: what it describes, in a few sentences.
        root: what was run.
        report: what is asked.
        estimates: the approximations that are asked for, never guarantees.
        published: what others have reported.
    """

    name: str
    title: str
    about: str
    root: Node
    report: tuple[Query, ...]
    estimates: Estimates = ()
    published: tuple[Published, ...] = ()

    @property
    def event(self) -> Event:
        """What was run, as one event."""
        return self.root.event


def load(path: Path) -> Spec:
    """Read the specification in a file.

    Raises:
        SpecError: the file is not a specification; the message names the line.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        data = file.read(LONGEST + 1)
    if len(data) > LONGEST:
        raise SpecError(str(path), None, "", f"a specification has at most {LONGEST:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SpecError(str(path), line, "", "the file is not a text in UTF-8") from None
    return loads(text, str(path))


def loads(text: str, name: str = "specification") -> Spec:
    """Read the specification in a text.

    Examples:
        >>> spec = loads('release = [{ mechanism = "gaussian", variance = "4/9", times = 2 }]')
        >>> spec.event
        Gaussian(variance=Fraction(4, 9)) ** 2
    """
    root = Document(name, text).root()
    root.table(TOP, "a specification")
    constants = _constants(root)
    scope = replace(Scope().inside(root), constants=constants)
    node = _analysis(root, scope)
    return Spec(
        name=name,
        title=_text(root, "title") or name,
        about=_text(root, "about"),
        root=node,
        report=_report(root, constants),
        estimates=_estimates(root),
        published=_published(root, constants, node),
    )


def _constants(root: Place) -> Mapping[str, Fraction]:
    given = root.get("let")
    if given is None:
        return {}
    if not isinstance(given.value, dict):
        raise given.error("must be a table of constants, as in [let]")
    found: dict[str, Fraction] = {}
    for name in given.value:
        place = given.child(name)
        if not (name.isascii() and name.isidentifier()) or keyword.iskeyword(name):
            raise place.error(
                f"{name!r} cannot be a constant's name; take letters, digits and underscores, "
                "and no word of Python"
            )
        found[name] = Fraction(place.number(found))
    return found


def _analysis(root: Place, scope: Scope) -> Node:
    given = [key for key in ANALYSES if key in root.value]
    if not given:
        raise root.error(f"nothing was run: give one of {', '.join(ANALYSES)}")
    if len(given) > 1:
        raise root.child(given[1]).error(
            f"a specification has one analysis; this one has {' and '.join(given)}"
        )
    if "fixed_parts" in root.value and given[0] != "parallel":
        raise root.child("fixed_parts").error("fixed_parts belongs to parallel parts")
    kept = {key: root.value[key] for key in (*given, "fixed_parts") if key in root.value}
    node = read_root(replace(root, value=kept), scope, given[0])
    _require_distinct_labels(root.child(given[0]), node)
    return node


def _require_distinct_labels(items: Place, node: Node) -> None:
    """Columns and published numbers refer to the parts at the top by their labels."""
    seen = {WHOLE}
    for number, part in enumerate(node.parts):
        if part.label in seen:
            place = items.child(number).child("label")
            raise place.error(f"the label {part.label!r} is taken; labels at the top are distinct")
        seen |= {part.label} - {""}


def _text(root: Place, key: str) -> str:
    place = root.get(key)
    return place.text("a text").strip() if place else ""


def _report(root: Place, constants: Mapping[str, Fraction]) -> tuple[Query, ...]:
    given = root.get("report")
    if given is None:
        return tuple(read_query(text, {}) for text in REPORT)
    found = []
    for item in given.items("questions"):
        with item.retold():
            found.append(read_query(item.text("a question such as 'zcdp'"), constants))
    return tuple(dict.fromkeys(found))


def _estimates(root: Place) -> Estimates:
    given = root.get("estimates")
    if given is None:
        return ()
    for item in given.items("estimates"):
        item.choice("estimate", ESTIMATES)
    return ("continuous",)


def _published(root: Place, constants: Mapping[str, Fraction], node: Node) -> tuple[Published, ...]:
    given = root.get("published")
    if given is None:
        return ()
    labels = (WHOLE, *(part.label for part in node.parts if part.label))
    return tuple(_entry(item, constants, labels) for item in given.items("published numbers"))


def _entry(place: Place, constants: Mapping[str, Fraction], labels: tuple[str, ...]) -> Published:
    keys = ("part", "epsilon", "delta", "method", "source", "note")
    place.table(keys, "a published number")
    for key in ("epsilon", "delta"):
        if key not in place.value:
            raise place.error(f"a published number needs epsilon and delta; {key} is missing")
    epsilon, delta = place.child("epsilon"), place.child("delta")
    part, method = place.get("part"), place.get("method")
    return Published(
        part=part.choice("part", labels) if part else WHOLE,
        epsilon=epsilon.number(constants, NONNEGATIVE),
        delta=delta.number(constants, OPEN_PROBABILITY),
        epsilon_written=epsilon.written(),
        delta_written=delta.written(),
        method=method.choice("method", METHODS) if method else "",
        source=_text(place, "source"),
        note=_text(place, "note"),
    )
