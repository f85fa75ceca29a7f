"""The commands of the ledger: what they print, how they end, and what they never say."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import tightrope as tr

TRIGGERS = "SELECT name FROM sqlite_master WHERE type = 'trigger'"

COMMANDS = (
    "create",
    "admit",
    "charge",
    "reserve",
    "commit",
    "release",
    "show",
    "statement",
    "verify",
    "share",
    "close",
    "export",
    "import",
    "grant",
)


@pytest.fixture
def ledger(tightrope, monkeypatch, tmp_path):
    """A command of the ledger in a folder of its own, with a book of GDP(1)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TIGHTROPE_STORE", "budget.db")

    def command(*arguments):
        return tightrope("ledger", *arguments)

    code, out, err = command("create", "census", "--budget", "gdp:1", "--unit", "person")
    assert (code, err) == (0, "")
    assert "for neighbours that add or remove one person" in out
    return command


@pytest.fixture
def record(ledger):
    """The same with ``--json``."""

    def command(*arguments):
        code, out, err = ledger(*arguments, "--json")
        assert err == ""
        told = json.loads(out)
        assert told["command"] == f"ledger {arguments[0]}"
        return code, told

    return command


def anchor(out):
    (line,) = (line for line in out.splitlines() if line.startswith("anchor "))
    return line.removeprefix("anchor ")


# --- spending ---------------------------------------------------------------------------------


def test_a_charge_is_receipted_with_its_anchor(ledger):
    code, out, err = ledger("charge", "census", "Gaussian(4)", "--note", "table 3")
    assert (code, err) == (0, "")
    assert "charge, entry 2 of census: mu = 0.25" in out
    with tr.Ledger("budget.db") as store:
        assert anchor(out) == str(store.open("census").head())


def test_a_specification_is_charged(ledger, spec):
    assert "mu = 1.0" in ledger("charge", "census", spec)[1]


def test_a_charge_that_is_not_afforded_ends_with_3_and_writes_nothing(ledger, record):
    ledger("charge", "census", "Gaussian(2)")
    code, out, err = ledger("charge", "census", "Gaussian(1)")
    assert (code, out) == (3, "")
    assert err.count("\n") == 1
    assert "affordable is Gaussian(noise_scale=1.15" in err
    code, told = record("charge", "census", "Gaussian(1)")
    assert code == told["exit_code"] == 3
    assert told["requested"] == "mu = 1.0"
    assert told["remaining"].startswith("GDP(mu=0.866")
    affordable = tr.parse(told["affordable"])
    with tr.Ledger("budget.db") as store:
        assert store.open("census").head().seq == 2
        assert store.open("census").affords(affordable)


def test_a_key_pays_once(ledger, record):
    first = record("charge", "census", "Gaussian(4)", "--key", "job-17")[1]
    again = record("charge", "census", "Gaussian(4)", "--key", "job-17")[1]
    assert first == again
    assert first["receipt"]["key"] == "job-17"
    code, _, err = ledger("charge", "census", "Gaussian(3)", "--key", "job-17")
    assert code == 2
    assert "stands for another entry" in err


def test_what_was_paid_or_ended_before_says_so(ledger):
    for command, words in (
        (("charge", "census", "Gaussian(4)", "--key", "k1"), "charged by this key"),
        (("reserve", "census", "Gaussian(4)", "--key", "k2"), "reserved by this key"),
        (("reserve", "census", "Gaussian(4)", "--key", "k3"), "nothing was paid now"),
        (("commit", "census", "k2"), "it was already committed"),
        (("release", "census", "k3"), "nothing was given back now"),
        (("close", "census"), "it was already closed"),
    ):
        assert "already" not in ledger(*command)[1]
        code, out, err = ledger(*command)
        assert (code, err) == (0, "")
        assert words in out


def test_every_part_is_shown_with_what_it_consumed_and_has_left(ledger, record):
    parts = ("--part", "north", "--part", "south")
    ledger("create", "p", "--budget", "zcdp:1/2", *parts)
    ledger("charge", "p", "Gaussian(2)", "--part", "north")
    out = ledger("show", "p")[1]
    assert "part        north: rho = 0.125 consumed, ZCDP(rho=0.375) remains" in out
    assert "part        south: rho = 0.0 consumed, ZCDP(rho=0.5) remains" in out
    told = record("show", "p")[1]["book"]["parts"]
    assert [(p["part"], p["words"]) for p in told] == [
        ("north", "rho = 0.125"),
        ("south", "rho = 0.0"),
    ]
    assert record("show", "census")[1]["book"]["parts"] == []


