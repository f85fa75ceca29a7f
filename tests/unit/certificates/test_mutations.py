"""A certificate of which any field that carries a claim says something else is not verified.

The fields are those of the published schema, which knows nothing of the checker; every changed file
gets a digest of its own, as a forger would give it.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache

import pytest

import tightrope as tr
from tightrope.verify import verify

from .mutations import claim_fields, get, means_nothing, mutated, sealed

R = tr.replace_one


@cache
def contents():
    """Certificates that are quick to check, of many kinds of nodes, steps and claims."""
    persons = R.of("person").keeping("the total")
    events = [
        tr.Gaussian(4.0) ** 12 + tr.Laplace(2.0),
        tr.jointly(
            tr.Gaussian(2.0, neighbors=persons), tr.Laplace(3.0, neighbors=R.of("house"))
        ).then("a table"),
        (tr.Laplace(5.0) ** 2).group(3),
        tr.Laplace(1.0).sampled(0.1),
        tr.parallel(tr.Gaussian(2.0), tr.PureDP(0.5)),
        tr.parallel(tr.Gaussian(2.0, neighbors=R), tr.Gaussian(3.0, neighbors=R)),
        (tr.Gaussian(2.0) ** 2).restated(R),
        tr.RandomizedResponse(1.0, 4, neighbors=R).shuffled(100),
        tr.PureDP(0.1).best_of(tr.PoissonRepetitions(mean=10)),
        tr.PureDP(1.0, neighbors=R).without_replacement(batch_size=10, population=1000),
        tr.Exponential(0.5) + tr.Exponential(0.25) + tr.DiscreteLaplace(2.0, 3),
    ]
    return [tr.certificate(event).content for event in events]


def told(content) -> bytes:
    return json.dumps(content).encode()


def score(runs_a_field: int, seed: int) -> tuple[Counter, Counter, list]:
    rng, caught, tried, missed = random.Random(seed), Counter(), Counter(), []
    fields: dict[str, list] = {}
    for content in contents():
        for name, places in claim_fields(content).items():
            fields.setdefault(name, []).extend((content, place) for place in places)
    for name, places in fields.items():
        pools: dict[int, list] = {}
        for _ in range(runs_a_field):
            content, place = rng.choice(places)
            if id(content) not in pools:
                pools[id(content)] = [get(content, p) for p in claim_fields(content)[name]]
            changed = mutated(content, place, pools[id(content)], rng)
            if means_nothing(content, place, changed):
                continue
            tried[name] += 1
            report = verify(told(changed))
            if report.exit_code:
                caught[name] += 1
            else:
                missed.append((name, get(content, place), get(changed, place)))
    return tried, caught, missed


def test_unchanged_certificates_are_verified():
    for content in contents():
        assert verify(told(content)).exit_code == 0
        assert verify(told(sealed(content))).sentence.startswith("verified")


def test_the_schema_describes_what_is_written():
    jsonschema = pytest.importorskip("jsonschema")
    from .mutations import SCHEMA

    for content in contents():
        jsonschema.validate(content, SCHEMA)


def test_no_changed_claim_passes():
    tried, caught, missed = score(runs_a_field=6, seed=1)
    assert not missed, missed[:5]
    assert len(tried) > 25
    assert caught == tried


@pytest.mark.slow
def test_no_changed_claim_passes_in_ten_thousand():
    tried, caught, missed = score(runs_a_field=310, seed=2)
    assert not missed, missed[:5]
    assert min(tried.values()) >= 100
    assert sum(caught.values()) >= 10_000


def test_a_file_that_was_changed_after_it_was_sealed_is_refuted():
    rng = random.Random(3)
    content = contents()[0]
    text = told(content).decode()
    for _ in range(100):
        place = rng.randrange(len(text))
        changed = text[:place] + rng.choice("0123456789abc") + text[place + 1 :]
        if changed != text:
            assert verify(changed).verdict in ("refuted", "unreadable")
