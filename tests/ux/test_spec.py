"""The SPEC format: what reads, and exactly what it means."""

from __future__ import annotations

import tomllib
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from specifications import LAPLACE, VALIDATOR

import tightrope as tr
from tightrope._check import parameters
from tightrope.spec import vocabulary
from tightrope.spec.arithmetic import evaluate
from tightrope.spec.reader import load, loads


def event(nodes, head=""):
    return loads(f"{head}\nrelease = [\n{nodes}\n]").event


# --- what reads, and what it means ----------------------------------------------------------


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (LAPLACE, tr.Laplace(2)),
        ('{ mechanism = "laplace", noise_scale = 0.1 }', tr.Laplace(Fraction(1, 10))),
        (
            '{ mechanism = "gaussian", variance = "104/4099" }',
            tr.Gaussian(variance=Fraction(104, 4099)),
        ),
        (
            '{ mechanism = "randomized_response", epsilon = 1, categories = 8 }',
            tr.RandomizedResponse(1, 8),
        ),
        (
            '{ mechanism = "report_noisy_max", epsilon = 1, noise = "gumbel", monotone = true }',
            tr.ReportNoisyMax(1, noise="gumbel", monotone=True),
        ),
        ('{ guarantee = "zcdp:1/3" }', tr.ZCDP(Fraction(1, 3))),
        ('{ guarantee = "approx: 1, 1e-6" }', tr.ApproxDP(1, Fraction(1, 10**6))),
        ('{ notion = "gdp", mu = 0.5 }', tr.GDP(0.5)),
        ('{ notion = "rdp", orders = [2, 32], epsilons = [0.5, 1] }', tr.RDP([2, 32], [0.5, 1])),
        (f"{{ compose = [{LAPLACE}, {LAPLACE}] }}", tr.Laplace(2) ** 2),
        (
            f"{{ parallel = [{LAPLACE}], fixed_parts = true }}",
            tr.parallel(tr.Laplace(2), fixed_parts=True),
        ),
        (
            '{ then = "a map", group = 3, times = 4, rate = 0.25, guarantee = "gdp:2" }',
            (tr.GDP(2).sampled(0.25) ** 4).group(3).then("a map"),
        ),
        (
            '{ compose = [{ mechanism = "laplace", noise_scale = 2, times = 4 }], rate = 0.25 }',
            (tr.Laplace(2) ** 4).sampled(0.25),
        ),
    ],
)
def test_a_node_means_the_event_that_python_would_build(node, expected):
    assert event(node) == expected


def test_the_relation_comes_from_the_tables_around():
    head = 'neighbors = "replace_one"\nunit = "person"\ninvariants = ["the total"]'
    expected = tr.replace_one.of("person").keeping("the total")
    assert event(LAPLACE, head).neighbors == expected
    own = '{ mechanism = "laplace", noise_scale = 2, unit = "household", invariants = ["the sum"] }'
    assert event(own, head).neighbors == tr.replace_one.of("household").keeping(
        "the total", "the sum"
    )


def test_joint_parts_have_units_of_their_own():
    spec = loads(
        'neighbors = "replace_one"\n'
        '[[jointly]]\nlabel = "a"\nunit = "person"\nguarantee = "zcdp:1/2"\n'
        '[[jointly]]\nlabel = "b"\nunit = "home"\nguarantee = "zcdp:1/4"\n'
    )
    assert spec.event == tr.jointly(
        tr.ZCDP(0.5, neighbors=tr.replace_one.of("person")),
        tr.ZCDP(0.25, neighbors=tr.replace_one.of("home")),
    )


def test_a_node_can_be_restated_for_replaced_units():
    node = '{ guarantee = "gdp:2", neighbors = "add_or_remove", restated = "replace_one" }'
    found = event(node, 'neighbors = "replace_one"')
    assert found == tr.GDP(2).restated(tr.replace_one)
    assert found.neighbors == tr.replace_one


def test_long_nodes_are_tables_of_their_own():
    spec = loads(
        '[[release]]\nlabel = "first"\n[[release.compose]]\nguarantee = "gdp:1"\n'
        '[[release.compose]]\nguarantee = "gdp:2"\n[[release]]\nguarantee = "gdp:3"\n'
    )
    assert spec.event == tr.GDP(1) + tr.GDP(2) + tr.GDP(3)
    assert [part.label for part in spec.root.parts] == ["first", ""]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("104/4099", Fraction(104, 4099)),
        ("(542/339)^2", Fraction(293764, 114921)),
        ("0.1", Fraction(1, 10)),
        ("1e-10", Fraction(1, 10**10)),
        ("1_000", Fraction(1000)),
        ("2 * 3^2", Fraction(18)),
        ("2^3^2", Fraction(512)),
        ("-2^2", Fraction(-4)),
        ("2^-3", Fraction(1, 8)),
        ("1/(rho * US)", Fraction(5, 2)),
        ("7 - 2 - 1", Fraction(4)),
    ],
)
def test_expressions_are_exact(text, value):
    assert evaluate(text, {"rho": Fraction(2), "US": Fraction(1, 5)}) == value


NUMBERS = st.integers(0, 50).map(lambda n: (str(n), Fraction(n)))


@given(
    st.recursive(
        NUMBERS,
        lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(
            lambda t: (
                f"({t[0][0]} {t[1]} {t[2][0]})",
                {"+": t[0][1] + t[2][1], "-": t[0][1] - t[2][1], "*": t[0][1] * t[2][1]}[t[1]],
            )
        ),
        max_leaves=12,
    )
)
@settings(max_examples=60, deadline=None)
def test_any_expression_has_the_value_of_rational_arithmetic(case):
    text, value = case
    assert evaluate(text, {}) == value


def test_constants_use_those_before_them():
    spec = loads('[let]\nb = 0.5\na = "b/3"\n[[release]]\nguarantee = "zcdp:a * 6"')
    assert spec.event == tr.ZCDP(1)


@pytest.mark.parametrize("name", ["census2020", "dpsgd", "survey"])
def test_examples_read_and_satisfy_the_schema(root, name):
    path = root / "examples" / f"{name}.toml"
    assert load(path).title
    VALIDATOR.validate(tomllib.loads(path.read_text()))


OF_COLUMNS = {
    "finite_pair": (
        "p = [0.75, 0.25], q = [0.25, 0.75]",
        tr.FinitePair([0.75, 0.25], [0.25, 0.75]),
    ),
    "gaussian_mixture": (
        "shifts = [0, 1], weights = [0.5, 0.5], noise_scale = 2",
        tr.GaussianMixture([0, 1], [0.5, 0.5], 2),
    ),
}


@pytest.mark.parametrize("name", OF_COLUMNS)
def test_mechanisms_of_columns_read_from_lists(name):
    keys, event = OF_COLUMNS[name]
    document = f'release = [{{ mechanism = "{name}", {keys} }}]'
    assert loads(document).event == event
    VALIDATOR.validate(tomllib.loads(document))


@pytest.mark.parametrize("name", sorted({*vocabulary.mechanisms()} - {*OF_COLUMNS}))
def test_every_mechanism_reads_from_its_declared_parameters(name):
    owner = vocabulary.mechanisms()[name].owner
    alternatives = {"variance", "squared_sensitivity"}  # given in place of another
    typical = {p.name: round(p.typical[1]) for p in parameters(owner) if p.name not in alternatives}
    keys = ", ".join(f"{key} = {value}" for key, value in typical.items())
    document = f'release = [{{ mechanism = "{name}", {keys} }}]'
    assert loads(document).event == owner(**typical)
    VALIDATOR.validate(tomllib.loads(document))
