"""One release of Poisson sampling from its base mechanism, and few releases by quadrature.

r = 1 - rate + rate exp(l) is the likelihood ratio of the sampled mechanism, l that of its base.
"with" is log r under the mixture, "without" is -log r under the base law Q.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

from flint import acb, arb

from .composed_intervals import PiecewiseLoss, gauss_legendre, one_more

Profile = Callable[[arb], arb]


def gaussian_profile(mu: arb, epsilon: arb) -> arb:
    """Phi(mu/2 - e/mu) - exp(e) Phi(-mu/2 - e/mu): Balle and Wang (2018), Theorem 8."""
    return tail(epsilon / mu - mu / 2) - epsilon.exp() * tail(epsilon / mu + mu / 2)


def tail(x: arb) -> arb:
    """The probability that a standard normal exceeds x."""
    return (x / arb(2).sqrt()).erfc() / 2


def laplace_profile(base: arb, epsilon: arb) -> arb:
    if not abs(epsilon) < base:
        return arb(0) if epsilon > 0 else 1 - epsilon.exp()
    return 1 - ((epsilon - base) / 2).exp()


def sampled_profile(base: Profile, rate: arb, order: str, epsilon: arb) -> arb:
    """The profile of one sampled release from that of a symmetric base pair.

    E_Q(r - exp(e))_+ = rate E_Q(exp(l) - (exp(e) - 1 + rate) / rate)_+ for "with", and
    E_Q(1 - exp(e) r)_+ = (1 - exp(e)(1 - rate)) E_Q(1 - k exp(l))_+ for "without".
    """
    grown = epsilon.exp()
    if order == "with":
        excess = grown - 1 + rate
        return rate * base((excess / rate).log()) if excess > 0 else 1 - grown
    left = 1 - grown * (1 - rate)
    return left * base((grown * rate / left).log()) if left > 0 else arb(0)


class SampledLaplace:
    """Poisson sampling of the Laplace mechanism with the given epsilon."""

    def __init__(self, epsilon: float, rate: float, order: str) -> None:
        self.base, self.rate, self.order = arb(epsilon), arb(rate), order
        self.sign = 1 if order == "with" else -1

    def ratio(self, x: arb) -> arb:
        return 1 - self.rate + self.rate * x.exp()

    def _share(self, x: arb, under_q: arb) -> tuple[arb, arb]:
        ratio = self.ratio(x)
        return self.sign * ratio.log(), under_q * (ratio if self.order == "with" else 1)

    @cached_property
    def law(self) -> PiecewiseLoss:
        """The loss, rising in l for "with" and in -l for "without"."""
        sign = self.sign
        atoms = [
            self._share(self.base, (-self.base).exp() / 2),
            self._share(-self.base, arb(0.5)),
        ]
        return PiecewiseLoss(
            atoms,
            -self.base,
            self.base,
            lambda x: self._share(sign * x, arb(0))[0],
            lambda x: self._share(sign * x, self._density(sign * x))[1],
        )

    def _density(self, x: arb) -> arb:
        return ((-x - self.base) / 2).exp() / 4

    def profile(self, n: int, epsilon: arb, nodes: int) -> arb:
        """n copies, one at a time; closed form for the first."""
        if n == 1:
            base = partial(laplace_profile, self.base)
            return sampled_profile(base, self.rate, self.order, epsilon)

        def rest(left: arb) -> arb:
            return self.profile(n - 1, left, nodes)

        return one_more(self.law, self.inverse, rest, self.law.ends(n - 1), epsilon, nodes)

    def inverse(self, loss: arb) -> arb:
        ratio = (self.sign * loss).exp()
        return self.sign * ((ratio - 1 + self.rate) / self.rate).log()

    def transform(self, z: acb) -> acb:
        """E_P exp(z L); the density has no singularity near its interval."""
        total = sum(((z * loss).exp() * mass for loss, mass in self.law.atoms), acb(0))
        for node, weight in gauss_legendre(64):
            x = self.base * node
            total += self.base * weight * self.law.density(x) * (z * self.law.loss(x)).exp()
        return total
