"""Columns and frames in sums, choices, audits and responses."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frame_libraries import COLUMNS, FRAMES, numbers, seeded

import tightrope as tr

# --- the other calls --------------------------------------------------------------------------


@pytest.mark.parametrize(("make", "kind"), COLUMNS)
def test_columns_go_in_everywhere(make, kind):
    ages = [20 + i % 50 for i in range(1000)]
    assert tr.bounded_sum(make(ages), (0, 120)) == tr.bounded_sum(np.array(ages), (0, 120))
    assert tr.bounded_mean(make(ages), (0, 120)) == tr.bounded_mean(np.array(ages), (0, 120))
    assert tr.quantile(make(ages), 0.5, (0, 120), epsilon=900, step=1).value in (44, 45)
    assert tr.Exponential(900).release(make([1.0, 9.0, 2.0])).value == 1
    assert tr.Exponential(900).top(make([1.0, 9.0, 2.0]), 2).value.tolist() == [1, 2]
    assert tr.Gaussian(0.01).argmax(make([1.0, 9.0, 2.0])).value == 1
    assert tr.SparseVector(900).release(make([0, 9, 0]), 5).value.tolist() == [False, True]
    assert numbers(tr.clip(make([3.0, 4.0]), "L2", 1)).round(6).tolist() == [0.6, 0.8]
    keys = tr.stable_histogram(make(["tea"] * 50 + ["x"]), tr.DiscreteLaplace(0.1), 1e-9)
    assert keys.value == {"tea": 50}


@pytest.mark.parametrize(("make", "kind"), FRAMES)
def test_frames_of_rows(make, kind):
    rows = make([3.0, 0.3], [4.0, 0.4])
    assert isinstance(tr.clip(rows, "L2", 1), kind)
    assert numbers(tr.clip(rows, "L2", 1)).round(6).tolist() == [[0.6, 0.8], [0.3, 0.4]]
    total = tr.bounded_row_sum(rows, "L2", 1)
    assert total.exact == tr.bounded_row_sum([[3.0, 4.0], [0.3, 0.4]], "L2", 1).exact


def test_a_row_is_not_a_record():
    """A person with two numbers would move the sum by twice the sensitivity."""
    frame = pl.DataFrame({"a": [1, 2], "b": [3, 4]})
    for call in (tr.bounded_sum, tr.bounded_mean):
        with pytest.raises(tr.InvalidArgument, match="a record is one number"):
            call(frame, (0, 5))
        call(frame.select("a"), (0, 5))
    with pytest.raises(tr.InvalidArgument, match="a record is one number"):
        tr.quantile(frame, 0.5, (0, 5), epsilon=1)
    for refused in (
        lambda: tr.RandomizedResponse(1.0, 9).release(frame),
        lambda: tr.stable_histogram(frame, tr.DiscreteLaplace(1), 1e-6),
    ):
        with pytest.raises(tr.InvalidArgument, match="must be one column"):
            refused()


def test_inputs_of_audits():
    pair = (pd.Series([0.0, 0.0]), pd.Series([1.0, 0.0]))
    found = tr.audit(tr.Laplace(2.0), neighbors=pair, trials=500, entropy=seeded())
    assert found.verdict == "not refuted"
    draw = np.random.default_rng(1)
    coins = draw.random(2000) < 0.5
    scores = coins + draw.normal(size=2000)
    expected = tr.audit_canaries(scores, coins, tr.GDP(0.8))
    for make in (pd.Series, pl.Series, pa.array):
        assert tr.audit_canaries(make(scores), make(coins), tr.GDP(0.8)) == expected


# --- responses --------------------------------------------------------------------------------


@pytest.mark.parametrize(("make", "kind"), COLUMNS)
def test_responses_of_columns(make, kind):
    mechanism = tr.RandomizedResponse(900.0)
    for held in ([True, False, True], [1, 0, 1]):
        answers = mechanism.release(make(held))
        assert isinstance(answers.value, kind)
        assert numbers(answers.value).tolist() == held
        assert numbers(answers.value).dtype == np.array(held).dtype
        assert answers.estimate().tolist() == [1, 2]
        assert answers.interval()[0].tolist() == [1, 2]


SIZES = ["S", "M", "L"]


@pytest.mark.parametrize(
    "values",
    [
        pd.Series(["M", "L", "M"], dtype=pd.CategoricalDtype(SIZES), index=list("xyz"), name="q"),
        pl.Series("q", ["M", "L", "M"], dtype=pl.Enum(SIZES)),
    ],
)
def test_declared_categories(values):
    answers = tr.RandomizedResponse(900.0, 3).release(values)
    assert type(answers.value) is type(values)
    assert answers.value.equals(values)
    assert answers.value.dtype == values.dtype
    assert (answers.labels, answers.counts().tolist()) == (("S", "M", "L"), [0, 2, 1])
    spread = tr.RandomizedResponse(0.0, 3).release(pl.Series(["S"] * 900, dtype=pl.Enum(SIZES)))
    assert spread.counts().min() > 200
    with pytest.raises(tr.InvalidArgument, match="labels must be 4 different"):
        tr.RandomizedResponse(1.0, 4).release(values)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["M", "L", "M"], np.ndarray),
        (np.array([["M", "L", "M"]]), np.ndarray),
        (pd.Series(["M", "L", "M"]), pd.Series),
        (pd.Series(["M", "L", "M"], dtype=object), pd.Series),
        (pl.Series(["M", "L", "M"]), pl.Series),
        (pl.Series(["M", "L", "M"], dtype=pl.Categorical), pl.Series),
        (pa.array(["M", "L", "M"]), pa.Array),
        (pa.array(["M", "L", "M"]).dictionary_encode(), pa.Array),
        (pa.chunked_array([["M"], ["L", "M"]]), pa.ChunkedArray),
    ],
)
def test_labels_are_given(values, kind):
    answers = tr.RandomizedResponse(900.0, 3).release(values, labels=SIZES)
    assert isinstance(answers.value, kind)
    assert answers.counts().tolist() == [0, 2, 1]
    found = answers.value.to_pylist() if hasattr(answers.value, "to_pylist") else answers.value
    assert np.array(found).reshape(-1).tolist() == ["M", "L", "M"]
    spread = tr.RandomizedResponse(0.0, 3).release(["S"] * 900, labels=SIZES)
    assert spread.counts().min() > 200


def test_categories_that_were_collected_are_not_kept():
    """The type of the answers has all labels, and says nothing of which ones were there."""
    one = pd.Series(["M"] * 90, dtype="category")
    assert list(one.dtype.categories) == ["M"]
    answers = tr.RandomizedResponse(0.0, 3).release(one, labels=SIZES, entropy=seeded())
    assert list(answers.value.dtype.categories) == SIZES
    assert not answers.value.isna().any()
    assert answers.counts().sum() == 90


def test_labels_that_do_not_fit():
    mechanism = tr.RandomizedResponse(1.0, 3)
    assert tr.RandomizedResponse(900.0, 3).release("L", labels=SIZES).value == "L"
    for bad in (["S", "M"], ["S", "S", "M"], "SML", [1.5, 2, 3], 3):
        with pytest.raises(tr.InvalidArgument, match="labels must be 3 different"):
            mechanism.release(["S"], labels=bad)
    for values in (["S", "XL"], ["S", None], pd.Series(["S", None]), [["S", "M"], [[], "S"]]):
        with pytest.raises(tr.InvalidArgument, match="is missing, or none of the 3 labels"):
            mechanism.release(values, labels=SIZES)
    with pytest.raises(tr.InvalidArgument, match="all of them booleans"):
        tr.RandomizedResponse(1.0).release([True, 0])
