"""Whatever one theorem proves of a stated guarantee, the planner's answer is at least as good."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tightrope as tr
from tightrope.theorems.registry import Theorem
from tightrope.theorems.registry import theorems as registered

ROUNDED = 1e-11

STATED: dict[type, list[tr.Guarantee]] = {
    tr.PureDP: [tr.PureDP(0.1), tr.PureDP(3.0)],
    tr.BoundedRange: [tr.BoundedRange(0.1), tr.BoundedRange(3.0)],
    tr.LogisticDP: [tr.LogisticDP(0.1), tr.LogisticDP(3.0)],
    tr.GDP: [tr.GDP(0.1), tr.GDP(3.0)],
    tr.ZCDP: [
        tr.ZCDP(0.01),
        tr.ZCDP(3.0),
        tr.ZCDP(0.0, xi=1.0),
        tr.ZCDP(0.001, xi=1.0),
        tr.ZCDP(0.01, xi=0.4),
        tr.ZCDP(0.3, xi=0.4),
        tr.ZCDP(2.0, xi=0.01),
    ],
    tr.TCDP: [tr.TCDP(0.01, 100.0), tr.TCDP(0.5, 1.5)],
    tr.RDP: [tr.RDP([2, 8], [0.1, 0.5]), tr.RDP(lambda order: min(0.5 * order, 2.0))],
    tr.ApproxDP: [tr.ApproxDP(1.0, 1e-6), tr.ApproxDP(0.5, 0.0)],
}
EPSILONS = (0.0, 0.3, 1.0, 4.0)
ALPHAS = (1e-8, 0.01, 0.3)
NUMBERS = (tr.PureDP, tr.BoundedRange, tr.LogisticDP, tr.GDP)

CASES = [
    pytest.param(theorem, guarantee, id=f"{theorem.name}-{guarantee!r}")
    for theorem in registered("conversion")
    for guarantee in STATED.get(theorem.source, ())
]


def parameters(guarantee: Any) -> tuple[Any, ...]:
    if isinstance(guarantee, tr.RDP):
        return (guarantee.curve,)
    return tuple(float(value) for value in guarantee.values)


def proved(theorem: Theorem, *arguments: Any) -> Any:
    with np.errstate(all="ignore"):
        return theorem(*arguments)


@pytest.mark.parametrize(("theorem", "guarantee"), CASES)
def test_the_planner_uses_every_conversion(theorem: Theorem, guarantee: Any) -> None:
    told = parameters(guarantee)
    if theorem.target is tr.Profile:
        for epsilon in EPSILONS:
            bound = float(np.exp(proved(theorem, epsilon, *told)))
            found = 1.0
            if bound < 1:
                found = guarantee.to(tr.ApproxDP, epsilon=epsilon).delta
                assert found <= bound * (1 + ROUNDED) + 1e-300, (epsilon, found, bound)
    elif theorem.target is tr.TradeOff:
        for alpha in ALPHAS:
            bound = float(proved(theorem, alpha, *told))
            assert guarantee.tradeoff(alpha) >= bound * (1 - ROUNDED), alpha
    elif theorem.target in NUMBERS:
        bound = float(proved(theorem, *told))
        if np.isfinite(bound):
            assert float(guarantee.to(theorem.target).values[0]) <= bound * (1 + ROUNDED)


@pytest.mark.parametrize("guarantee", [g for stated in STATED.values() for g in stated], ids=repr)
def test_running_something_once_more_or_less_costs_what_it_costs(guarantee: Any) -> None:
    """An event that does nothing changes nothing, and neither does what is published from it."""
    nothing = tr.GDP(0.0)
    before = guarantee.to(tr.ApproxDP, epsilon=0.3).delta
    assert (guarantee + nothing).to(tr.ApproxDP, epsilon=0.3).delta <= before * (1 + ROUNDED)
    assert guarantee.then("a table").to(tr.ApproxDP, epsilon=0.3).delta <= before * (1 + ROUNDED)


@pytest.mark.parametrize(
    ("stated", "delta"), [((0.01, 0.4), 1e-10), ((0.001, 1.0), 1e-6), ((0.3, 0.4), 1e-10)]
)
def test_an_offset_is_kept_in_compositions(stated: tuple[float, float], delta: float) -> None:
    """Twice (rho, xi) is (2 rho, 2 xi): a steeper line without an offset must not replace it."""
    rho, xi = stated
    twice = tr.ZCDP(rho, xi=xi) ** 2
    once = tr.ZCDP(2 * rho, xi=2 * xi)
    assert twice.to(tr.ApproxDP, delta=delta).epsilon <= 1.0001 * once.epsilon(delta)
    assert twice.tradeoff(1e-6) >= once.tradeoff(1e-6) * (1 - ROUNDED)
