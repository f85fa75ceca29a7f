"""Values from texts: every repr, and the short form ``zcdp:0.5``.

Reading goes through a whitelist of constructors, methods and operators over Python's own parser;
nothing is ever evaluated.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from difflib import get_close_matches
from typing import Any

from tightrope import _upward, _wire
from tightrope._calls import spoken
from tightrope._errors import InvalidArgument, TightropeError
from tightrope._operators import combined
from tightrope._short import made, short_name
from tightrope._text import named
from tightrope._wire import clipped
from tightrope.events.event import Event

LONGEST = 1_000_000
"""Most characters that a text may have."""

UNREADABLE = (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, MemoryError)
"""What reading a text may raise, by Python's own parser or by a constructor."""

DEEPEST = 100
"""Most levels of nesting that a text may have (long sums are not deep)."""

_METHODS = frozenset(
    {
        "best_of",
        "for_one_unit",
        "group",
        "keeping",
        "of",
        "restated",
        "sampled",
        "shuffled",
        "then",
        "to",
        "with_replacement",
        "without_replacement",
    }
)


@spoken
def parse(text: str) -> Any:
    """Read a guarantee or an event from its repr or its short form.

    Raises:
        InvalidArgument: the text is not one; the message names the place and the nearest name.

    Examples:
        >>> parse("zcdp:0.5")
        ZCDP(rho=0.5)
        >>> parse("Gaussian(noise_scale=4) ** 3 + pure:0.1")
        Traceback (most recent call last):
        ...
        tightrope._errors.InvalidArgument: parse: cannot read 'Gaussian(noise_scale=4) ** 3 + ...
    """
    if not isinstance(text, str) or not text.strip():
        raise InvalidArgument(f"parse: text must describe an event; you passed {text!r}")
    if len(text) > LONGEST:
        raise InvalidArgument(f"parse: a text has at most {LONGEST:,} characters")
    _upward.vocabulary()
    prefix, colon, rest = text.strip().partition(":")
    short = bool(colon) and prefix.strip().isidentifier()
    value = _short(prefix.strip(), rest, text) if short else _expression(text)
    if not isinstance(value, Event):
        raise InvalidArgument(f"parse: {text!r} gives {named(type(value).__name__)}, not an event")
    return value


def _short(prefix: str, rest: str, text: str) -> Any:
    name = short_name(prefix)
    constructor = _wire.short_names.get(name)
    if constructor is None:
        raise InvalidArgument(
            f"parse: {text!r}: unknown notion {prefix!r}{nearest(prefix, _wire.short_names)}"
        )
    reader = getattr(constructor, "from_short", None)
    return reader(rest) if reader is not None else made(name, rest, text)


def nearest(name: str, known: Collection[str]) -> str:
    """``; did you mean 'zcdp'? Known: ...`` for a name that is not known."""
    return f"{meant(name, known) or '.'} Known: {', '.join(sorted(known))}"


def meant(name: str, known: Collection[str]) -> str:
    """``; did you mean 'zcdp'?`` if a known name is like this one; else nothing."""
    names = sorted(known)
    close = get_close_matches(name, names, n=1, cutoff=0.5)
    close = close or [other for other in names if other.lower() == name.lower()]
    return f"; did you mean {close[0]!r}?" if close else ""


def _expression(text: str) -> Any:
    try:
        terms = [_value(ast.parse(t, mode="eval").body, t, 0) for t in _terms(text.strip())]
        return _added(terms)
    except UNREADABLE as error:
        if isinstance(error, TightropeError):
            raise
        deep = isinstance(error, RecursionError | MemoryError)
        reason = "it is nested too deeply" if deep else getattr(error, "msg", "") or str(error)
        raise InvalidArgument(f"parse: cannot read {clipped(text)!r}: {reason}") from None


def _terms(text: str) -> list[str]:
    """The text cut at `` + `` outside of brackets and quotes: a long sum is not deep."""
    terms, start, depth, quote = [], 0, 0, ""
    for position, char in enumerate(text):
        if quote:
            closes = char == quote and text[position - 1] != "\\"
            quote = "" if closes else quote
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif depth == 0 and text.startswith(" + ", position):
            terms.append(text[start:position].strip())
            start = position + 3
    return [*terms, text[start:].strip()]


