"""The site: `make docs` builds it into docs/_build/html."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))
sys.path.insert(0, str(Path(__file__).parent))

from tightrope import __version__

project = "tightrope"
copyright = "the tightrope authors"
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinxcontrib.bibtex",
    "from_registry",
]
exclude_patterns = ["_build", "_ext"]

myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False

bibtex_bibfiles: list[str] = []  # from_registry writes the one there is
bibtex_default_style = "alpha"
bibtex_reference_style = "author_year"

html_theme = "furo"
html_title = f"tightrope {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
pygments_style = "friendly"
