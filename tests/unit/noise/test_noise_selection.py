from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import mpmath as mp
import numpy as np
import pytest
from noise_bits import Exhausted, ScriptedEntropy
from oracle.pearson import chi_square

from tightrope import InvalidArgument
from tightrope.noise.entropy import Entropy, InsecureEntropy
from tightrope.noise.exponential import exponential_choice, exponential_top
from tightrope.noise.gumbel import contest
from tightrope.noise.selection import noisy_argmax, permute_and_flip

RARE = 1e-9
SCORES = [1.0, 0.0, 2.5, -4.0, 2.5]


def plackett_luce(scores, coefficient, order, many=(1,) * 9):
    """The probability that candidates are chosen in this order without putting back."""
    weights = [n * mp.exp(mp.mpf(coefficient) * s) for s, n in zip(scores, many, strict=False)]
    left, chance = mp.fsum(weights), mp.mpf(1)
    for candidate in order:
        chance *= weights[candidate] / left
        left -= weights[candidate]
    return chance


class NoMore(Entropy):
    def take(self, count):
        raise Exhausted


@pytest.mark.parametrize(
    ("gaps", "bits", "most_undecided"),
    [
        ((0, Fraction(1, 2)), 5, 0.1),
        ((0, Fraction(1, 3), Fraction(2)), 3, 0.75),
        pytest.param((0, Fraction(1, 2)), 8, 0.01, marks=pytest.mark.slow),
        pytest.param((0, Fraction(1, 3), Fraction(2)), 5, 0.25, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("many", [(1, 1, 1), (3, 1, 7)])
def test_contests_on_every_string(gaps, bits, most_undecided, many):
    """All uniform numbers of a few bits: those that decide, and those that do not, hold the law."""
    count = len(gaps) - 1
    decided, undecided = Counter(), 0
    for numbers in product(range(1 << bits), repeat=len(gaps)):
        entrants = [
            (i, Fraction(gap), many[i], u)
            for i, (gap, u) in enumerate(zip(gaps, numbers, strict=True))
        ]
        try:
            decided[tuple(contest(entrants, bits, count, NoMore()))] += 1
        except Exhausted:
            undecided += 1
    total = 1 << (bits * len(gaps))
    assert undecided < most_undecided * total
    for order in permutations(range(len(gaps)), count):
        law = plackett_luce([-float(gap) for gap in gaps], 1, order, many) * total
        assert decided[order] <= law <= decided[order] + undecided


@pytest.mark.parametrize("coefficient", [Fraction(1, 3), 1, 40])
def test_float_intervals_and_integers_choose_alike(coefficient):
    """The same 32 bits for every candidate, once by the vector path, once all in integers."""
    rows, columns, count = 200, 12, 3
    scores = np.round(InsecureEntropy(51).words(rows * columns).reshape(rows, columns) / 2**60, 2)
    words = InsecureEntropy(52).words(rows * columns, np.uint32)
    chosen = exponential_top(scores, coefficient, count, entropy=ScriptedEntropy(words))
    for row in range(rows):
        best = Fraction(scores[row].max())
        gap = [Fraction(coefficient) * (best - Fraction(score)) for score in scores[row]]
        bits = words.reshape(rows, columns)[row].tolist()
        entrants = list(zip(range(columns), gap, [1] * columns, bits, strict=True))
        assert chosen[row].tolist() == contest(entrants, 32, count, NoMore())


@pytest.mark.parametrize("winner", [0, 1, 2])
def test_equal_scores_with_equal_bits_read_on(winner):
    """Nothing but the further bits can decide, whichever candidate they favour."""
    words = np.full(3, 123456789, np.uint32)
    further = [np.full(8, 255 if i == winner else 17 + i, np.uint8) for i in range(3)]
    script = ScriptedEntropy(words, *further)
    assert exponential_choice([7.0, 7.0, 7.0], 1, entropy=script) == winner
    assert not script.queue


@pytest.mark.parametrize("word", [0, 2**32 - 1])
def test_the_ends_of_the_unit_interval_read_on(word):
    words = np.full(2, word, np.uint32)
    script = ScriptedEntropy(words, np.full(8, 1, np.uint8), np.full(8, 9, np.uint8))
    assert exponential_choice([0.0, 0.0], 1, entropy=script) == 1


def test_a_gap_far_below_float_precision_decides():
    """Scores that differ in the last place, and otherwise equal bits: the larger score wins."""
    scores = np.array([1.0, np.nextafter(1.0, 2.0)])
    words = np.full(2, 2**31, np.uint32)
    zeros = [np.zeros(8, np.uint8)] * 2
    assert exponential_choice(scores, 1, entropy=ScriptedEntropy(words, *zeros)) == 1
    assert exponential_choice(scores[::-1], 1, entropy=ScriptedEntropy(words, *zeros)) == 0


@pytest.mark.parametrize("coefficient", [0, Fraction(1, 2), 1.25])
def test_the_law_of_the_choice(coefficient):
    rows = np.tile(SCORES, (100_000, 1))
    chosen = exponential_choice(rows, coefficient, entropy=InsecureEntropy(53))
    law = [float(plackett_luce(SCORES, coefficient, [i])) for i in range(5)]
    assert chi_square(np.bincount(chosen, minlength=5), np.array(law) * 100_000) > RARE


def test_the_law_of_the_choice_among_many_of_a_score():
    many = [1, 40, 2, 10**6, 3]
    rows, numbers = np.tile(SCORES, (100_000, 1)), np.tile(many, (100_000, 1))
    chosen = exponential_choice(rows, 2, multiplicities=numbers, entropy=InsecureEntropy(56))
    law = [float(plackett_luce(SCORES, 2, [i], many)) for i in range(5)]
    assert chi_square(np.bincount(chosen, minlength=5), np.array(law) * 100_000) > RARE


def test_so_many_that_they_outweigh_any_score():
    assert exponential_choice([60.0, 0.0], Fraction(1, 2), multiplicities=[1, 2**62]) == 1
    for bad in ([0, 1], [1], [1.0, 1.0], [2**62 + 1, 1], [True, True]):
        with pytest.raises(InvalidArgument, match="multiplicities must be whole numbers"):
            exponential_choice([0.0, 1.0], 1, multiplicities=bad)


def test_the_law_of_the_first_two():
    rows = np.tile(SCORES[:4], (100_000, 1))
    chosen = exponential_top(rows, Fraction(1, 2), 2, entropy=InsecureEntropy(54))
    orders = list(permutations(range(4), 2))
    law = [float(plackett_luce(SCORES[:4], Fraction(1, 2), order)) for order in orders]
    observed = Counter(map(tuple, chosen.tolist()))
    counts = [observed[order] for order in orders]
    assert chi_square(counts, np.array(law) * 100_000) > RARE


def test_all_candidates_in_order():
    order = exponential_top([3.0, 1.0, 2.0], 2000, 3)
    assert order.tolist() == [0, 2, 1]
    assert exponential_top(np.zeros((4, 1)), 1, 1).tolist() == [[0]] * 4


def test_a_long_row_and_shapes():
    scores = np.zeros(300_000)
    scores[77] = 50
    assert exponential_choice(scores, 1, entropy=InsecureEntropy(55)) == 77
    assert exponential_choice(np.zeros((2, 3, 4)), 1).shape == (2, 3)
    assert exponential_top(np.zeros((2, 3, 4)), 1, 2).shape == (2, 3, 2)
    assert permute_and_flip(np.zeros((2, 3, 4)), 1).shape == (2, 3)


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e300])
def test_extreme_scores(scale):
    scores = np.array([-1.5, 1.5, 1.0]) * scale
    coefficient = Fraction(2000) / Fraction(scale)
    if scale > 1:
        coefficient = Fraction(2) ** -890  # the gaps are 10**31 and more
    assert exponential_choice(scores, coefficient) == 1
    assert permute_and_flip(scores, coefficient) == 1


def test_the_largest_doubles_do_not_overflow():
    scores = np.array([-1.7e308, 1.7e308])
    assert exponential_choice(scores, 2**100) == 1
    assert permute_and_flip(scores, 2**100) == 1


def test_permute_and_flip_on_every_16_bits():
    """Two candidates, all coins of the worse one, and both ways to break a tie."""
    gap = Fraction(3, 4)
    coins = np.stack([np.zeros(1 << 16), np.arange(1 << 16)], axis=1).astype(np.uint16)
    scores = np.tile([0.0, -0.75], (1 << 16, 1))
    worse = 0
    for tie in (0, 1):
        script = ScriptedEntropy(coins, *_reads_on(coins, gap), np.full(1 << 16, tie, np.uint64))
        worse += permute_and_flip(scores, 1, entropy=script).sum()
    assert worse == int(mp.ceil(mp.exp(-mp.mpf(3) / 4) * 2**16))


def _reads_on(coins, gap):
    """The one coin of the worse candidate that agrees with exp(-gap) for 16 bits reads zeros."""
    agrees = int(mp.floor(mp.exp(-mp.mpf(gap.numerator) / gap.denominator) * 2**16))
    assert agrees in coins[:, 1]
    return [np.zeros(8, np.uint8)]


def test_the_law_of_permute_and_flip():
    """By its definition: the mean over all orders of coming first."""
    scores, c = [0.0, -1.0, -0.5], Fraction(3, 2)
    heads = [float(mp.exp(mp.mpf(3) / 2 * score)) for score in scores]
    law = np.zeros(3)
    for order in permutations(range(3)):
        passed = 1.0
        for candidate in order:
            law[candidate] += passed * heads[candidate] / 6
            passed *= 1 - heads[candidate]
    chosen = permute_and_flip(np.tile(scores, (100_000, 1)), c, entropy=InsecureEntropy(56))
    assert chi_square(np.bincount(chosen, minlength=3), law * 100_000) > RARE


def test_ties_are_broken_fairly():
    rows = np.tile(np.array([5, 7, 7, 1, 7]), (30_000, 1))
    counts = np.bincount(noisy_argmax(rows, entropy=InsecureEntropy(57)), minlength=5)
    assert counts[0] == counts[3] == 0
    assert chi_square(counts[[1, 2, 4]], np.full(3, 10_000)) > RARE


@pytest.mark.parametrize("choose", [exponential_choice, permute_and_flip])
@pytest.mark.parametrize(
    ("scores", "coefficient", "match"),
    [
        ([0.0, float("nan")], 1, "finite"),
        ([0.0, float("inf")], 1, "finite"),
        ([], 1, "at least one candidate"),
        (3.0, 1, "at least one candidate"),
        ([2**53 + 1], 1, "within"),
        (["a"], 1, "numbers"),
        ([0.0], -1, "coefficient"),
        ([0.0], float("nan"), "coefficient"),
        ([0.0], 1e-300, "coefficient"),
    ],
)
def test_what_is_refused(choose, scores, coefficient, match):
    with pytest.raises(InvalidArgument, match=match):
        choose(scores, coefficient)


@pytest.mark.parametrize("count", [0, 4, 1.5])
def test_counts_that_are_none(count):
    with pytest.raises(InvalidArgument, match="exponential_top: count must be from 1 to 3"):
        exponential_top([1.0, 2.0, 3.0], 1, count)


def test_noisy_argmax_takes_integers_only():
    with pytest.raises(InvalidArgument, match="64-bit integers"):
        noisy_argmax(np.array([1.0, 2.0]))
