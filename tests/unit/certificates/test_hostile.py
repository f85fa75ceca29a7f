"""Files that somebody wrote to do harm: each ends in a report, quickly, and none is verified."""

from __future__ import annotations

import json
import math

import pytest

import tightrope as tr
from tightrope.verify import verify

from .mutations import sealed

CONTENT = tr.certificate(tr.Gaussian(4.0) ** 12).content


def changed(**fields):
    return json.dumps(sealed(CONTENT | fields))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        "[" * 100_000,
        '{"schema":' * 5000 + "1" + "}" * 5000,
        '{"schema": "tightrope-certificate/1", "schema": "tightrope-certificate/1"}',
        '{"schema": "tightrope-certificate/1"}',
        '{"schema": "tightrope-certificate/2"}',
        '{"a": 1e400}',
        '{"a": NaN}',
        '{"a": ' + "9" * 10_000 + "}",
        '{"a": "\\ud800"}',
        "\ufeff{}",
    ],
)
def test_what_is_no_certificate_is_unreadable(text):
    report = verify(text)
    assert report.exit_code == 2
    assert report.sentence.startswith("unreadable")


def test_bytes_that_are_no_text():
    assert verify(b"\xff\xfe{}").exit_code == 2


def test_a_key_that_stands_twice_is_refused_wherever_it_is():
    text = json.dumps(CONTENT)
    twice = text.replace('"notion":', '"notion": "GDP", "notion":', 1)
    assert "twice" in verify(twice).reason


@pytest.mark.parametrize(
    "number",
    [
        "1e999999999",
        "1e-99999",
        "9" * 3000,
        "1/0",
        "0x1.0p+99999",
        "inf",
        "nan",
        "1_000",
        "١",
        " 1",
        None,
        1,
        [],
        {},
        "1" + "/" + "9" * 2400,
    ],
)
def test_strange_numbers(number):
    steps = [dict(step) for step in CONTENT["steps"]]
    steps[0] = steps[0] | {"values": {"rho": number, "xi": "0"}}
    assert verify(changed(steps=steps)).exit_code in (1, 2, 4)


@pytest.mark.parametrize("field", [name for name in CONTENT if name not in ("digest",)])
@pytest.mark.parametrize("value", [None, [], {}, "x", True, [None], [{}], [[]], {"a": []}])
def test_fields_of_another_shape(field, value):
    if field in ("title", "about", "tightrope") and isinstance(value, str):
        pytest.skip("any text will do")
    if field == "left_out" and value == []:
        pytest.skip("nothing need be left out")
    assert verify(changed(**{field: value})).exit_code in (1, 2, 4)


def test_an_event_that_grows_when_it_is_taken_apart():
    relation = CONTENT["relations"][0]["id"]
    leaf = CONTENT["nodes"][0]
    nodes = [leaf]
    for n in range(1, 60):
        before = nodes[-1]["id"]
        parts = [[before, 10**18], [leaf["id"], 1]]
        nodes.append({"id": f"n{n}", "kind": "Composed", "parts": parts, "neighbors": relation})
    assert "nests" in verify(changed(nodes=nodes, event="n59")).reason


def test_a_deep_event_is_refused():
    relation = CONTENT["relations"][0]["id"]
    nodes = [CONTENT["nodes"][0]]
    for n in range(1, 5000):
        parts = [[nodes[-1]["id"], 1]]
        named = {"kind": "Grouped", "parts": parts, "parameters": {"size": "2"}}
        nodes.append({"id": f"n{n}", "neighbors": relation} | named)
    assert "levels" in verify(changed(nodes=nodes, event="n4999")).reason


def test_a_step_cannot_rest_on_itself_or_on_a_later_one():
    steps = [dict(step) for step in CONTENT["steps"]]
    composed = next(n for n, step in enumerate(steps) if step["theorem"] == "compose_zcdp")
    for name in (steps[composed]["id"], steps[-1]["id"]):
        steps[composed] = steps[composed] | {"inputs": [[name, 1]]}
        report = verify(changed(steps=steps))
        assert (report.exit_code, report.verdict) == (1, "refuted")
        assert steps[composed]["id"] in report.where


@pytest.mark.parametrize("theorem", ["compose_gdp", "compose_zcdp", "Gaussian.gdp"])
def test_no_number_on_the_unsafe_side_passes_however_near_it_is(theorem):
    steps = [dict(step) for step in CONTENT["steps"]]
    place = next(n for n, step in enumerate(steps) if step["theorem"] == theorem)
    (name, text), *_ = steps[place]["values"].items()
    value = float.fromhex(text) if "0x" in text else float(text)
    less = math.nextafter(math.nextafter(value, 0), 0)
    steps[place] |= {"values": steps[place]["values"] | {name: less.hex()}}
    report = verify(changed(steps=steps))
    assert report.exit_code == 1
    assert steps[place]["id"] in report.where
