"""The standard normal law: probabilities, their logarithms, and quantiles far into the tails.

SciPy's `ndtr` loses digits far out because it squares a rounded argument, and its `ndtri_exp`
drifts near -2e5; both cases are evaluated here from the scaled complementary error function and
from the asymptotic series of the Mills ratio.
"""

from typing import Any

import numpy as np

from tightrope.num.elementwise import FloatArray, branches, elementwise
from tightrope.num.precision import real_format

__all__ = [
    "HALF_LOG_2PI",
    "cdf",
    "half_log_2pi",
    "log_cdf",
    "mills",
    "quantile",
    "quantile_of_log",
    "survival",
]

_SQRT_HALF = 0.7071067811865476
_SQRT2 = 1.4142135623730951
_SQRT_HALF_PI = 1.2533141373155003
_LOG_2PI = 1.8378770664093456
HALF_LOG_2PI = 0.9189385332046727
_HALF_LOG_2PI_DIGITS = "0.91893853320467274178032973640561763986"
_LOG2_HIGH, _LOG2_LOW = 0.6931471805599453, 2.3190468138462996e-17


def half_log_2pi(x: Any) -> Any:
    """log(2 pi)/2 in the real format of an array or a NumPy number."""
    return real_format(x).type(_HALF_LOG_2PI_DIGITS)


@elementwise
def mills(x: FloatArray) -> FloatArray:
    """Return the Mills ratio `(1 - Phi(x)) / phi(x)`, with `phi` the standard normal density.

    Relative error below `1.5e-15 max(1, x^2)` for negative and below 1.5e-15 for positive `x`.
    It is `inf` below about -37.6.

    >>> f"{mills(0.0):.12g}"
    '1.25331413732'
    """
    from scipy import special

    return np.asarray(_SQRT_HALF_PI * special.erfcx(x * _SQRT_HALF))


@elementwise
def cdf(x: FloatArray) -> FloatArray:
    """Return `Phi(x)`.  Relative error below 1.5e-15, down to the smallest normal double.

    >>> cdf(0.0), f"{cdf(-30.0):.12g}"
    (0.5, '4.90671392715e-198')
    """
    from scipy import special

    return branches([x], (x < -1, _lower_tail), (x >= -1, special.ndtr))


@elementwise
def survival(x: FloatArray) -> FloatArray:
    """Return `1 - Phi(x) = Phi(-x)`, with the accuracy of `cdf`.

    >>> f"{survival(30.0):.12g}"
    '4.90671392715e-198'
    """
    return cdf(-x)


def _lower_tail(x: FloatArray) -> FloatArray:
    """Evaluate `phi(x) mills(-x)`; the square is split so that its rounding does not matter."""
    from scipy import special

    head = np.trunc(x * 16) / 16  # few bits: its square is exact (W. J. Cody, 1969)
    gauss = np.exp(-head * head / 2) * np.exp(-(x - head) * (x + head) / 2)
    return np.where(x < -40, 0.0, gauss * special.erfcx(-x * _SQRT_HALF) / 2)


@elementwise
def log_cdf(x: FloatArray) -> FloatArray:
    """Return `log Phi(x)`.  Relative error below 1.5e-15 for every `x`.

    Both tails keep their digits: for large `x` the value is `-Phi(-x)`, not 0.

    >>> f"{log_cdf(-1e5):.12g}", f"{log_cdf(30.0):.12g}"
    ('-5000000012.43', '-4.90671392715e-198')
    """
    return branches([x], (x < 0, _log_lower_tail), (x >= 0, lambda y: np.log1p(-cdf(-y))))


def _log_lower_tail(x: FloatArray) -> FloatArray:
    from scipy import special

    return np.asarray(np.log(special.erfcx(-x * _SQRT_HALF) / 2) - (x / 2) * x)


@elementwise
def quantile(p: FloatArray) -> FloatArray:
    """Return `Phi^-1(p)` for `p` in [0, 1], nan outside.  Relative error below 6e-16.

    Near `p = 1` the double `p` itself is coarse: use `-quantile(1 - p)` with the small probability,
    or `quantile_of_log`.

    >>> quantile(0.5), quantile(0.0)
    (0.0, -inf)
    """
    from scipy import special

    return np.asarray(special.ndtri(p))


@elementwise
def quantile_of_log(log_p: FloatArray) -> FloatArray:
    """Return `Phi^-1(exp(log_p))` for `log_p <= 0`, nan above.  Relative error below 8e-16.

    The error is relative to the double `log_p`, from -1e300 to the largest negative double, and
    also near `-log 2`, where the result crosses 0.

    >>> f"{quantile_of_log(-1e6):.12g}", f"{quantile_of_log(-1e-300):.12g}"
    ('-1414.20778299', '37.0470962994')
    """
    return branches(
        [log_p],
        (log_p < -700, _quantile_of_log_far),  # exp(log_p) would leave the normal doubles
        (log_p < -2.5, _quantile_of_log_lower),
        (log_p < -0.1, _quantile_of_log_centre),
        (log_p <= 0, _quantile_of_log_upper),
    )


def _quantile_of_log_upper(log_p: FloatArray) -> FloatArray:
    from scipy import special

    return np.asarray(-special.ndtri(-np.expm1(log_p)))


def _quantile_of_log_centre(log_p: FloatArray) -> FloatArray:
    """Use `2p - 1 = expm1(log_p + log 2)`: the sum is exact near the median."""
    from scipy import special

    return np.asarray(_SQRT2 * special.erfinv(np.expm1((log_p + _LOG2_HIGH) + _LOG2_LOW)))


def _quantile_of_log_lower(log_p: FloatArray) -> FloatArray:
    from scipy import special

    return np.asarray(special.ndtri(np.exp(log_p)))


def _quantile_of_log_far(log_p: FloatArray) -> FloatArray:
    """Solve `log Phi(-sqrt(y)) = log_p` for y by the asymptotic series of the Mills ratio.

    `-2 log Phi(-sqrt(y)) = log 2pi + y + log y + 2/y - 5/y^2 + 74/(3y^3) - ...`; without the
    powers of 1/y the solution is the Wright omega function, and one Newton step does the rest.
    """
    from scipy import special

    target = -2 * log_p - _LOG_2PI
    y: FloatArray = special.wrightomega(target)
    z = 1 / y
    powers = z * (2 - z * (5 - z * (74 / 3 - z * (353 / 2 - z * (8162 / 5)))))
    slope = 1 + z * (1 - z * (2 - z * 10))
    refined = np.sqrt(y - (y + np.log(y) - target + powers) / slope)
    # Up there the logarithm is far below the last bit, and doubling may overflow.
    return -np.where(log_p < -1e300, _SQRT2 * np.sqrt(-log_p), refined)
