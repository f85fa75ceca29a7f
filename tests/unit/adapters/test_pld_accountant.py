"""The accountant with dp_accounting's face."""

from __future__ import annotations

import pytest
from peers import fake, gaussian, poisson, repeated

import tightrope as tr
from tightrope.adapters import PLDAccountant

DP_SGD = poisson(0.01, gaussian(1.0))


def test_it_composes_and_answers_with_the_bounds_of_the_event():
    accountant = PLDAccountant().compose(DP_SGD, 1000).compose(repeated(gaussian(4.0), 2))
    run = tr.Gaussian(1.0).sampled(0.01) ** 1000 + tr.Gaussian(4.0) ** 2
    assert accountant.ledger == run
    assert accountant.get_epsilon(1e-5) == run.epsilon(1e-5)
    assert accountant.get_delta(1.0) == pytest.approx(run.delta(1.0), rel=1e-9)


def test_nothing_composed_is_nothing_lost():
    assert PLDAccountant().get_epsilon(1e-5) == 0
    assert PLDAccountant().get_delta(0.0) == 0


def test_relations():
    relation = fake("NeighboringRelation", name="REPLACE_ONE")
    for given in (relation, tr.replace_one):
        accountant = PLDAccountant(given).compose(gaussian(1.0))
        assert accountant.neighboring_relation == tr.replace_one
        assert accountant.get_epsilon(1e-5) == pytest.approx(9.997256, abs=5e-7)
    with pytest.raises(tr.NeighborsMismatch):
        accountant.compose(tr.Gaussian(1.0))
    with pytest.raises(tr.InvalidArgument):
        PLDAccountant(fake("NeighboringRelation", name="REPLACE_SPECIAL"))


def test_what_it_supports():
    accountant = PLDAccountant()
    assert accountant.supports(DP_SGD)
    assert accountant.supports(tr.ZCDP(0.5))
    assert not accountant.supports(fake("UnsupportedDpEvent"))
    assert not accountant.supports(tr.ZCDP(0.5, neighbors=tr.replace_one))
    with pytest.raises(tr.InvalidArgument, match="UnsupportedDpEvent is not supported"):
        accountant.compose(fake("UnsupportedDpEvent"))
    assert accountant.ledger == tr.PureDP(0)
