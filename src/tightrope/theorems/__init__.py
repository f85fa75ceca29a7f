"""The theorems: every conversion, rule of composition, group privacy and sampling, registered.

Importing this package registers all of them; ``registry.theorems()`` lists them.
"""

from tightrope.theorems import (
    amplify,
    compose,
    filters,
    group,
    into_gdp,
    into_profile,
    into_profile_by_orders,
    into_range,
    into_rdp,
    into_tradeoff,
    into_zcdp,
    selection,
    structure,
)

__all__ = [
    "amplify",
    "compose",
    "filters",
    "group",
    "into_gdp",
    "into_profile",
    "into_profile_by_orders",
    "into_range",
    "into_rdp",
    "into_tradeoff",
    "into_zcdp",
    "selection",
    "structure",
]