def test_reservations_are_committed_and_released(ledger, record):
    assert record("reserve", "census", "Gaussian(4)", "--key", "a")[1]["receipt"]["number"] == 2
    out = ledger("reserve", "census", "Gaussian(4)")[1]
    (key,) = (line.split()[1] for line in out.splitlines() if line.startswith("key "))
    assert ledger("commit", "census", "a")[0] == 0
    assert ledger("release", "census", key, "--note", "it never began")[0] == 0
    assert ledger("release", "census", "a")[0] == 2
    assert record("show", "census")[1]["book"]["consumed"]["amounts"] == ["0.0625"]


def test_parts_windows_plans_and_filters_are_created(ledger, record):
    parts = ("--part", "north", "--part", "south", "--divided-by", "state")
    told = record("create", "p", "--budget", "zcdp:1/2", *parts)[1]["book"]
    assert told["structure"]["parts"] == ["north", "south"]
    assert ledger("charge", "p", "Gaussian(2)", "--part", "north")[0] == 0
    assert ledger("charge", "p", "Gaussian(2)", "--part", "east")[0] == 2
    told = record("create", "w", "--budget", "gdp:1", "--window", "86400")[1]["book"]
    assert told["structure"] == {"kind": "windows", "seconds": 86400}
    assert told["unit"] == "unit per window of 1 day"
    assert told["scope"]["over"] == "k windows up to mu = 1.0 sqrt(k)"
    promise = "GDP(mu=1) per window of 1 day; over k windows up to mu = 1.0 sqrt(k)"
    out = " ".join(ledger("show", "w")[1].split())
    assert f"guaranteed {promise}, at any time" in out
    assert "remaining GDP(mu=1.0) in this window of 1 day" in out
    created = ledger("create", "w2", "--budget", "gdp:1", "--window", "86400")[1]
    assert promise in " ".join(created.split())
    told = record("create", "q", "--budget", "gdp:1", "--plan", "Gaussian(4)")[1]["book"]
    assert told["plan"] == ["Gaussian(noise_scale=4)"]
    advanced = ("--filter", "advanced", "--slack", "5e-7")
    assert record("create", "a", "--budget", "approx:1,1e-6", *advanced)[0] == 0
    replaced = record("create", "r", "--budget", "gdp:1", "--neighbors", "replace_one")[1]["book"]
    assert replaced["neighbors"] == "replace one unit"


# --- looking ----------------------------------------------------------------------------------


def test_show_tells_what_is_guaranteed_and_what_is_not(ledger, record):
    ledger("charge", "census", "Gaussian(2)")
    assert ledger("show")[1] == "census\n"
    out = ledger("show", "census")[1]
    assert "guaranteed  GDP(mu=1), at any time, for neighbours that" in out
    assert "consumed    mu = 0.5; no guarantee" in out
    assert "remaining   GDP(mu=0.866)" in out
    assert record("show")[1]["books"] == ["census"]


def test_statements_go_to_files_and_to_stdout(ledger, record, tmp_path):
    ledger("charge", "census", "Gaussian(2)", "--note", "a \x1b[31m note")
    out = ledger("statement", "census")[1]
    assert out.startswith("Statement of the book census\n")
    assert "\x1b" not in out
    for name in ("s.html", "s.tex", "s.json"):
        assert ledger("statement", "census", "--out", name)[0] == 0
        assert (tmp_path / name).stat().st_size > 1000
    assert record("statement", "census")[1]["statement"]["book"] == "census"
    assert ledger("statement", "census", "--out", "s.pdf")[0] == 2
    assert ledger("statement", "census", "--out", "s.html", "--json")[0] == 2


def test_the_certificate_of_a_book_is_one_that_verify_takes(ledger, tightrope):
    pytest.importorskip("flint")
    arguments = ("statement", "census", "--certificate", "c.json", "--delta", "1e-9")
    code, out, _ = ledger(*arguments)
    assert code == 0
    assert out.endswith("\nthe certificate is in c.json\n")
    assert tightrope("verify", "c.json")[0] == 0
    json.loads(ledger(*arguments, "--json")[1])


