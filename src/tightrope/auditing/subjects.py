"""What is audited: how to draw from it, what is claimed of it, and on which two inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tightrope._errors import InvalidArgument
from tightrope._wire import clipped
from tightrope.auditing.claim import Claim, claim_of
from tightrope.auditing.draws import Batched, Draw, one_by_one
from tightrope.auditing.releases import (
    claim_on,
    draw_of,
    draw_of_argmax,
    scores_of_argmax,
    usual_neighbors,
)
from tightrope.auditing.residuals import KnownNoise, released_noise, stated_noise
from tightrope.events import Event
from tightrope.mechanisms import Mechanism, Released
from tightrope.mechanisms.additive import NormalNoise
from tightrope.mechanisms.releasing import AdditiveNoise
from tightrope.mechanisms.source import source_of
from tightrope.noise.entropy import Entropy

__all__ = ["Subject", "pair_of", "shown_pair", "subject_of"]


@dataclass(frozen=True)
class Subject:
    """What is audited.

    Attributes:
        name: what it is called in reports.
        draw: draws outputs.
        claim: what is claimed of it.
        neighbors: the two inputs.
        noise: the law of its noise, if it is known.
        secure: False if it draws from a fixed seed that we know of.
    """

    name: str
    draw: Draw
    claim: Claim
    neighbors: tuple[Any, Any]
    noise: KnownNoise | None
    secure: bool


def subject_of(
    mechanism: Any, claim: Any, neighbors: Any, law: Any, entropy: Entropy | None
) -> Subject:
    """What the arguments of ``audit`` describe.

    Raises:
        InvalidArgument: they do not fit together.
    """
    if isinstance(mechanism, Mechanism):
        return _mechanism(mechanism, claim, neighbors, law, entropy)
    if getattr(mechanism, "__func__", None) is NormalNoise.argmax:
        return _argmax(mechanism.__self__, claim, neighbors, law, entropy)
    if not callable(mechanism):
        raise InvalidArgument(
            f"audit: a mechanism must be one that can be run, or a program from an input to an "
            f"output; you passed {mechanism!r}"
        )
    if neighbors is None:
        raise InvalidArgument(
            "audit: a program needs neighbors=, two inputs that one unit can make differ"
        )
    if entropy is not None:
        raise InvalidArgument("audit: entropy is for our mechanisms; a program has its own")
    name = getattr(mechanism, "__qualname__", type(mechanism).__name__)
    draw = mechanism if isinstance(mechanism, Batched) else one_by_one(mechanism, name)
    noise = None if law is None else stated_noise(law)
    pair = pair_of(neighbors)
    known = claim_of(_told(draw, pair[0]) if claim is None else claim, "audit")
    return Subject(name, draw, known, pair, noise, True)


def _told(draw: Draw, x: Any) -> Event:
    """The event of what a program released by one of ours."""
    released = draw(x, 1)[0]
    if not isinstance(released, Released):
        raise InvalidArgument(
            "audit: a program needs claim=, such as tr.PureDP(1.0), unless it gives out a release "
            "of ours, which has its event"
        )
    return released.event


def _argmax(
    noise: NormalNoise, claim: Any, neighbors: Any, law: Any, entropy: Entropy | None
) -> Subject:
    """Noisy max: it costs what releasing all noisy scores does."""
    if law is not None:
        raise InvalidArgument(f"audit: law is for programs; {noise!r} has its own")
    source = source_of(entropy, "audit")
    pair = scores_of_argmax(noise) if neighbors is None else pair_of(neighbors)
    known = claim_of(claim_on(noise, pair[0]) if claim is None else claim, "audit")
    draw = draw_of_argmax(noise, source)
    return Subject(f"argmax of {noise!r}", draw, known, pair, None, source.secure)


def _mechanism(
    mechanism: Mechanism, claim: Any, neighbors: Any, law: Any, entropy: Entropy | None
) -> Subject:
    if law is not None:
        raise InvalidArgument(f"audit: law is for programs; {mechanism!r} has its own")
    source = source_of(entropy, "audit")
    draw = draw_of(mechanism, source)
    pair = usual_neighbors(mechanism) if neighbors is None else pair_of(neighbors)
    known = claim_of(claim_on(mechanism, pair[0]) if claim is None else claim, "audit")
    noise = released_noise(mechanism, pair[0]) if isinstance(mechanism, AdditiveNoise) else None
    return Subject(repr(mechanism), draw, known, pair, noise, source.secure)


def pair_of(neighbors: Any) -> tuple[Any, Any]:
    """The two inputs that were passed."""
    if not isinstance(neighbors, tuple | list) or len(neighbors) != 2:
        raise InvalidArgument(
            f"audit: neighbors must be a pair of inputs, (x, y); you passed {neighbors!r}"
        )
    x, y = neighbors
    if _alike(x, y):
        raise InvalidArgument(
            "audit: neighbors must be two inputs that differ; nothing tells an input from itself"
        )
    return x, y


def _alike(x: Any, y: Any) -> bool:
    """Whether two inputs are equal, as far as they can be compared."""
    try:
        return type(x) is type(y) and bool(np.all(x == y))
    except Exception:
        return False


def shown_pair(pair: tuple[Any, Any]) -> tuple[str, str]:
    """The two inputs as reports show them."""
    return clipped(repr(pair[0])), clipped(repr(pair[1]))
