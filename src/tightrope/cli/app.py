"""The commands by name; each one's module is imported when it is called."""

from __future__ import annotations

from cyclopts import App

from tightrope._version import __version__
from tightrope.cli.ledger import ledger

app = App(
    name="tightrope",
    help="Differential privacy with no slack: what was run, and the tightest guarantee for it.",
    version=__version__,
    help_format="markdown",
    version_format="plaintext",
    suppress_keyboard_interrupt=False,
)

COMMANDS = {
    "convert": """Convert a guarantee, or what was run, to another notion of privacy.

For example:

    tightrope convert zcdp:0.5 --to gdp
    tightrope convert "Gaussian(noise_scale=4) ** 12" --to approx --delta 1e-6
    tightrope convert gdp:1 --to "tpr 0.01"
""",
    "account": """Report all that can be proved about an analysis, and what it means.

For example:

    tightrope account examples/census2020.toml
    tightrope account "Laplace(2) ** 10 + ZCDP(0.1)" --delta 1e-9 --json
    tightrope account --schema
""",
    "calibrate": """Find the least noise, or the most steps, that meets a target.

For example:

    tightrope calibrate "Gaussian(noise_scale=x) ** 12" --target approx:1,1e-6
    tightrope calibrate "Gaussian(noise_scale=10) ** x" --target gdp:1 --integer
""",
    "explain": """Explain a guarantee, or what was run, or what a name stands for.

Of a guarantee: its meaning, its numbers, and their derivations.

For example:

    tightrope explain "Laplace(noise_scale=2) ** 10"
    tightrope explain "Exponential(epsilon=0.1) ** 10" --to gdp
    tightrope explain zcdp_to_gdp
    tightrope explain subsampled-zcdp
""",
    "check": """Check somebody else's claims about what was run.

Exit code: 0 all hold, 1 one is false, 4 one does not follow or is undecided.

For example:

    tightrope check "Gaussian(4) ** 16" --claims gdp:1 --claims approx:4,1e-3
""",
    "audit": """Try to refute a claim about a mechanism or a program by its outputs.

Exit code: 0 not refuted, which proves nothing; 1 refuted.

For example:

    tightrope audit "Laplace(noise_scale=2)" --claim zcdp:0.1
    tightrope audit mymodule:noisy_sum --claim pure:1 --neighbors "3, 4"
""",
    "figures": """Draw the figures of the paper on the optimal conversion from zCDP to Gaussian DP.

Figures 1 to 14 of Chen, Pandey and Awan (2026). It needs matplotlib, which
`pip install "tightrope[plots]"` installs.

For example:

    tightrope figures --out figures
    tightrope figures --out figures --format svg
""",
    "report": """Write a report for people: one HTML page, or a LaTeX document.

For example:

    tightrope report examples/census2020.toml --out report.html
    tightrope report "Gaussian(noise_scale=4) ** 12" --delta 1e-9 --out report.tex
    tightrope report certificate.json --out report.html
""",
    "compare": """Compare two guarantees: which protects better, and against whom.

For example:

    tightrope compare gdp:1 approx:1,1e-5
    tightrope compare "Laplace(2)" "Gaussian(3)" --delta 1e-9
""",
    "graph": """Show which notion of privacy leads to which, by which theorem.

For example:

    tightrope graph
    tightrope graph --json
""",
    "verify": """Check certificates: derive every step again, with code of its own.

The exit code is 0 if all is verified, 1 if a step is refuted, 2 if a file cannot be read, 4 if a
step cannot be derived again; of several files the gravest, in the order 1, 2, 4, 0.

For example:

    tightrope account examples/census2020.toml --certificate certificate.json
    tightrope verify certificate.json
""",
}
"""What ``--help`` says of each command; its parameters are told by its own docstring."""

for _name, _help in COMMANDS.items():
    app.command(f"tightrope.cli.{_name}:{_name}", name=_name, help=_help)

app.command(ledger)

app.command(
    "tightrope.cli.completion:install_completion",
    name="--install-completion",
    help="Install completion of commands and options for your shell.",
)
