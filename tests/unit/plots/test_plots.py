"""The plots: what they compute, that axes come back with labels, and that nothing else changes."""

import datetime
import subprocess
import sys
from collections import Counter

import matplotlib
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import tightrope as tr
from tightrope import plots
from tightrope.plots.delta_epsilon import delta_data, farthest
from tightrope.plots.noisy import noisy_data
from tightrope.plots.orders import renyi_data
from tightrope.plots.spending import spent_data
from tightrope.plots.testing import tradeoff_data, tradeoff_grid
from tightrope.theorems.arrows import WRITTEN, arrows
from tightrope.theorems.registry import theorems


def released():
    return tr.DiscreteLaplace(2).release([120, 43, 7], entropy=tr.InsecureEntropy(1))


PLOTS = {
    "delta": lambda axes: plots.delta_curves(tr.GDP(1), epsilon=[0, 1, 2], axes=axes),
    "tradeoff": lambda axes: plots.tradeoff_curves(tr.GDP(1), axes=axes),
    "gap": lambda axes: plots.tradeoff_gap({"a": tr.GDP(1), "b": tr.GDP(2)}, axes=axes),
    "renyi": lambda axes: plots.renyi_curves(tr.TCDP(0.3, 40), axes=axes),
    "graph": lambda axes: plots.conversion_graph(axes=axes),
    "budget": lambda axes: plots.budget_over_time([tr.GDP(1)] * 3, tr.GDP(1.5), axes=axes),
    "noise": lambda axes: plots.noise_beside_data(released(), [120, 43, 7], axes=axes),
}


def settings():
    """As they are stored: to read one of them the other way chooses a backend."""
    return dict.copy(matplotlib.rcParams)


@pytest.fixture
def axes():
    return Figure(layout="constrained").subplots()


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_returns_the_axes_that_it_was_given_and_changes_no_setting(axes, name):
    before = settings()
    assert PLOTS[name](axes) is axes
    with plots.print_style():
        PLOTS[name](Figure(layout="constrained").subplots())
    assert settings() == before
    assert axes.figure.get_axes() == [axes]
    assert plots.rendered(axes.figure, "svg").startswith(b"<?xml")
    assert settings() == before


@pytest.mark.parametrize("name", [name for name in PLOTS if name != "graph"])
def test_a_plot_names_its_axes_and_its_lines(axes, name):
    PLOTS[name](axes)
    assert axes.get_ylabel()
    assert axes.get_xlabel() or name == "noise"
    assert axes.get_legend() is not None


@pytest.mark.parametrize("name", PLOTS)
def test_without_axes_a_plot_makes_them(name):
    from matplotlib import pyplot

    try:
        made = PLOTS[name](None)
        assert isinstance(made, Axes)
        assert made.figure is pyplot.gcf()
    finally:
        pyplot.close("all")


@pytest.mark.parametrize("name", PLOTS)
def test_without_matplotlib_a_plot_says_what_to_install(monkeypatch, name):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(tr.InvalidArgument, match=r'pip install "tightrope\[plots\]"'):
        PLOTS[name](None)


def test_matplotlib_is_imported_only_when_something_is_drawn():
    code = "import sys, tightrope as tr; tr.plots.delta_curves; print('matplotlib' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert told.stdout == "False\n"


# --- data -----------------------------------------------------------------------------------


def test_delta_at_points():
    """gdp_delta of tests/golden/golden.json; (e - e^epsilon)/(1 + e) of randomised response."""
    data = delta_data({"gdp": tr.GDP(1), "pure": tr.PureDP(1)}, [0.0, 1.0, 5.0])
    known = [0.38292492254802621, 0.12693673750664395, 5.7937216919194941e-7]
    assert data["gdp"].y == pytest.approx(known, rel=1e-11)
    assert data["pure"].y == pytest.approx([0.46211715726000976, 0, 0], rel=1e-11)


def test_delta_goes_as_far_as_is_of_interest():
    """The mu = 1 Gaussian meets delta 1e-9 near epsilon 6.5; a constant delta is shown to 1e-3."""
    assert 6 < farthest({"gdp": tr.GDP(1), "less": tr.GDP(0.1)}) < 7
    assert 0.9 < farthest({"approx": tr.ApproxDP(1, 1e-5)}) <= 1
    assert farthest({"nothing": tr.PureDP(0)}) == 10


