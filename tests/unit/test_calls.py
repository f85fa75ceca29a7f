"""Wrong calls speak of what was called, in its words; none of them names an internal."""

import inspect
import pickle
import re

import pytest

import tightrope as tr
from tightrope import _missing, _public
from tightrope._errors import WrongCall
from tightrope.cli.app import COMMANDS

EVENT = tr.Gaussian(1.0)
NOISY = tr.Laplace(1.0).release(3, entropy=tr.InsecureEntropy(1))

MISFITS = [
    (lambda: tr.Gaussian(sigma=1), "Gaussian: it takes no 'sigma' (did you mean 'noise_scale'?)"),
    (lambda: tr.Laplace(scale=1), "Laplace: it takes no 'scale' (did you mean 'noise_scale'?)"),
    (lambda: tr.Laplace(), "Laplace: noise_scale must be given; noise_scale is a finite number"),
    (lambda: tr.Laplace(), "for example tr.Laplace(noise_scale=1)"),
    (lambda: tr.Gaussian(1, 2, 3), "Gaussian: at most 2 of the arguments may stand without a name"),
    (lambda: tr.ApproxDP(1.0), "ApproxDP: delta must be given; delta is a probability in [0, 1)"),
    (lambda: tr.GDP(1, mu=1), "GDP: mu was given twice"),
    (lambda: tr.FinitePair(), "FinitePair: p and q must be given"),
    (lambda: tr.Bounds(1), "Bounds: high must be given"),
    (lambda: tr.InsecureEntropy(), "InsecureEntropy: seed must be given"),
    (lambda: tr.PoissonRepetitions(), "PoissonRepetitions: mean must be given"),
    (lambda: tr.Estimate(tr.GDP(1)), "Estimate: reason must be given"),
    (lambda: (EVENT**2).epsilon(), "epsilon: delta must be given. Call it as .epsilon(delta)"),
    (lambda: tr.Exponential(1).epsilon(), "epsilon: delta must be given"),
    (lambda: EVENT.to(tr.ApproxDP, 1e-6), "Call it as .to(notion, *, delta=None, epsilon=None)"),
    (lambda: EVENT.to(tr.GDP, eps=1), "to: it takes no 'eps' (did you mean 'epsilon'?)"),
    (lambda: EVENT.sampled(), "sampled: rate must be given"),
    (lambda: EVENT.release(), "release: values must be given"),
    (lambda: tr.Gaussian.for_(), "for_: target must be given"),
    (lambda: tr.Gaussian.epsilon(1e-6), "epsilon: this is asked of a value, and not of its class"),
    (lambda: tr.RDP([2], [1])(), "RDP: order must be given. Call it as tr.RDP(...)(order)"),
    (lambda: NOISY.interval(width=1), "interval: it takes no 'width'"),
    (lambda: tr.check(EVENT), "check: claim must be given. Call it as tr.check(event, claim)"),
    (lambda: tr.calibrate(tr.Gaussian), "calibrate: target must be given"),
    (lambda: tr.bounded_sum([1]), "bounded_sum: bounds must be given"),
    (lambda: tr.parallel(EVENT, fixed=True), "parallel: it takes no 'fixed'"),
    (lambda: tr.Gaussian * 3, "Gaussian is a class"),
    (lambda: tr.Gaussian**3, "for example tr.Gaussian(noise_scale=1)"),
    (lambda: EVENT + tr.Gaussian, "Gaussian is a class"),
    (lambda: EVENT * 3, "n runs of it, each with fresh noise, are event ** n"),
    (lambda: 3 * EVENT, "n runs of it, each with fresh noise, are event ** n"),
]


def is_protocol(value: type) -> bool:
    return getattr(value, "_is_protocol", False)


@pytest.mark.parametrize(("call", "words"), MISFITS)
def test_a_call_that_does_not_fit(call, words):
    with pytest.raises(WrongCall, match=re.escape(words)) as caught:
        call()
    assert isinstance(caught.value, tr.InvalidArgument)
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: tr.Gaussian.for_(1.0), "Gaussian.for_: target must be a guarantee"),
        (lambda: tr.compose([EVENT, EVENT]), "passed with a star: f(*events)"),
        (lambda: tr.parallel([EVENT]), "passed with a star"),
        (lambda: tr.compose(tr.GDP), "a class needs its parameters first, as in tr.GDP(...)"),
        (lambda: tr.check(1, tr.GDP(1)), "check: event must be an event or a guarantee"),
        (lambda: tr.fit_gdp(3), "fit_gdp: event must be an event"),
        (lambda: tr.fit_gdp(EVENT, 0.6), "cutoff must be a probability strictly between 0 and 1/2"),
        (lambda: tr.as_continuous(3), "as_continuous: event must be an event"),
        (lambda: EVENT.restated(3), "restated: neighbors must be a relation"),
    ],
)
def test_an_argument_of_the_wrong_kind(call, words):
    with pytest.raises(tr.InvalidArgument, match=re.escape(words)):
        call()


