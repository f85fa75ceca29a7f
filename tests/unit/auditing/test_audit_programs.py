"""Audits of programs: the wrong ones are refuted, the right ones are not."""

import numpy as np
import pytest
from programs import RIGHT, WRONG

SEEDS_OF_RATES = 8


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_program_is_refuted(name):
    found = WRONG[name].audit(seed=1)
    assert found.refuted, found
    assert found.exit_code == 1
    assert found.p_value <= 1e-3


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_is_not_refuted(name):
    found = RIGHT[name].audit(seed=2, trials=10_000)
    assert not found.refuted, found
    assert found.exit_code == 0


@pytest.mark.slow
def test_wrong_programs_are_refuted_nearly_always():
    """No luck with a seed: 8 further audits each, of which at most one in all may miss."""
    missed = [
        name
        for name, case in WRONG.items()
        for seed in range(100, 100 + SEEDS_OF_RATES)
        if not case.audit(seed).refuted
    ]
    assert len(missed) <= 1, missed


@pytest.mark.slow
def test_false_alarms_are_as_rare_as_stated():
    """1,000 audits at 99.9 %: more than six false alarms have a probability below 1e-4.

    P-values are as rarely small as they say: below 0.1 in at most a tenth of the audits, where 140
    of 1,000 would have a probability below 1e-4.
    """
    cases = list(RIGHT.values())
    found = [cases[n % len(cases)].audit(1000 + n, trials=3000) for n in range(1000)]
    assert sum(audit.refuted for audit in found) <= 6
    assert np.sum([audit.p_value <= 0.1 for audit in found]) <= 140
