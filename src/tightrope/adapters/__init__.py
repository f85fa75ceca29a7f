"""From other privacy libraries and back: what they ran, read as events; and their accountants.

None of these libraries is imported. An object is known by the name of its class and by its
attributes, so what is read may as well come from a file or from another version.

Examples:
    >>> import tightrope as tr
    >>> from tightrope import adapters
    >>> run = adapters.from_opacus([(1.0, 0.01, 10_000)])
    >>> run == tr.Gaussian(1.0).sampled(0.01) ** 10_000
    True
"""

from tightrope.adapters.dp_events import from_dp_accounting
from tightrope.adapters.jax_privacy import from_jax_privacy
from tightrope.adapters.opacus import from_opacus
from tightrope.adapters.opacus_accountant import OpacusAccountant
from tightrope.adapters.opendp import from_opendp
from tightrope.adapters.pld_accountant import PLDAccountant

__all__ = [
    "OpacusAccountant",
    "PLDAccountant",
    "from_dp_accounting",
    "from_jax_privacy",
    "from_opacus",
    "from_opendp",
]
