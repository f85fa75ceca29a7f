"""Plain text as LaTeX: nothing that somebody wrote in a title or a label is a command."""

from __future__ import annotations

import re

from tightrope.reporting.markup import cleaned

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_\allowbreak{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    "|": r"\ensuremath{|}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",
    "]": "{]}",
    "\n": " ",
    "\t": " ",
    "\u00a0": "~",
    "\N{REPLACEMENT CHARACTER}": "?",
    "ε": r"\ensuremath{\varepsilon}",
    "δ": r"\ensuremath{\delta}",
    "ρ": r"\ensuremath{\rho}",
    "ξ": r"\ensuremath{\xi}",
    "ω": r"\ensuremath{\omega}",
    "μ": r"\ensuremath{\mu}",
    "α": r"\ensuremath{\alpha}",
    "β": r"\ensuremath{\beta}",
    "×": r"\ensuremath{\times}",
    "²": r"\ensuremath{^2}",
    "≤": r"\ensuremath{\leq}",
    "≥": r"\ensuremath{\geq}",
}
"""What stands for characters that LaTeX reads as commands, or has no letter for."""


def escaped(text: str) -> str:
    """A text that LaTeX prints as it stands.

    Examples:
        >>> print(escaped("50 % of x_1 & {y}"))
        50 \\% of x\\_\\allowbreak{}1 \\& \\{y\\}
    """
    return "".join(SPECIAL.get(c, c) for c in cleaned(text))


def bare(key: str) -> str:
    """The name of a link: letters, digits and dashes."""
    return re.sub(r"[^A-Za-z0-9]", "-", key)
