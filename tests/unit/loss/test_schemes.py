"""Sampling schemes against every law of tiny worlds: no data set leaks more than the pairs say."""

from __future__ import annotations

import numpy as np
import pytest
from engine import from_pair
from tiny_worlds import (
    added,
    both_orders,
    delta,
    mechanism,
    output,
    poisson,
    replaced,
    tensor,
    with_replacement,
    without_replacement,
    worst,
)

from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.loss import Loss
from tightrope.loss.mixture.union import UnionLoss
from tightrope.loss.sampling import schemes

EPSILON = np.linspace(-1.2, 1.2, 49)
SEEDS = (0, 1)
SIZE = 4

ROUNDED = 1e-11
"""Bends of profiles are rounded to twelve digits."""


def atoms(loss: Loss) -> tuple[np.ndarray, np.ndarray]:
    """Losses and P-masses, an infinite one among them; of a union, all parts together."""
    if isinstance(loss, FiniteLoss):
        (row,) = loss.blocks
        gone = -np.expm1(-row.escape[0])
        mass = np.exp(row.log_probabilities[0]) * (1 - gone)
        return np.append(row.losses[0], np.inf), np.append(mass, gone)
    assert isinstance(loss, UnionLoss)
    (union,) = loss.unions
    parts = [atoms(part) for part in union.parts]
    rest = 1 - union.weights.sum() - union.infinite
    values = np.concatenate([[0.0, np.inf], *(part[0] for part in parts)])
    masses = [w * part[1] for w, part in zip(union.weights, parts, strict=True)]
    return values, np.concatenate([[rest, union.infinite], *masses])


def claimed(loss: Loss, times: int = 1) -> np.ndarray:
    """The profile of the pair, composed with itself."""
    values, mass = atoms(loss)
    if times == 2:
        values, mass = np.add.outer(values, values).ravel(), np.multiply.outer(mass, mass).ravel()
    return (mass * -np.expm1(np.minimum(EPSILON[:, None] - values, 0))).sum(axis=1)


def orders(pair: schemes.Dominating) -> list[Loss]:
    """The loss of each order: removal first; the same twice if the pair is symmetric."""
    found = [total.losses[0] for total in pair.orders]
    return found[::-1] if len(found) == 2 else found * 2


def holds(pair: schemes.Dominating, truths: list, both: bool = False) -> float:
    """The least slack of the claim over all pairs of laws, both orders of each, once and twice.

    Args:
        pair: the claim; its first order is about the first law against the second.
        truths: lists of pairs of laws, one list a mechanism; entries of equal rank share the data.
        both: whether the two orders may be mixed in a composition.
    """
    slack = np.inf
    for which, loss in enumerate(orders(pair)):
        turned = [[p[:: 1 - 2 * which] for p in pairs] for pairs in truths]
        once, twice = claimed(loss), claimed(loss, 2)
        for pairs in turned:
            for p in pairs:
                slack = min(slack, float((once - delta(p, EPSILON)).min()))
        for one, other in zip(*turned[:2], strict=True):
            slack = min(slack, float((twice - delta(tensor(one, other), EPSILON)).min()))
            if both:
                mixed = delta(tensor(one, other[::-1]), EPSILON)
                slack = min(slack, float((twice - mixed).min()))
    return slack


def groups(mechs: list, sizes: range | list[int], neighbors, units: int) -> FiniteLoss:
    """The worst of all mechanisms, sizes and neighbours, at every epsilon."""
    pairs = [(mech(a), mech(b)) for mech in mechs for n in sizes for a, b in neighbors(n, units)]
    return FiniteLoss.one(*worst(both_orders(pairs)))


def laws(mechs: list, samples, neighbors) -> list:
    return [
        [(output(mech, samples, a), output(mech, samples, b)) for a, b in neighbors]
        for mech in mechs
    ]


@pytest.fixture(scope="module")
def mechs() -> list:
    return [mechanism(seed) for seed in SEEDS]


@pytest.mark.parametrize("batch", [1, 2, 3])
def test_without_replacement_when_a_unit_is_replaced(mechs, batch):
    inner = groups(mechs, [batch], replaced, 1)
    pair = schemes.without_replacement(inner, batch, SIZE, "replace_one")
    truths = laws(mechs, without_replacement(batch), list(replaced(SIZE)))
    assert -ROUNDED < holds(pair, truths, both=True) < 0.05