def test_a_delta_of_0_leaves_through_the_bottom(axes):
    plots.delta_curves([tr.PureDP(1), tr.GDP(1)], axes=axes)
    low, high = axes.get_ylim()
    assert (1e-10 < low < 1e-8, high) == (True, 1)


def test_tradeoff_at_points():
    data = tradeoff_data({"gdp": tr.GDP(1)}, [0.01, 0.2, 0.5])
    known = [0.90763775192630606, 0.43707917226646403, 0.15865525393145705]
    assert data["gdp"].y == pytest.approx(known, rel=1e-12)
    grid = tradeoff_grid()
    assert (grid[0], grid[-1]) == (0, 1)
    assert (np.diff(grid) > 0).all()


def test_renyi_at_points():
    """log cosh((2 a - 1)/2)/cosh(1/2) of randomised response; nothing known beyond omega."""
    data = renyi_data({"rr": tr.PureDP(1), "tcdp": tr.TCDP(0.25, 8)}, [1.5, 2.0, 32.0])
    known = [0.62733264704949932, 0.73532566405551922, 0.98989478427360572]
    assert data["rr"].y == pytest.approx(known, rel=1e-11)
    assert data["tcdp"].y == pytest.approx([0.375, 0.5, np.inf])


def test_spent_is_that_of_the_composition():
    charges = [tr.GDP(3), tr.GDP(4), tr.GDP(12)]
    assert spent_data(charges, tr.GDP(10)) == pytest.approx([3, 5, 13], rel=1e-12)
    assert spent_data([tr.ZCDP(0.1), tr.ZCDP(0.2)], tr.ZCDP(1)) == pytest.approx([0.1, 0.3])
    spent = spent_data([tr.GDP(0.6), tr.GDP(0.8)], tr.ApproxDP(1, 5.7937216919194941e-7))
    assert spent[1] == pytest.approx(5, rel=1e-9)  # together 1-GDP, whose profile that is


def test_an_offset_is_charged_at_every_order():
    """D <= xi + rho a is at most (xi + rho) a."""
    spent = spent_data([tr.ZCDP(0.1, xi=0.2)], tr.ZCDP(1))
    assert spent[0] <= 0.3 * (1 + 1e-12)
    assert spent[0] >= 0.1


def test_a_budget_marks_what_is_over_the_limit(axes):
    plots.budget_over_time([tr.GDP(1)] * 3, tr.GDP(1.5), axes=axes)
    drawn = {line.get_label(): line for line in axes.get_lines()}
    assert drawn["within the limit"].get_ydata() == pytest.approx([1, 2**0.5])
    assert drawn["over the limit"].get_xdata() == [3]


def test_a_budget_runs_over_dates_and_counts_releases(axes):
    days = [datetime.date(2026, month, 1) for month in (1, 4, 9)]
    plots.budget_over_time([released(), tr.GDP(1), tr.GDP(1)], tr.GDP(9), times=days, axes=axes)
    step = next(line for line in axes.get_lines() if line.get_label() == "spent")
    assert list(step.get_xdata(orig=True)) == days


def test_noisy_data_are_the_release_and_its_intervals():
    noisy = released()
    told = noisy_data(noisy, [120, 43, 7], 0.9)
    low, high = noisy.interval(0.9)
    assert told.value.tolist() == noisy.value.tolist()
    assert told.low.tolist() == low.tolist()
    assert told.high.tolist() == high.tolist()
    assert told.truth.tolist() == [120, 43, 7]
    assert noisy_data(tr.DiscreteLaplace(2).release(7)).value.shape == (1,)


def test_the_graph_has_every_pair_of_notions_that_the_registry_joins_once(axes):
    edges = arrows()
    assert Counter((e.source, e.target) for e in edges) == Counter(
        {(t.source.__name__, t.target.__name__) for t in theorems("conversion")}
    )
    plots.conversion_graph(axes=axes)
    drawn = {text.get_text() for text in axes.texts}
    assert drawn == {WRITTEN.get(n, n) for e in edges for n in (e.source, e.target)}
    assert len(axes.patches) == len(edges)
    texts = {text.get_text() for text in axes.get_legend().get_texts()}
    assert {text.split(":")[0] for text in texts} == {e.kind for e in edges}
    assert "zCDP to pure DP only if rho = 0" in "".join(texts)


