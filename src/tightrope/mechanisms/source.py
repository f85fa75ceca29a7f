"""The source of random bits that a release was given, or the operating system."""

from __future__ import annotations

from typing import Any

from tightrope._errors import InvalidArgument
from tightrope.noise.entropy import Entropy, SystemEntropy


def source_of(entropy: Any, caller: str) -> Entropy:
    """``entropy`` if it is a source, the operating system if it is None, else InvalidArgument."""
    if entropy is None:
        return SystemEntropy()
    if not isinstance(entropy, Entropy):
        raise InvalidArgument(
            f"{caller}: entropy must be a source such as tr.InsecureEntropy(seed), or "
            f"None for the operating system; you passed {entropy!r}"
        )
    return entropy
