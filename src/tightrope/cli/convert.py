"""``tightrope convert``: a guarantee, or what was run, in another notion of privacy."""

from __future__ import annotations

from tightrope.cli.output import Json, heading, progress, show, show_json
from tightrope.cli.subject import event_of, query_of


def convert(
    event: str,
    /,
    *,
    to: str,
    delta: str | None = None,
    epsilon: str | None = None,
    json_: Json = False,
) -> None:
    """Convert a guarantee, or what was run, to another notion of privacy.

    Parameters
    ----------
    event: str
        A guarantee or an event as text, or a specification.
    to: str
        gdp, zcdp, pure, br, logistic, tcdp, approx, advantage, "tpr 0.01",
        "tradeoff 0.05" or "rdp order=8".
    delta: str
        With --to approx: the delta of the epsilon.
    epsilon: str
        With --to approx: the epsilon of the delta.
    """
    from tightrope.spec.convert import converted

    with progress() as step:
        found = converted(event_of(event), query_of(to, delta, epsilon), step)
    if json_:
        show_json("convert", {"asked": to, "converted": found})
        return
    from rich.text import Text

    show(
        Text(found.shown, style="bold"),
        *([Text(f"by {found.reason}")] if found.reason else []),
        Text(f"for neighbours: {found.neighbors}"),
        heading("What that means"),
        *(Text(sentence) for sentence in found.meaning),
    )
