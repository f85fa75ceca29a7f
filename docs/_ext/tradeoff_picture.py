"""Trade-off curves as a drawing in SVG, computed by the library when the site is built."""

from __future__ import annotations

from functools import cache
from html import escape

import numpy as np

import tightrope as tr

SIDE, MARGIN = 300, 46
STYLES = (
    ("#0072b2", ""),
    ("#d55e00", "7 4"),
    ("#009e73", "2 3"),
    ("#cc79a7", "9 3 2 3"),
)
"""Colours that differ for colour-blind readers, and dashes that differ in grey."""


def drawing(events: str) -> str:
    """The curves of some events, separated by semicolons, beside that of no information."""
    names = [name.strip() for name in events.split(";")]
    size = SIDE + 2 * MARGIN
    return "\n".join(
        [
            "```{raw} html",
            f'<figure class="tradeoff"><svg viewBox="0 0 {size} {size}" role="img"'
            f' aria-label="Trade-off curves of {escape(", ".join(names))}">',
            *axes(),
            *(path(name, *style) for name, style in zip(names, STYLES, strict=False)),
            "</svg><figcaption>",
            *(key(name, *style) for name, style in zip(names, STYLES, strict=False)),
            "</figcaption></figure>",
            "```",
        ]
    )


def axes() -> list[str]:
    """The frame, its marks and words, and the diagonal on which nothing is learnt."""
    low, high = MARGIN, MARGIN + SIDE
    marks = []
    for mark in (0.0, 0.5, 1.0):
        x, y = low + SIDE * mark, high - SIDE * mark
        marks.append(f'<text x="{x:.0f}" y="{high + 17}">{mark:g}</text>')
        marks.append(f'<text x="{low - 16}" y="{y + 4:.0f}">{mark:g}</text>')
    return [
        f'<path class="frame" d="M{low} {low} V{high} H{high}"/>',
        f'<path class="frame diagonal" d="M{low} {low} L{high} {high}"/>',
        *marks,
        f'<text x="{low + SIDE / 2:.0f}" y="{high + 36}">type I error (false alarms)</text>',
        f'<text transform="translate({low - 32} {low + SIDE / 2:.0f}) rotate(-90)">'
        "type II error (misses)</text>",
    ]


@cache
def curve(name: str) -> tuple[list[float], list[float]]:
    """The type II errors of an event at a few type I errors; several pages show the same one."""
    corners = 1 / (1 + np.exp([1.0, 3.0]))  # of pure DP with these epsilons
    alpha = np.unique(np.r_[np.linspace(0, 1, 33), np.geomspace(1e-3, 0.02, 5), corners])
    return alpha.tolist(), tr.parse(name).tradeoff(alpha).tolist()


def path(name: str, colour: str, dash: str) -> str:
    """One curve."""
    points = " ".join(
        f"{MARGIN + SIDE * a:.1f},{MARGIN + SIDE * (1 - b):.1f}"
        for a, b in zip(*curve(name), strict=True)
    )
    return f'<polyline points="{points}" stroke="{colour}" stroke-dasharray="{dash}"/>'


def key(name: str, colour: str, dash: str) -> str:
    """A sample of a curve's line, and what it is."""
    return (
        '<span><svg viewBox="0 0 34 10"><polyline points="0,5 34,5"'
        f' stroke="{colour}" stroke-dasharray="{dash}"/></svg> <code>{escape(name)}</code></span>'
    )
