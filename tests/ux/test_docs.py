"""The documentation says what the code says."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]


def script(name: str):
    """A script of docs/, as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_list_of_theorems_is_the_registry():
    told = (ROOT / "docs" / "theorems.md").read_text(encoding="utf-8")
    assert told == script("theorem_list").page(), "run `python docs/theorem_list.py`"


def test_the_description_of_specifications_lists_what_the_classes_declare():
    told = (ROOT / "docs" / "spec.md").read_text(encoding="utf-8")
    assert told == script("spec_tables").with_tables(told), "run `python docs/spec_tables.py`"


def test_every_proof_of_ours_is_on_the_page_that_is_cited():
    import tightrope.plan  # noqa: F401
    from tightrope.theorems.registry import theorems

    page = (ROOT / "docs" / "theory.md").read_text(encoding="utf-8")
    headings = {line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")}
    cited = {t.item for t in theorems() if t.cite == "tightrope"}
    assert cited <= headings
