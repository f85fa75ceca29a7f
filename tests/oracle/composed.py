"""Privacy profiles of n independent copies of a loss, to twenty digits and more.

delta(e) = E_P[(1 - exp(e - L_1 - ... - L_n))_+], with L = log dP/dQ under P, and mass at +infinity.
`first` and `second` evaluate it in two ways that share as little as the loss allows:

    loss                   first                              second
    lattices               recurrence for the masses          contour over one period
    discrete Gaussian      contour, dual theta series         another contour, direct series
    three outcomes         multinomial rows                   rows by another outcome
    Laplace, logistic      residues, n <= 10                  quadrature; contours for more copies
    Laplace 0.1, n = 1000  residues                           contour
    Gaussian, n = 1        closed form                        integral of the definition
    sampled Laplace        nested quadrature, n <= 3          more nodes
    smooth, many copies    contour                            contour elsewhere, more bits

Arguments are decimal strings and mean the double nearest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

from flint import acb, arb, ctx

from . import composed_atoms as atoms
from . import composed_intervals as intervals
from . import composed_sampled as sampled
from .composed_contour import SampledGaussian, on_a_curve
from .composed_finite import ThreeOutcomes, multinomial_sum
from .composed_sketch import Sketch

Args = Mapping[str, Any]


def first(loss: str, args: Args, n: int, epsilon: float) -> arb:
    with ctx.workprec(192):
        return _METHODS[loss](args, n, epsilon, 0)


def second(loss: str, args: Args, n: int, epsilon: float) -> arb:
    with ctx.workprec(256):
        return _METHODS[loss](args, n, epsilon, 1)


def sketch(loss: str, args: Args) -> Sketch:
    """A rough picture of one copy, to choose epsilons by."""
    hashable = ((k, tuple(v) if isinstance(v, list) else v) for k, v in args.items())
    return _sketch(loss, tuple(hashable))


@lru_cache
def _sketch(loss: str, items: tuple[tuple[str, Any], ...]) -> Sketch:
    args = dict(items)
    if loss == "gaussian":
        return SampledGaussian(1 / float(args["mu"]), 1 - 1e-9, "with").sketch()
    if loss == "discrete_gaussian":
        return atoms.discrete_gaussian_sketch(float(args["sigma"]), args["shift"])
    if loss == "approx_dp":
        return _lattice("randomized_response", args).sketch()
    if loss == "finite":
        return _three(args).sketch()
    if loss == "laplace":
        return intervals.laplace_loss(_ball(args, "epsilon")).sketch()
    if loss == "logistic":
        return intervals.logistic_loss(_ball(args, "epsilon")).sketch()
    if loss == "poisson_gaussian":
        return _sampled_gaussian(args).sketch()
    if loss == "poisson_laplace":
        return _sampled_laplace(args).law.sketch()
    return _lattice(loss, args).sketch()


def _ball(args: Args, name: str) -> arb:
    return arb(float(args[name]))


def _lattice(loss: str, args: Args) -> atoms.Lattice:
    if loss == "randomized_response":
        return atoms.binary_response(_ball(args, "epsilon"))
    if loss == "k_randomized_response":
        return atoms.k_response(_ball(args, "epsilon"), args["k"])
    return atoms.discrete_laplace(_ball(args, "scale"), args["shift"])


def _lattice_profile(loss: str) -> Callable[[Args, int, float, int], arb]:
    def profile(args: Args, n: int, epsilon: float, way: int) -> arb:
        law = _lattice(loss, args)
        recurrence = atoms.lattice_by_recurrence(law, n, epsilon)
        if way == 0:
            return recurrence
        c, _ = sketch(loss, args).saddle(n, epsilon)
        points = n * (len(law.masses) - 1) + 1
        nodes = atoms.nodes_for(points, float(law.step), c, float(recurrence.log()))
        return atoms.lattice_by_contour(law.transform, law.start, law.step, n, epsilon, c, nodes)

    return profile


def _approx_dp(args: Args, n: int, epsilon: float, way: int) -> arb:
    """P has mass delta at +infinity and is randomised response otherwise."""
    kept = (1 - _ball(args, "delta")) ** n
    inner = {"epsilon": args["epsilon"]}
    return 1 - kept + kept * _METHODS["randomized_response"](inner, n, epsilon, way)


def _discrete_gaussian(args: Args, n: int, epsilon: float, way: int) -> arb:
    sigma, shift = _ball(args, "sigma"), args["shift"]
    picture = sketch("discrete_gaussian", args)
    c, _ = picture.saddle(n, epsilon)
    height = picture.log_delta_at(n, c)[1]
    step, start = shift / sigma**2, arb(shift**2) / (2 * sigma**2)
    points = int(30 * float(sigma) * n**0.5) + 200
    nodes = atoms.nodes_for(points, float(step), c, height) + 7 * way
    transform = atoms.discrete_gaussian_transform(sigma, shift, dual=way == 0)
    c *= 1.1 if way else 1
    return atoms.lattice_by_contour(transform, start, step, n, epsilon, c, nodes)


def _three(args: Args) -> ThreeOutcomes:
    return ThreeOutcomes.of([float(x) for x in args["p"]], [float(x) for x in args["q"]])


def _finite(args: Args, n: int, epsilon: float, way: int) -> arb:
    law = _three(args).reordered((2, 0, 1) if way else (0, 1, 2))
    return multinomial_sum(law, n, epsilon)


def _gaussian(args: Args, n: int, epsilon: float, way: int) -> arb:
    mu = _ball(args, "mu") * arb(n).sqrt()
    if way == 0:
        return sampled.gaussian_profile(mu, arb(epsilon))
    return _integral(arb(1), mu, arb(epsilon), epsilon / mu + mu / 2, 1)


def _integral(rate: arb, mu: arb, epsilon: arb, edge: arb, side: int) -> arb:
    """The definition for the mixture with N(mu, 1) against N(0, 1), from the edge outward."""
    grown = epsilon.exp()

    def excess(x: acb, _: bool) -> acb:
        mixture = (1 - rate) * _normal(x) + rate * _normal(x - mu)
        return mixture - grown * _normal(x) if side > 0 else _normal(x) - grown * mixture

    small = arb(2) ** -110
    smallest = _normal(acb(edge)).real * small
    far = acb(edge + 20 * side)
    return side * acb.integral(excess, acb(edge), far, rel_tol=small, abs_tol=smallest).real


def _normal(x: acb) -> acb:
    return (-(x * x) / 2).exp() / (2 * arb.pi()).sqrt()


def _interval(
    loss: str,
    build: Callable[[arb], intervals.TwoExponentials],
    piecewise: Callable[[arb], intervals.PiecewiseLoss],
) -> Callable[[Args, int, float, int], arb]:
    def profile(args: Args, n: int, epsilon: float, way: int) -> arb:
        value = float(args["epsilon"])

        def residues(copies: int, e: arb) -> arb:
            if copies == 0:
                return _nothing(e)
            return intervals.by_residues(lambda: build(arb(value)), copies, e)

        if way == 0 and (n <= 10 or (n <= 1000 and loss == "laplace" and value < 0.5)):
            return residues(n, arb(epsilon))
        if n > 10:
            return _contour(loss, args, build(arb(value)).transform, n, epsilon, way)
        law, rest = piecewise(arb(value)), partial(residues, n - 1)
        return intervals.one_more(law, lambda x: x, rest, law.ends(n - 1), arb(epsilon), 48)

    return profile


def _nothing(epsilon: arb) -> arb:
    """The profile of no release."""
    return 1 - epsilon.exp() if epsilon < 0 else arb(0)


def _contour(
    loss: str,
    args: Args,
    transform: Callable[[acb], acb],
    n: int,
    epsilon: float,
    way: int,
    bend: float = 0,
) -> arb:
    c, scale = sketch(loss, args).saddle(n, epsilon)
    if way:
        c, scale, bend = c + 0.3 * scale, 1.3 * scale, 0.7 * bend
    return on_a_curve(transform, n, epsilon, c, scale, bend)


def _sampled_gaussian(args: Args) -> SampledGaussian:
    return SampledGaussian(float(args["sigma"]), float(args["rate"]), args["order"])


def _poisson_gaussian(args: Args, n: int, epsilon: float, way: int) -> arb:
    law = _sampled_gaussian(args)
    if n > 1:
        return _contour("poisson_gaussian", args, law.transform, n, epsilon, way, law.bend)
    mu, rate, e = 1 / arb(law.sigma), arb(law.rate), arb(epsilon)
    if way == 0:
        return sampled.sampled_profile(partial(sampled.gaussian_profile, mu), rate, law.order, e)
    side = 1 if law.order == "with" else -1
    edge = (((side * e).exp() - 1 + rate) / rate).log() / mu + mu / 2
    return _integral(rate, mu, e, edge, side)


def _sampled_laplace(args: Args) -> sampled.SampledLaplace:
    return sampled.SampledLaplace(float(args["epsilon"]), float(args["rate"]), args["order"])


def _poisson_laplace(args: Args, n: int, epsilon: float, way: int) -> arb:
    law = _sampled_laplace(args)
    if n > 10:
        return _contour("poisson_laplace", args, law.transform, n, epsilon, way)
    if n == 1 and way == 1:
        return intervals.one_more(law.law, law.inverse, _nothing, [arb(0)], arb(epsilon), 48)
    return law.profile(n, arb(epsilon), 44 if way else 34)


_METHODS: dict[str, Callable[[Args, int, float, int], arb]] = {
    "laplace": _interval("laplace", intervals.laplace, intervals.laplace_loss),
    "logistic": _interval("logistic", intervals.logistic, intervals.logistic_loss),
    "randomized_response": _lattice_profile("randomized_response"),
    "k_randomized_response": _lattice_profile("k_randomized_response"),
    "discrete_laplace": _lattice_profile("discrete_laplace"),
    "discrete_gaussian": _discrete_gaussian,
    "gaussian": _gaussian,
    "approx_dp": _approx_dp,
    "finite": _finite,
    "poisson_gaussian": _poisson_gaussian,
    "poisson_laplace": _poisson_laplace,
}
