"""``tightrope explain``: why a number holds, or what a name stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tightrope.cli.output import Json, progress, show, show_json
from tightrope.cli.problems import in_options
from tightrope.cli.subject import event_of, query_of

if TYPE_CHECKING:
    from rich.tree import Tree

LONGEST = 600
"""Characters of a claim that are shown in a terminal."""


def explain(
    subject: str,
    /,
    *,
    to: str | None = None,
    delta: str | None = None,
    epsilon: str | None = None,
    json_: Json = False,
) -> None:
    """Explain a guarantee, or what was run; or show what a name stands for.

    Parameters
    ----------
    subject: str
        An event as text, a specification, or the name of a notion (zcdp), a mechanism (gaussian),
        a theorem (zcdp_to_gdp) or a false claim (subsampled-zcdp).
    to: str
        The notion to derive; without it, all, and the meaning.
    delta: str
        With --to approx: the delta of the epsilon.
    epsilon: str
        With --to approx: the epsilon of the delta.
    """
    from tightrope.spec.glossary import entry

    known = entry(subject) if to is None else None
    if known is not None:
        _show_entry(known, json_)
        return
    from tightrope import plan
    from tightrope.cli.told import page, record, told_of
    from tightrope.spec.query import derivation

    with progress() as step:
        step(f"deriving {to or 'every notion'}")
        event = event_of(subject)
        words = told_of(event) if to is None else None
        found = plan.why(event) if to is None else derivation(event, query_of(to, delta, epsilon))
    told = found.to_dict()
    if json_:
        show_json("explain", {"derivation": told} | (record(words) if words else {}))
        return
    trees = (piece for step in told["steps"] for piece in (_tree(step), ""))
    notes = [f"{in_options(remark)}." for remark in told["remarks"]]
    show(*(page(words) if words else ()), *trees, f"for neighbours: {told['neighbors']}", *notes)


def _show_entry(known: Any, json_: bool) -> None:
    if json_:
        show_json("explain", {"entry": known})
        return
    from rich.text import Text

    show(
        Text(known.title, style="bold"),
        *(Text(f"{key}: {text}") for key, text in known.told.items()),
    )


def _gist(claim: str) -> str:
    """A claim that fits on half a screen; an event of many parts may be pages long."""
    if len(claim) <= LONGEST:
        return claim
    return f"{claim[:LONGEST]} ... and {len(claim) - LONGEST:,} more characters (--json has all)"


def _tree(step: dict[str, Any], tree: Tree | None = None) -> Tree:
    from rich.text import Text
    from rich.tree import Tree

    from tightrope.plan.derivation import MOST_INPUTS

    times = f"{step['times']} × " if step.get("times", 1) > 1 else ""
    by = "by " if "theorem" in step else ""
    label = Text.assemble(
        (f"{times}{_gist(step['claim'])}", "bold"), "\n", (f"{by}{step['reason']}", "dim")
    )
    branch = Tree(label) if tree is None else tree.add(label)
    inputs = step.get("inputs", [])
    for inner in inputs[:MOST_INPUTS]:
        _tree(inner, branch)
    if len(inputs) > MOST_INPUTS:
        branch.add(f"... and {len(inputs) - MOST_INPUTS:,} more of the kind")
    return branch
