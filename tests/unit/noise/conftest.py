"""Laws of noise are compared to many digits."""

from collections.abc import Iterator

import mpmath
import pytest


@pytest.fixture(autouse=True)
def _many_digits() -> Iterator[None]:
    with mpmath.workdps(120):
        yield
