"""Calls whose arguments do not fit, answered in the words of the caller.

Python names the function that it could not call: a base class, an ``__init__``. What a caller
wrote is ``tr.Gaussian(sigma=1)`` or ``run.epsilon()``, and that is what the error speaks of. It
looks at the arguments only when a call failed, so a call that fits costs hardly more.
"""

from __future__ import annotations

import inspect
from abc import ABCMeta
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import wraps
from types import FunctionType
from typing import Any, NoReturn, TypeVar, cast

from tightrope._check import parameters
from tightrope._errors import WrongCall

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

Arguments = tuple[Any, ...]
Named = dict[str, Any]


class Spoken(type):
    """The metaclass of what callers construct: its constructors and methods speak their words."""

    def __init__(cls, name: str, bases: Arguments, namespace: Named, **kwargs: Any) -> None:
        super().__init__(name, bases, namespace)
        for key, member in namespace.items():
            if key.startswith("_") and key != "__call__":
                continue
            if isinstance(member, FunctionType):
                setattr(cls, key, method(member, cls))
            elif isinstance(member, classmethod):
                setattr(cls, key, classmethod(method(member.__func__, cls)))

    def __call__(cls: type[T], *args: Any, **kwargs: Any) -> T:
        try:
            made: T = type.__call__(cls, *args, **kwargs)
        except TypeError:
            signature = inspect.signature(cls)
            problem = misfit(signature, args, kwargs, _about(cls))
            if problem is None:
                raise
            form = _form(f"tr.{cls.__name__}", signature)
            raise WrongCall(f"{cls.__name__}: {problem}. {form}{_example(cls)}") from None
        return made

    @property
    def __signature__(cls) -> inspect.Signature:
        """That of the constructor, which ``__call__`` would hide."""
        if cls.__init__ is object.__init__:  # type: ignore[misc]
            return inspect.Signature()
        signature = inspect.signature(cls.__init__)  # type: ignore[misc]
        return signature.replace(parameters=list(signature.parameters.values())[1:])

    def _needs_parameters(cls, *_: Any) -> NoReturn:
        raise WrongCall(
            f"{cls.__name__} is a class, and what is put together are its values: give the "
            f"parameters first{_example(cls)}"
        )

    __add__ = __radd__ = __mul__ = __rmul__ = __pow__ = _needs_parameters


class AbstractSpoken(Spoken, ABCMeta):
    """The same for abstract classes."""


def spoken(function: F) -> F:
    """Let a public function speak of itself as ``tr.name``; a decorator."""
    name, signature = function.__name__, inspect.signature(function)
    home = "tr.plots" if function.__module__.startswith("tightrope.plots.") else "tr"

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError:
            problem = misfit(signature, args, kwargs)
            if problem is None:
                raise
            raise WrongCall(f"{name}: {problem}. {_form(f'{home}.{name}', signature)}") from None

    return cast(F, called)


def method(function: F, owner: type) -> F:
    """Let a method, or the function of a class method, speak of itself as it is called."""
    whole = inspect.signature(function)
    signature = whole.replace(parameters=list(whole.parameters.values())[1:])
    itself = function.__name__ == "__call__"
    name = owner.__name__ if itself else function.__name__
    spelled = f"tr.{name}(...)" if itself else f".{name}"

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError:
            if not _bound(args, owner):
                raise WrongCall(_unbound(name, owner)) from None
            problem = misfit(signature, args[1:], kwargs)
            if problem is None:
                raise
            instead = getattr(owner, "_instead", {}).get(name, "")
            raise WrongCall(f"{name}: {problem}. {_form(spelled, signature)}{instead}") from None

    return cast(F, called)


def _bound(args: Arguments, owner: type) -> bool:
    """Whether a method was given something to act on."""
    first = args[0] if args else None
    return isinstance(first, owner) or (isinstance(first, type) and issubclass(first, owner))


def _unbound(name: str, owner: type) -> str:
    return (
        f"{name}: this is asked of a value, and not of its class; give the parameters first, as in "
        f"tr.{owner.__name__ if _about(owner) else 'GDP'}(...).{name}(...)"
    )


# --- what is wrong --------------------------------------------------------------------------


def misfit(
    signature: inspect.Signature, args: Arguments, kwargs: Named, about: Named | None = None
) -> str | None:
    """What is wrong with the arguments of a call, in words; None if they fit."""
    try:
        signature.bind(*args, **kwargs)
    except TypeError:
        known = signature.parameters
    else:
        return None
    ordered = [p.name for p in known.values() if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    for name in kwargs:
        if name not in known:
            return f"it takes no {name!r}{_hint(name, list(known), about or {})}"
    if len(args) > len(ordered):
        most = f"at most {len(ordered)}" if ordered else "none"
        several = "; several events stand in one list" if ordered == ["events"] else ""
        return f"{most} of the arguments may stand without a name; you passed {len(args)}{several}"
    for name in ordered[: len(args)]:
        if name in kwargs:
            return f"{name} was given twice"
    left = [name for name in _required(signature) if name not in {*ordered[: len(args)], *kwargs}]
    return f"{_listed(left)} must be given{_admissible(left, about or {})}"


def _required(signature: inspect.Signature) -> list[str]:
    many = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    known = signature.parameters.values()
    return [p.name for p in known if p.default is p.empty and p.kind not in many]


def _hint(name: str, known: Sequence[str], about: Named) -> str:
    """The argument that was meant: by its Greek letter, or by a similar name."""
    by_letter = [p for p in known if p in about and about[p].latex.lstrip("\\") == name]
    close = by_letter or get_close_matches(name, known, n=1, cutoff=0.5)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _admissible(names: Sequence[str], about: Named) -> str:
    told = [f"{name} is {about[name].domain.words}" for name in names if name in about]
    return f"; {' and '.join(told)}" if told else ""


# --- what would fit -------------------------------------------------------------------------


def _form(name: str, signature: inspect.Signature) -> str:
    """The call with all its arguments, as one would write it."""
    plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    arguments = signature.replace(parameters=plain, return_annotation=signature.empty)
    return f"Call it as {name}{arguments}"


def _about(owner: type) -> Named:
    """The declared parameters of a class by their names."""
    declared = parameters(owner) if hasattr(owner, "__dataclass_fields__") else ()
    return {p.name: p for p in declared}


def _example(owner: type) -> str:
    """``, for example tr.GDP(mu=1)``, where the required parameters are plain numbers."""
    about = _about(owner)
    required = _required(inspect.signature(owner)) or list(about)[:1]
    if not required or any(name not in about for name in required):
        return ""
    values = (f"{name}={_usual(*about[name].typical)}" for name in required)
    return f", for example tr.{owner.__name__}({', '.join(values)})"


def _usual(low: float, high: float) -> str:
    return "1" if low <= 1 <= high else f"{low:g}"
