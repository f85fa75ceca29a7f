"""What a certificate claims: the answers to questions, each with the step that proves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tightrope._errors import NotReachable
from tightrope._wire import shown, shown_down
from tightrope.certifying.divergences import prove_renyi
from tightrope.certifying.points import prove_delta, prove_epsilon
from tightrope.certifying.power import prove_power
from tightrope.certifying.proof import Proof, named_values
from tightrope.certifying.subjects import NotCertified
from tightrope.certifying.tight_mu import prove_mu_of_fine_noise, prove_tight_mu
from tightrope.certifying.wire import exact
from tightrope.events import Event
from tightrope.notions import GDP, ApproxDP, Guarantee
from tightrope.num.rounding import float_down, float_up
from tightrope.plan import to
from tightrope.plan.portfolio.portfolio import SCALARS
from tightrope.plan.portfolio.tree import portfolio_of

if TYPE_CHECKING:
    from tightrope.spec.query import Query

STRONGER = frozenset(("alpha", "beta", "omega", "order"))
"""Numbers of which more is the stronger claim, and which are therefore rounded down."""

Claim = dict[str, Any]
"""One claim as plain data."""


def claims(
    proof: Proof, events: Sequence[Event], queries: Sequence[Query]
) -> tuple[list[Claim], list[Claim]]:
    """The claims about the events, and the questions that are left out, with the reasons."""
    made: list[Claim] = []
    left_out: list[Claim] = []
    for event in events:
        for query in queries:
            try:
                made.append(_claim(proof, event, query))
            except (NotReachable, NotCertified) as error:
                reason = "; ".join(getattr(error, "reasons", ())) or str(error)
                about, told = proof.table.add(event), {"question": _question(query)}
                left_out.append({"about": about, **told, "reason": reason})
    return made, left_out


def _claim(proof: Proof, event: Event, query: Query) -> Claim:
    notion, values, step = _proved(proof, event, query)
    about = proof.table.add(event)
    return {
        "about": about,
        "fingerprint": proof.table.fingerprint(about),
        "question": _question(query),
        "neighbors": str(event.neighbors),
        "notion": notion,
        "values": values,
        "shown": dict(_shown(values)),
        "step": step,
    }


def _question(query: Query) -> str:
    """The question, with its point as a number."""
    value = query.value
    point = repr(value) if isinstance(value, float) else str(value)
    return f"{query.name} {query.key}={point}" if query.key else query.name


def _proved(proof: Proof, event: Event, query: Query) -> tuple[str, dict[str, Any], str]:
    """The notion, the numbers and the step of the answer to a question."""
    from tightrope.spec.vocabulary import notions

    if query.name == "advantage":
        step, delta = prove_delta(proof, event, 0.0)
        return "ApproxDP", named_values(ApproxDP, (0.0, delta)), step
    if query.name in ("tpr", "tradeoff"):
        rate = float_up(query.value)
        step, beta = prove_power(proof, event, rate)
        return "TradeOff", {"alpha": exact(rate), "beta": exact(beta)}, step
    if query.name == "rdp":
        step, bound = prove_renyi(proof, event, float_up(query.value))
        return "RDP", {"order": exact(float_up(query.value)), "epsilon": exact(bound)}, step
    if query.name == "approx":
        point = _approximate(proof, event, query)
        return "ApproxDP", named_values(ApproxDP, point[1:]), point[0]
    return _scalar(proof, event, notions()[query.name].owner)


def _approximate(proof: Proof, event: Event, query: Query) -> tuple[str, float, float]:
    asked = float_down(query.value)
    if query.key == "delta":
        step, epsilon = prove_epsilon(proof, event, asked)
        return step, epsilon, asked
    step, delta = prove_delta(proof, event, asked)
    return step, asked, delta


def _scalar(proof: Proof, event: Event, notion: Any) -> tuple[str, dict[str, Any], str]:
    if notion is GDP and (tight := prove_tight_mu(proof, event)) is not None:
        return "GDP", named_values(GDP, (tight[1],)), tight[0]
    portfolio = portfolio_of(event)
    numbers = portfolio.numbers(notion) if notion in SCALARS else None
    if numbers is None or portfolio.failure[0] > 0:
        to(event, notion)  # which may say why there is none
        raise NotCertified(f"no parameter of {notion.__name__} is proved by theorems alone")
    values = tuple(numbers)
    if isinstance(event, Guarantee) and type(event) is notion:
        values = event.values  # type: ignore[assignment]
    try:
        step = proof.prove(portfolio.step(notion), event)
    except NotCertified:
        fine = prove_mu_of_fine_noise(proof, event) if notion is GDP else None
        if fine is None:
            raise
        return "GDP", named_values(GDP, (fine[1],)), fine[0]
    return notion.__name__, named_values(notion, values), step


def _shown(values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The numbers for people, rounded to the side of the weaker claim."""
    for name, text in values.items():
        number = float.fromhex(text) if "0x" in text else float(Fraction(text))
        yield name, (shown_down if name in STRONGER else shown)(number)
