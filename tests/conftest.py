"""Pytest puts this directory on the path, so that tests find the ``oracle`` package."""

from collections.abc import Iterator

import mpmath
import pytest


@pytest.fixture(autouse=True)
def _digits() -> Iterator[None]:
    """Sixty digits in mpmath for every test: its precision is global, and modules set it."""
    with mpmath.workdps(60):
        yield