def test_account_says_where_the_certificate_is(tightrope, tmp_path):
    pytest.importorskip("flint")
    file = str(tmp_path / "c.json")
    arguments = ("account", "zcdp:0.5", "--certificate", file)
    assert tightrope(*arguments)[1].endswith(f"\nthe certificate is in {file}\n")
    json.loads(tightrope(*arguments, "--json")[1])


def test_verify_says_what_it_cannot_exclude_and_takes_anchors(ledger, record):
    kept = anchor(ledger("charge", "census", "Gaussian(4)")[1])
    code, out, _ = ledger("verify", "census")
    assert code == 0
    assert "cannot exclude" in out
    code, told = record("verify", "census", "--anchor", kept)
    assert code == 0
    assert told["books"][0]["anchored"] is True
    (left,) = told["books"][0]["cannot_exclude"]
    assert "cut off" in left  # whether the anchor is the latest, only its keeper knows
    assert ledger("verify", "--anchor", f"anchor {kept}")[0] == 0
    wrong = f"{kept[:-4]}0000"
    code, out, _ = ledger("verify", "census", "--anchor", wrong)
    assert code == 1
    assert "anchor" in out
    assert ledger("verify", "--anchor", "gone:3:" + "0" * 64)[0] == 1
    assert ledger("verify", "census", "--anchor", "nonsense")[0] == 2


# --- families, files, rights ------------------------------------------------------------------


def test_shares_give_back_when_they_close(ledger, record):
    assert "a share of census" in ledger("share", "census", "geo", "--budget", "gdp:0.6")[1]
    assert record("show", "census")[1]["book"]["consumed"]["words"] == "mu = 0.6"
    assert ledger("close", "geo", "--note", "done")[0] == 0
    assert record("show", "census")[1]["book"]["consumed"]["words"] == "mu = 0.0"
    assert ledger("charge", "geo", "Gaussian(9)")[0] == 2
    assert ledger("share", "census", "big", "--budget", "gdp:2")[0] == 3


