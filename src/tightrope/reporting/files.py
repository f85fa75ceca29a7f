"""Files that are written: what the ending of a name asks for, and whether the folder is there."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TypeVar

from tightrope._errors import InvalidArgument

T = TypeVar("T")


def by_ending(path: str | PathLike[str], known: Mapping[str, T], what: str) -> T:
    """What the ending of a file's name stands for; raise InvalidArgument if that is nothing."""
    found = known.get(Path(path).suffix.lower())
    if found is None:
        raise InvalidArgument(
            f"{what}: path must end in {', '.join(known)}; you passed {str(path)!r}"
        )
    return found


def require_folder(path: str | PathLike[str], what: str) -> None:
    """Raise InvalidArgument unless the folder of the file is there, before anything is computed."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise InvalidArgument(
            f"{what}: there is no folder {str(folder)!r} for path {str(path)!r}; make it first"
        )
