"""Examples in the README and in docs/ run as tests; so do those in docstrings."""

from doctest import ELLIPSIS, NORMALIZE_WHITESPACE

from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

collect_ignore_glob = [
    "docs/conf.py",  # Sphinx runs these
    "docs/_ext/*",
    "docs/_build/*",
    "src/tightrope/ledger/store/migrations/*",  # and Alembic these
]

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(doctest_optionflags=ELLIPSIS | NORMALIZE_WHITESPACE)],
    patterns=["README.md", "docs/*.md", "docs/*/*.md"],
).pytest()
