"""The SPEC format: how every mistake is answered, in a document and in a file."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from specifications import LAPLACE, ONE

import tightrope as tr
from tightrope.spec.errors import SpecError
from tightrope.spec.reader import load, loads

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
