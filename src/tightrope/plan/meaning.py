"""What a guarantee means to a person: two plain sentences about the best attacker."""

from __future__ import annotations

from tightrope import _wire
from tightrope.events import Event
from tightrope.plan import answers

FALSE_POSITIVES = 0.01
"""False positive rate at which the attacker's power is told."""


def meaning(event: Event) -> str:
    """Two sentences: the largest advantage, and the best power at 1 % false positives.

    Examples:
        >>> import tightrope as tr
        >>> print(tr.GDP(1.0).meaning())
        Nobody who sees the results can tell whether one unit was added or removed with an \
advantage over guessing of more than 38.3 % (true minus false positive rate).
        An attacker who raises a false alarm in 1 % of the cases where nothing changed detects at \
most 9.24 % of the cases where it did.
    """
    change = " and ".join(_changed(c.kind, c.unit) for c in event.neighbors.changes)
    largest = percent(answers.advantage(event))
    power = percent(float(answers.tpr(event, FALSE_POSITIVES)))
    return (
        f"Nobody who sees the results can tell whether {change} with an advantage over guessing "
        f"of more than {largest} (true minus false positive rate).\n"
        "An attacker who raises a false alarm in 1 % of the cases where nothing changed detects "
        f"at most {power} of the cases where it did."
    )


def percent(share: float) -> str:
    """A share as a percentage of three digits, rounded up."""
    return f"{_wire.shown(100 * share, 3)} %"


def _changed(kind: str, unit: str) -> str:
    return f"one {unit} was {'replaced' if kind == 'replace_one' else 'added or removed'}"
