"""Checking a claim about an event: a second opinion on somebody else's number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from tightrope import _wire
from tightrope._calls import Spoken, spoken
from tightrope._errors import InvalidArgument, NotReachable
from tightrope._notebook import Form, Shown
from tightrope.events import Event, Sampled, require_event
from tightrope.notions import RDP, TCDP, ZCDP, ApproxDP, Guarantee
from tightrope.notions.curves import CurveGuarantee
from tightrope.num.rounding import float_down
from tightrope.plan import answers, floor
from tightrope.plan.intervals import proved_interval
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.plan.remarks import remarks
from tightrope.plan.stated import without_stated
from tightrope.plan.to_notion import to

Outcome = Literal["holds", "false", "does not follow", "undecided"]

EXIT_CODES = {"holds": 0, "false": 1, "does not follow": 4, "undecided": 4}


@dataclass(frozen=True)
class Verdict(Shown, metaclass=Spoken):
    """The outcome of checking one claim.

    Attributes:
        outcome: ``holds`` (proved); ``false`` (the mechanisms that were run leak more);
            ``does not follow`` (something of which all that was stated is true leaks more, and what
            was run may be better); or ``undecided``.
        claim: the claim, as given.
        lower: no smaller number can be proved (0 if nothing is known).
        upper: this number is proved (infinite if nothing is).
        sentence: the verdict in words.
    """

    outcome: Outcome
    claim: str
    lower: float
    upper: float
    sentence: str

    @property
    def exit_code(self) -> int:
        """0 if the claim holds, 1 if it is false, 4 if neither could be shown."""
        return EXIT_CODES[self.outcome]

    def _page(self, form: Form) -> str:
        return form.statement(self.sentence, f"claimed: {self.claim}")


@spoken
def check(event: Event, claim: Guarantee) -> Verdict:
    """Whether ``claim`` is true of ``event``: proved, refuted, or neither.

    A mechanism refutes a claim by what it leaks. A guarantee says too little of what was run for
    that: a stronger claim about it does not follow, but may be true.

    Args:
        event: what was run.
        claim: a guarantee with plain parameters that somebody states about it.

    Raises:
        InvalidArgument: the claim is not such a guarantee.
        NeighborsMismatch: claim and event speak of different neighbours.

    Examples:
        >>> import tightrope as tr
        >>> run = tr.Gaussian(noise_scale=4.0) ** 16
        >>> tr.check(run, tr.GDP(1.0)).outcome, tr.check(run, tr.GDP(0.99)).outcome
        ('holds', 'false')
        >>> tr.check(tr.GDP(1.0), tr.GDP(0.99)).outcome
        'does not follow'
    """
    require_event(event, "check: event")
    if isinstance(claim, CurveGuarantee | RDP):
        raise InvalidArgument(
            f"check: claim must be a guarantee with plain numbers, such as tr.ApproxDP(3.0, 1e-5); "
            f"{type(claim).__name__} is a whole curve: compare it with "
            f"event.to(tr.{type(claim).__name__}) at the points that matter. You passed {claim!r}"
        )
    if not isinstance(claim, Guarantee):
        raise InvalidArgument(
            f"check: claim must be a guarantee such as tr.ApproxDP(3.0, 1e-5); you passed {claim!r}"
        )
    event.neighbors.merged(claim.neighbors)
    if event == claim:
        strength = _strength(claim)
        return Verdict("holds", repr(claim), strength, strength, "holds, being what was stated")
    claimed, lower, upper = _measured(event, claim)
    return _verdict(event, claim, claimed, lower, upper)


def _measured(event: Event, claim: Any) -> tuple[float, float, float]:
    """The number claimed, and the proved bounds on what it could be."""
    if isinstance(claim, ApproxDP):
        lower, upper = proved_interval(event, claim.delta)
        claimed = float(claim.epsilon)
        if lower <= claimed < upper and _at_its_epsilon(event, claim):
            upper = claimed
        return claimed, lower, upper
    claimed = _strength(claim)
    lower_or_none = floor.scalar_floor(event, type(claim))
    try:
        found = to(event, type(claim))
    except NotReachable:
        return claimed, lower_or_none or 0.0, math.inf
    if isinstance(claim, TCDP) and found.omega < claim.omega:
        return claimed, 0.0, math.inf
    return claimed, min(lower_or_none or 0.0, _strength(found)), _strength(found)


def _at_its_epsilon(event: Event, claim: ApproxDP) -> bool:
    """Whether delta itself is proved: an epsilon found by a search is a little larger."""
    proved = answers.delta(event, float_down(claim.epsilon))
    return bool(Fraction(float(proved)) <= Fraction(claim.delta))


def _strength(guarantee: Any) -> float:
    """The single number by which guarantees of one notion are compared."""
    if isinstance(guarantee, ZCDP):
        return float(guarantee.rho) + float(guarantee.xi)
    return float(guarantee.values[0])


def _verdict(event: Event, claim: Guarantee, claimed: float, lower: float, upper: float) -> Verdict:
    text = repr(claim)
    if _covers(event, claim, upper):
        return Verdict("holds", text, lower, upper, f"holds, {_spare(claimed, upper)}")
    if lower > claimed:
        return _exceeded(event, claim, claimed, lower, upper)
    return Verdict("undecided", text, lower, upper, _undecided(event, claim, lower, upper))


def _exceeded(
    event: Event, claim: Guarantee, claimed: float, lower: float, upper: float
) -> Verdict:
    """The verdict on less than what anything that fits the description might leak."""
    shown, trap = _leaked(event, claim, lower), _trap(event, claim)
    if shown <= claimed:
        sentence = f"{_not_following(lower, upper)}{trap}"
        return Verdict("does not follow", repr(claim), lower, upper, sentence)
    if math.isinf(shown):
        return Verdict("false", repr(claim), lower, upper, f"false: no finite number holds{trap}")
    end = _wire.shown(upper) if math.isfinite(upper) else "infinity"
    sentence = f"false: the truth is in [{_wire.shown_down(shown)}, {end}]{trap}"
    return Verdict("false", repr(claim), shown, upper, sentence)


def _leaked(event: Event, claim: Guarantee, lower: float) -> float:
    """What the mechanisms that were run leak at least; 0 if none are known."""
    known = without_stated(event)
    if known is event:
        return lower
    return 0.0 if known is None else _measured(known, claim)[1]


def _not_following(lower: float, upper: float) -> str:
    proved = f"{_wire.shown(upper)} follows" if math.isfinite(upper) else "no finite number follows"
    less = f", and nothing below {_wire.shown_down(lower)}" if math.isfinite(upper) else ""
    return (
        f"does not follow: {proved} from what was stated{less}. A guarantee does not tell what was "
        "run, which may be better: give the mechanism, if you know it"
    )


def _covers(event: Event, claim: Any, upper: float) -> bool:
    if isinstance(claim, ZCDP):
        numbers = portfolio_of(event).numbers(ZCDP)
        if numbers is None or portfolio_of(event).failure[0]:
            return False
        slack = Fraction(claim.rho) - Fraction(numbers[0])
        return slack >= 0 and Fraction(claim.xi) + slack >= Fraction(numbers[1])
    return bool(upper <= claim.values[0])


def _spare(claimed: float, upper: float) -> str:
    share = 1 - upper / claimed if claimed else 0.0
    if share <= 1e-6:
        return "with nothing to spare"
    return f"with {float(_wire.shown_down(100 * share, 2)):g} % to spare"


def _undecided(event: Event, claim: Guarantee, lower: float, upper: float) -> str:
    if not math.isfinite(upper):
        try:
            if not isinstance(claim, ApproxDP):
                to(event, type(claim))
            reason = "nothing finite can be proved"
        except NotReachable as error:
            reason = "; ".join(error.reasons) or "no theorem leads there"
        return f"not decidable: {reason}{_trap(event, claim)}"
    below = (
        f"less than {_wire.shown_down(lower)} is impossible" if lower else "no lower bound is known"
    )
    return (
        f"not decidable: {_wire.shown(upper)} is proved and {below}, so the claim lies in between"
        f"{_trap(event, claim)}"
    )


def _trap(event: Event, claim: Guarantee) -> str:
    """The explanation of a known false claim that this one looks like; or of what gains nothing."""
    if isinstance(event, Sampled) and isinstance(claim, ZCDP):
        numbers = portfolio_of(event.event).numbers(ZCDP)
        shrunk = float(event.rate) ** 2 * numbers[0] if numbers else math.nan
        if math.isclose(float(claim.rho), shrunk, rel_tol=1e-3):
            return (
                ". Poisson sampling does not turn rho into rate^2 rho: the exact zCDP parameter "
                "stays rho (tightrope explain subsampled-zcdp). Ask for (epsilon, delta) or RDP"
            )
    return "".join(f". {remark}" for remark in remarks(event, type(claim)))
