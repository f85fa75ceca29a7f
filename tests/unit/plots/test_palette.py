"""Lines can be told apart in print, in grey, and by those who see fewer colours."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import tightrope as tr
from tightrope import plots
from tightrope.plots.palette import DASHES, MARKERS, ON_DARK, ON_LIGHT, line_style, on_dark

LUMINANCE = np.array([0.2126, 0.7152, 0.0722])  # WCAG 2.2, relative luminance

SEEN = {  # Machado, Oliveira and Fernandes (2009), severity 1; on linear light
    "all colours": np.eye(3),
    "no red": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "no green": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "no blue": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], LUMINANCE, [0.0193339, 0.119192, 0.9503041]])


def linear(colour):
    c = np.array(to_rgb(colour))
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lab(light):
    """CIE 1976 L*a*b* under D65."""
    t = XYZ @ np.clip(light, 0, 1) / (XYZ @ np.ones(3))
    f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(one, other):
    """WCAG 2.2."""
    high, low = sorted((LUMINANCE @ linear(c) for c in (one, other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [ON_LIGHT, ON_DARK])
@pytest.mark.parametrize("sight", SEEN)
def test_colours_differ_for_every_kind_of_sight(colours, sight):
    seen = [lab(np.asarray(SEEN[sight]) @ linear(c)) for c in colours]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 15


@pytest.mark.parametrize(("colours", "direction"), [(ON_LIGHT, 1), (ON_DARK, -1)])
def test_colours_differ_in_grey(colours, direction):
    lightness = np.array([lab(linear(c))[0] for c in colours])
    assert (direction * np.diff(lightness) > 7).all()


def test_every_colour_stands_out_from_its_ground():
    assert min(contrast(c, "white") for c in ON_LIGHT) >= 3
    for ground in ("black", "#111111", "#1e1e1e"):  # of usual dark notebooks
        assert min(contrast(c, ground) for c in ON_DARK) >= 3


def test_dashes_and_markers_are_as_many_as_colours_and_all_different():
    assert len(set(map(str, DASHES))) == len(set(MARKERS)) == len(ON_LIGHT) == len(ON_DARK)


def test_no_two_of_five_lines_share_a_dash_or_a_marker():
    axes = Figure().subplots()
    plots.tradeoff_curves([tr.GDP(mu) for mu in (1, 2, 3, 4, 5)], axes=axes)
    lines = axes.get_lines()[:5]
    assert len({line.get_marker() for line in lines}) == 5
    assert len({str(line._unscaled_dash_pattern) for line in lines}) == 5


@pytest.mark.parametrize(
    ("figure", "ground", "dark"),
    [
        ("white", "white", False),
        ("white", "black", True),
        ("#1e1e1e", "none", True),  # transparent axes on a dark figure
        ("none", "none", False),
    ],
)
def test_lines_fit_the_ground_of_the_axes(figure, ground, dark):
    axes = Figure(facecolor=figure).subplots()
    axes.set_facecolor(ground)
    assert on_dark(axes) is dark
    assert line_style(axes, 0)["color"] == (ON_DARK if dark else ON_LIGHT)[0]
