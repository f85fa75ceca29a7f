"""The errors that a caller meets, each in the words of the call that was made."""

from __future__ import annotations


class TightropeError(Exception):
    """Root of the errors that tightrope raises on purpose."""


class InvalidArgument(TightropeError, ValueError):
    """An argument lies outside what is admissible; the message says what is."""


class WrongCall(InvalidArgument, TypeError):
    """Arguments do not fit what was called: one is missing, unknown or too many."""


class NeighborsMismatch(TightropeError, ValueError):
    """Two guarantees speak of different neighbours, or of different units."""


class NotReachable(TightropeError, ValueError):
    """No theorem leads from what is known to what was asked for.

    Attributes:
        reasons: why each kind of knowledge that is there does not lead to the target.
        reachable: names of the notions that can be reached instead.
    """

    def __init__(self, message: str, *, reasons: tuple[str, ...], reachable: tuple[str, ...]):
        super().__init__(message)
        self.reasons = reasons
        self.reachable = reachable


class FalseClaim(TightropeError, ValueError):
    """A formula that circulates and is false, or is used outside of its conditions."""


class NotAGuarantee(TightropeError, TypeError):
    """An estimate or a lower bound stands where a guarantee is needed."""