def test_a_gap_is_shaded(axes):
    plots.tradeoff_gap([tr.GDP(1), tr.GDP(2)], alpha=[0, 0.5, 1], axes=axes)
    (region,) = axes.collections
    corners = region.get_paths()[0].vertices
    assert any(np.allclose(corner, [0.5, 0.15865525393145705]) for corner in corners)


def test_one_event_is_labelled_by_what_one_types(axes):
    plots.tradeoff_curves(released(), axes=axes)
    words = axes.get_legend().get_texts()[0].get_text()
    assert words == "DiscreteLaplace(noise_scale=2)"


# --- mistakes -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda a: plots.delta_curves(3, axes=a), "delta_curves: events must be events"),
        (lambda a: plots.delta_curves("gdp:1", axes=a), "events must be events"),
        (lambda a: plots.delta_curves([tr.GDP], axes=a), "events must be events"),
        (lambda a: plots.renyi_curves([], axes=a), "at least one event"),
        (lambda a: plots.tradeoff_gap([tr.GDP(1)], axes=a), "must be two different ones"),
        (lambda a: plots.tradeoff_gap([tr.GDP(1)] * 2, axes=a), "must be two different ones"),
        (lambda a: plots.budget_over_time([], tr.GDP(1), axes=a), "must not be empty"),
        (lambda a: plots.budget_over_time(tr.GDP(1), tr.GDP(1), axes=a), "must be a list"),
        (lambda a: plots.budget_over_time([1.0], tr.GDP(1), axes=a), "charges must be events"),
        (lambda a: plots.budget_over_time([tr.GDP(1)], 1.0, axes=a), "limit must be a guarantee"),
        (lambda a: plots.budget_over_time([tr.GDP(1)], tr.ZCDP(1, 1), axes=a), "without xi"),
        (lambda a: plots.budget_over_time([tr.GDP(1)], tr.TCDP(1, 2), axes=a), "of PureDP"),
        (
            lambda a: plots.budget_over_time([tr.GDP(1)], tr.GDP(1), times=[1, 2], axes=a),
            "2 for 1",
        ),
        (lambda a: plots.noise_beside_data([1, 2], axes=a), "noisy must be what a mechanism"),
        (lambda a: plots.noise_beside_data(released(), [1, 2], axes=a), "2 for 3"),
        (lambda a: plots.noise_beside_data(released(), names=["a"], axes=a), "1 for 3"),
        (lambda a: plots.noise_beside_data(released(), level=2, axes=a), "level must be"),
        (lambda a: plots.rendered(a.figure, "gif"), "must be one of pdf, png, svg"),
        (lambda a: plots.paper_figure(15), "from 1 to 14; you passed 15"),
        (lambda a: plots.paper_figure(True), "you passed True"),
        (lambda a: plots.paper_figure([1]), "from 1 to 14"),
    ],
)
def test_a_mistake_is_a_sentence_and_draws_nothing(axes, call, words):
    with pytest.raises(tr.InvalidArgument, match=words):
        call(axes)
    assert not axes.has_data()


def test_what_has_no_curve_says_so(axes):
    with pytest.raises(tr.NotReachable):
        plots.renyi_curves(tr.ApproxDP(1, 1e-5), axes=axes)
    with pytest.raises(tr.NotReachable):
        plots.budget_over_time([tr.GDP(1)], tr.PureDP(1), axes=axes)


@pytest.mark.parametrize(
    ("format", "start"), [("pdf", b"%PDF"), ("png", b"\x89PNG"), ("svg", b"<?xml")]
)
def test_the_same_picture_is_the_same_file(format, start):
    def file():
        figure = Figure()
        plots.tradeoff_gap([tr.GDP(1), tr.GDP(2)], alpha=[0, 0.5, 1], axes=figure.subplots())
        return plots.rendered(figure, format)

    first = file()
    assert first.startswith(start)
    assert file() == first
