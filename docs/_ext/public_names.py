"""The public names of the package, in groups, for the reference."""

from __future__ import annotations

import inspect

import tightrope as tr

GROUPS = {
    "notions": (
        "PureDP",
        "ApproxDP",
        "ZCDP",
        "TCDP",
        "RDP",
        "GDP",
        "TradeOff",
        "Profile",
        "BoundedRange",
        "LogisticDP",
        "Guarantee",
        "Estimate",
        "LowerBound",
    ),
    "events": (
        "Event",
        "compose",
        "parallel",
        "jointly",
        "PoissonRepetitions",
        "NegativeBinomialRepetitions",
        "Neighbors",
        "add_or_remove",
        "replace_one",
        "parse",
    ),
    "noise": (
        "Gaussian",
        "DiscreteGaussian",
        "DiscreteGaussianVector",
        "Skellam",
        "SkellamVector",
        "GaussianMixture",
        "Laplace",
        "DiscreteLaplace",
        "Logistic",
    ),
    "selection": (
        "Exponential",
        "PermuteAndFlip",
        "ReportNoisyMax",
        "SparseVector",
        "GaussianSparseVector",
        "quantile",
        "stable_histogram",
        "propose_test_release",
    ),
    "other mechanisms": ("RandomizedResponse", "FinitePair"),
    "releases": (
        "NoisyValue",
        "Released",
        "Responses",
        "Crossings",
        "StableHistogram",
        "StableRelease",
        "Bounds",
        "clip",
        "bounded_sum",
        "bounded_mean",
        "bounded_row_sum",
        "BoundedSum",
        "BoundedMean",
        "BoundedRowSum",
        "SystemEntropy",
        "InsecureEntropy",
    ),
    "questions": (
        "calibrate",
        "check",
        "Verdict",
        "epsilon_grid",
        "fit_gdp",
        "GaussianFit",
        "as_continuous",
    ),
    "audits": (
        "audit",
        "audit_canaries",
        "audit_exactly",
        "exact_law",
        "Audit",
        "Finding",
        "Batched",
        "ExactLaw",
    ),
    "ledger": ("Ledger", "Book", "Receipt", "Reservation", "Purse"),
    "reports": ("report", "Report", "plots"),
    "certificates": ("certificate", "Certificate"),
    "errors": (
        "TightropeError",
        "InvalidArgument",
        "NeighborsMismatch",
        "NotReachable",
        "FalseClaim",
        "NotAGuarantee",
        "BudgetExceeded",
        "BookClosed",
        "KeyReused",
        "UnknownBook",
        "NoRight",
        "StoreUnavailable",
        "ConnectionLost",
        "StoreTooNew",
        "TamperedBook",
        "TamperedExport",
    ),
}


def entries(group: str) -> str:
    """One entry of the reference for each name, in reStructuredText for autodoc."""
    return "\n".join(["```{eval-rst}", *map(entry, GROUPS[group]), "```"])


def entry(name: str) -> str:
    """What autodoc is asked about one name."""
    value = getattr(tr, name)
    if inspect.isclass(value):
        members = "   :members:\n   :inherited-members:\n" if name == "Event" else ""
        return f".. autoclass:: tightrope.{name}\n{members}"
    if inspect.ismodule(value):
        return f".. automodule:: {value.__name__}\n   :members:\n   :imported-members:\n"
    kind = "autofunction" if inspect.isroutine(value) else "autodata"
    return f".. {kind}:: tightrope.{name}\n"
