"""An audit as a page for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from tightrope.auditing.findings import Audit, Finding

__all__ = ["page"]


def page(audit: Audit) -> Iterator[RenderableType]:
    """The page, piece by piece: the verdict first, then what was tried and what it could see."""
    from rich.text import Text

    style = "bold red" if audit.refuted else "bold"
    yield Text(f"{audit.claim} of {audit.subject}", style="bold")
    yield Text(audit.sentence, style=style)
    first, second = audit.neighbors
    yield Text(f"neighbours: {first} and {second}")
    yield Text("")
    yield _findings(audit)
    yield Text("")
    for finding in audit.findings:
        yield from _details(finding)
    yield Text("")
    yield Text(
        f"All bounds hold, and no true claim is refuted, with probability {audit.confidence:g}. "
        "Not refuted is no guarantee: it says that these attacks saw nothing in so many outputs."
    )
    if not audit.secure:
        yield Text("Drawn from a fixed seed: the same audit each time.")


def _findings(audit: Audit) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), show_edge=False)
    for title in ("test", "p-value", "claimed", "would have seen"):
        table.add_column(title, overflow="fold")
    for finding in audit.findings:
        verdict = "REFUTED " if finding.refuted else ""
        seen = f"{verdict}{finding.p_value:.2g}"
        table.add_row(finding.name, seen, finding.claimed, finding.detectable)
    return table


def _details(finding: Finding) -> Iterator[RenderableType]:
    from rich.text import Text

    assumed = f" Assumes that {finding.assumes}." if finding.assumes else ""
    yield Text(f"• {finding.name}: {finding.tried}; {finding.statistic}.{assumed}")
