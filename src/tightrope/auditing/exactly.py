"""``tr.audit_exactly``: a claim against the laws of a program on two inputs, without sampling."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

import numpy as np

from tightrope._calls import spoken
from tightrope._errors import InvalidArgument
from tightrope._wire import clipped
from tightrope.auditing.auditor import ignored
from tightrope.auditing.claim import Claim, claim_of
from tightrope.auditing.enumeration import ExactLaw, exact_law, one_release
from tightrope.auditing.findings import Audit, Finding
from tightrope.auditing.releases import claim_on, usual_neighbors
from tightrope.auditing.subjects import pair_of, shown_pair
from tightrope.mechanisms import Mechanism, RandomizedResponse
from tightrope.mechanisms.releasing import AdditiveNoise
from tightrope.noise.entropy import Entropy

__all__ = ["audit_exactly"]

_US = "audit_exactly"

Program = Callable[[Any, Entropy], Any]
"""From an input and a source of random bits to an output."""


@spoken
def audit_exactly(
    program: Mechanism | Program,
    claim: Any = None,
    neighbors: tuple[Any, Any] | None = None,
    *,
    bits: int = 16,
    step: Callable[[str], None] = ignored,
) -> Audit:
    """Hold a claim against the laws of a program on every bit string of a small source.

    Nothing is sampled, so what is found is certain: "refuted" is a proof, p = 0, and the lower
    bounds always hold. Strings that end before there is an output are held to the claim's favour.

    Args:
        program: takes an input and an ``Entropy`` from which comes all its randomness; or a
            mechanism of ours that releases one value.
        claim: a guarantee or an event; by default that of the mechanism.
        neighbors: two inputs that one unit can make differ; by default those of ``tr.audit``.
        bits: length of the strings, from 1 to 24. The program runs up to 2^bits times an input.
        step: is told what is being worked on.

    Raises:
        InvalidArgument: an argument is not admissible.

    Examples:
        >>> import tightrope as tr
        >>> def respond(truth, entropy):  # says the truth three times in four
        ...     return truth if entropy.bits(2) else 1 - truth
        >>> tr.audit_exactly(respond, tr.PureDP(1.1), neighbors=(0, 1)).verdict
        'not refuted'
        >>> tr.audit_exactly(respond, tr.PureDP(1.0), neighbors=(0, 1)).lower_bounds[0]
        LowerBound(PureDP(epsilon=1.0986...), 'every string of 16 bits')
    """
    run, name, known, pair = _subject(program, claim, neighbors)
    laws = []
    for x in pair:
        step(f"running every string of {bits} bits on {clipped(repr(x), 40)}")
        laws.append(exact_law(partial(run, x), bits))
    first, second = laws
    if not all(law.counts for law in laws):
        raise InvalidArgument(
            f"{_US}: every string of {bits} bits ends before there is an output; allow more bits"
        )
    finding = max((_order(first, second, known), _order(second, first, known)), key=_strength)
    runs = 2 << first.bits
    return Audit(name, repr(known.event), shown_pair(pair), (finding,), 1.0, runs)


def _subject(program: Any, claim: Any, neighbors: Any) -> tuple[Program, str, Claim, Any]:
    """What is run, its name, what is claimed of it, and the two inputs."""
    if isinstance(program, Mechanism):
        pair = usual_neighbors(program) if neighbors is None else pair_of(neighbors)
        _check_single(program, pair)
        known = claim_of(claim_on(program, pair[0]) if claim is None else claim, _US)
        return one_release(program), repr(program), known, pair
    if claim is None or neighbors is None:
        raise InvalidArgument(
            f"{_US}: a program needs claim=, such as tr.PureDP(1.0), and neighbors=, two inputs "
            "that one unit can make differ"
        )
    name = getattr(program, "__qualname__", type(program).__name__)
    return program, name, claim_of(claim, _US), pair_of(neighbors)


def _check_single(mechanism: Mechanism, pair: tuple[Any, Any]) -> None:
    """A batch whose lanes all get the same bits has the law of a release of one value only."""
    single = isinstance(mechanism, AdditiveNoise | RandomizedResponse)
    if not single or any(np.size(x) != 1 for x in pair):
        raise InvalidArgument(
            f"{_US}: {mechanism!r} draws several numbers for a release; pass a mechanism that adds "
            "noise to one value, or a program from an input and an Entropy"
        )


def _order(first: ExactLaw, second: ExactLaw, claim: Claim) -> Finding:
    """The outputs that are likelier under the first input, by falling ratio, held to the claim."""
    outputs = sorted(first.counts, key=lambda output: _ratio(output, first, second))
    strings = 1 << first.bits
    p = np.cumsum([first.counts[output] for output in outputs]) / strings
    there = np.cumsum([second.counts.get(output, 0) for output in outputs])
    q = np.minimum(there + second.undecided, strings) / strings
    broken = p > claim.most(q)
    losses = claim.loss(p, q)
    best = int(np.argmax(np.where(broken, losses + 1e6, losses)))
    return Finding(
        name="every bit string",
        tried="sets of outputs by falling likelihood ratio, in both orders",
        statistic=f"{best + 1} of {len(outputs)} outputs: probability at least {p[best]:.6g} "
        f"against at most {q[best]:.6g}; {second.undecided:,} of {strings:,} strings undecided",
        p_value=0.0 if broken[best] else 1.0,
        refuted=bool(broken[best]),
        samples=2 * strings,
        bounds=claim.bounds(float(p[best]), float(q[best]), f"every string of {first.bits} bits"),
        claimed=claim.told,
        detectable="any excess beyond what the undecided strings leave open",
        assumes="all randomness comes from the source",
    )


def _ratio(output: Hashable, first: ExactLaw, second: ExactLaw) -> float:
    return (second.counts.get(output, 0) + 0.5 * second.undecided) / first.counts[output]


def _strength(finding: Finding) -> tuple[bool, float]:
    subject: Any = finding.bounds[0].subject
    return finding.refuted, float(subject.values[0])
