"""A console that breaks no line between a number and its per cent sign, or a name and its value."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import ConsoleOptions, RenderableType
    from rich.segment import Segment

TIED = "\ue000"
"""What stands for a space at which no line is broken; the console's breaks at all real ones."""

GAP = re.compile(r"(?<=\d) (?=%)|(?<=\w) (?== -?\d)|(?<=\w =) (?=-?\d)")
"""The spaces before a per cent sign, and between a name and its value."""


class Unbroken(Console):
    """A console whose texts keep numbers whole."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments of something; a space that was tied is a space again."""
        piece = self.render_str(renderable) if isinstance(renderable, str) else renderable
        if isinstance(piece, Text):
            piece = piece.copy()
            piece.plain = GAP.sub(TIED, piece.plain)
        for part in super().render(piece, options):
            yield part if part.control else part._replace(text=part.text.replace(TIED, " "))