def _added(values: list[Any]) -> Any:
    if all(isinstance(value, Event) for value in values):
        return _wire.constructors["compose"](*values)
    total = values[0]
    for value in values[1:]:
        total = total + value
    return total


def _value(node: ast.expr, text: str, depth: int) -> Any:
    if depth > DEEPEST:
        raise InvalidArgument(f"parse: {clipped(text)!r} is nested deeper than {DEEPEST} levels")
    match node:
        case ast.Constant(value=int() | float() | str() as constant):
            return constant
        case ast.Name(id=name):
            return _named(name, _wire.constants, text)
        case ast.Attribute(value=ast.Name(id="tr" | "tightrope"), attr=name):
            return _named(name, _wire.constants, text)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return [_value(item, text, depth + 1) for item in items]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, text, depth + 1)
        case ast.BinOp(op=ast.Add()):
            return _sum(node, text, depth)
        case ast.BinOp(left=left, op=kind, right=right):
            return combined(kind, _value(left, text, depth + 1), _value(right, text, depth + 1))
        case ast.Call(func=function, args=args, keywords=keywords):
            return _call(function, args, keywords, text, depth)
    raise InvalidArgument(f"parse: {clipped(text)!r}: {ast.unparse(node)[:80]!r} is not allowed")


def _sum(node: ast.expr, text: str, depth: int) -> Any:
    """A chain of ``+``, walked in a loop."""
    terms: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        terms.append(node.right)
        node = node.left
    return _added([_value(term, text, depth + 1) for term in (node, *reversed(terms))])


def _call(
    function: ast.expr, args: list[ast.expr], keywords: list[ast.keyword], text: str, depth: int
) -> Any:
    target = _callable(function, text, depth)
    positional = [_class_or_value(arg, text, depth + 1) for arg in args]
    names = [keyword.arg for keyword in keywords]
    if None in names or len(set(names)) < len(names):
        raise InvalidArgument(
            f"parse: {clipped(text)!r}: every argument is named once, and ** is not allowed"
        )
    named = {
        keyword.arg: _value(keyword.value, text, depth + 1) for keyword in keywords if keyword.arg
    }
    try:
        return target(*positional, **named)
    except (TypeError, ZeroDivisionError, OverflowError) as error:
        if isinstance(error, TightropeError):
            raise
        raise InvalidArgument(f"parse: {ast.unparse(function)}: {error}") from None


def _callable(function: ast.expr, text: str, depth: int) -> Callable[..., Any]:
    match function:
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="tr" | "tightrope"), attr=name):
            target: Callable[..., Any] = _named(name, _wire.constructors, text)
            return target
        case ast.Attribute(value=owner, attr=method) if method in _METHODS:
            bound: Callable[..., Any] = getattr(_value(owner, text, depth + 1), method)
            return bound
        case ast.Attribute(attr=method):
            raise InvalidArgument(f"parse: no method {method!r}{nearest(method, _METHODS)}")
    raise InvalidArgument(f"parse: {clipped(text)!r}: {ast.unparse(function)!r} is not a name")


def _class_or_value(node: ast.expr, text: str, depth: int) -> Any:
    """An argument; ``.to(GDP)`` takes a notion's name."""
    if isinstance(node, ast.Name) and node.id in _wire.constructors:
        return _wire.constructors[node.id]
    return _value(node, text, depth)


def _named(name: str, known: dict[str, Any], text: str) -> Any:
    if name not in known:
        raise InvalidArgument(f"parse: {clipped(text)!r}: {_unknown(name, known)}")
    return known[name]


def _unknown(name: str, known: dict[str, Any]) -> str:
    """What is wrong with a name that is not known where it stands."""
    if known is _wire.constants and name in _wire.constructors:
        return f"{name} needs its parameters, as in {name}(...)"
    if name in _wire.short_names:
        return (
            f"{name} needs its parameters, as in {name}:0.5; a short form stands alone, and within "
            f"an event it is {_wire.short_names[name].__name__}(...)"
        )
    everything = (*_wire.constructors, *_wire.constants)
    # the list of all names is long, and would hide what was meant
    return f"unknown name {name!r}{meant(name, everything) or nearest(name, everything)}"
