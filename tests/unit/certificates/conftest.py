"""The checker needs python-flint, as tests do."""

import pytest

pytest.importorskip("flint")
