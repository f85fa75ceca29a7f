"""``tightrope --install-completion``: the shell completes commands and options."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, get_args

from tightrope._errors import InvalidArgument
from tightrope.cli.app import app

Shell = Literal["bash", "zsh", "fish"]


def install_completion(*, shell: Shell | None = None) -> None:
    """Install completion of commands and options for your shell.

    Parameters
    ----------
    shell: str
        The shell; by default the one that $SHELL names.
    """
    named = shell or Path(os.environ.get("SHELL", "")).name
    known = {text: text for text in get_args(Shell)}
    if named not in known:
        raise InvalidArgument(f"name your shell by --shell, one of {', '.join(known)}")
    written = app.install_completion(shell=known[named])
    print(f"completion for {named} is in {written}; start a new shell to use it")
