"""No order above omega is used, however near to 1 omega is."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import ctx

import tightrope as tr
from tightrope.verify.rules.renyi import PRECISION, _bound

from .forging import Forged


def truncated(omega: str, delta: str) -> Forged:
    made = Forged().node("a", "TCDP", rho="0.1", omega=omega)
    made.step("given", "a", [], "TCDP", rho="0.1", omega=omega)
    made.step("tcdp_profile", "a", [0], "ApproxDP", epsilon="50", delta=delta)
    return made.claim("approx epsilon=50")


def test_no_order_above_omega_is_used():
    # a pair of laws that satisfies this has delta = 0.00185215483772
    assert truncated("1.000001", "0.0000372").report().verdict == "refuted"
    assert truncated("1.000001", "0.00185215").report().verdict == "refuted"
    assert truncated("1.000001", "0.001852154856").report().verdict == "verified"


def test_orders_that_cannot_be_told_from_1():
    assert truncated("1.000000000001", "0.1").report().verdict == "not checked"


@pytest.mark.parametrize("omega", ["1.000001", "1.00005", "1.3"])
def test_the_bound_at_orders_up_to_omega_is_that_of_the_library(omega, monkeypatch):
    monkeypatch.setattr(ctx, "prec", PRECISION)
    bound = float(_bound(Fraction("0.1"), Fraction(0), Fraction(5), Fraction(omega)).upper())
    assert bound == pytest.approx(tr.TCDP(0.1, omega=float(omega)).delta(5.0), rel=1e-6)


def test_a_group_leaves_no_order_of_1_or_below():
    made = (
        Forged()
        .node("a", "TCDP", rho="0.1", omega="1.5")
        .node("g", "Grouped", [("a", 1)], size="2")
    )
    made.step("given", "a", [], "TCDP", rho="0.1", omega="1.5")
    made.step("group_tcdp", "g", [0], "TCDP", rho="0.4", omega="0.75").claim("tcdp")
    assert made.report().verdict == "refuted"
