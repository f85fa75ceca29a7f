"""The graph of conversions as a drawing in SVG, made from the registry."""

from __future__ import annotations

import math
from collections import Counter
from html import escape

from registry_tables import NOTIONS, PAGES

from tightrope.theorems.arrows import MEANINGS, WRITTEN, Arrow, arrows, conditions

SIZE, RING, WIDTH, HEIGHT = 660, 250, 148, 42
LINES = {
    "lossless": "blue and thick",
    "sharp": "grey",
    "loose": "orange and dashed",
    "conditional": "grey and dotted",
}


def drawing() -> str:
    """An arrow for every pair of notions with a direct theorem, as inline SVG."""
    return "\n".join(
        [
            "```{raw} html",
            f'<svg class="conversion-graph" viewBox="0 0 {SIZE} {SIZE}" role="img"'
            ' aria-label="Conversions between notions; the table below says the same">',
            '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9"'
            ' markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">'
            '<path class="head" d="M0 0 L8 4 L0 8 z"/></marker></defs>',
            *map(line, arrows()),
            *(box(name) for name in NOTIONS),
            "</svg>",
            "```",
            "",
            *legend(),
        ]
    )


def legend() -> list[str]:
    """What the lines mean, and how many there are of each kind."""
    found = Counter(arrow.kind for arrow in arrows())
    return [
        *(f"* *{k}*, {LINES[k]}: {MEANINGS[k]} ({found[k]} arrows)" for k in MEANINGS if found[k]),
        *(f"  * {condition}" for condition in conditions()),
    ]


def place(name: str) -> tuple[float, float]:
    """The centre of a notion's box on the ring; the strongest notion is at the top."""
    turn = 2 * math.pi * NOTIONS.index(name) / len(NOTIONS)
    return SIZE / 2 + RING * math.sin(turn), SIZE / 2 - RING * 1.22 * math.cos(turn)


def box(name: str) -> str:
    """A notion, linked to its page."""
    x, y = place(name)
    return (
        f'<a href="{PAGES[name]}.html"><rect x="{x - WIDTH / 2:.0f}" y="{y - HEIGHT / 2:.0f}"'
        f' width="{WIDTH}" height="{HEIGHT}" rx="9"/>'
        f'<text x="{x:.0f}" y="{y + 7:.0f}">{WRITTEN.get(name, name)}</text></a>'
    )


def line(arrow: Arrow) -> str:
    """An arrow bent to its right, so that there and back are two lines."""
    source, target, theorem = arrow
    (x0, y0), (x1, y1) = place(source), place(target)
    length = math.hypot(x1 - x0, y1 - y0)
    bend = 0.09 * length
    middle = ((x0 + x1) / 2 - bend * (y1 - y0) / length, (y0 + y1) / 2 + bend * (x1 - x0) / length)
    start, end = edge((x0, y0), middle), edge((x1, y1), middle)
    says = escape(f"{source} to {target}: {theorem.statement} ({theorem.graded})")
    return (
        f'<path class="{arrow.kind}" marker-end="url(#head)" d="M{start[0]:.1f} '
        f'{start[1]:.1f} Q{middle[0]:.1f} {middle[1]:.1f} {end[0]:.1f} {end[1]:.1f}">'
        f"<title>{says}</title></path>"
    )


def edge(centre: tuple[float, float], towards: tuple[float, float]) -> tuple[float, float]:
    """Where the line from a box's centre towards a point leaves the box."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    scale = min((WIDTH / 2 + 3) / max(abs(dx), 1e-9), (HEIGHT / 2 + 3) / max(abs(dy), 1e-9))
    return centre[0] + dx * scale, centre[1] + dy * scale
