"""Checking certificates by derivations of its own: nothing here knows the rest of the project.

It needs python-flint, whose balls hold the true value for certain: ``pip install
"tightrope[verify]"``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tightrope.verify.outcome import Report

MISSING = 'verify needs python-flint; install it with: pip install "tightrope[verify]"'


def _silent(step: int, of: int) -> None:
    """Tells nobody how far the check is."""


def verify(data: bytes | str, *, tell: Callable[[int, int], None] = _silent) -> Report:
    """What becomes of a certificate when every step of it is derived again.

    Args:
        data: the text of a certificate, or its bytes; ``verify_file`` takes a path.
        tell: is told, before each step, its number and how many there are.

    Raises:
        TypeError: it is neither text nor bytes.
        ModuleNotFoundError: python-flint is not installed.
    """
    _require_text(data)
    try:
        import flint  # noqa: F401
    except ModuleNotFoundError:
        raise ModuleNotFoundError(MISSING) from None
    from tightrope.verify.checker import verify as checked

    text = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return checked(text, tell)


def _require_text(data: object) -> None:
    if isinstance(data, bytes):
        return
    if not isinstance(data, str):
        raise TypeError(
            f"verify takes the text of a certificate, got {type(data).__name__}; pass "
            "certificate.to_json(), or json.dumps(content), or verify_file(path)"
        )
    if "{" not in data and data.strip().endswith(".json"):
        raise TypeError(f"verify takes the text of a certificate; use verify_file({data!r})")


def verify_file(path: str | Path, *, tell: Callable[[int, int], None] = _silent) -> Report:
    """The same of a file."""
    return verify(Path(path).read_bytes(), tell=tell)
