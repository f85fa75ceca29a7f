"""Random mutations of the fields that carry a claim, as the published schema lists them."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "docs" / "certificate.schema.json").read_text())

NOTHING = Fraction(1, 10**200)

SMALLEST = Fraction(1, 10**4)
"""Numbers change by more than this, relative to what they were."""


def claim_fields(content) -> dict[str, list[tuple]]:
    """The places of all fields that carry a claim, by the field."""
    found: dict[str, list[tuple]] = {}
    for place in _places(content, SCHEMA, ()):
        name = ".".join("*" if isinstance(key, int) else key for key in place)
        for start in ("nodes.*.parameters", "steps.*.values", "claims.*.values", "claims.*.shown"):
            if name.startswith(start):
                name = start
        if name.startswith("steps.*.interval"):
            name = "steps.*.interval"
        if name.endswith("parts.*.*") or name.endswith("inputs.*.*"):
            name = name[:-1] + ("id" if place[-1] == 0 else "count")
        found.setdefault(name, []).append(place)
    return found


def _places(value, schema, place) -> Iterator[tuple]:
    """Leaves whose schema, or that of what they are in, says x-claim."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]] | schema
    if schema.get("x-claim"):
        yield place
        return
    if isinstance(value, dict):
        for key, item in value.items():
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties", {}))
            yield from _places(item, inner, (*place, key))
    elif isinstance(value, list):
        for n, item in enumerate(value):
            prefix = schema.get("prefixItems", [])
            yield from _places(item, prefix[n] if prefix else schema.get("items", {}), (*place, n))


def get(content, place):
    for key in place:
        content = content[key]
    return content


def mutated(content, place, others, rng: random.Random):
    """A copy in which one field says something else, with its digest made again."""
    changed = copy.deepcopy(content)
    inside = get(changed, place[:-1])
    inside[place[-1]] = other_value(inside[place[-1]], others, rng)
    return sealed(changed)


def sealed(content):
    """The content with the digest that it should have: a forger makes it again."""
    told = {key: value for key, value in content.items() if key != "digest"}
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return told | {"digest": "sha256:" + hashlib.sha256(text.encode()).hexdigest()}


def number(text) -> Fraction | None:
    try:
        return Fraction(float.fromhex(text)) if "0x" in text else Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def other_value(value, others, rng: random.Random):
    """Another value of the same kind: a wrong number, name, count, text or answer."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([n for n in (value + 1, value - 1, value * 10) if n > 0])
    if isinstance(value, list):
        return value[:-1] if rng.random() < 0.5 else [*value, *value[:1], "1"]
    was = number(value)
    if was is None:
        strange = [value + " ", value[:-1], value.swapcase(), "x" + value, ""]
        pool = [other for other in others if other != value]
        return rng.choice([text for text in strange if text != value] + pool * 3)
    while True:
        text = _other_number(value, was, rng)
        changed = number(text)
        if changed is None or abs(changed - was) > SMALLEST * abs(was) + NOTHING:
            return text


def _other_number(text: str, was: Fraction, rng: random.Random) -> str:
    way = rng.randrange(6)
    if way == 0:  # a digit is changed
        places = [n for n, letter in enumerate(text) if letter.isdigit()]
        n = rng.choice(places)
        return text[:n] + rng.choice("0123456789") + text[n + 1 :]
    if way == 1:
        return str(-was) if was else "-1"
    if way == 2:
        return rng.choice(["0", "1", "1/2", "1e-300", "1e300", "7", "nan", "inf", ""])
    factor = 1 + rng.choice((-1, 1)) * Fraction(1, 10 ** rng.randrange(1, 4))
    return str(was * factor if was else factor - 1)


# --- changes that mean nothing -----------------------------------------------------------------


def means_nothing(content, place, changed) -> bool:
    """Whether all that a changed file says is true, and its claims are what they were."""
    return _names_the_same(content, place, changed) or _states_no_less(content, place, changed)


def _names_the_same(content, place, changed) -> bool:
    """Whether a field names another record that says the very same."""
    was, now = get(content, place), get(changed, place)
    for table in ("steps", "nodes", "relations"):
        records = {record["id"]: record for record in content[table]}
        if was in records and now in records and isinstance(was, str):
            keys = ("about", "notion", "values") if table == "steps" else ()
            return bool(keys) and all(records[was][k] == records[now][k] for k in keys)
    return False


def _states_no_less(content, place, changed) -> bool:
    """Whether a step, which is not a claim itself, gives another point where no failure is left.

    From the epsilon of a pure guarantee on delta is 0, so that any epsilon from there on is true.
    """
    if place[0] != "steps" or place[2] != "values" or content["claims"] != changed["claims"]:
        return False
    step = changed["steps"][place[1]]
    (node,) = (node for node in content["nodes"] if node["id"] == step["about"])
    if step["notion"] != "ApproxDP" or node["kind"] != "PureDP":
        return False
    epsilon, delta = (number(step["values"][name]) for name in ("epsilon", "delta"))
    if epsilon is None or delta is None:
        return False
    return epsilon >= number(node["parameters"]["epsilon"]) and 0 <= delta <= 1
