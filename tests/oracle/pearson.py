"""Pearson's test of counts against a law."""

import numpy as np
from scipy.special import chdtrc


def chi_square(observed, expected, least=25):
    """The p-value; thin classes and what is not listed are pooled."""
    observed, expected = np.asarray(observed, float), np.asarray(expected, float)
    thick = expected >= least
    rest = expected[~thick].sum()
    o = np.append(observed[thick], observed[~thick].sum())
    e = np.append(expected[thick], rest)
    if rest < least:
        o, e = o[:-1], e[:-1]
    statistic = ((o - e) ** 2 / e).sum()
    return float(chdtrc(len(o) - 1, statistic))


def fit_of(observed, law):
    """The p-value of a counter of results against their probabilities; 0 if one has none."""
    if not observed.keys() <= law.keys():
        return 0.0
    draws = sum(observed.values())
    return chi_square(
        [observed[result] for result in law], [float(p) * draws for p in law.values()]
    )
