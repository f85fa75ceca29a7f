"""Verbs that share their name with a parameter: epsilon and delta.

Of a composition, ``run.epsilon(delta=1e-6)`` asks for a number; ``tr.PureDP(0.5).epsilon`` is one
that was given. So that code need not know which of the two it holds, a parameter that is read back
is the number, and answers the question when it is called:

    >>> import tightrope as tr
    >>> event = tr.Exponential(epsilon=0.5)
    >>> event.epsilon
    0.5
    >>> round(event.epsilon(delta=1e-6), 6) == round((event + tr.GDP(0)).epsilon(delta=1e-6), 6)
    True
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar, cast

from tightrope._calls import method

Ask = Callable[..., Any]
F = TypeVar("F", bound=Ask)


def verb_or_parameter(verb: F) -> F:
    """A method whose name some events use for a parameter; a decorator.

    Values of such a parameter are kept on the event as they are, and read back as numbers that
    can be called. A type checker sees the method, and in those events the number.
    """
    return cast(F, _VerbOrParameter(verb))


class _VerbOrParameter:
    def __init__(self, verb: Ask):
        self.verb = verb
        self.__doc__ = verb.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.verb = method(self.verb, owner)

    def __get__(self, event: Any, owner: type | None = None) -> Any:
        if event is None:
            return self.verb
        bound = self.verb.__get__(event)
        if self.name not in event.__dict__:
            return bound
        value = event.__dict__[self.name]
        kind = _KINDS.get(type(value))
        return value if kind is None else kind.asking(value, bound)

    def __set__(self, event: Any, value: Any) -> None:
        event.__dict__[self.name] = value


class _Asking:
    """A number that answers a question; copies and pickles are the plain number."""

    plain: type
    ask: Ask

    @classmethod
    def asking(cls, value: Any, ask: Ask) -> Any:
        """The number with its question."""
        number = cls(value)  # type: ignore[call-arg]
        number.ask = ask
        return number

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.ask(*args, **kwargs)

    def __repr__(self) -> str:
        return repr(self.plain(self))

    def __reduce__(self) -> Any:
        return self.plain, (self.plain(self),)

    def __copy__(self) -> Any:
        return self.plain(self)

    def __deepcopy__(self, _: Any) -> Any:
        return self.plain(self)


class _Int(_Asking, int):
    plain = int


class _Float(_Asking, float):
    plain = float


class _Fraction(_Asking, Fraction):
    plain = Fraction


_KINDS: dict[type, type[_Asking]] = {int: _Int, float: _Float, Fraction: _Fraction}
