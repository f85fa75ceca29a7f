"""``tr.audit_canaries``: one run with many canaries, each of them in or out by a fair coin."""

from __future__ import annotations

from typing import Any

import numpy as np

from tightrope._calls import spoken
from tightrope._check import OPEN_PROBABILITY, Real, validated
from tightrope._errors import InvalidArgument
from tightrope.auditing.auditor import CONFIDENCE
from tightrope.auditing.claim import Claim, claim_of
from tightrope.auditing.distinguish import chosen, counted
from tightrope.auditing.findings import Audit, Finding
from tightrope.auditing.outputs import Outputs
from tightrope.auditing.rates import at_least
from tightrope.grid import as_doubles, read
from tightrope.notions import LowerBound, PureDP
from tightrope.num.arrays import Flags, Floats

__all__ = ["audit_canaries"]

_CHOOSING = 4
"""Every so many-th canary decides where to cut; the others are counted."""

_SHARES = np.concatenate([[0.002, 0.005, 0.01, 0.02], np.linspace(0.05, 0.5, 10)])
"""Shares of the canaries at either end of the scores about which is guessed."""


@spoken
def audit_canaries(
    scores: Any, included: Any, claim: Any, *, confidence: Real = CONFIDENCE
) -> Audit:
    """Lower bounds from one run, of a release or a training, with many canaries.

    Each canary (a record, a gradient, a coordinate) was put in or left out by a fair coin of its
    own, and then scored from what was released, without looking at the coins.

    Args:
        scores: one number a canary, an array or a column; larger means that it seems to be in.
        included: whether it was, True or 1 for each canary that was in.
        claim: what is claimed of the run: a guarantee or an event.
        confidence: the chance of no false alarm, and that all bounds hold, at least.

    Returns:
        Two tests. "error rates" bounds mu, and epsilon at the claim's delta, by the true and false
        positive rates, and takes the scores for independent given the coins: so it is for additive
        noise on coordinates that canaries do not share, not for gradient descent. "guesses", for
        claims of pure DP, counts right guesses, and takes only the coins for fair and independent.

    Raises:
        InvalidArgument: the columns have different lengths, a score is not finite, or there are
            fewer than eight canaries of either kind.

    Source: Steinke, Nasr and Jagielski (2023), Theorem 2.1 (guesses); Clopper and Pearson (1934).

    Examples:
        >>> import numpy as np
        >>> import tightrope as tr
        >>> draw = np.random.default_rng(1)
        >>> included = draw.random(10_000) < 0.5
        >>> scores = included + draw.normal(size=10_000)  # the Gaussian mechanism, mu = 1
        >>> found = tr.audit_canaries(scores, included, tr.GDP(0.8))
        >>> found.verdict
        'refuted'
        >>> tr.audit_canaries(scores, included, tr.GDP(1.0)).verdict
        'not refuted'
    """
    sure = float(validated(confidence, OPEN_PROBABILITY, "audit_canaries: confidence"))
    known = claim_of(claim, "audit_canaries")
    values, labels = _columns(scores, included)
    tests = 2 if known.delta == 0 else 1
    level = (1 - sure) / tests
    findings = [_rates(values, labels, known, level)]
    if known.delta == 0:
        findings.append(_guesses(values, labels, known, level))
    told = ("a canary in", "a canary out")
    subject = f"one run with {len(values):,} canaries"
    return Audit(subject, repr(known.event), told, tuple(findings), sure, len(values))


def _columns(scores: Any, included: Any) -> tuple[Floats, Flags]:
    values, labels = _finite(scores, "scores"), _finite(included, "included")
    if len(values) != len(labels):
        raise InvalidArgument(
            "audit_canaries: scores and included must have one length; you passed "
            f"{len(values):,} scores and {len(labels):,} labels"
        )
    if not np.isin(labels, [0, 1]).all():
        raise InvalidArgument("audit_canaries: included must be True or False for every canary")
    flags = labels.astype(np.bool_)
    if min(flags.sum(), (~flags).sum()) < 2 * _CHOOSING:
        raise InvalidArgument("audit_canaries: at least eight canaries in and eight out are needed")
    return values, flags


def _finite(values: Any, name: str) -> Floats:
    column = read(values, "audit_canaries", name)
    found = np.empty(column.flat.size)
    for part, block in column.finite_blocks("give every canary a finite one"):
        found[part] = as_doubles(block)
    return found


def _rates(values: Floats, labels: Flags, claim: Claim, level: float) -> Finding:
    sides = [values[labels], values[~labels]]
    folds = [np.arange(len(side)) % _CHOOSING == 0 for side in sides]
    choosing = _outputs(sides[0][folds[0]]), _outputs(sides[1][folds[1]])
    counting = _outputs(sides[0][~folds[0]]), _outputs(sides[1][~folds[1]])
    ways = {"a threshold of the scores": lambda outputs: outputs.numbers[:, 0]}
    choice = chosen(ways, choosing, claim, level)
    assumes = "scores are independent, given which canaries are in"
    return counted("error rates", choice, counting, claim, level, assumes)


def _outputs(values: Floats) -> Outputs:
    return Outputs(np.zeros(len(values), dtype=np.int64), values[:, np.newaxis])


def _guesses(values: Floats, labels: Flags, claim: Claim, level: float) -> Finding:
    """Guesses about the canaries at either end of the scores.

    Under epsilon-DP each is right with probability at most e^epsilon/(1 + e^epsilon), whatever the
    others were.
    """
    from scipy import special

    choosing = np.arange(len(values)) % _CHOOSING == 0
    best = max(_SHARES, key=lambda share: _shown(values[choosing], labels[choosing], share, level))
    right, made = _right(values[~choosing], labels[~choosing], best)
    rate = 1 / (1 + np.exp(-claim.epsilon))
    value = float(special.betainc(right, made - right + 1, rate)) if right else 1.0
    accuracy = float(at_least(right, made, level))
    epsilon = max(float(special.logit(accuracy)), 0.0)
    reason = f"guesses, wrong with probability at most {level:.3g}"
    return Finding(
        name="guesses",
        tried=f"guesses about the {100 * best:.2g} % of canaries at either end of the scores",
        statistic=f"{right:,} of {made:,} guesses were right",
        p_value=value,
        refuted=value <= level,
        samples=made,
        bounds=(LowerBound(PureDP(epsilon, neighbors=claim.event.neighbors), reason),),
        claimed=claim.told,
        assumes="canaries are in or out by fair coins, independently",
    )


def _right(values: Floats, labels: Flags, share: float) -> tuple[int, int]:
    """Right guesses, and guesses: in at the upper end of the scores, out at the lower one."""
    count = max(1, int(share * len(values)))
    order = np.argsort(values, kind="stable")
    right = labels[order[-count:]].sum() + (~labels[order[:count]]).sum()
    return int(right), 2 * count


def _shown(values: Floats, labels: Flags, share: float, level: float) -> float:
    """The lower bound on a guess's accuracy."""
    right, made = _right(values, labels, share)
    return float(at_least(right, made, level))
