"""Propose, test, release: an answer that is given only where the data are far from instability.

Call a data set unstable if the answer on it and on some neighbour of it may differ by more than the
proposal allows. Let a distance move by at most 1 between neighbours and be 0 on every unstable set:
the number of units that have to change to reach one, or less. The answer is given if the distance
plus noise reaches a threshold that noise alone reaches with probability at most delta.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tightrope._calls import spoken
from tightrope._check import Domain, Real, validated
from tightrope._errors import InvalidArgument
from tightrope.events import Event
from tightrope.mechanisms.released import Released
from tightrope.mechanisms.source import source_of
from tightrope.mechanisms.unit_noise import UnitNoise, law_of, read_delta
from tightrope.noise.entropy import Entropy
from tightrope.notions import ApproxDP
from tightrope.num.rounding import float_up

__all__ = ["StableRelease", "propose_test_release"]

_FURTHEST = 2**61

_DISTANCE = Domain(
    "a whole number of at least 0 and at most 2^61", lambda x: 0 <= x <= _FURTHEST, integral=True
)


@dataclass(frozen=True, eq=False, repr=False)
class StableRelease(Released):
    """What was given if the test was passed, and nothing otherwise.

    Attributes:
        value: what the answer's function returned; None if the test was not passed.
        event: what was run, for accounting; it is paid for in either case.
        secure: whether all randomness came from the operating system.
        passed: whether the noisy distance reached the threshold.
        threshold: the least noisy distance that passes; public, since it comes from the noise.
    """

    passed: bool = field(kw_only=True)
    threshold: int = field(kw_only=True)


@spoken
def propose_test_release(  # noqa: PLR0913  (the proposal, the test, and what it guards)
    distance: int,
    answer: Callable[[], Any],
    noise: UnitNoise,
    delta: Real,
    *,
    guarded: Event | None = None,
    entropy: Entropy | None = None,
) -> StableRelease:
    """Give an answer if the data are, by a noisy test, far from where it is unstable.

    Two uses. Without ``guarded`` the answer is exact: a data set is unstable if some neighbour has
    another answer. With it the answer is a release whose noise fits a *proposed* sensitivity: a
    data set is unstable if some neighbour moves the query by more than that.

    Args:
        distance: how many units have to change until the data are unstable; or any other whole
            number that is 0 if they are, and at most 1 apart between neighbours. That it is such a
            number is your statement; no program can check it.
        answer: a function without arguments, called only if the test is passed.
        noise: ``tr.DiscreteLaplace``, ``tr.DiscreteGaussian`` or ``tr.Skellam`` of sensitivity 1,
            for the distance. Its neighbours are those of the release.
        delta: from 1e-30 to 0.5; the most that an unstable answer may be given with.
        guarded: what ``answer`` runs, an event that holds between neighbours of which one is
            stable; then ``answer`` returns the release. None if it computes without noise.
        entropy: where the random bits of the test come from, the operating system by default.

    Returns:
        ``passed``, and if so ``value``, what ``answer`` returned. ``event`` is
        ``(noise + ApproxDP(0, d)).for_one_unit()``, d at most delta the chance that noise alone
        passes, with ``guarded`` inside if there is one.

    Raises:
        InvalidArgument: an argument is not admissible; ``answer`` returned a release that ran
            something else than ``guarded``.
        NeighborsMismatch: ``noise`` and ``guarded`` speak of different neighbours.

    Source: Dwork and Lei (2009); Dwork and Roth (2014), Theorem 7.3; Vadhan (2017), Section 3.2.
    The proof is in docs/release.md.

    Examples:
        >>> import tightrope as tr
        >>> votes = {"oak": 640, "elm": 410}
        >>> lead = votes["oak"] - votes["elm"]  # one vote moves it by 1, and at 1 it may turn
        >>> noise = tr.DiscreteLaplace(noise_scale=2)
        >>> found = tr.propose_test_release(lead - 1, lambda: "oak", noise, delta=1e-9)
        >>> found.value, found.to(tr.ApproxDP, delta=1e-9)
        ('oak', ApproxDP(epsilon=0.5, delta=1e-09))
    """
    caller = "propose_test_release"
    source = source_of(entropy, caller)
    law = law_of(noise, caller)
    far = int(validated(distance, _DISTANCE, f"{caller}: distance"))
    threshold, missed = law.rare(read_delta(delta, caller))
    _check(answer, guarded, caller)
    event = noise + ApproxDP(0, float_up(missed), neighbors=noise.neighbors)
    if guarded is not None:
        event = event + guarded
    event = event.for_one_unit()
    passed = far + int(law.draw(1, source)[0]) >= threshold
    value = _given(answer, guarded, caller) if passed else None
    secure = source.secure and bool(getattr(value, "secure", True))
    return StableRelease(value, event, secure, passed=passed, threshold=threshold)


def _check(answer: Any, guarded: Any, caller: str) -> None:
    if not callable(answer):
        raise InvalidArgument(
            f"{caller}: answer must be a function without arguments, so that it is computed only "
            f"if the test is passed; you passed {answer!r}"
        )
    if guarded is not None and not isinstance(guarded, Event):
        raise InvalidArgument(
            f"{caller}: guarded must be the event that answer runs, or None; you passed {guarded!r}"
        )


def _given(answer: Callable[[], Any], guarded: Event | None, caller: str) -> Any:
    """What the function returns, if it ran what is accounted for."""
    value = answer()
    ran = value.event if isinstance(value, Released) else None
    if ran != guarded:
        raise InvalidArgument(
            f"{caller}: answer ran {ran!r}, and guarded={guarded!r} is accounted for; pass the "
            "event of the release, such as mechanism.as_released(coordinates)"
        )
    return value
