"""What a guarantee means to a person: two plain sentences about the best attacker."""

from __future__ import annotations

from tightrope import _wire
from tightrope.events import Event
from tightrope.plan import answers

FALSE_POSITIVES = 0.01
"""False positive rate at which the attacker's power is told."""

NEARLY_ALL = 0.999
"""Above it a share of three digits would read 100 %."""


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
    change = " and ".join(change.passively("was") for change in event.neighbors.changes)
    largest, power = answers.advantage(event), float(answers.tpr(event, FALSE_POSITIVES))
    return f"{_on_advantage(largest, change)}\n{_on_power(power)}"


def _on_advantage(largest: float, change: str) -> str:
    if largest > NEARLY_ALL:
        return (
            f"Somebody who sees the results may tell whether {change} almost without fail: the "
            f"largest advantage over guessing is {percent(largest)} (true minus false positive "
            "rate)."
        )
    return (
        f"Nobody who sees the results can tell whether {change} with an advantage over guessing "
        f"of more than {percent(largest)} (true minus false positive rate)."
    )


def _on_power(power: float) -> str:
    detects = "may detect" if power > NEARLY_ALL else "detects at most"
    return (
        "An attacker who raises a false alarm in 1 % of the cases where nothing changed "
        f"{detects} {percent(power)} of the cases where it did."
    )


def percent(share: float) -> str:
    """A share as a percentage of three digits, rounded up.

    Examples:
        >>> percent(0.38292492), percent(0.9991), percent(1.0)
        ('38.3 %', 'more than 99.9 %', '100 %')
    """
    if share > NEARLY_ALL:
        return "100 %" if share >= 1 else "more than 99.9 %"
    return f"{_wire.shown(100 * share, 3)} %"


def percent_at_most(share: float) -> str:
    """The same after "at most": a share close to the whole is rounded up to it.

    Examples:
        >>> percent_at_most(0.38292492), percent_at_most(0.9991)
        ('38.3 %', '100 %')
    """
    return "100 %" if share > NEARLY_ALL else percent(share)
