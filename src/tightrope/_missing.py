"""What is said of a name that ``tightrope`` does not have."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

__all__ = ["COMMANDS", "unknown"]

COMMANDS = {
    "account": "run.meaning(), tr.report(run)",
    "compare": "tr.plots.tradeoff_curves([a, b])",
    "convert": "run.to(tr.GDP)",
    "explain": "run.why(), run.meaning()",
    "figures": "tr.plots.save_paper_figures(folder)",
    "graph": "tr.plots.conversion_graph()",
    "verify": "tr.certificate(run), which the command checks",
}
"""Commands that are no functions, with what one writes in Python."""


def unknown(name: str, known: Collection[str]) -> str:
    """The sentence for a name that is not there: a command, a similar name, or where all are."""
    missing = f"module 'tightrope' has no attribute {name!r}"
    if name in COMMANDS:
        return f"{missing}: it is the command `tightrope {name}`; in Python, {COMMANDS[name]}"
    folded = {other.lower(): other for other in known}
    close = [folded[key] for key in get_close_matches(name.lower(), folded, n=3, cutoff=0.6)]
    if close:
        return f"{missing}; did you mean {' or '.join(map(repr, close))}?"
    return f"{missing}; dir(tightrope) lists what there is"
