"""Exact privacy of discrete Gaussian noise: law, profile, trade-off curve and tight GDP.

Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy" (2020), introduced
the law and its concentrated-DP guarantee; what is tight for it in the other notions is here.
"""

from tightrope.theorems.discrete_gaussian.gdp import central_mu, mu
from tightrope.theorems.discrete_gaussian.law import log_normaliser, log_tail
from tightrope.theorems.discrete_gaussian.ones import mu_of_ones
from tightrope.theorems.discrete_gaussian.profile import log_delta, tradeoff

__all__ = [
    "central_mu",
    "log_delta",
    "log_normaliser",
    "log_tail",
    "mu",
    "mu_of_ones",
    "tradeoff",
]
