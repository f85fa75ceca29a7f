"""Exact arithmetic in texts: ``"1/(rho * US * 52/4097)"`` is a fraction, never a rounded number.

A text goes through Python's parser, and the tree through a whitelist of number literals, names,
``+ - * / ^`` and parentheses. Nothing is ever executed, and no intermediate result can grow
beyond a fixed size.
"""

from __future__ import annotations

import ast
import operator
import warnings
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from tightrope._check import Real
from tightrope._errors import InvalidArgument
from tightrope._parse import nearest
from tightrope._wire import clipped

LONGEST = 1_000
"""Most characters of an expression."""

DEEPEST = 100
"""Most operations nested in one another."""

MOST_BITS = 4_096
"""Largest numerator and denominator, in bits; doubles need 1,075."""

LARGEST_EXPONENT = 1_000
"""Largest power of ten in a literal, and largest exponent of ``^``."""

Constants = Mapping[str, Fraction]

_OPERATORS: dict[type, Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


def evaluate(text: str, constants: Constants) -> Fraction:
    """The exact value of an expression.

    Raises:
        InvalidArgument: it is not an expression, names something unknown, or grows too large.

    Examples:
        >>> evaluate("(542/339)^2", {})
        Fraction(293764, 114921)
        >>> evaluate("1e-10 * n", {"n": Fraction(3)})
        Fraction(3, 10000000000)
    """
    if len(text) > LONGEST:
        raise InvalidArgument(f"an expression has at most {LONGEST:,} characters")
    if not text.isascii() or not text.isprintable():
        raise InvalidArgument(f"{clipped(text, 60)!r} holds characters that no expression has")
    python = text.strip().replace("^", "**")
    return _value(_tree(python, text), python, constants, 0)


def shortest(value: Fraction) -> Real:
    """The same number as an int or a float where that is exact, so that it prints shortly."""
    if value.denominator == 1:
        return int(value)
    return float(value) if Fraction(float(value)) == value else value


def literal(number: Decimal) -> Fraction:
    """Exactly the value of a decimal text, if it is finite and of a sane size."""
    if not number.is_finite():
        raise InvalidArgument(f"{number} is not a finite number")
    if abs(number.adjusted()) > LARGEST_EXPONENT or len(number.as_tuple().digits) > LONGEST:
        raise InvalidArgument("the number is too large, too small or too long")
    return Fraction(number)


def _tree(python: str, text: str) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(python, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InvalidArgument(
            f"{clipped(text, 60)!r} is not an expression of numbers, names and + - * / ^ ( )"
        ) from None


def _value(node: ast.expr, python: str, constants: Constants, depth: int) -> Fraction:
    if depth > DEEPEST:
        raise InvalidArgument(f"the expression is nested deeper than {DEEPEST} operations")
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            return _sized(_literal(python[node.col_offset : node.end_col_offset]))
        case ast.Name(id=name):
            return _constant(name, constants)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, python, constants, depth + 1)
        case ast.BinOp(left=left, op=kind, right=right):
            first = _value(left, python, constants, depth + 1)
            return _sized(_combined(kind, first, _value(right, python, constants, depth + 1)))
    raise InvalidArgument(
        f"{clipped(ast.unparse(node), 60)!r} is not allowed; write numbers, names and + - * / ^ ( )"
    )


def _literal(digits: str) -> Fraction:
    try:
        return literal(Decimal(digits))
    except InvalidOperation:
        raise InvalidArgument(f"{digits!r} is not a decimal number") from None


def _constant(name: str, constants: Constants) -> Fraction:
    if name not in constants:
        known = nearest(name, constants) if constants else "; no constants stand in [let] before it"
        raise InvalidArgument(f"unknown name {name!r}{known}")
    return constants[name]


def _combined(kind: ast.operator, left: Fraction, right: Fraction) -> Fraction:
    if isinstance(kind, ast.Pow):
        return _power(left, right)
    if isinstance(kind, ast.Div):
        if right == 0:
            raise InvalidArgument("the expression divides by zero")
        return left / right
    if type(kind) not in _OPERATORS:
        raise InvalidArgument(f"the operator {type(kind).__name__} is not allowed; use + - * / ^")
    return _OPERATORS[type(kind)](left, right)


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > LARGEST_EXPONENT:
        raise InvalidArgument(
            f"an exponent must be a whole number of at most {LARGEST_EXPONENT}; {_short(exponent)} "
            "is not"
        )
    if base == 0 and exponent < 0:
        raise InvalidArgument("the expression divides by zero")
    if _bits(base) * abs(exponent) > MOST_BITS:
        raise InvalidArgument(f"a power in the expression has more than {MOST_BITS:,} bits")
    return base ** int(exponent)


def _sized(value: Fraction) -> Fraction:
    if _bits(value) > MOST_BITS:
        raise InvalidArgument(f"a number in the expression has more than {MOST_BITS:,} bits")
    return value


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _short(value: Fraction) -> str:
    text = str(value)
    return text if len(text) <= 20 else f"a number of {len(text)} digits"
