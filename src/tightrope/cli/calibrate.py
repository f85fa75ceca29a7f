"""``tightrope calibrate``: the least noise, or the most steps, that meets a target."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tightrope._errors import InvalidArgument
from tightrope.cli.output import Json, progress, show, show_json
from tightrope.cli.subject import number_of, stated_about

if TYPE_CHECKING:
    from tightrope.events import Event

FREE = re.compile(r"\bx\b")
"""The free variable of a template."""


def calibrate(  # noqa: PLR0913  (one argument for every option)
    template: str,
    /,
    *,
    target: str,
    low: str | None = None,
    high: str | None = None,
    integer: Annotated[bool, Parameter(negative="", show_default=False)] = False,
    json_: Json = False,
) -> None:
    """Find the parameter x at which an event just meets a target, on the safe side.

    That is the smallest noise, or the largest sampling rate or number of steps.

    Parameters
    ----------
    template: str
        An event with x for the free parameter.
    target: str
        The guarantee to meet, such as approx:1,1e-6 or gdp:0.5.
    low: str
        The least x to try (1e-12; 1 with --integer).
    high: str
        The largest x to try (1e12; about 1e12 with --integer).
    integer: bool
        x is a whole number.
    """
    from tightrope import plan
    from tightrope.spec.convert import structured
    from tightrope.spec.query import same_kind

    family = _family(template)
    low, high = low or ("1" if integer else "1e-12"), high or "1e12"
    bounds = (float(number_of(low, "--low")), float(number_of(high, "--high")))
    wanted = stated_about(target, _some_event(family, bounds, integer), "--target")
    with progress() as step:
        step(f"calibrating x in {template}")
        x = plan.calibrate(family, wanted, bounds=bounds, integer=integer)
        event = family(x)
        achieved = same_kind(event, wanted)
    if json_:
        told = {"template": template, "target": repr(wanted), "x": x, "event": repr(event)}
        numbers = {"wanted": structured(wanted), "reached": structured(achieved)}
        show_json("calibrate", told | {"achieved": repr(achieved)} | numbers)
        return
    show(
        f"x = {x!r}",
        f"{event!r}",
        f"meets {target}: {achieved!r}",
        f"for neighbours: {event.neighbors}",
    )


def _some_event(
    family: Callable[[Any], Event], bounds: tuple[float, float], integer: bool
) -> Event:
    """An event of the family, which tells the relation that the target refers to."""
    try:
        return family(int(bounds[0]) if integer else bounds[0])
    except InvalidArgument:  # not every parameter is admissible at both ends
        return family(int(bounds[1]) if integer else bounds[1])


def _family(template: str) -> Callable[[Any], Event]:
    """The function from x to an event that a template stands for."""
    from tightrope._parse import parse

    if not FREE.search(template):
        raise InvalidArgument(
            f"calibrate: the event needs a free parameter named x, as in Gaussian(noise_scale=x); "
            f"you wrote {template!r}"
        )

    def family(x: Any) -> Event:
        event: Event = parse(FREE.sub(repr(x), template))
        return event

    return family
