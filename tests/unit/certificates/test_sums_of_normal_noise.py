"""Sums of what many Gaussians leak are exact, and lie below sums of what each is rounded up to."""

import json
import math
import random

import pytest

import tightrope as tr
from tightrope.verify import verify

from .mutations import sealed


def some(seed: int) -> tr.Event:
    """Up to three Gaussians, of scales with three decimals, a few times each."""
    draw = random.Random(seed)
    kinds = (tr.Gaussian, tr.Gaussian, tr.DiscreteGaussian)
    return tr.compose(
        *(
            draw.choice(kinds)(round(draw.uniform(0.5, 9), 3)) ** draw.choice((1, 2, 3, 5, 10))
            for _ in range(draw.randint(1, 3))
        )
    )


@pytest.mark.parametrize("seed", range(8))
def test_no_true_certificate_is_refuted(seed: int) -> None:
    found = verify(tr.certificate(some(seed)).to_json().encode())
    assert found.verdict != "refuted", found.sentence


@pytest.mark.parametrize(
    "run", [tr.Gaussian(3.155) ** 5, tr.Gaussian(1.66) ** 3 + tr.Gaussian(0.892)]
)
def test_sums_that_are_rounded_once_are_verified(run: tr.Event) -> None:
    assert verify(tr.certificate(run).to_json().encode()).verdict == "verified"


def test_a_mu_that_is_a_little_less_is_refuted() -> None:
    made = tr.certificate(tr.Gaussian(3.155) ** 5)
    (mu,) = {c["values"]["mu"] for c in made.content["claims"] if c["notion"] == "GDP"}
    less = math.nextafter(float.fromhex(mu), 0).hex()
    forged = json.loads(made.to_json().replace(mu, less))
    assert verify(json.dumps(sealed(forged)).encode()).verdict == "refuted"
