"""The privacy loss of a single release, by its transform M(z) = E[exp(zL)] in balls.

L = log dP/dQ under P. Where L can be infinite, M is that of its finite part.
"""

from __future__ import annotations

from fractions import Fraction

from flint import acb, arb

from tightrope.verify.numbers import ball


class Single:
    """A loss whose transform is worked out point by point."""

    def rho(self) -> arb:
        """D(order) <= rho order at all orders."""
        raise NotImplementedError

    def transform(self, z: acb) -> acb:
        """M(z)."""
        raise NotImplementedError

    def line(self, c: Fraction, step: arb, nodes: int) -> list[acb]:
        """M at c + i step j, j = 0, ..., nodes."""
        start = ball(c)
        return [self.transform(acb(start, step * j)) for j in range(nodes + 1)]
