"""The least mu of a composition, proved from the losses of all releases."""

from __future__ import annotations

import math

from tightrope.certifying.derivable import derivable
from tightrope.certifying.lattices import tells_mu
from tightrope.certifying.proof import Proof
from tightrope.events import Composed, Event, Joint
from tightrope.notions import GDP
from tightrope.plan.exact.gdp import tight_gdp
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.theorems.registry import named


def prove_tight_mu(proof: Proof, event: Event) -> tuple[str, float] | None:
    """The step that proves the tight mu, and that mu; None where theorems do as well."""
    if not (isinstance(event, Composed | Joint) and derivable(event) and tells_mu(event)):
        return None
    found = tight_gdp(event)
    (known,) = portfolio_of(event).numbers(GDP) or (math.inf,)
    if found is None or not 0 < found.upper < known:
        return None
    rule = named("tight_mu_of_composition")
    return proof.enter(event, rule, (), GDP, (found.upper,)), found.upper
