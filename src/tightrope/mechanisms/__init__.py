"""The mechanisms, one class each: what can be run, with what it is proved to leak."""

from tightrope.mechanisms.crossings import Crossings
from tightrope.mechanisms.discrete_gaussian import DiscreteGaussian
from tightrope.mechanisms.discrete_gaussian_vector import DiscreteGaussianVector
from tightrope.mechanisms.discrete_laplace import DiscreteLaplace
from tightrope.mechanisms.exponential import Exponential
from tightrope.mechanisms.finite_pair import FinitePair
from tightrope.mechanisms.gaussian import Gaussian
from tightrope.mechanisms.gaussian_mixture import GaussianMixture
from tightrope.mechanisms.gaussian_sparse_vector import GaussianSparseVector
from tightrope.mechanisms.laplace import Laplace
from tightrope.mechanisms.logistic import Logistic
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.mechanisms.noisy_value import NoisyValue
from tightrope.mechanisms.permute_and_flip import PermuteAndFlip
from tightrope.mechanisms.propose_test import StableRelease, propose_test_release
from tightrope.mechanisms.quantiles import quantile
from tightrope.mechanisms.randomized_response import RandomizedResponse
from tightrope.mechanisms.released import Released
from tightrope.mechanisms.report_noisy_max import ReportNoisyMax
from tightrope.mechanisms.responses import Responses
from tightrope.mechanisms.skellam import Skellam
from tightrope.mechanisms.skellam_vector import SkellamVector
from tightrope.mechanisms.sparse_vector import SparseVector
from tightrope.mechanisms.stable_histogram import StableHistogram, stable_histogram

__all__ = [
    "Crossings",
    "DiscreteGaussian",
    "DiscreteGaussianVector",
    "DiscreteLaplace",
    "Exponential",
    "FinitePair",
    "Gaussian",
    "GaussianMixture",
    "GaussianSparseVector",
    "Laplace",
    "Logistic",
    "Mechanism",
    "NoisyValue",
    "PermuteAndFlip",
    "RandomizedResponse",
    "Released",
    "ReportNoisyMax",
    "Responses",
    "Skellam",
    "SkellamVector",
    "SparseVector",
    "StableHistogram",
    "StableRelease",
    "propose_test_release",
    "quantile",
    "stable_histogram",
]
