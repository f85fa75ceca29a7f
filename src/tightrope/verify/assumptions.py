"""Which assumptions a certificate must state, by what is in its event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tightrope.verify.event import Events, Node
from tightrope.verify.outcome import Refuted, Unreadable
from tightrope.verify.step import NOTIONS

WORDS: dict[str, str] = {
    "bounded_sensitivity": "between neighbours no query and no score changes by more than its "
    "mechanism states, bounds having been declared without looking at the data",
    "disjoint_parts": "every unit lies in one part only, whatever else the data is",
    "exact_noise": "noise has exactly the stated law, from entropy that nobody can predict; "
    "real-valued noise in floating point has not",
    "fixed_in_advance": "what is run, and with which parameters, was fixed before the first result "
    "was seen, except where a theorem of a step allows adaptive choice",
    "fixed_parts": "replacing a unit never changes the part in which it lies",
    "fresh_noise": "every run draws noise of its own, independent of the data and of other runs",
    "given_guarantees": "the guarantees that were given hold for what was run",
    "invariants": "neighbours agree on the facts that were published exactly; nothing is promised "
    "about those",
    "poisson_sampling": "every unit enters a sample independently with the stated rate, and nobody "
    "learns who did",
    "random_repetitions": "the number of runs has the stated law, is independent of the data, and "
    "is kept secret",
    "results_only": "what is published is computed from the results alone",
    "separate_units": "every part reads the units of its own relation only",
    "shuffling": "reports are put in a uniformly random order that nobody learns",
    "truncated_sampling": "samples are drawn independently unit by unit, cut down uniformly, and "
    "kept secret",
    "uniform_batches": "batches are drawn uniformly without replacement, and kept secret",
    "uniform_draws": "batches are drawn uniformly with replacement, and kept secret",
}
"""The sentence of every assumption, by its id."""

CONNECTORS: dict[str, str] = {
    "Composed": "fresh_noise",
    "Grouped": "fresh_noise",
    "Restated": "fresh_noise",
    "Joint": "separate_units",
    "Parallel": "disjoint_parts",
    "PostProcessed": "results_only",
    "Repeated": "random_repetitions",
    "Sampled": "poisson_sampling",
    "Shuffled": "shuffling",
    "TruncatedSample": "truncated_sampling",
    "WithReplacement": "uniform_draws",
    "WithoutReplacement": "uniform_batches",
}
"""Nodes around others, with what each supposes."""

GUARANTEES = frozenset((*NOTIONS, "RDP", "Profile"))


def needed(nodes: Iterable[Node]) -> set[str]:
    """The ids of the assumptions that these nodes need."""
    found = {"fixed_in_advance", "fresh_noise"}
    for node in nodes:
        found |= _of_node(node)
    return found


def _of_node(node: Node) -> set[str]:
    found = {"invariants"} if node.relation.invariants else set()
    if node.kind in CONNECTORS:
        found.add(CONNECTORS[node.kind])
        if node.kind == "Parallel" and node.parameters.get("fixed_parts") is True:
            found.add("fixed_parts")
    elif node.kind in GUARANTEES:
        found.add("given_guarantees")
    else:
        found |= {"exact_noise", "bounded_sensitivity"}
    return found


def require_assumptions(records: list[Any], events: Events) -> None:
    """The certificate states what its event needs, in these words, and nothing else."""
    stated: dict[str, str] = {}
    for record in records:
        if not isinstance(record, dict) or set(record) != {"id", "text"}:
            raise Unreadable("an assumption has an id and a text")
        stated[str(record["id"])] = record["text"]
    wanted = {name: WORDS[name] for name in needed(events.nodes.values())}
    for name in wanted:
        if name not in stated:
            raise Refuted(f"the assumption {name!r} is missing")
    if stated != wanted or len(records) != len(wanted):
        raise Refuted("an assumption is not one that the event needs, or is put in other words")
