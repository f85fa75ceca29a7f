"""The command line: what a person or another project's CI asks, answered in text or JSON.

Exit codes: 0 done, 1 a claim is false or refuted, 2 misuse or a file that cannot be read, 3 a
budget would be exceeded, 4 a claim does not follow or is undecided, 70 a mistake of ours, 130
interrupted, 141 nobody reads stdout any more. Data goes to stdout and talk to stderr. Commands load
when they are called, and the numerical libraries when a command computes, so that ``--help`` costs
little.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

BROKEN_PIPE = 141
INTERRUPTED = 130


def main() -> NoReturn:
    """Run the command that the process was started with, and exit."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")  # a terminal without Greek is no reason to fail
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; a mistake becomes a sentence, or an object."""
    try:
        code = _dispatched(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _dispatched(arguments: Sequence[str]) -> int:
    from tightrope.cli.app import app
    from tightrope.cli.problems import complain

    try:
        code = app(
            list(arguments), exit_on_error=False, print_error=False, result_action="return_value"
        )
    except BrokenPipeError:
        raise
    except Exception as error:  # exit code 1 would tell a CI that a claim is false
        return complain(error, arguments)
    return code if isinstance(code, int) else 0


def _forget_stdout() -> None:
    """Point stdout at nothing, so that the interpreter's last flush does not complain."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
