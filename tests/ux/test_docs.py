"""The documentation says what the code says."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_list_of_theorems_is_the_registry():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert (ROOT / "docs" / "theorems.md").read_text(encoding="utf-8") == generate.page(), (
        "run `python docs/generate.py`"
    )


def test_every_proof_of_ours_is_on_the_page_that_is_cited():
    import tightrope.plan  # noqa: F401
    from tightrope.theorems.registry import theorems

    page = (ROOT / "docs" / "theory.md").read_text(encoding="utf-8")
    headings = {line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")}
    cited = {t.item for t in theorems() if t.cite == "tightrope"}
    assert cited <= headings
