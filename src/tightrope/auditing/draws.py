"""How an audit draws from a program: many outputs of one input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from tightrope._calls import Spoken
from tightrope._errors import InvalidArgument, TightropeError
from tightrope._wire import clipped

__all__ = ["Batched", "Draw", "Sample", "one_by_one"]

Sample = Sequence[Any] | NDArray[Any]
"""Outputs of one input."""

Draw = Callable[[Any, int], Sample]
"""From an input and a number to so many independent outputs."""


@dataclass(frozen=True)
class Batched(metaclass=Spoken):
    """A program that gives many independent outputs of one input at once.

    Args:
        function: from the input and a number n to a sequence, or an array, of n outputs.

    Examples:
        >>> import numpy as np
        >>> import tightrope as tr
        >>> draw = np.random.default_rng(1)
        >>> program = tr.Batched(lambda x, n: x + draw.laplace(scale=1.0, size=n))
        >>> tr.audit(program, tr.PureDP(0.5), neighbors=(0.0, 1.0), trials=20_000).verdict
        'refuted'
    """

    function: Callable[[Any, int], Sample]

    def __call__(self, x: Any, count: int) -> Sample:
        """So many outputs of x."""
        outputs = self.function(x, count)
        if len(outputs) != count:
            raise InvalidArgument(
                f"audit: the batched program gave {len(outputs):,} outputs for {count:,}"
            )
        return outputs


def one_by_one(program: Callable[[Any], Any], name: str) -> Draw:
    """Draw by calling the program again and again.

    Raises:
        InvalidArgument: when called: the program raised something; that is the cause.
    """

    def draw(x: Any, count: int) -> Sample:
        try:
            return [program(x) for _ in range(count)]
        except TightropeError:
            raise
        except (Exception, SystemExit) as error:  # a program that ends is no verdict
            raise InvalidArgument(
                f"audit: {name}({clipped(repr(x))}) raised {type(error).__name__}: {error}"
            ) from error

    return draw
