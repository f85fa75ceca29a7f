"""``tightrope compare``: two guarantees or events side by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tightrope.cli.output import Json, heading, progress, show, show_json
from tightrope.cli.subject import delta_of, event_of, names_file, stated_about

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tightrope.events import Event
    from tightrope.reporting.versus import Versus


def compare(first: str, second: str, /, *, delta: str = "1e-6", json_: Json = False) -> None:
    """Compare two guarantees, or what was run twice: which protects better, and where.

    Parameters
    ----------
    first: str
        A: an event or a guarantee as text, or a specification's file.
    second: str
        B: the same; a guarantee in short form is about the same neighbours as A.
    delta: str
        The delta at which epsilon is compared.
    """
    from tightrope.reporting.versus import versus

    delta_of(delta)
    a = event_of(first)
    with progress() as step:
        found = versus(a, _second(second, a), delta, step)
    if json_:
        show_json("compare", {"compared": found})
        return
    show(*_page(found))


def _second(text: str, first: Event) -> Event:
    short = ":" in text and "(" not in text and not names_file(text)
    return stated_about(text, first, "B") if short else event_of(text)


def _page(found: Versus) -> Iterator[RenderableType]:
    from rich.text import Text

    from tightrope._wire import clipped
    from tightrope.cli.pieces import table
    from tightrope.cli.plot import plot, shows_only_ascii
    from tightrope.reporting.record import Axis

    yield Text(found.verdict, style="bold")
    for letter, event in (("A", found.first), ("B", found.second)):
        yield Text(f"{letter}: {clipped(event, 200)}")
    yield Text(f"for neighbours: {found.neighbors}")
    yield heading("The numbers")
    numbers = table("", "A", "B", "smaller")
    for line in found.lines:
        numbers.add_row(line.query.title, line.first.shown, line.second.shown, line.better)
    yield numbers
    yield heading("Trade-off curves: the higher, the more private")
    curves = {
        "A": [(rate, a) for rate, a, _ in found.curves],
        "B": [(rate, b) for rate, _, b in found.curves],
    }
    axes = Axis("type I error", 0.0, 1.0), Axis("type II error", 0.0, 1.0)
    yield from map(Text, plot(*axes, curves, plain=shows_only_ascii()))
