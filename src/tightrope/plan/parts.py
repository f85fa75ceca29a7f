"""Disjoint parts, of which the neighbours fix one: whatever is asked, the worst part answers.

What is published about a unit is published about its part, and about nothing else. So the profile
of the whole is the pointwise largest of the parts' profiles, its trade-off curve the pointwise
least, and every parameter the greatest; each part answers by its own best route.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np

from tightrope.events import Event, Parallel, PostProcessed
from tightrope.plan.exact.covers import touches_one_part

F = TypeVar("F", bound=Callable[..., Any])


def fixed_parts(event: Event) -> tuple[Event, ...]:
    """The distinct parts, if a unit that changes touches one of them only; else nothing."""
    if isinstance(event, PostProcessed):
        return fixed_parts(event.event)
    if isinstance(event, Parallel) and touches_one_part(event):
        return tuple(dict.fromkeys(event.parts))
    return ()


def by_parts(worst: Callable[[list[Any]], Any]) -> Callable[[F], F]:
    """An answer about an event that is the worst of the parts' answers, where there are such.

    Args:
        worst: from the parts' answers to that of the whole.
    """

    def decorated(answer: F) -> F:
        @wraps(answer)
        def asked(event: Event, *arguments: Any, **named: Any) -> Any:
            parts = fixed_parts(event)
            if not parts:
                return answer(event, *arguments, **named)
            return worst([asked(part, *arguments, **named) for part in parts])

        return cast(F, asked)

    return decorated


def largest(answers: list[Any]) -> Any:
    """The pointwise largest, of numbers or of pairs of them."""
    return _pointwise(np.maximum, answers)


def smallest(answers: list[Any]) -> Any:
    """The pointwise least, of numbers or of pairs of them."""
    return _pointwise(np.minimum, answers)


def _pointwise(choose: np.ufunc, answers: list[Any]) -> Any:
    if isinstance(answers[0], tuple):
        return tuple(_pointwise(choose, list(ends)) for ends in zip(*answers, strict=True))
    found = choose.reduce(answers, axis=0)
    return float(found) if np.ndim(found) == 0 else found
