"""``tightrope ledger``: books of budgets, on the command line.

The store is named by ``--store``, or by the environment variable TIGHTROPE_STORE, so that a
password in a URL need not stand on the command line, where other users of the machine can read it.
"""

from __future__ import annotations

from cyclopts import App

ledger = App(
    name="ledger",
    help="""Budgets that cannot be overspent: books, what is charged to them, and what is left.

The store is an SQLite file or a URL of PostgreSQL: --store, or TIGHTROPE_STORE.

For example:

    tightrope ledger create census --budget gdp:1 --unit person --store budget.db
    tightrope ledger show census --store budget.db --json
""",
    help_format="markdown",
)

COMMANDS = {
    "create": """Create a book: a budget, whom it protects, and the filter that guards it.

For example:

    tightrope ledger create census --budget gdp:1 --unit person
    tightrope ledger create web --budget zcdp:0.1 --window 86400
    tightrope ledger create clicks --budget gdp:1 --units
""",
    "charge": """Spend what an event costs; release it afterwards.

Exit code: 0 charged, 3 the budget does not afford it (nothing was written).

For example:

    tightrope ledger charge census "Gaussian(4)" --note "table 3"
    tightrope ledger charge census plan.toml --key job-17
""",
    "reserve": """Set aside what an event costs, before it is drawn.

Exit code: 0 reserved, 3 the budget does not afford it (nothing was written).

For example:

    tightrope ledger reserve census "Gaussian(4)" --key job-17
""",
    "admit": """Charge those units of a stream that can still afford an event.

The event must leave out everybody else. Who was admitted depends on data: it goes to a file for
whoever runs the event, and must not be published.

For example:

    tightrope ledger admit clicks "Gaussian(4)" --units users.txt --out admitted.txt
""",
    "commit": """Say that a reserved release was made: the amount is spent for good.

For example:

    tightrope ledger commit census job-17
""",
    "release": """Give a reservation back, which is allowed only if nothing was drawn.

For example:

    tightrope ledger release census job-17 --note "the job never began"
""",
    "show": """Show what a book guarantees, what is consumed and what remains; or list all books.

For example:

    tightrope ledger show
    tightrope ledger show census --json
""",
    "statement": """State all that was spent, as a page for people or as JSON for programs.

Exit code: 0 stated, 1 the entries contradict each other (nothing is stated of such a book).

For example:

    tightrope ledger statement census --out statement.html
    tightrope ledger statement census --certificate census.json
""",
    "verify": """Check the chain of entries of a book, or of all, against an anchor kept elsewhere.

Exit code: 0 no contradiction, 1 one was found. Without an anchor it says what it cannot exclude.

For example:

    tightrope ledger verify census --anchor "$(cat census.anchor)"
""",
    "share": """Set a part of a budget aside as a book of its own; what it leaves comes back.

For example:

    tightrope ledger share census geography --budget gdp:0.3
""",
    "close": """Close a book: it takes no more charges.

For example:

    tightrope ledger close census --note "all tables are out"
""",
    "export": """Write all entries to a file, signed by an Ed25519 key.

For example:

    openssl genpkey -algorithm ed25519 -out key.pem
    tightrope ledger export census census.ledger --key key.pem
""",
    "import": """Take over a book that was exported, if its signature and all its entries hold.

Exit code: 0 taken over, 1 the file is not what was signed (nothing was written).

For example:

    openssl pkey -in key.pem -pubout -out public.pem
    tightrope ledger import census.ledger --public-key public.pem
""",
    "grant": """Let a role of PostgreSQL own, spend or read: owner, analyst, reader.

For example:

    tightrope ledger grant ann analyst --store "postgresql://host/budgets"
    tightrope ledger grant ann reader --show
""",
}
"""What ``--help`` says of each command."""

MODULES = {
    "charge": "spending",
    "reserve": "spending",
    "commit": "spending",
    "release": "spending",
    "share": "family",
    "close": "family",
    "export": "exchange",
    "import": "exchange",
}
"""Where a command stands, if not in a module of its own name."""

FUNCTIONS = {"import": "import_", "show": "show_"}
"""How its function is called, if its own name is taken."""

for _name, _help in COMMANDS.items():
    _home = f"tightrope.cli.ledger.{MODULES.get(_name, _name)}"
    ledger.command(f"{_home}:{FUNCTIONS.get(_name, _name)}", name=_name, help=_help)
