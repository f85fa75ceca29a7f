"""Where output goes: data to stdout, talk to stderr, as text for people or as JSON."""

from __future__ import annotations

import json
import math
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tightrope._text import cleaned
from tightrope._version import __version__

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.progress import Progress
    from rich.segment import Segment

Json = Annotated[
    bool,
    Parameter(name="--json", negative="", show_default=False, help="Print JSON, with all digits."),
]
"""The option that every command has."""

WIDEST = 100
"""Columns beyond which lines become hard to read."""

PATIENCE = 1.0
"""Seconds of work after which a terminal is told what is going on."""

SILENCE = 10.0
"""Seconds between the lines that a log is told, where stderr is no terminal."""

NUMBERS = re.compile(r"\[\n([^][{}\"]+)\]")
"""A list of numbers in JSON, which has room on one line; no text of JSON has a new line in it."""


def stdout() -> Console:
    """The console of data: plain text unless it is a terminal, and no colour if NO_COLOR."""
    from tightrope.cli.unbroken import Unbroken

    console = Unbroken(file=sys.stdout, highlight=False, markup=False, emoji=False)
    console.width = min(console.width, WIDEST)
    return console


def heading(text: str) -> RenderableType:
    """A line that begins a section."""
    from rich.console import Group
    from rich.rule import Rule
    from rich.text import Text

    return Group(Text(""), Rule(Text(text, style="bold"), align="left", characters="─"))


def show(*pieces: RenderableType) -> None:
    """Print pieces of a page, one below the other."""
    console = stdout()
    with console.capture() as page:
        for piece in pieces:
            console.print(Harmless(piece))
    lines = page.get().splitlines()
    print("\n".join(line if console.is_terminal else line.rstrip() for line in lines))


@dataclass(frozen=True)
class Harmless:
    """A piece of a page in which no text of a file controls the terminal or the direction."""

    piece: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for part in console.render(self.piece, options):
            yield part if part.control else part._replace(text=cleaned(part.text))


def show_json(command: str | None, content: Mapping[str, Any]) -> None:
    """Print a record as JSON: all digits, exact fractions as text, null for what is not finite."""
    told = {"version": __version__, "command": command, **plain(content)}
    text = json.dumps(told, indent=2, ensure_ascii=False, allow_nan=False)
    text = NUMBERS.sub(lambda found: f"[{' '.join(found[1].split())}]", text)
    strange = {c for c in set(text) if c != cleaned(c)}
    for character in strange:  # as escapes they mean the same, and control nothing
        text = text.replace(character, json.dumps(character)[1:-1])
    print(text)


def plain(value: Any) -> Any:
    """A record as dictionaries, lists, texts and numbers."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Fraction | Decimal):
        return str(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Tell who waits what is being worked on: a terminal by a bar, a log by a line now and then."""
    waiting: _Waiting | _Logging = _Waiting() if sys.stderr.isatty() else _Logging()
    waiting.alarm.start()
    try:
        yield waiting.step
    finally:
        waiting.end()


def _alarm(seconds: float, call: Callable[[], None]) -> threading.Timer:
    """A timer that keeps no process alive."""
    alarm = threading.Timer(seconds, call)
    alarm.daemon = True
    return alarm


class _Logging:
    """Lines on stderr, where nobody sees a bar: what is being worked on, every ten seconds."""

    def __init__(self) -> None:
        self.text = ""
        self.alarm = _alarm(SILENCE, self._tell)

    def _tell(self) -> None:
        self.alarm = _alarm(SILENCE, self._tell)
        self.alarm.start()
        if self.text:
            print(f"tightrope: working on {cleaned(self.text)}", file=sys.stderr, flush=True)

    def step(self, text: str) -> None:
        self.text = text

    def end(self) -> None:
        self.alarm.cancel()


class _Waiting:
    """The bar that appears when work takes long; before that it costs nothing."""

    def __init__(self) -> None:
        self.text = ""
        self.bar: Progress | None = None
        self.alarm = _alarm(PATIENCE, self.begin)

    def begin(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (
            BarColumn(bar_width=20),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
        )
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        bar.add_task(self.text, total=None)
        bar.start()
        self.bar = bar

    def step(self, text: str) -> None:
        self.text = text
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], description=text)

    def end(self) -> None:
        self.alarm.cancel()
        if self.alarm.is_alive():
            self.alarm.join()
        if self.bar is not None:
            self.bar.stop()