def test_a_signed_file_goes_to_another_store_and_a_changed_one_does_not(ledger, tmp_path):
    pytest.importorskip("cryptography")
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    private = (form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    public = (form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)
    Path("key.pem").write_bytes(key.private_bytes(*private))
    Path("public.pem").write_bytes(key.public_key().public_bytes(*public))
    ledger("charge", "census", "Gaussian(4)", "--note", "table 3")
    kept = anchor(ledger("export", "census", "census.ledger", "--key", "key.pem")[1])
    arguments = ("import", "census.ledger", "--public-key", "public.pem", "--store")
    assert anchor(ledger(*arguments, "b.db")[1]) == kept
    file = Path("census.ledger")
    file.write_text(file.read_text().replace("table 3", "table 4"))
    code, _, err = ledger(*arguments, "c.db")
    assert code == 1
    assert "not what the owner of this key signed" in err
    assert ledger("export", "census", "x.ledger", "--key", "nokey.pem")[0] == 2


def test_grants_are_shown_as_sql(ledger):
    out = ledger("grant", "ann", "reader", "--show")[1]
    assert out.splitlines()[-1].startswith("GRANT SELECT ON tightrope_books")
    code, _, err = ledger("grant", "ann", "reader")
    assert code == 2
    assert "an SQLite file has no roles" in err


def test_what_is_open_is_shown_and_told_when_a_book_closes(ledger, record):
    ledger("reserve", "census", "Gaussian(4)", "--key", "job-17", "--note", "regression")
    ledger("share", "census", "geo", "--budget", "gdp:0.5")
    out = ledger("show", "census")[1]
    assert "reserved    by key job-17: mu = 0.25, regression" in out
    assert "open share  geo" in out
    (held,) = record("show", "census")[1]["book"]["open_reservations"]
    assert (held["key"], held["event"]) == ("job-17", "Gaussian(noise_scale=4)")
    out = ledger("close", "census")[1]
    assert "What is reserved stays spent" in out
    assert "Open shares go on" in out
    assert "job-17" in out
    assert "geo" in out
    told = record("close", "geo")[1]
    assert (told["open_reservations"], told["open_shares"]) == ([], [])
    ledger("commit", "census", "job-17")
    assert record("show", "census")[1]["book"]["open_reservations"] == []


def test_units_are_admitted_into_a_file(ledger, record):
    assert ledger("create", "clicks", "--budget", "gdp:1", "--unit", "user", "--units")[0] == 0
    Path("users.txt").write_text("ann\n\nben\n")
    arguments = ("admit", "clicks", "Gaussian(1)", "--units", "users.txt", "--out", "in.txt")
    code, out, _ = ledger(*arguments, "--key", "a")
    assert code == 0
    assert "charge, entry 2 of clicks: mu = 1.0" in out
    assert "ann" not in out
    assert Path("in.txt").read_text() == "ann\nben\n"
    assert record(*arguments, "--key", "a")[1]["receipt"]["number"] == 2
    assert Path("in.txt").read_text() == "ann\nben\n"
    code, _, err = ledger(*arguments)
    assert (code, "exists already" in err) == (2, True)
    assert ledger(*arguments[:-1], "nobody.txt")[0] == 0
    assert Path("nobody.txt").read_text() == ""
    assert ledger("admit", "census", *arguments[2:-1], "other.txt")[0] == 2
    assert not Path("other.txt").exists()


def test_who_was_admitted_can_be_written_before_anybody_is_charged(ledger, record):
    ledger("create", "clicks", "--budget", "gdp:1", "--units")
    Path("users.txt").write_text("ann\n")
    Path("folder").mkdir()
    before = record("show", "clicks")[1]["book"]["anchor"]
    for out in ("no/in.txt", "folder", ""):
        code, _, err = ledger(
            "admit", "clicks", "Gaussian(1)", "--units", "users.txt", "--out", out
        )
        assert (code, "cannot be written" in err or "exists already" in err) == (2, True)
    assert record("show", "clicks")[1]["book"]["anchor"] == before


@pytest.mark.parametrize(
    "units", [b"\xef\xbb\xbfann\r\nben\r\n", b"ann\nben\nann\n", "ann\nben\n".encode("utf-16")]
)
def test_one_unit_has_one_name(ledger, units):
    ledger("create", "clicks", "--budget", "gdp:1", "--units")
    Path("users.txt").write_bytes(units)
    code, _, err = ledger(
        "admit", "clicks", "Gaussian(1)", "--units", "users.txt", "--out", "in.txt"
    )
    if units.startswith(b"\xff"):
        assert (code, "not a text in UTF-8" in err) == (2, True)
    else:
        assert (code, Path("in.txt").read_text()) == (0, "ann\nben\n")


@pytest.mark.parametrize("name", ["ann ", "\ufeffann", "a\u2028b", "e\u0301va", "x\u0085y"])
def test_a_second_spelling_of_a_unit_is_refused(ledger, name):
    ledger("create", "clicks", "--budget", "gdp:1", "--units")
    Path("users.txt").write_text(f"ben\n{name}\n", encoding="utf-8")
    code, _, err = ledger(
        "admit", "clicks", "Gaussian(1)", "--units", "users.txt", "--out", "in.txt"
    )
    assert code == 2
    assert "so that it is one unit" in err


def tamper(*statements):
    """Change a file as somebody does who takes the triggers off first."""
    raw = sqlite3.connect("budget.db")
    with raw:
        for (name,) in raw.execute(TRIGGERS).fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            raw.execute(statement)
    raw.close()


def test_tampering_ends_with_1(ledger):
    kept = anchor(ledger("charge", "census", "Gaussian(4)")[1])
    tamper("UPDATE tightrope_entries SET body = replace(body, 'Gaussian', 'Laplace')")
    code, _, err = ledger("statement", "census")
    assert code == 1
    assert "contradicts itself" in err
    tamper(*(f"DELETE FROM tightrope_{table}" for table in ("entries", "books", "sums")))
    code, out, _ = ledger("verify", "census", "--anchor", kept)
    assert code == 1
    assert "book 'census': " in out
    assert ledger("verify", "census")[0] == 2


def test_a_statement_is_written_though_there_is_no_certificate_of_it(ledger):
    ledger("create", "r", "--budget", "RDP([2, 4], [0.5, 1.0])")
    code, out, err = ledger("statement", "r", "--out", "r.html", "--certificate", "r.json")
    assert code == 2
    assert "the statement is in r.html" in out
    assert "book 'r' has no certificate: of its budget RDP(" in err
    assert Path("r.html").exists()
    assert not Path("r.json").exists()


def test_a_statement_fits_the_terminal(ledger, monkeypatch):
    ledger("charge", "census", "Gaussian(4)", "--note", "a long note " * 20)
    for columns, widest in (("60", 60), ("200", 100)):
        monkeypatch.setenv("COLUMNS", columns)
        lines = ledger("statement", "census")[1].splitlines()
        assert max(len(line) for line in lines if " " in line) <= widest
        assert max(map(len, lines)) > 0.8 * widest


# --- misuse -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("show", "nope"), "the store has no book 'nope'"),
        (("show", "--store", "nope.db"), "there is no store 'nope.db'"),
        (("charge", "census", "Gausian(4)"), "Gausian"),
        (("charge", "census", "Gaussian(4, neighbors=replace_one)"), "neighbours"),
        (("charge", "census", "approx:1,1e-6"), "GDP cannot be reached"),
        (("create", "census", "--budget", "gdp:1"), "has a book 'census' already"),
        (("create", "b", "--budget", "gdp:0"), "above 0"),
        (("create", "b", "--budget", "Gaussian(4)"), "--budget must be a guarantee"),
        (("create", "b", "--budget", "1"), "such as gdp:1, which says its notion; you wrote '1'"),
        (("create", "b", "--budget", "gdp:1", "--slack", "1e-9"), "slack"),
        (("create", "b", "--budget", "gdp:1", "--window", "0"), "seconds"),
        (("create", "b", "--budget", "gdp:1", "--window", "1d"), "seconds, a whole number such as"),
        (("create", "b", "--budget", "gdp:1", "--window", "9", "--part", "x"), "exclude"),
        (("commit", "census", "nokey"), "has no key 'nokey'"),
        (("share", "census", "s", "--budget", "zcdp:1"), "notion of the book"),
    ],
)
def test_misuse_is_one_sentence_and_writes_nothing(ledger, arguments, words):
    code, out, err = ledger(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("tightrope: ")
    assert err.count("\n") == 1
    assert words in err
    with tr.Ledger("budget.db") as store:
        assert store.books() == ("census",)
        assert store.open("census").head().seq == 1


def test_a_store_must_be_named(tightrope, monkeypatch):
    monkeypatch.delenv("TIGHTROPE_STORE", raising=False)
    code, _, err = tightrope("ledger", "show")
    assert code == 2
    assert "--store budget.db" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "--store", "postgresql://me:s3cret@127.0.0.1:1/budgets"),
        ("show", "--stoer", "postgresql://me:s3cret@127.0.0.1:1/budgets"),
        ("show", "a", "postgresql://me:s3cret@127.0.0.1:1/budgets"),
        ("show", "postgresql://me:s3cret@127.0.0.1:1/budgets"),
        ("show", "--store", "mysql://me:s3cret@127.0.0.1:1/budgets"),
        ("charge", "census", "postgresql://me:s3cret@127.0.0.1:1/budgets"),
        ("show", "--store", "host=localhost dbname=b password=s3cret"),
        ("create", "b", "--budget", "gdp:1", "--store", "password = s3cret user=me"),
    ],
)
def test_no_password_of_a_url_is_printed(ledger, arguments):
    for form in ((), ("--json",)):
        code, out, err = ledger(*arguments, *form)
        assert code == 2
        assert "s3cret" not in out + err


# --- help -------------------------------------------------------------------------------------


def test_help_lists_every_command_of_the_ledger(tightrope):
    out = tightrope("ledger", "--help")[1]
    assert all(f" {command} " in out for command in COMMANDS)
    assert " ledger " in tightrope("--help")[1]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command_has_examples_and_json(tightrope, command):
    code, out, _ = tightrope("ledger", command, "--help")
    assert code == 0
    assert f"tightrope ledger {command} " in out.split("For example:")[1]
    assert "--json" in out
    assert "--store" in out


def test_help_loads_no_database():
    script = (
        "import sys; from tightrope.cli import run; run(['ledger', 'charge', '--help']);"
        "sys.exit(bool({'sqlalchemy', 'numpy'} & set(sys.modules)))"
    )
    environment = {**os.environ, "COLUMNS": "80"}
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=environment, check=False
    )
    assert told.returncode == 0
