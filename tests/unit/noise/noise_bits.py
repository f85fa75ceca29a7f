"""Sources of bits that a test commands: a script of bytes, and the tree of all bit strings."""

from collections import Counter

import numpy as np

from tightrope.noise.entropy import Entropy


class ScriptedEntropy(Entropy):
    """Hands out the given arrays, one a request, and objects to a request of another length."""

    def __init__(self, *arrays):
        self.queue = [np.asarray(array) for array in arrays]

    def take(self, count):
        answer = self.queue.pop(0).tobytes()
        assert len(answer) == count
        return answer


class ZeroEntropy(Entropy):
    """Nothing but zeros: a uniform number ends with the bits that it already has."""

    def take(self, count):
        return bytes(count)


class ThenZeros(ScriptedEntropy):
    """A script, and zeros after its end."""

    def take(self, count):
        return super().take(count) if self.queue else bytes(count)


class Exhausted(Exception):
    """The bits of this branch are used up."""


class _Branch(Entropy):
    def __init__(self, value, length):
        self.value, self.left = value, length

    def take(self, count):
        return self.bits(8 * count).to_bytes(count, "big")

    def bits(self, count):
        if count > self.left:
            raise Exhausted
        self.left -= count
        return self.value >> self.left & ((1 << count) - 1)


def tree(sampler, depth):
    """Run `sampler(entropy)` on every bit string of length `depth`.

    Returns how many strings lead to each outcome, and how many end before there is one.
    """
    counts, undecided = Counter(), 0
    stack = [(0, 0)]
    while stack:
        value, length = stack.pop()
        branch = _Branch(value, length)
        try:
            outcome = sampler(branch)
        except Exhausted:
            if length == depth:
                undecided += 1
            else:
                stack += [(2 * value, length + 1), (2 * value + 1, length + 1)]
            continue
        assert branch.left == 0 or length == 0  # shorter strings were undecided
        counts[outcome] += 1 << (depth - length)
    return counts, undecided
