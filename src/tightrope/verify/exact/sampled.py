"""Poisson samples of normal noise: transforms by quadrature in balls."""

from __future__ import annotations

from fractions import Fraction

from flint import acb


def moment(square: Fraction, rate: Fraction, with_unit: bool, z: acb) -> acb:
    """E[exp(zL)]."""
    raise NotImplementedError
