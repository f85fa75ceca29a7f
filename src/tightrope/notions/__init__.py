"""The notions of privacy, one class each; and apart from them, what is no guarantee."""

from tightrope.notions.approx import ApproxDP
from tightrope.notions.bounded_range import BoundedRange
from tightrope.notions.bounds import Estimate, LowerBound
from tightrope.notions.gdp import GDP
from tightrope.notions.guarantee import Guarantee
from tightrope.notions.logistic import LogisticDP
from tightrope.notions.profile import Profile
from tightrope.notions.pure import PureDP
from tightrope.notions.rdp import RDP
from tightrope.notions.tcdp import TCDP
from tightrope.notions.tradeoff import TradeOff
from tightrope.notions.zcdp import ZCDP

__all__ = [
    "GDP",
    "RDP",
    "TCDP",
    "ZCDP",
    "ApproxDP",
    "BoundedRange",
    "Estimate",
    "Guarantee",
    "LogisticDP",
    "LowerBound",
    "Profile",
    "PureDP",
    "TradeOff",
]
