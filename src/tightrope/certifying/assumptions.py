"""What a certificate supposes and cannot check: how the noise was drawn, and what was declared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

ALWAYS = {
    "fixed_in_advance": "what is run, and with which parameters, was fixed before the first result "
    "was seen, except where a theorem of a step allows adaptive choice",
    "fresh_noise": "every run draws noise of its own, independent of the data and of other runs",
}
"""What every certificate supposes."""

OF_NODES = {
    "Sampled": (
        "poisson_sampling",
        "every unit enters a sample independently with the stated rate, and nobody learns who did",
    ),
    "TruncatedSample": (
        "truncated_sampling",
        "samples are drawn independently unit by unit, cut down uniformly, and kept secret",
    ),
    "WithoutReplacement": (
        "uniform_batches",
        "batches are drawn uniformly without replacement, and kept secret",
    ),
    "WithReplacement": (
        "uniform_draws",
        "batches are drawn uniformly with replacement, and kept secret",
    ),
    "Shuffled": ("shuffling", "reports are put in a uniformly random order that nobody learns"),
    "Repeated": (
        "random_repetitions",
        "the number of runs has the stated law, is independent of the data, and is kept secret",
    ),
    "Parallel": ("disjoint_parts", "every unit lies in one part only, whatever else the data is"),
    "Joint": ("separate_units", "every part reads the units of its own relation only"),
    "PostProcessed": ("results_only", "what is published is computed from the results alone"),
}
"""What a node supposes, by its kind."""

GIVEN = ("given_guarantees", "the guarantees that were given hold for what was run")
EXACT_LAW = (
    "exact_noise",
    "noise has exactly the stated law, from entropy that nobody can predict; real-valued noise in "
    "floating point has not",
)
SENSITIVITY = (
    "bounded_sensitivity",
    "between neighbours no query and no score changes by more than its mechanism states, bounds "
    "having been declared without looking at the data",
)
FIXED_PARTS = ("fixed_parts", "replacing a unit never changes the part in which it lies")
INVARIANTS = (
    "invariants",
    "neighbours agree on the facts that were published exactly; nothing is promised about those",
)

GUARANTEES = frozenset(
    ("PureDP", "ApproxDP", "ZCDP", "TCDP", "GDP", "RDP", "BoundedRange", "LogisticDP")
)
CURVES = frozenset(("TradeOff", "Profile"))


def assumptions(nodes: Iterable[Any], relations: Iterable[Any]) -> list[dict[str, str]]:
    """The assumptions of a certificate, each once, in alphabetical order of their names."""
    every = dict(ALWAYS) | dict(_of_all(nodes))
    if any(relation["invariants"] for relation in relations):
        every |= dict([INVARIANTS])
    return [{"id": name, "text": every[name]} for name in sorted(every)]


def _of_all(nodes: Iterable[Any]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        kind = node["kind"]
        if kind in OF_NODES:
            yield OF_NODES[kind]
        if kind in GUARANTEES | CURVES:
            yield GIVEN
        elif "parts" not in node:
            yield EXACT_LAW
            yield SENSITIVITY
        if kind == "Parallel" and node["parameters"]["fixed_parts"]:
            yield FIXED_PARTS
