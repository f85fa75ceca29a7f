"""tightrope: differential privacy with no slack.

Say what was run on the data; tightrope finds the tightest guarantee that can be proved for it, in
the notion that your reader uses, with the proof.

The public names stand in ``_public``, which is imported when the first of them is used: so a
command's ``--help`` needs neither NumPy nor SciPy.

Examples:
    >>> import tightrope as tr
    >>> tr.ZCDP(0.5).to(tr.GDP)
    GDP(mu=1.284)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tightrope._version import __version__ as __version__

if TYPE_CHECKING:
    from tightrope._public import *  # noqa: F403


def __getattr__(name: str) -> Any:
    if name.startswith("_") and name != "__all__":
        raise AttributeError(f"module 'tightrope' has no attribute {name!r}")
    from tightrope import _public

    if name != "__all__" and name not in _public.__all__:
        from tightrope._missing import unknown

        raise AttributeError(unknown(name, _public.__all__))
    value = getattr(_public, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from tightrope import _public

    return sorted({*_public.__all__, "__version__"})
