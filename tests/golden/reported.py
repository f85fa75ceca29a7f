"""What the library reports for each function of golden.json, in the public way if there is one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

import tightrope as tr
from tightrope.num.probit_logit import logit_of_probit, probit_of_logit
from tightrope.theorems import (
    bernoulli,
    constants,
    conversions_to_delta,
    discrete_gaussian,
    exponential_uniform,
    renyi_profile,
    subsampled_gaussian,
    testing_boundary,
)
from tightrope.theorems.registry import named

UP, DOWN, RAW = "up", "down", "raw"


@dataclass(frozen=True)
class Reported:
    """What the library says: a number or its logarithm, and on which side it may err."""

    value: Callable[..., float]
    side: str
    tolerance: float = 1e-12
    logarithm: bool = False


def log_reported(value: Callable[..., float], side: str = UP) -> Reported:
    return Reported(value, side, logarithm=True)


def zcdp_sum(guarantee: tr.ZCDP) -> float:
    """The bound at order 1: a pure guarantee may come back as xi instead of rho."""
    return float(guarantee.rho) + float(guarantee.xi)


def squares(*mus: float) -> float:
    return float(named("compose_gdp")(np.array(mus), [1] * len(mus)))


def mu_of(guarantee: tr.Guarantee) -> float:
    return float(guarantee.to(tr.GDP).mu)


def laplace(epsilon: float) -> tr.Laplace:
    return tr.Laplace(noise_scale=1, sensitivity=epsilon)


def discrete_laplace(epsilon: float, shift: int) -> tr.DiscreteLaplace:
    return tr.DiscreteLaplace(noise_scale=shift / Fraction(epsilon), sensitivity=shift)


def analytic_sigma(epsilon: float, delta: float) -> float:
    return float(
        tr.calibrate(tr.Gaussian, tr.ApproxDP(epsilon, delta), bounds=(1e-3, 1e7)),
    )


def log_delta_sampled(mu: float, rate: float, epsilon: float, direction: str) -> float:
    order = {
        "mix": subsampled_gaussian.log_delta_with,
        "base": subsampled_gaussian.log_delta_without,
    }[direction]
    return float(order(mu, rate, epsilon))


def mu_added(rho1: float, rho2: float) -> float:
    return mu_of(tr.ZCDP(named("compose_zcdp")(np.array([rho1, rho2]), np.zeros(2), [1, 1])[0]))


REPORTED: dict[str, Reported] = {
    # formulas that the bounds are made of
    "g": Reported(probit_of_logit, RAW, 2e-15),
    "g_inv": Reported(logit_of_probit, RAW, 2e-15),
    "t_zcdp": Reported(constants.t_zcdp, RAW, 2e-15),
    "rho_from_mu_zcdp": Reported(constants.rho_from_mu_zcdp, RAW, 2e-15),
    "eps_from_mu_br": Reported(constants.eps_from_mu_br, RAW, 2e-15),
    "renyi_bern": Reported(bernoulli.renyi_bernoulli, RAW),
    "K_zcdp": Reported(bernoulli.k_zcdp, RAW),
    "K_cd": Reported(bernoulli.k_cd, RAW),
    # notions into zCDP, GDP and Renyi DP
    "mu_zcdp": Reported(lambda rho: tr.ZCDP(rho).to(tr.GDP).mu, UP, 2e-15),
    "tv_zcdp": Reported(lambda rho: tr.ZCDP(rho).advantage(), UP),
    "mu_br": Reported(lambda e: tr.BoundedRange(e).to(tr.GDP).mu, UP, 2e-15),
    "rho_br": Reported(lambda e: tr.BoundedRange(e).to(tr.ZCDP).rho, UP, 2e-15),
    "rho_pure": Reported(lambda e: zcdp_sum(tr.PureDP(e).to(tr.ZCDP)), UP, 2e-15),
    "mu_pure": Reported(lambda e: tr.PureDP(e).to(tr.GDP).mu, UP, 2e-15),
    "rho_logistic": Reported(lambda e: tr.LogisticDP(e).to(tr.ZCDP).rho, UP, 2e-15),
    "rdp_rr": Reported(lambda t, order: tr.RandomizedResponse(t).to(tr.RDP)(order), UP),
    # mechanisms
    "rho_laplace": Reported(lambda e: laplace(e).to(tr.ZCDP).rho, UP),
    "mu_laplace": Reported(lambda e: laplace(e).to(tr.GDP).mu, UP),
    "rdp_laplace": Reported(lambda e, order: laplace(e).to(tr.RDP)(order), UP),
    "rho_discrete_laplace": Reported(lambda e, d: discrete_laplace(e, d).to(tr.ZCDP).rho, UP),
    "rho_krr": Reported(lambda e, k: tr.RandomizedResponse(e, k).to(tr.ZCDP).rho, UP),
    "rho_rappor": Reported(
        lambda e: (tr.RandomizedResponse(e / 2) ** 2).to(tr.ZCDP).rho,
        UP,
    ),
    "mu_dgauss": Reported(
        lambda variance, shift: mu_of(tr.DiscreteGaussian(variance=variance, sensitivity=shift)),
        UP,
    ),
    "mu_dgauss_ones": Reported(discrete_gaussian.mu_of_ones, UP),
    "mu_em_uniform": Reported(exponential_uniform.mu_uniform_scores, UP),
    "rdp_subsampled_gauss": Reported(
        lambda mu, rate, order: tr.Gaussian(1, mu).sampled(rate).to(tr.RDP)(order), UP
    ),
    # trade-off curves
    "T_zcdp": Reported(lambda rho, a: tr.ZCDP(rho).tradeoff(a), DOWN),
    "T_rdp": Reported(testing_boundary.single_order_tradeoff, DOWN),
    "T_gauss": Reported(lambda mu, a: tr.GDP(mu).tradeoff(a), DOWN),
    "T_logistic": Reported(lambda e, a: tr.LogisticDP(e).tradeoff(a), DOWN),
    "T_em": Reported(exponential_uniform.tradeoff_uniform_scores, DOWN),
    "T_rr": Reported(lambda t, a: tr.PureDP(t).tradeoff(a), DOWN),
    "T_laplace": Reported(lambda e, a: laplace(e).tradeoff(a), DOWN),
    "T_eps_delta": Reported(lambda e, d, a: tr.ApproxDP(e, d).tradeoff(a), DOWN),
    "T_subsampled_gauss": Reported(subsampled_gaussian.tradeoff, DOWN),
    # profiles
    "gdp_delta": log_reported(lambda mu, e: tr.GDP(mu).log_delta(e)),
    "logistic_delta": log_reported(lambda e, at: tr.LogisticDP(e).log_delta(at)),
    "pure_delta": log_reported(lambda e, at: tr.PureDP(e).log_delta(at)),
    "zcdp_delta_opt": log_reported(lambda rho, e: tr.ZCDP(rho).log_delta(e)),
    "zcdp_delta_cks": log_reported(lambda rho, e: named("zcdp_profile_optimised")(e, rho, 0.0)),
    "zcdp_delta_bs16": log_reported(lambda rho, e: named("zcdp_profile_sharpened")(e, rho, 0.0)),
    "rdp_delta_opt": log_reported(renyi_profile.single_order_log_delta),
    "delta_dgauss": log_reported(
        lambda v, d, e: tr.DiscreteGaussian(variance=v, sensitivity=d).log_delta(e)
    ),
    "delta_subsampled_gauss": log_reported(log_delta_sampled),
    # epsilon at delta, and noise
    "gdp_eps": Reported(lambda mu, d: tr.GDP(mu).epsilon(d), UP),
    "gaussian_sigma": Reported(analytic_sigma, UP, tolerance=1e-10),  # what calibrate promises
    "zcdp_eps_opt": Reported(lambda rho, d: tr.ZCDP(rho).epsilon(d), UP),
    "zcdp_eps_via_gdp": Reported(lambda rho, d: tr.ZCDP(rho).to(tr.GDP).epsilon(d), UP),
    "zcdp_eps_classic": Reported(conversions_to_delta.classic_epsilon, UP),
    "zcdp_eps_cks": Reported(conversions_to_delta.cks_epsilon, UP),
    "rdp_eps_mironov": Reported(conversions_to_delta.mironov_epsilon, UP),
    "rdp_eps_cks": Reported(conversions_to_delta.cks_rdp_epsilon, UP),
    "tcdp_eps": Reported(conversions_to_delta.tcdp_epsilon, UP),
    # orders of converting, composing and grouping
    "mu_convert_then_compose": Reported(
        lambda r1, r2: squares(mu_of(tr.ZCDP(r1)), mu_of(tr.ZCDP(r2))), UP
    ),
    "mu_compose_then_convert": Reported(mu_added, UP),
    "mu_convert_then_group": Reported(
        lambda k, rho: named("group_gdp")(mu_of(tr.ZCDP(rho)), k), UP
    ),
    "mu_group_then_convert": Reported(
        lambda k, rho: mu_of(tr.ZCDP(float(named("group_zcdp")(rho, 0.0, k)[0]))), UP
    ),
    "mu_br_convert_then_compose": Reported(
        lambda e1, e2: squares(mu_of(tr.BoundedRange(e1)), mu_of(tr.BoundedRange(e2))), UP
    ),
    "mu_br_group_then_convert": Reported(
        lambda k, e: mu_of(tr.BoundedRange(float(named("group_bounded_range")(e, k)))), UP
    ),
}
