"""What a bound on the Renyi divergences of a pair implies: the conversions, under one name.

Profiles and trade-off curves are sharp order by order, and the best of all orders is taken; the
looser conversions of the literature stand beside them.
"""

from tightrope.theorems.conversions_to_delta import Curve, bs16_log_delta, cks_log_delta
from tightrope.theorems.renyi_epsilon import epsilon, epsilon_at_log_delta
from tightrope.theorems.renyi_profile import log_delta, single_order_log_delta
from tightrope.theorems.testing_boundary import single_order_tradeoff, tradeoff

__all__ = [
    "Curve",
    "bs16_log_delta",
    "cks_log_delta",
    "epsilon",
    "epsilon_at_log_delta",
    "log_delta",
    "single_order_log_delta",
    "single_order_tradeoff",
    "tradeoff",
]