@pytest.mark.parametrize(
    "name",
    [name for name in _public.__all__ if callable(getattr(tr, name))],
)
def test_every_public_name_refuses_an_unknown_argument_in_its_own_words(name):
    value = getattr(tr, name)
    if isinstance(value, type) and (issubclass(value, BaseException) or is_protocol(value)):
        return
    with pytest.raises(WrongCall, match=f"^{name}: it takes no 'no_such'"):
        value(no_such=1)


@pytest.mark.parametrize(
    "subject",
    [
        EVENT,
        tr.Exponential(1),
        tr.RDP([2], [1]),
        NOISY,
        tr.RandomizedResponse(1).release([1], entropy=tr.InsecureEntropy(1)),
        tr.Bounds(0, 1),
        tr.replace_one,
    ],
    ids=lambda subject: type(subject).__name__,
)
def test_every_public_verb_refuses_an_unknown_argument(subject):
    names = [name for name in dir(subject) if not name.startswith("_")]
    verbs = [name for name in names if inspect.ismethod(getattr(subject, name))]
    assert verbs
    for name in verbs:
        with pytest.raises(WrongCall, match=f"^{name}: it takes no 'no_such'"):
            getattr(subject, name)(no_such=1)


def test_a_mistake_inside_of_a_call_that_fits_stays_what_it_is():
    def broken(scale):
        raise TypeError("broken inside")

    with pytest.raises(TypeError, match="broken inside") as caught:
        tr.calibrate(broken, tr.GDP(1))
    assert not isinstance(caught.value, WrongCall)


def test_signatures_stay_those_of_what_is_called():
    assert list(inspect.signature(tr.Laplace).parameters) == [
        "noise_scale",
        "sensitivity",
        "neighbors",
    ]
    assert list(inspect.signature(tr.Event.to).parameters) == ["self", "notion", "delta", "epsilon"]
    assert list(inspect.signature(EVENT.epsilon).parameters) == ["delta"]
    assert tr.compose.__doc__.startswith("All the given events")
    assert pickle.loads(pickle.dumps(tr.compose)) is tr.compose


@pytest.mark.parametrize("event", [tr.FinitePair([0.5, 0.5], [0.4, 0.6])], ids=repr)
def test_what_is_not_drawn_here_says_so(event):
    assert not hasattr(event, "release")
    with pytest.raises(AttributeError, match="has no release: it is accounted for here"):
        event.release([1])
    with pytest.raises(AttributeError, match=r"object has no attribute 'eps'"):
        event.eps  # noqa: B018


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: tr.plots.tradeoff_curves(tr.GDP(1), tr.GDP(2)),
            "several events stand in one list. Call it as tr.plots.tradeoff_curves(events, *, ",
        ),
        (lambda: tr.plots.delta_curves(tr.GDP(1), ax=1), "did you mean 'axes'?"),
        (lambda: tr.plots.rendered(), "Call it as tr.plots.rendered(figure, format='svg')"),
        (lambda: tr.report(tr.GDP(1)).to_html("x.html"), "a file is written by .write(path)"),
    ],
)
def test_plots_and_reports_speak_of_their_own_calls(call, words):
    with pytest.raises(TypeError, match=re.escape(words)):
        call()


@pytest.mark.parametrize("ask", [tr.certificate, tr.report])
def test_a_release_is_told_to_pass_its_event(ask):
    with pytest.raises(tr.InvalidArgument, match=r"pass its \.event"):
        ask(tr.DiscreteLaplace(1).release(0))


def test_a_name_that_is_not_there_is_a_command_or_has_close_ones():
    with pytest.raises(
        AttributeError, match=r"the command `tightrope graph`; in Python, tr\.plots"
    ):
        tr.graph  # noqa: B018
    with pytest.raises(AttributeError) as told:
        tr.Gausian  # noqa: B018
    assert "did you mean 'Gaussian' or" in str(told.value)
    assert len(str(told.value)) < 150
    with pytest.raises(AttributeError, match=r"dir\(tightrope\) lists"):
        tr.xyzzy  # noqa: B018


def test_every_command_that_is_no_function_is_known_as_one():
    assert set(_missing.COMMANDS) == set(COMMANDS) - set(tr.__all__)