@pytest.mark.parametrize("batch", [1, 2, 3])
@pytest.mark.parametrize("larger", [SIZE, SIZE + 1])
def test_without_replacement_when_a_unit_is_added(mechs, batch, larger):
    """The data of a population of four, and its neighbours with three and five rows."""
    inner = groups(mechs, [batch], replaced, 1)
    pair = schemes.without_replacement(inner, batch, SIZE, "add_or_remove")
    truths = laws(mechs, without_replacement(batch), list(added(larger - 1)))
    assert -ROUNDED < holds(pair, truths) < 0.05


@pytest.mark.parametrize("batch", [1, 2, 3])
def test_with_replacement_when_a_unit_is_replaced(mechs, batch):
    pair = schemes.with_replacement(
        lambda k: groups(mechs, [batch], replaced, min(k, batch)), batch, SIZE, "replace_one"
    )
    truths = laws(mechs, with_replacement(batch), list(replaced(SIZE)))
    assert -ROUNDED < holds(pair, truths, both=True) < 0.2


@pytest.mark.parametrize("larger", [SIZE, SIZE + 1])
def test_with_replacement_when_a_unit_is_added(mechs, larger):
    batch = 2
    pair = schemes.with_replacement(
        lambda k: groups(mechs, [batch], replaced, min(k, batch)), batch, SIZE, "add_or_remove"
    )
    truths = laws(mechs, with_replacement(batch), list(added(larger - 1)))
    assert -ROUNDED < holds(pair, truths) < 0.1


@pytest.mark.parametrize("rate", [0.2, 0.7])
def test_poisson_samples_when_a_unit_is_replaced(mechs, rate):
    pairs = [(m(a), m(b)) for m in mechs for n in range(SIZE) for a, b in added(n)]
    inner = FiniteLoss.one(*worst(both_orders(pairs)))
    pair = schemes.poisson_replace(inner, rate)
    truths = laws(mechs, poisson(rate), list(replaced(SIZE)))
    assert -ROUNDED < holds(pair, truths, both=True) < 0.2


@pytest.mark.parametrize("rate", [0.2, 0.7])
@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("larger", [SIZE, SIZE + 1])
def test_truncated_poisson_samples(mechs, rate, most, larger):
    """Whether the four are the data with the unit or without it."""
    pairs = [(m(a), m(b)) for m in mechs for n in range(most) for a, b in added(n)]
    one = FiniteLoss.one(*worst(both_orders(pairs)))
    two = groups(mechs, range(1, most + 1), replaced, 1)
    pair = schemes.truncated_poisson(lambda k: (one, two)[k - 1], rate, most, SIZE)
    truths = laws(mechs, poisson(rate, most), list(added(larger - 1)))
    assert -ROUNDED < holds(pair, truths) < 0.3


def test_mixing_the_orders_of_two_coins_exceeds_either():
    """Bern(.09919) and Bern(.04591) at epsilon .7166: .00552, 0, and .00997 if mixed."""
    p, q = np.array([0.09919, 0.90081]), np.array([0.04591, 0.95409])
    at = np.array([0.7166])
    same, back = tensor((p, q), (p, q)), tensor((q, p), (q, p))
    mixed = tensor((p, q), (q, p))
    values = [float(delta(pair, at)[0]) for pair in (same, back, mixed)]
    assert values == pytest.approx([0.00552, 0.0, 0.00997], abs=1e-5)
    losses, mass = worst([(p, q), (q, p)])
    total = np.add.outer(losses, losses).ravel()
    weight = np.multiply.outer(mass, mass).ravel()
    assert float((weight * -np.expm1(np.minimum(at - total, 0))).sum()) >= values[2]


def test_samples_need_a_symmetric_pair():
    directed = from_pair([0.2, 0.8], [0.1, 0.9])
    for sample in (
        lambda: schemes.without_replacement(directed, 1, 3, "replace_one"),
        lambda: schemes.poisson_replace(directed, 0.5),
    ):
        with pytest.raises(ValueError, match="symmetric"):
            sample()


def test_exact_limits(mechs):
    inner = groups(mechs, [SIZE], replaced, 1)
    whole = schemes.without_replacement(inner, SIZE, SIZE, "replace_one")
    assert whole.orders[0].losses == (inner,)
    assert schemes.without_replacement(inner, SIZE, SIZE, "add_or_remove") is None
    assert schemes.full_batch(0.5, SIZE + 1, SIZE) == 0
    assert schemes.full_batch(0.5, SIZE, SIZE) == pytest.approx(0.5**SIZE, rel=1e-12)
