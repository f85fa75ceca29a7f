"""Messages name the kind of what was passed with the right article."""

from __future__ import annotations

import numpy as np
import pytest

import tightrope as tr
from tightrope._text import named


@pytest.mark.parametrize(
    ("noun", "told"),
    [
        ("int", "an int"),
        ("ApproxDP", "an ApproxDP"),
        ("object", "an object"),
        ("UnsupportedDpEvent", "an UnsupportedDpEvent"),
        ("uint8", "a uint8"),
        ("ufunc", "a ufunc"),
        ("UUID", "a UUID"),
        ("str", "a str"),
        ("OneOf", "a OneOf"),
    ],
)
def test_nouns_have_their_article(noun, told):
    assert named(noun) == told


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: tr.parse("1"), "gives an int, not an event"),
        (lambda: tr.GDP(mu=object()), "which is an object"),
        (lambda: tr.GDP(mu="1"), "which is a str"),
        (lambda: tr.GDP(mu=np.array([1.0, 2.0])), "which is an? ndarray"),
    ],
)
def test_errors_say_an_int(call, words):
    with pytest.raises(tr.InvalidArgument, match=words):
        call()
