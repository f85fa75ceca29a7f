"""The exact engine's view of batches of fixed or bounded size, and of shuffled reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tightrope.events import Event, Shuffled, TruncatedSample, WithoutReplacement, WithReplacement
from tightrope.loss.dominating import Dominating
from tightrope.loss.loss import Loss
from tightrope.loss.sampling import schemes
from tightrope.loss.sampling.sampled import as_finite
from tightrope.mechanisms import RandomizedResponse
from tightrope.notions import PureDP
from tightrope.num.rounding import float_up
from tightrope.plan.exact.leaves import dominating
from tightrope.plan.portfolio.tree import portfolio_of

LARGEST_SHUFFLED = 50.0
"""Beyond this epsilon of a report, shuffling hides nothing that a double can hold."""


class _UnknownGroup(Exception):
    """The loss of the mechanism is not known where so many units change at once."""


@dominating.register
def _without_replacement(event: WithoutReplacement) -> Dominating | None:
    loss = _one_loss(event.event)
    if loss is None:
        return None
    pair = schemes.without_replacement(
        loss, event.batch_size, event.population, event.neighbors.kind
    )
    return _attained_as(event.event, pair)


@dominating.register
def _with_replacement(event: WithReplacement) -> Dominating | None:
    groups = _groups(event.event)
    if groups is None:
        return None
    try:
        pair = schemes.with_replacement(
            groups, event.batch_size, event.population, event.neighbors.kind
        )
        return _attained_as(event.event.group(event.batch_size), pair)
    except _UnknownGroup:
        return None


@dominating.register
def _truncated(event: TruncatedSample) -> Dominating | None:
    groups = _groups(event.event)
    if groups is None or event.neighbors.kind != "add_or_remove" or not 0 < event.rate < 1:
        return None
    try:
        pair = schemes.truncated_poisson(
            groups, float_up(event.rate), event.max_batch, event.population
        )
        return _attained_as(event.event, pair)
    except _UnknownGroup:
        return None


@dominating.register
def _shuffled(event: Shuffled) -> Dominating | None:
    pure = portfolio_of(event.event).numbers(PureDP)
    if pure is None or pure[0] > LARGEST_SHUFFLED or portfolio_of(event.event).failure[0]:
        return None
    response = isinstance(event.event, RandomizedResponse)
    return schemes.shuffled(pure[0], event.reports, response=response)


def _groups(event: Event) -> Callable[[int], Loss] | None:
    """The loss of the mechanism when k units change at once, if it is known for each k."""
    if _one_loss(event) is None:
        return None

    def group(k: int) -> Loss:
        loss = _one_loss(event.group(k))
        if loss is None:
            raise _UnknownGroup
        return loss

    return group


def _attained_as(inside: Event, pair: Dominating | None) -> Dominating | None:
    """The pair of a sample, which only covers it if what is inside is only covered."""
    if pair is None or not pair.attained:
        return pair
    own = dominating(inside)
    itself = own is not None and own.attained and len(own.orders[0].losses) == 1
    return pair if itself else replace(pair, attained=False)


def _one_loss(event: Event) -> Loss | None:
    """The loss of a symmetric pair as one column; several kinds are covered by one."""
    pair = dominating(event)
    if pair is None or len(pair.orders) > 1 or not pair.orders[0].losses:
        return None
    losses = pair.orders[0].losses
    return losses[0] if len(losses) == 1 else as_finite(pair)
