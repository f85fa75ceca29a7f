"""Pure differential privacy: every log-ratio of probabilities is at most epsilon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tightrope._check import NONNEGATIVE, Real, declared
from tightrope.notions.guarantee import Guarantee


@dataclass(frozen=True, repr=False)
class PureDP(Guarantee):
    """epsilon-DP: P(S) <= e^epsilon Q(S) for every event S and all neighbours.

    Source: Dwork, McSherry, Nissim and Smith (2006), Definition 1.

    Examples:
        >>> import tightrope as tr
        >>> tr.PureDP(1.0).to(tr.ZCDP)
        ZCDP(rho=0.4622)
    """

    short: ClassVar[str] = "pure"
    title: ClassVar[str] = "pure DP"

    epsilon: Real = declared(  # type: ignore[assignment]  # the parameter, not the verb
        "ε", r"\varepsilon", NONNEGATIVE, (0.01, 10), "largest log-ratio of probabilities"
    )
