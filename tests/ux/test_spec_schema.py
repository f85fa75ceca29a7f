"""The SPEC format: places in documents, the schema, and what the documentation shows."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from fractions import Fraction

import jsonschema
import pytest
from specifications import ONE, VALIDATOR

import tightrope as tr
from tightrope.spec import locate
from tightrope.spec.errors import SpecError
from tightrope.spec.reader import loads


def paths(value, path=()):
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield (*path, key)
            yield from paths(inner, (*path, key))


@pytest.mark.parametrize("name", ["census2020", "dpsgd", "survey"])
def test_every_key_is_found_on_a_line_that_holds_it(root, name):
    text = (root / "examples" / f"{name}.toml").read_text()
    lines, found = text.split("\n"), locate.lines(text)
    for path in paths(tomllib.loads(text)):
        if isinstance(path[-1], str):
            assert path[-1] in lines[found[path] - 1], path


def test_places_in_awkward_documents():
    text = "\n".join(
        [
            'a."b c".d = 1 # ] }',
            'x = ["]", \'"\', """',
            '"] \\""" """, [',
            "1, {y = '#', z.w = [2]}]]",
            "[t]",
            "when = 1979-05-27 07:32:00",
            "[[t.u]]",
            "[[t.u]]",
            "[t.u.v]",
            "k = {}",
        ]
    )
    tomllib.loads(text)
    found = locate.lines(text)
    expected = {
        ("a", "b c", "d"): 1,
        ("x", 2): 2,
        ("x", 3, 0): 4,
        ("x", 3, 1, "z", "w"): 4,
        ("t", "when"): 6,
        ("t", "u", 0): 7,
        ("t", "u", 1): 8,
        ("t", "u", 1, "v", "k"): 10,
    }
    assert {path: found[path] for path in expected} == expected


def test_the_schema_in_the_documentation_is_the_one_of_the_classes(root):
    command = [sys.executable, "-m", "tightrope", "account", "--schema"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told == (root / "docs" / "spec.schema.json").read_text(), (
        "write the output of `tightrope account --schema` to docs/spec.schema.json"
    )
    jsonschema.Draft202012Validator.check_schema(json.loads(told))


@pytest.mark.parametrize(
    "document",
    [
        "",
        f'titel = "x"\n{ONE}',
        'release = [{ mechanism = "laplce", noise_scale = 1 }]',
        'release = [{ mechanism = "laplace" }]',
        'release = [{ mechanism = "laplace", noise_scale = 0 }]',
        'release = [{ guarantee = "gdp:1", times = 1.5 }]',
        'release = [{ guarantee = "gdp:1", notion = "gdp" }]',
        f'report = ["zcpd"]\n{ONE}',
        f'{ONE}jointly = [{{ guarantee = "gdp:1" }}]',
    ],
)
def test_the_schema_refuses_mistakes(document):
    assert not VALIDATOR.is_valid(tomllib.loads(document))


def test_the_documents_in_the_documentation_read(root):
    text = (root / "docs" / "spec.md").read_text()
    first, second = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    spec = loads(first)
    assert spec.event.to(tr.ZCDP).rho > 0
    labelled = 'release = [{ label = "persons", guarantee = "gdp:1" }]\n'
    assert loads(labelled + second).published[0].epsilon == Fraction(1714, 100)


def test_the_mistake_in_the_documentation_is_told_as_it_says(root):
    text = (root / "docs" / "spec.md").read_text()
    told = re.search(r"```text\n(.*?)\.\.\.", text, re.DOTALL)[1].replace("\n", " ")
    document = (
        "\n" * 12
        + 'release = [{ guarantee = "gdp:1" },\n{ mechanism = "laplace", noise_scael = 1 }]'
    )
    with pytest.raises(SpecError) as raised:
        loads(document, "survey.toml")
    assert str(raised.value).startswith(told.strip())
