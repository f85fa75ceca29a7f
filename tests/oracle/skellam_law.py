"""The law of Skellam noise, by the recurrence of Bessel functions from far out inward."""

import mpmath as mp


def masses(variance, reach):
    """Those of 0, ..., reach to fifty digits."""
    with mp.workdps(60):
        v, after, here = mp.mpf(variance), mp.mpf(0), mp.mpf(10) ** -300
        found = [here]
        for g in range(reach + 60, 0, -1):
            after, here = here, after + 2 * g / v * here
            found.append(here)
        found = found[::-1]
        total = found[0] + 2 * mp.fsum(found[1:])
        return [mass / total for mass in found[: reach + 1]]
