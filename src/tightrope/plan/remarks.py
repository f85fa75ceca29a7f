"""What a reader of a number should know about it: where a Poisson sample gains less than expected.

The numbers are right without these sentences. But a rate that gains nothing looks like a mistake of
whoever reads, and there is often a better way to state what was run.
"""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.events import Event, Sampled
from tightrope.events.walk import leaves, nodes
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.notions import GDP, TCDP, ZCDP, PureDP
from tightrope.plan.portfolio.poisson_samples import amplifies
from tightrope.plan.portfolio.tree import portfolio_of

REPLACED = (
    "The Poisson sample gains nothing here: what is inside is stated for replacing a unit, which "
    "does not say what is seen when the unit is not in the sample. If it can be stated for adding "
    "or removing one, sample that and restate the whole: "
    "event.sampled(rate).restated(tr.replace_one)"
)
LOCAL = (
    "The Poisson sample gains nothing here: whoever sees the reports sees which are missing, so a "
    "local report hides nothing more by being sampled"
)
HIGH_ORDERS = (
    "mu, rho and omega gain nothing by Poisson sampling, whatever the rate: they also speak of "
    "tests that hardly ever reject, which a sampled Gaussian fails like a whole one. What gains is "
    "epsilon at a delta, and the trade-off curve; tr.fit_gdp(event) estimates the mu of all tests "
    "but the rarest"
)


def remarks(event: Event, notion: type | None = None) -> tuple[str, ...]:
    """Sentences on what is said about ``event``, in one notion or in any.

    Examples:
        >>> import tightrope as tr
        >>> run = tr.Gaussian(noise_scale=1.0).sampled(rate=0.01) ** 1000
        >>> [text[:60] for text in remarks(run)]
        ['mu, rho and omega gain nothing by Poisson sampling, whatever']
        >>> remarks(run, tr.ApproxDP)
        ()
    """
    samples = (node for node in nodes(event) if isinstance(node, Sampled))
    told = (text for sample in samples for text in _on_sample(sample, notion))
    return tuple(dict.fromkeys(told))


def _on_sample(sample: Sampled, notion: type | None) -> Iterator[str]:
    if not 0 < sample.rate < 1:
        return
    if not amplifies(sample):
        yield LOCAL if _is_local(sample) else REPLACED
    elif notion in (None, GDP, ZCDP, TCDP):
        known = portfolio_of(sample.event)
        if known.numbers(GDP) is not None and known.numbers(PureDP) is None:
            yield HIGH_ORDERS


def _is_local(sample: Sampled) -> bool:
    return any(isinstance(leaf, Mechanism) and leaf.local for leaf in leaves(sample.event))
