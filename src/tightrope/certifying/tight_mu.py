"""The least mu of a composition, proved from the losses of all releases."""

from __future__ import annotations

import math

from tightrope.certifying.derivable import derivable
from tightrope.certifying.lattices import has_discrete_noise, is_noise, square_of_mu, tells_mu
from tightrope.certifying.proof import Proof
from tightrope.certifying.subjects import NotCertified
from tightrope.events import Composed, Event, Joint, PostProcessed
from tightrope.notions import GDP
from tightrope.num.rounding import up
from tightrope.plan.exact.gdp import tight_gdp
from tightrope.plan.parts import fixed_parts
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.theorems.registry import named

NARROW = 1e-4
"""Relative width of an interval for mu beyond which no proof is near."""

ABOVE = 1e-5
ABOVE_NORMAL = 1e-4
FAR_ABOVE_NORMAL = 5e-4
"""How far above the tight mu of discrete noise, and above the mu of normal noise of the same rho,
a checker soon finds a proof: the last bits of mu would take it very many chords and lines.
"""


def prove_tight_mu(proof: Proof, event: Event) -> tuple[str, float] | None:
    """The step that proves the tight mu, and that mu; None where theorems do as well."""
    if parts := fixed_parts(event):
        return _of_worst_part(proof, event, parts)
    if not (isinstance(event, Composed | Joint) and derivable(event) and tells_mu(event)):
        return None
    found = tight_gdp(event)
    (known,) = portfolio_of(event).numbers(GDP) or (math.inf,)
    if found is None or not 0 < found.upper < known:
        return None
    mu = found.upper
    if has_discrete_noise(event):
        if found.lower < mu * (1 - NARROW):
            return None  # atoms that so little normal noise does not smooth
        mu = max(up(mu * (1 + ABOVE), 2), _above_normal(event, ABOVE_NORMAL))
    return _entered(proof, event, mu) if mu < known else None


def _of_worst_part(
    proof: Proof, event: Event, parts: tuple[Event, ...]
) -> tuple[str, float] | None:
    """That of disjoint parts, if it is known of each."""
    found = [prove_tight_mu(proof, part) or _by_theorems(proof, part) for part in parts]
    known = [one for one in found if one is not None]
    if isinstance(event, PostProcessed) or len(known) < len(parts):
        return None
    mu = max(value for _, value in known)
    inputs = [(step, 1) for step, _ in known]
    return proof.enter(event, named("parallel_one_part"), inputs, GDP, (mu,)), mu


def _by_theorems(proof: Proof, event: Event) -> tuple[str, float] | None:
    portfolio = portfolio_of(event)
    numbers = portfolio.numbers(GDP)
    if numbers is None or portfolio.failure[0] > 0:
        return None
    try:
        return proof.prove(portfolio.step(GDP), event), numbers[0]
    except NotCertified:
        return None


def prove_mu_of_fine_noise(proof: Proof, event: Event) -> tuple[str, float] | None:
    """A mu next to that of normal noise, of discrete noise with too many vertices for theorems."""
    if not (is_noise(event) and derivable(event)):
        return None
    return _entered(proof, event, _above_normal(event, FAR_ABOVE_NORMAL))


def _above_normal(event: Event, room: float) -> float:
    return up(math.sqrt(square_of_mu(event)) * (1 + room), 8)


def _entered(proof: Proof, event: Event, mu: float) -> tuple[str, float]:
    return proof.enter(event, named("tight_mu_of_composition"), (), GDP, (mu,)), mu
