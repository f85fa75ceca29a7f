"""The SPEC format: what reads, exactly what it means, and how every mistake is answered."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import tomllib
from fractions import Fraction

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tightrope as tr
from tightrope._check import parameters
from tightrope.spec import locate, vocabulary
from tightrope.spec.arithmetic import evaluate
from tightrope.spec.errors import SpecError
from tightrope.spec.reader import load, loads
from tightrope.spec.schema import schema

LAPLACE = '{ mechanism = "laplace", noise_scale = 2 }'
VALIDATOR = jsonschema.Draft202012Validator(schema())
ONE = f"release = [{LAPLACE}]\n"


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


# --- mistakes -------------------------------------------------------------------------------

MISTAKES = [
    ("", 1, "", "nothing was run: give one of release, parallel, jointly"),
    (f'titel = "x"\n{ONE}', 1, "titel", "did you mean 'title'?"),
    (f"title = 3\n{ONE}", 1, "title", "must be a text, in quotes; you wrote 3"),
    ("release = 3", 1, "release", "must be a list of nodes; you wrote 3"),
    ("release = []", 1, "release", "must be a list of nodes; it is empty"),
    ("release = [\n3]", 2, "release[1]", "must be a node"),
    ("release = [\n{}]", 2, "release[1]", "a node needs one of the keys mechanism, guarantee"),
    (f"{ONE}jointly = [{LAPLACE}]", 2, "jointly", "one analysis; this one has release and jointly"),
    (f"{ONE}fixed_parts = true", 2, "fixed_parts", "belongs to parallel parts"),
    (
        f'release = [\n{LAPLACE},\n{{ mechansim = "laplace" }}]',
        3,
        "release[2].mechansim",
        "did you mean 'mechanism'?",
    ),
    (
        'release = [\n{ mechanism = "laplce" }]',
        2,
        "release[1].mechanism",
        "did you mean 'laplace'?",
    ),
    ("release = [\n{ mechanism = 3 }]", 2, "release[1].mechanism", "must be mechanism, in quotes"),
    (
        'release = [\n{ mechanism = "laplace", noise_scael = 2 }]',
        2,
        "release[1].noise_scael",
        "unknown key in mechanism 'laplace'; did you mean 'noise_scale'? Known: group, invariants",
    ),
    ('release = [\n{ mechanism = "laplace" }]', 2, "release[1]", "'laplace' needs noise_scale"),
    (
        'release = [\n{ mechanism = "laplace", noise_scale = -2 }]',
        2,
        "release[1].noise_scale",
        "must be a finite number above 0; you wrote -2",
    ),
    (
        'release = [\n{ mechanism = "laplace", noise_scale = "1 - 2" }]',
        2,
        "release[1].noise_scale",
        'must be a finite number above 0; you wrote "1 - 2", which is -1',
    ),
    (
        'release = [\n{ mechanism = "laplace", noise_scale = true }]',
        2,
        "release[1].noise_scale",
        "must be a finite number above 0, or an expression in quotes; you wrote true",
    ),
    (
        'release = [\n{ mechanism = "gaussian", noise_scale = 1, variance = 1 }]',
        2,
        "release[1]",
        "give noise_scale or variance, one of the two",
    ),
    (
        'release = [\n{ mechanism = "report_noisy_max", epsilon = 1, noise = "cauchy" }]',
        2,
        "release[1]",
        "noise must be one of 'exponential', 'laplace', 'gumbel'",
    ),
    (
        'release = [\n{ mechanism = "report_noisy_max", epsilon = 1, monotone = 1 }]',
        2,
        "release[1].monotone",
        "must be true or false; you wrote 1",
    ),
    ('release = [\n{ guarantee = "zcpd:1" }]', 2, "release[1].guarantee", "did you mean 'zcdp'?"),
    ('release = [\n{ guarantee = "zcdp" }]', 2, "release[1].guarantee", "a text like zcdp:0.5"),
    (
        'release = [\n{ guarantee = "rdp:2=1" }]',
        2,
        "release[1].guarantee",
        "notion = 'rdp', orders",
    ),
    (
        'release = [\n{ guarantee = "gdp:1,2" }]',
        2,
        "release[1].guarantee",
        "'1,2' reads as one: write gdp:1.2",
    ),
    (
        'release = [\n{ guarantee = "gdp:1, 2" }]',
        2,
        "release[1].guarantee",
        "'gdp' takes mu; 2 numbers",
    ),
    (
        'release = [\n{ guarantee = "gdp:-1" }]',
        2,
        "release[1].guarantee",
        "mu must be a finite number",
    ),
    (
        'release = [\n{ notion = "rdp", orders = [2, 3], epsilons = [1] }]',
        2,
        "release[1]",
        "must have one length; 2 and 1 given",
    ),
    (
        'release = [\n{ guarantee = "gdp:1", notion = "gdp" }]',
        2,
        "release[1].notion",
        "a node says in one way what was run; it has guarantee and notion",
    ),
    (
        'release = [\n{ guarantee = "gdp:1",   rate = 1.2 }]',
        2,
        "release[1].rate",
        "must be a sampling rate in [0, 1]; you wrote 1.2",
    ),
    ('release = [{ guarantee = "gdp:1", times = "3/2" }]', 1, "release[1].times", "a whole number"),
    ('release = [{ guarantee = "gdp:1", group = 0 }]', 1, "release[1].group", "a whole number"),
    ('release = [{ guarantee = "gdp:1", then = 3 }]', 1, "release[1].then", "what was published"),
    ('release = [{ guarantee = "gdp:1", label = " " }]', 1, "release[1].label", "must be a label"),
    (f'neighbors = "replace"\n{ONE}', 1, "neighbors", "did you mean 'replace_one'?"),
    (f'unit = ""\n{ONE}', 1, "unit", "must be the name of the privacy unit"),
    (f'invariants = ["a",\n3]\n{ONE}', 2, "invariants[2]", "must be a published fact"),
    (
        'release = [\n{ guarantee = "gdp:1" },\n{ guarantee = "gdp:1", neighbors="replace_one" }]',
        3,
        "release[2]",
        'restated by a group of two: restated = "replace_one"',
    ),
    (
        'jointly = [\n{ guarantee = "gdp:1" },\n{ guarantee = "gdp:1" }]',
        1,
        "jointly",
        'every part needs a unit of its own, named by unit = "person"',
    ),
    (
        'parallel = [\n{ label = "a", guarantee = "gdp:1" },\n{ label="a", guarantee = "gdp:1" }]',
        3,
        "parallel[2].label",
        "the label 'a' is taken",
    ),
    ("[let]\na = 1\nb = 'c'\n[[release]]\nguarantee = 'gdp:a'", 3, "let.b", "unknown name 'c'"),
    ("[let]\nlambda = 1\n[[release]]\nguarantee = 'gdp:1'", 2, "let.lambda", "no word of Python"),
    ("[let]\nalpha = 1\n[[release]]\nguarantee = 'gdp:alhpa'", 4, "", "did you mean 'alpha'?"),
    (f"let = 3\n{ONE}", 1, "let", "must be a table of constants"),
    (f'report = ["zcdp",\n"zcpd"]\n{ONE}', 2, "report[2]", "did you mean 'zcdp'?"),
    (
        f'report = ["approx"]\n{ONE}',
        1,
        "report[1]",
        "write 'approx delta=...' or 'approx epsilon=...'",
    ),
    (f'report = ["zcdp 3"]\n{ONE}', 1, "report[1]", "write 'zcdp' alone"),
    (f'report = ["approx dleta=3"]\n{ONE}', 1, "report[1]", "did you mean 'delta'?"),
    (
        f'report = ["approx delta=3"]\n{ONE}',
        1,
        "report[1]",
        "a probability strictly between 0 and 1",
    ),
    (f'estimates = ["clt"]\n{ONE}', 1, "estimates[1]", "unknown estimate 'clt'. Known: continuous"),
    (f"{ONE}[[published]]\nepsilon = 3", 2, "published[1]", "delta is missing"),
    (
        f"{ONE}[[published]]\nepsilon = 3\ndelta = 0",
        4,
        "published[1].delta",
        "strictly between 0 and 1",
    ),
    (
        f'{ONE}[[published]]\nepsilon = 3\ndelta = 1e-5\npart = "x"',
        5,
        "published[1].part",
        "unknown part 'x'. Known: whole",
    ),
    # TOML itself
    ("release = [\n{ a = 1,\n b = 2 }]", 2, "", "an inline table { ... } stands on one line"),
    (
        "release = [{ mechanism = laplace }]",
        1,
        "",
        'texts stand in quotes, as in mechanism = "gaussian"',
    ),
    ("a = 1\n\nrelease = [{ b = 1/3 }]", 3, "", "write fractions in quotes"),
    ('a = 1\nb = "c"\na = 2\nc = 3', 3, "", "a key stands twice in one table"),
    ("[let]\n[let]", 2, "", "cannot declare"),
    ("a = 1\nrelease = [\n{ b = 1 },\n", 2, "", "the '[' opened here is never closed"),
    ("a = 1\nb", 2, "", "expected '=' after a key"),
]


@pytest.mark.parametrize(("document", "line", "key", "problem"), MISTAKES)
def test_a_mistake_is_told_with_line_key_and_what_is_allowed(document, line, key, problem):
    with pytest.raises(SpecError) as told:
        loads(document, "some.toml")
    error = told.value
    assert problem in error.problem
    assert error.line == line
    assert key in error.key
    assert str(error).startswith(f"some.toml, line {line}")
    assert isinstance(error, tr.InvalidArgument)


HOSTILE = [
    ("[" * 5000, "not valid TOML"),
    (f"a = {'[' * 5000}{']' * 5000}", "brackets nest deeper"),
    (f"a = {'9' * 5000}", "too many digits"),
    (f"release = {'[{ compose = ' * 60}{ONE[10:].strip()}{' }]' * 60}", "nest deeper than 50"),
    *(
        (f"release = [{{ guarantee = 'gdp:{expression}' }}]", problem)
        for expression, problem in [
            ("9^9^9", "an exponent must be a whole number of at most 1000"),
            ("2^(1/2)", "an exponent must be a whole number"),
            ("10^1000 * 10^1000", "has more than 4,096 bits"),
            ("7^1000 * 7^1000", "has more than 4,096 bits"),
            ("1e999999999", "too large, too small or too long"),
            ("0^-1", "divides by zero"),
            ("1/(2 - 2)", "divides by zero"),
            ("(" * 300 + "1" + ")" * 300, "is not an expression"),
            ("-" * 900 + "1", "nested deeper than 100"),
            ("+".join(["1"] * 400), "nested deeper than 100"),
            ("1" * 1100, "at most 1,000 characters"),
            ("__import__(1)", "is not allowed"),
            ("a.b", "is not allowed"),
            ("[1][0]", "is not allowed"),
            ("1 if 1 else 2", "is not allowed"),
            ("7 // 2", "FloorDiv is not allowed"),
            ("True", "is not allowed"),
            ("1j", "is not allowed"),
            ("0x10", "is not a decimal number"),
            ("\u0661", "holds characters"),
            ("", "is not an expression"),
            ("nan", "unknown name 'nan'"),
            ("inf", "unknown name 'inf'"),
        ]
    ),
    ("release = [{ notion = 'gdp', mu = nan }]", "not a finite number"),
    ("release = [{ notion = 'gdp', mu = -inf }]", "not a finite number"),
    ("release = [{ notion = 'gdp', mu = 1e999999999999 }]", "too large, too small or too long"),
    (f"release = [{{ notion = 'gdp', mu = {'1' * 4000} }}]", "too large, too small or too long"),
    (f"release = [{{ notion = 'gdp', mu = 0.{'1' * 4000} }}]", "too large, too small or too long"),
    ("release = [{ notion = 'gdp', mu = 2021-06-03 }]", "you wrote 2021-06-03"),
    ("release = [{ notion = 'gdp', mu = '''\n1\n''' }]", "holds characters"),
]


@pytest.mark.parametrize(("document", "problem"), HOSTILE)
def test_hostile_documents_get_one_clear_error(document, problem):
    with pytest.raises(SpecError, match=re.escape(problem)) as told:
        loads(document)
    assert len(str(told.value)) < 800


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_damaged_document_reads_or_is_refused(data):
    whole = (
        'unit = "a"\n[let]\nx = "1/2"\n[[release]]\nlabel = "b"\nguarantee = "gdp:x"\ntimes = 2\n'
    )
    start = data.draw(st.integers(0, len(whole)))
    length = data.draw(st.integers(0, 12))
    piece = data.draw(st.text(st.sampled_from("[]{}=.,\"'#\\\n x1é\x00"), max_size=6))
    with contextlib.suppress(SpecError):
        assert loads(whole[:start] + piece + whole[start + length :]).event


# --- files ----------------------------------------------------------------------------------


def test_a_file_that_is_no_utf8_is_told_with_its_line(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_bytes(b'title = "ok"\nabout = "caf\xe9"\n')
    with pytest.raises(SpecError, match=r"bad.toml, line 2: the file is not a text in UTF-8"):
        load(path)


def test_a_huge_file_is_refused(tmp_path):
    path = tmp_path / "huge.toml"
    path.write_bytes(b"#" * 1_000_001)
    with pytest.raises(SpecError, match="at most 1,000,000 bytes"):
        load(path)


def test_a_directory_is_no_file(tmp_path):
    with pytest.raises(OSError, match="directory"):
        load(tmp_path)


def test_byte_order_marks_and_line_ends_of_windows_are_fine(tmp_path):
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + ONE.replace("\n", "\r\n").encode())
    assert load(path).event == tr.Laplace(2)
    path.write_bytes(b"title = '''\r\n'''\r\n" + b"release = [\r\n3]")
    with pytest.raises(SpecError, match="line 4"):
        load(path)


# --- places, schema and documentation -------------------------------------------------------


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
