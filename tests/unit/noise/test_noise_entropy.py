import os

import numpy as np
import pytest

from tightrope import InvalidArgument
from tightrope.noise.entropy import InsecureEntropy, SystemEntropy


def test_the_default_is_secure_and_the_seeded_one_is_not():
    assert SystemEntropy().secure
    assert not InsecureEntropy(0).secure


def test_a_seed_gives_one_stream_however_it_is_read():
    whole = InsecureEntropy(5).take(200_000)
    source = InsecureEntropy(5)
    parts = [source.take(n) for n in (1, 7, 65_536, 0, 100_000, 34_456)]
    assert b"".join(parts) == whole
    assert InsecureEntropy(6).take(100) != whole[:100]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64])
def test_words_fill_their_type(dtype):
    words = InsecureEntropy(1).words(5000, dtype)
    assert words.dtype == dtype
    assert len(words) == 5000
    top = float(np.iinfo(dtype).max)
    assert words.astype(float).mean() == pytest.approx(top / 2, rel=0.03)


def test_bits_are_uniform_below_their_power():
    source = InsecureEntropy(2)
    values = [source.bits(3) for _ in range(4000)]
    assert set(values) == set(range(8))
    assert source.bits(0) == 0
    assert source.bits(200).bit_length() > 150


@pytest.mark.parametrize("seed", [-1, 1.5, True, "a", None])
def test_seeds_that_are_none(seed):
    with pytest.raises(InvalidArgument, match="seed must be a non-negative integer"):
        InsecureEntropy(seed)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_process_draws_other_bits_than_its_parent():
    source = SystemEntropy()
    source.take(1)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover
        os.write(write, source.take(32))
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 32) != source.take(32)
