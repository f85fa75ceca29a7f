"""Noise: exact samplers that are fast, and the readable reference that they are held to.

Every sampler here draws from precisely the law that it names.  A uniform number is read only as far
as a comparison needs, and a comparison that floats cannot decide for certain is decided in integers
(`refine`), so the total variation to the law is 0 and a guarantee proved for the law is one for the
program.  Random bits come from an `Entropy`, the operating system by default.

Nothing here knows what privacy is.
"""

from tightrope.noise.bernoulli import bernoulli, bernoulli_exp
from tightrope.noise.entropy import Entropy, InsecureEntropy, SystemEntropy
from tightrope.noise.exponential import exponential_choice, exponential_top
from tightrope.noise.gaussian import discrete_gaussian
from tightrope.noise.laplace import discrete_laplace, geometric
from tightrope.noise.logistic import discrete_logistic
from tightrope.noise.response import categorical_response
from tightrope.noise.saturation import saturating_add
from tightrope.noise.selection import noisy_argmax, permute_and_flip
from tightrope.noise.skellam import skellam
from tightrope.noise.uniform import random_permutation, uniform_below

__all__ = [
    "Entropy",
    "InsecureEntropy",
    "SystemEntropy",
    "bernoulli",
    "bernoulli_exp",
    "categorical_response",
    "discrete_gaussian",
    "discrete_laplace",
    "discrete_logistic",
    "exponential_choice",
    "exponential_top",
    "geometric",
    "noisy_argmax",
    "permute_and_flip",
    "random_permutation",
    "saturating_add",
    "skellam",
    "uniform_below",
]
