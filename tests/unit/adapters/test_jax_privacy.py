"""Plans and parameters of JAX-Privacy, by objects that only look like them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from peers import Recorder, fake, gaussian, poisson, repeated

import tightrope as tr
from tightrope.adapters import from_jax_privacy

DP_SGD = repeated(poisson(0.01, gaussian(1.0)), 10_000)
EXPECTED = tr.Gaussian(1.0).sampled(0.01) ** 10_000
POISSON, FIXED = (fake("SamplingMethod", name=n) for n in ("POISSON", "FIXED_BATCH_SIZE"))


def params(**changed):
    held = {
        "noise_multipliers": 1.0,
        "num_samples": 1000,
        "batch_size": 10,
        "batch_sizes": 10,
        "sampling_method": POISSON,
        "truncated_batch_size": None,
        "cycle_length": None,
        "examples_per_user": None,
    }
    return fake("DpParams", **(held | changed))


def test_plans_say_what_they_run_and_under_which_relation():
    assert from_jax_privacy(fake("DPExecutionPlan", dp_event=DP_SGD)) == EXPECTED
    assert from_jax_privacy(fake("Mechanism", dp_event=lambda: DP_SGD)) == EXPECTED
    assert from_jax_privacy(DP_SGD) == EXPECTED
    relation = fake("NeighboringRelation", name="REPLACE_ONE")
    plan = fake("DPExecutionPlan", dp_event=gaussian(1.0), neighboring_relation=relation)
    assert from_jax_privacy(plan) == tr.Gaussian(1.0, 2, neighbors=tr.replace_one)


def test_a_special_unit_is_a_question_for_the_caller():
    relation = fake("NeighboringRelation", name="REPLACE_SPECIAL")
    plan = fake("DPExecutionPlan", dp_event=DP_SGD, neighboring_relation=relation)
    with pytest.raises(tr.InvalidArgument, match=r"pass neighbors=tr.add_or_remove"):
        from_jax_privacy(plan)
    assert from_jax_privacy(plan, neighbors=tr.add_or_remove) == EXPECTED


def test_parameters():
    run = from_jax_privacy(params(), steps=100)
    assert run == tr.Gaussian(1.0).sampled(Fraction(1, 100)) ** 100
    full = from_jax_privacy(params(batch_sizes=1000), steps=7)
    assert full == tr.Gaussian(1.0) ** 7


def test_schedules():
    noises, batches = [(0, 1.0), (50, 2.0)], [(0, 10), (20, 20), (500, 40)]
    run = from_jax_privacy(params(noise_multipliers=noises, batch_sizes=batches), steps=100)
    slow, fast = Fraction(1, 100), Fraction(1, 50)
    assert run == (
        tr.Gaussian(1.0).sampled(slow) ** 20
        + tr.Gaussian(1.0).sampled(fast) ** 30
        + tr.Gaussian(2.0).sampled(fast) ** 50
    )


def test_batches_of_a_fixed_size_and_capped_samples(monkeypatch):
    recorder = Recorder(monkeypatch, "without_replacement", "sampled")
    from_jax_privacy(params(sampling_method=FIXED), steps=2)
    method, inside, _, sizes = recorder.calls.pop()
    assert (method, sizes) == ("without_replacement", {"batch_size": 10, "population": 1000})
    assert inside == tr.Gaussian(1.0, 2, neighbors=tr.replace_one)
    from_jax_privacy(params(truncated_batch_size=30), steps=2)
    assert recorder.calls.pop()[3] == {"max_batch": 30, "population": 1000}


@pytest.mark.parametrize(
    ("plan", "steps", "words"),
    [
        (params(), None, "do not hold the number of steps"),
        (params(), 0, "steps must be a whole number"),
        (params(cycle_length=4), 10, "cycle_length = 4 is not supported"),
        (params(examples_per_user=2), 10, "examples_per_user = 2 is not supported"),
        (params(noise_multipliers=0), 10, "noise_multipliers is 0"),
        (params(noise_multipliers=[(5, 1.0)]), 10, "must begin at step 0"),
        (params(sampling_method=FIXED, truncated_batch_size=3), 10, "is not supported"),
        (params(sampling_method=fake("S", name="SHUFFLED")), 10, "SHUFFLED"),
        (fake("BandMFConfig"), None, "a BandMFConfig is not supported; supported are"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_refused(plan, steps, words):
    with pytest.raises(tr.InvalidArgument, match=words):
        from_jax_privacy(plan, steps=steps)
