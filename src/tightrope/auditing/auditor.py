"""``tr.audit``: try to break a claim, and say how hard it was tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import Any

import numpy as np

from tightrope._calls import spoken
from tightrope._check import OPEN_PROBABILITY, Domain, Real, validated
from tightrope._wire import clipped
from tightrope.auditing.distinguish import distinguish
from tightrope.auditing.draws import Sample
from tightrope.auditing.findings import Audit, Finding
from tightrope.auditing.freshness import freshness
from tightrope.auditing.noise_fit import scale_of_noise, shape_of_noise
from tightrope.auditing.outputs import read_outputs
from tightrope.auditing.precision import PRECISION_SCORES
from tightrope.auditing.scores import VALUE_SCORES
from tightrope.auditing.subjects import Subject, shown_pair, subject_of
from tightrope.mechanisms import Mechanism
from tightrope.mechanisms.releasing import AdditiveNoise
from tightrope.noise.entropy import Entropy

__all__ = ["CONFIDENCE", "TRIALS", "audit", "ignored"]

TRIALS = 100_000
"""Outputs of each input."""

CONFIDENCE = 0.999
"""One audit of true claims in a thousand may raise a false alarm."""

_PARTS = 20
"""Turns in which the two inputs are drawn from, so that both see the same drift."""

_TRIALS = Domain("a whole number from 100 to 10^8", lambda x: 100 <= x <= 10**8, integral=True)

Test = Callable[[float], Finding]
"""A test, from its share of the false alarms."""


def ignored(text: str) -> None:
    """Take no notice of what is being worked on."""


@spoken
def audit(  # noqa: PLR0913  (what is audited, against what, and how hard)
    mechanism: Mechanism | Callable[..., Any],
    claim: Any = None,
    neighbors: tuple[Any, Any] | None = None,
    *,
    law: AdditiveNoise | None = None,
    trials: int = TRIALS,
    confidence: Real = CONFIDENCE,
    entropy: Entropy | None = None,
    step: Callable[[str], None] = ignored,
) -> Audit:
    """Try to refute a claim about a mechanism, of ours or of any other library, by its outputs.

    The tests: an event that is likelier under one neighbour than the claim allows, found among the
    values of the outputs and among their last bits; whether runs share their noise; and, where the
    law of the noise is known, whether its scale and its shape are the stated ones. False alarms are
    divided among the tests.

    Args:
        mechanism: one of our mechanisms, or ``argmax`` of one; or a program from an input to an
            output: numbers, arrays, texts, None, and tuples, lists, mappings of them.
            ``tr.Batched`` for one that gives many outputs at once.
        claim: a guarantee, or an event that is said to account for one run. By default that of
            the mechanism, or of what the program releases by ours, such as ``tr.quantile``.
        neighbors: two inputs that one unit can make differ. By default, of a mechanism of ours,
            inputs as far apart as its sensitivity; a selection's inputs are scores, a sparse
            vector's are queries, of sensitivity 1 and for the threshold 0.
        law: a mechanism whose noise the program is said to add to its input.
        trials: outputs of each input, from 100.
        confidence: the chance of no false alarm, and that all lower bounds hold, at least.
        entropy: where a mechanism of ours gets its bits, the operating system by default.
        step: is told what is being worked on.

    Returns:
        The verdict, and each test with its p-value, lower bounds, and what it could have seen.

    Raises:
        InvalidArgument: an argument is not admissible, or the program raised something.

    Examples:
        >>> import tightrope as tr
        >>> found = tr.audit(tr.Laplace(noise_scale=2.0), entropy=tr.InsecureEntropy(1))
        >>> found.verdict, len(found.findings)
        ('not refuted', 5)
        >>> tr.audit(tr.Laplace(noise_scale=2.0), tr.PureDP(0.4)).verdict
        'refuted'
    """
    count = int(validated(trials, _TRIALS, "audit: trials"))
    sure = float(validated(confidence, OPEN_PROBABILITY, "audit: confidence"))
    subject = subject_of(mechanism, claim, neighbors, law, entropy)
    samples = _drawn(subject, count, step)
    step("looking for an event that the claim forbids")
    tests = list(_tests(subject, samples))
    level = (1 - sure) / len(tests)
    return Audit(
        subject=subject.name,
        claim=repr(subject.claim.event),
        neighbors=shown_pair(subject.neighbors),
        findings=tuple(test(level) for test in tests),
        confidence=sure,
        samples=2 * count,
        secure=subject.secure,
    )


def _drawn(subject: Subject, count: int, step: Callable[[str], None]) -> list[Sample]:
    """So many outputs of either input, in turns."""
    ends = [count * turn // _PARTS for turn in range(_PARTS + 1)]
    turns = []
    for low, high in pairwise(ends):
        step(f"drawing {2 * count:,} outputs of {clipped(subject.name, 40)}: {low / count:.0%}")
        turns.append([subject.draw(x, high - low) for x in subject.neighbors])
    return [_joined(parts) for parts in zip(*turns, strict=True)]


def _joined(parts: Sequence[Sample]) -> Sample:
    arrays = [part for part in parts if isinstance(part, np.ndarray)]
    if len(arrays) == len(parts):
        return np.concatenate(arrays)
    return list(chain.from_iterable(parts))


def _tests(subject: Subject, samples: list[Sample]) -> Iterator[Test]:
    pair, claim = read_outputs(samples[0], samples[1]), subject.claim
    yield partial(distinguish, "values", VALUE_SCORES, pair, claim)
    if pair[0].numbers.size:
        yield partial(distinguish, "last bits", PRECISION_SCORES, pair, claim)
        yield partial(freshness, pair)
    if subject.noise is not None:
        parts = zip(samples, subject.neighbors, strict=True)
        noise = np.concatenate([subject.noise.of(sample, x) for sample, x in parts])
        yield partial(scale_of_noise, noise, subject.noise.shape)
        yield partial(shape_of_noise, noise, subject.noise.shape)
