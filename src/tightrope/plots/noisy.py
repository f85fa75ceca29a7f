"""Noise beside data: what was released, how far the truth may be, and the truth itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tightrope._calls import spoken
from tightrope._check import Real
from tightrope._errors import InvalidArgument
from tightrope.mechanisms import NoisyValue
from tightrope.num.arrays import Floats
from tightrope.plots.canvas import opened
from tightrope.plots.lines import legend, named_axes
from tightrope.plots.palette import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Noisy(NamedTuple):
    """Released values, the ends of their intervals, and the true values if they were given."""

    value: Floats
    low: Floats
    high: Floats
    truth: Floats | None


def noisy_data(noisy: NoisyValue, data: ArrayLike | None = None, level: Real = 0.95) -> Noisy:
    """The released values with their intervals, each as a vector."""
    if not isinstance(noisy, NoisyValue):
        raise InvalidArgument(
            "noise_beside_data: noisy must be what a mechanism with noise released, such as "
            f"tr.DiscreteLaplace(1).release([10, 20]); you passed {noisy!r}"
        )
    low, high = noisy.interval(level)
    value, low, high = (_vector(z) for z in (noisy.value, low, high))
    truth = None if data is None else _vector(data)
    if truth is not None and truth.shape != value.shape:
        raise InvalidArgument(
            f"noise_beside_data: data must have one value for every noisy one; {truth.size} for "
            f"{value.size}"
        )
    return Noisy(value, low, high, truth)


@spoken
def noise_beside_data(
    noisy: NoisyValue,
    data: ArrayLike | None = None,
    *,
    level: Real = 0.95,
    names: Sequence[str] | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw released values with their confidence intervals, and the true ones beside them.

    A picture with the true values is not private: it is for those who hold the data.

    Args:
        noisy: what a mechanism with noise released.
        data: the true values, in the same order; none for a picture that may be published.
        level: of the interval of each value, as in ``noisy.interval``.
        names: of the values, for the axis.
        axes: of matplotlib; by default new ones of pyplot.

    Returns:
        The axes.

    Raises:
        InvalidArgument: this is no noisy value, data or names are not one for each of its values,
            the level is not between 0 and 1, or matplotlib is not installed.

    Examples:
        >>> import tightrope as tr
        >>> from matplotlib.figure import Figure
        >>> counts = [120, 43, 7]
        >>> noisy = tr.DiscreteLaplace(2).release(counts, entropy=tr.InsecureEntropy(1))
        >>> axes = tr.plots.noise_beside_data(noisy, counts, axes=Figure().subplots())
        >>> [text.get_text() for text in axes.get_legend().get_texts()]
        ['true value (not private)', 'released, with 95 % interval']
    """
    told = noisy_data(noisy, data, level)
    place = np.arange(told.value.size)
    _require_one_each(names, place.size)
    axes = opened(axes)
    colours = palette(axes)
    if told.truth is not None:
        axes.bar(
            place,
            told.truth,
            width=0.62,
            color=colours[4],
            alpha=0.45,
            label="true value (not private)",
        )
    reach = np.stack([told.value - told.low, told.high - told.value])
    axes.errorbar(
        place,
        told.value,
        yerr=reach,
        fmt="o",
        color=colours[0],
        markersize=4.5,
        capsize=4,
        label=f"released, with {100 * float(level):g} % interval",
    )
    named_axes(axes, "", "value")
    axes.set_xticks(place, [str(n) for n in place] if names is None else list(names))
    legend(axes)
    return axes


def _require_one_each(names: Sequence[str] | None, count: int) -> None:
    if names is not None and len(names) != count:
        raise InvalidArgument(
            f"noise_beside_data: names must be one for every value; {len(names)} for {count}"
        )


def _vector(values: Any) -> Floats:
    return np.atleast_1d(np.asarray(values, dtype=float)).ravel()
