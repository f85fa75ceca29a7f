"""Queries of neighbours, for exact laws of sparse vectors on a coarse lattice."""

STEPS = 2
"""A query moves by at most two units of the noise's lattice."""


def neighbours(monotone):
    """Pairs of queries: among them those that are worst for each of the wrong variants."""
    change = [(STEPS,) * 4, (-STEPS, -STEPS, STEPS, STEPS), (STEPS, STEPS, -STEPS, -STEPS)]
    for far in (-9, 0, 9):
        for change_of in change[: 1 if monotone else 3]:
            base = (0, 0, far, far)
            yield base, tuple(q + c for q, c in zip(base, change_of, strict=True))
