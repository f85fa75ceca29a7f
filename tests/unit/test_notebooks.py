"""What notebooks show: well-formed, escaped, and without colours."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import tightrope as tr

HOSTILE = "<script>alert(1)</script>&\"'"
UNIT = tr.add_or_remove.of(HOSTILE)
RUN = tr.Gaussian(noise_scale=2, neighbors=UNIT) ** 3 + tr.ZCDP(0.1, neighbors=UNIT)
SHOWN = {
    "guarantee": tr.GDP(1.0, neighbors=UNIT),
    "event": RUN.sampled(0.1),
    "published": RUN.then(HOSTILE),
    "curve": RUN.to(tr.Profile),
    "derivation": RUN.why(),
    "derived": RUN.then(HOSTILE).why(tr.GDP),
    "release": tr.Laplace(1.0, neighbors=UNIT).release(np.array([1.5, 2.5])),
    "choice": tr.Exponential(1.0, neighbors=UNIT).release([1.0, 2.0]),
    "histogram": tr.stable_histogram(
        [HOSTILE] * 100, tr.DiscreteLaplace(1, neighbors=UNIT), delta=1e-6
    ),
}

TAGS = {"div", "strong", "small", "br", "pre", "ul", "li"}


@pytest.mark.parametrize("value", SHOWN.values(), ids=SHOWN.keys())
def test_pages_are_well_formed_escaped_and_colourless(value):
    page = value._repr_html_()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    tree = ElementTree.fromstring(f"<div>{page.replace('<br>', '<br/>')}</div>")
    assert {node.tag for node in tree.iter()} <= TAGS
    assert not any(node.attrib for node in tree.iter())
    assert "neighbours" in "".join(tree.itertext())


def test_derivations_are_nested_lists():
    page = (tr.Exponential(epsilon=0.1) ** 10).why(tr.GDP)._repr_html_()
    assert page.startswith("<ul><li><div><strong>GDP(mu=")
    assert "<li><div><strong>10 × Exponential(epsilon=0.1)</strong>" in page
    assert "ask why" not in page


def test_releases_from_a_seed_are_marked():
    page = tr.Laplace(1.0).release(3.0, entropy=tr.InsecureEntropy(1))._repr_html_()
    assert re.search(r"<small>INSECURE: drawn from a fixed seed</small>", page)
    assert "noise scale 1.0, by DiscreteLaplace(" in page


@pytest.mark.parametrize("value", SHOWN.values(), ids=SHOWN.keys())
def test_markdown_keeps_hostile_texts_in_code_or_escaped(value):
    page = value._repr_markdown_()
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", page, flags=re.DOTALL)
    assert "<script" not in outside
    assert "neighbours" in page


def test_no_run_of_backticks_ends_a_code():
    unit = tr.add_or_remove.of("a ``` b `")
    page = tr.GDP(1.0, neighbors=unit)._repr_markdown_()
    assert page.startswith("````") or "\\`" in page
    assert "\\`\\`\\`" in page


@pytest.mark.parametrize("value", SHOWN.values(), ids=SHOWN.keys())
def test_latex_has_balanced_groups_and_no_foreign_commands(value):
    unit = tr.add_or_remove.of(r"\input{/etc/passwd} $x$ %")
    for page in (value._repr_latex_(), tr.GDP(1.0, neighbors=unit)._repr_latex_()):
        assert r"\input" not in page
        bare = re.sub(r"\\[{}\\]", "", page)
        assert bare.count("{") == bare.count("}")
        assert not re.search(r"(?<!\\)%", page)


def test_a_derivation_in_every_language_has_all_of_its_steps():
    found = (tr.Exponential(epsilon=0.1) ** 10).why(tr.GDP)
    for page in (found._repr_html_(), found._repr_markdown_(), found._repr_latex_()):
        assert "10 × Exponential(epsilon=0.1)" in page.replace(r"\ensuremath{\times}", "×")


HIDDEN = f"<script>{HOSTILE}"
VERDICT = tr.Verdict("false", HIDDEN, 1.0, 1.1, "false: the truth is in [1, 1.1]")
FINDING = tr.Finding("values", "all", "none", 0.5, False, 100)
OUTCOMES = {
    "report": (tr.report(RUN, title=HOSTILE), (".write('report.html')", "advantage of at most")),
    "verdict": (VERDICT, ("false: the truth is in [1, 1.1]", "claimed: ")),
    "audit": (
        tr.Audit(HIDDEN, "GDP(mu=1)", ("0", "1"), (FINDING,), 0.99, 100, secure=False),
        ("not refuted by 100 outputs", "of <script>", "0 and 1", "0.99", "a fixed seed"),
    ),
}


@pytest.mark.parametrize(("value", "words"), OUTCOMES.values(), ids=OUTCOMES.keys())
def test_outcomes_show_their_words_and_nothing_foreign(value, words):
    page = value._repr_html_()
    assert "<script" not in page
    tree = ElementTree.fromstring(f"<div>{page.replace('<br>', '<br/>')}</div>")
    assert {node.tag for node in tree.iter()} <= TAGS
    assert all(word in "".join(tree.itertext()) for word in words)
    assert "<script" not in re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", value._repr_markdown_())
    bare = re.sub(r"\\[{}\\]", "", value._repr_latex_())
    assert bare.count("{") == bare.count("}")
