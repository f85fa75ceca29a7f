"""LaTeX for texts in which nothing that somebody wrote is a command.

Trees are indented by ``\\leftskip`` in groups, since lists may be nested four times only.
"""

from __future__ import annotations

from collections.abc import Iterable

from tightrope._text import cleaned

__all__ = ["escaped", "item", "listed", "preformatted", "statement"]

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


def statement(text: str, *notes: str) -> str:
    """A text that stands out, with smaller notes below it.

    Examples:
        >>> print(statement("GDP(mu=1)", "50 % of all"))
        \\noindent\\texttt{GDP(mu=1)}\\\\{\\small 50 \\% of all}\\par
    """
    below = "".join(rf"\\{{\small {escaped(note)}}}" for note in notes if note)
    return rf"\noindent\texttt{{{escaped(text)}}}{below}\par"


def preformatted(text: str, *notes: str) -> str:
    """A text whose lines stay as they are, with smaller notes below it."""
    lines = (rf"\texttt{{{escaped(line).replace(' ', '~')}}}" for line in text.split("\n"))
    below = (rf"{{\small {escaped(note)}}}" for note in notes if note)
    return r"\noindent " + r"\\".join([*lines, *below]) + r"\par"


def item(text: str, note: str, inside: str = "") -> str:
    """An entry of a list, with what belongs to it."""
    return f"{statement(text, note)}\n{inside}"


def listed(items: Iterable[str]) -> str:
    """Entries, one below the other; nothing if there are none."""
    entries = "".join(items)
    return f"{{\\advance\\leftskip 1.5em\n{entries}}}\n" if entries else ""
