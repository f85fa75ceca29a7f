"""Columns and frames of pandas, polars, and whatever speaks Arrow: the same kind comes out."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frame_libraries import COLUMNS, FRAMES, Stream, X, numbers, seeded

import tightrope as tr

# --- the same kind comes out ------------------------------------------------------------------


@pytest.mark.parametrize(("make", "kind"), COLUMNS)
@pytest.mark.parametrize("mechanism", [tr.Gaussian(2.0), tr.DiscreteLaplace(2)])
def test_a_column_comes_back(make, kind, mechanism):
    held = [int(x) for x in X] if mechanism.whole else X
    noisy = mechanism.release(make(held), coordinates=1, entropy=seeded())
    plain = mechanism.release(np.array(held), coordinates=1, entropy=seeded())
    assert isinstance(noisy.value, kind)
    assert numbers(noisy.value).tolist() == plain.value.tolist()
    assert numbers(noisy.value).dtype == plain.value.dtype
    assert noisy.event == plain.event
    for end, expected in zip(noisy.interval(0.9), plain.interval(0.9), strict=True):
        assert isinstance(end, kind)
        assert numbers(end).tolist() == expected.tolist()
    assert numbers(noisy.saturated).tolist() == [False] * 3


@pytest.mark.parametrize(("make", "kind"), FRAMES)
def test_a_frame_comes_back(make, kind):
    noisy = tr.Laplace(2.0).release(make([1, 2, 3], X), entropy=seeded())
    plain = tr.Laplace(2.0).release(np.array([[1, 2, 3], X]).T, entropy=seeded())
    assert isinstance(noisy.value, kind)
    assert numbers(noisy.value).tolist() == plain.value.tolist()
    assert noisy.event == plain.event
    names = getattr(noisy.value, "column_names", None) or list(noisy.value.columns)
    assert names == ["a", "b"]
    assert isinstance(noisy.interval(simultaneous=True)[0], kind)


def test_pandas_keeps_index_and_names():
    index = pd.MultiIndex.from_product([["north", "south"], [2024, 2025]], names=["at", "year"])
    series = pd.Series([1, 2, 3, 4], index=index, name="people")
    noisy = tr.DiscreteLaplace(1).release(series, entropy=seeded()).value
    assert noisy.index.equals(index)
    assert (noisy.name, noisy.index.names) == ("people", ["at", "year"])
    frame = pd.DataFrame([[1, 2.5]], index=["x"], columns=["a", "a"])
    noisy = tr.Gaussian(2.0).release(frame, entropy=seeded()).value
    assert (list(noisy.columns), list(noisy.index)) == (["a", "a"], ["x"])


def test_polars_keeps_names_and_arrow_chunks():
    assert tr.Gaussian(2.0).release(pl.Series("income", X)).value.name == "income"
    chunked = pa.chunked_array([[1.0], [], [2.0, 3.0]])
    noisy = tr.Gaussian(2.0).release(chunked, entropy=seeded())
    assert [len(chunk) for chunk in noisy.value.chunks] == [1, 0, 2]
    assert [len(chunk) for chunk in noisy.interval()[0].chunks] == [1, 0, 2]


@pytest.mark.parametrize(
    "empty",
    [
        pd.Series([], dtype=float),
        pd.DataFrame({"a": []}),
        pl.Series([], dtype=pl.Int64),
        pl.DataFrame(schema={"a": pl.Float64}),
        pa.array([], pa.float64()),
        pa.chunked_array([], type=pa.float64()),
        pa.table({"a": pa.array([], pa.float64())}),
        pa.RecordBatch.from_pydict({"a": pa.array([], pa.float64())}),
    ],
    ids=lambda empty: f"{type(empty).__module__}.{type(empty).__name__}",
)
def test_empty_stays_empty(empty):
    noisy = tr.Gaussian(2.0).release(empty)
    assert type(noisy.value) is type(empty)
    assert len(noisy.value) == 0
    assert len(noisy.interval()[0]) == 0


def test_the_data_are_not_kept_and_not_changed():
    """What is released can be pickled, and holds nothing but labels and noisy numbers."""
    import pickle

    frame = pd.DataFrame({"a": [123456.789]})
    noisy = tr.Gaussian(2.0).release(frame, entropy=seeded())
    assert frame.loc[0, "a"] == 123456.789
    again = pickle.loads(pickle.dumps(noisy))
    assert again.value.equals(noisy.value)
    assert np.float64(123456.789).tobytes() not in pickle.dumps(noisy)


# --- types ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "Int64", "UInt32", "boolean", "bool", "int64[pyarrow]", "uint64"]
)
def test_integers_stay_integers(dtype):
    series = pd.Series([1, 0, 1], dtype=dtype)
    noisy = tr.DiscreteLaplace(2).release(series, coordinates=1, entropy=seeded())
    assert noisy.value.dtype == np.int64
    assert tr.Gaussian(2.0).release(series).value.dtype == np.float64
    assert tr.bounded_sum(series, (0, 5)).exponent == 0


@pytest.mark.parametrize("dtype", ["float32", "Float32", "float64", "Float64", "float[pyarrow]"])
def test_floats_become_float64(dtype):
    series = pd.Series([0.1, 0.5], dtype=dtype)
    wide = series.to_numpy(dtype=np.float64)
    noisy = tr.Gaussian(2.0).release(series, entropy=seeded())
    assert noisy.value.dtype == np.float64
    assert (noisy.value == tr.Gaussian(2.0).release(wide, entropy=seeded()).value).all()
    with pytest.raises(tr.InvalidArgument, match="whole numbers by type"):
        tr.DiscreteLaplace(2).release(series)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_columns_of_different_types_stay_exact(make):
    """2^60 + 1 is no double: beside a column of floats it would become 2^60."""
    mechanism = tr.Gaussian(2.0**55, sensitivity=2**55)
    step = int(mechanism.grid_step())
    for whole in (2**60 + step // 2 + 1, 2**60 + step // 2 - 1):
        alone = mechanism.release(pd.DataFrame({"a": [whole]}), coordinates=1, entropy=seeded())
        beside = make({"a": [whole], "b": [0.5]})
        beside = mechanism.release(beside, coordinates=1, entropy=seeded())
        assert numbers(beside.value)[0, 0] == alone.value.iloc[0, 0]
    both = make({"a": np.array([2**63 + 5], dtype=np.uint64), "b": [-1]})
    noisy = tr.DiscreteGaussian(0.01).release(both, coordinates=1, bounds=(-9, 2**59))
    assert numbers(noisy.value).tolist() == [[2**59, -1]]


def test_objects_are_read_one_by_one():
    series = pd.Series([1, 2.5, np.float32(0.5), np.int8(3)], dtype=object)
    noisy = tr.Gaussian(1e-6, 1e-6).release(series, coordinates=1)
    assert noisy.value.round(3).tolist() == [1, 2.5, 0.5, 3]
    assert tr.DiscreteLaplace(0.01).release(pd.Series([1, 2], dtype=object)).value.tolist() == [
        1,
        2,
    ]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (pl.Series(["1.5"]).cast(pl.Decimal(10, 2)), "column of type Decimal"),
        (pa.array([1], pa.decimal128(5, 2)), "column of type Decimal"),
        (pl.Series([1], dtype=pl.Int128), "column of type Int128"),
        (pd.to_datetime(pd.Series(["2026-01-01"])), "column of type Datetime"),
        (pl.Series(["a"]), "column of type String"),
        (pd.Series([1], dtype="category"), "column of type Categorical"),
        (pl.Series([[1, 2]]), "column of type List"),
        (pd.Series([1 + 2j]), "complex numbers"),
        (pl.LazyFrame({"a": [1]}), "a LazyFrame"),
        (pa.scalar(1.0), "a DoubleScalar"),
        (pa.table([pa.array([1.0])] * 2, names=["a", "a"]), "columns of different names"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_has_no_exact_reading_is_refused_by_name(values, told):
    with pytest.raises(tr.InvalidArgument, match=rf"Gaussian\.release: values .*{told}"):
        tr.Gaussian(1.0).release(values)


# --- missing entries --------------------------------------------------------------------------

MISSING = [
    [1.0, None],
    np.array([1.0, None]),
    np.array([1.0, pd.NA], dtype=object),
    pd.Series([1.0, np.nan]),
    pd.Series([1, None], dtype="Int64"),
    pd.Series([1.5, None], dtype=object),
    pl.Series([1.0, None]),
    pl.Series([1.0, float("nan")]),
    pa.array([1, None]),
    pa.chunked_array([[1.0], [None]]),
    Stream(pl.Series([1, None])),
]


@pytest.mark.parametrize("values", MISSING, ids=lambda values: type(values).__name__)
@pytest.mark.parametrize(
    "call",
    [
        lambda x: tr.Gaussian(1.0).release(x),
        lambda x: tr.DiscreteLaplace(1).release(x),
        lambda x: tr.bounded_sum(x, (0, 1)),
        lambda x: tr.bounded_mean(x, (0, 1)),
        lambda x: tr.quantile(x, 0.5, (0, 1), epsilon=1),
        lambda x: tr.clip(x, "L2", 1),
        lambda x: tr.RandomizedResponse(1.0).release(x),
        lambda x: tr.Exponential(1.0).release(x),
        lambda x: tr.PermuteAndFlip(1.0).release(x),
        lambda x: tr.ReportNoisyMax(1.0).release(x),
        lambda x: tr.Gaussian(1.0).argmax(x),
        lambda x: tr.SparseVector(1.0).release(x, 0),
        lambda x: tr.audit_canaries(x, [True, False], tr.GDP(1)),
        lambda x: tr.stable_histogram(x, tr.DiscreteLaplace(1), 1e-6),
    ],
)
def test_a_missing_entry_is_refused_with_its_place(values, call):
    place = r"\[1\] is (missing|not a number)|must be (a text|whole numbers by type)"
    with pytest.raises(tr.InvalidArgument, match=place):
        call(values)


@pytest.mark.parametrize(("make", "kind"), FRAMES)
def test_a_missing_entry_of_a_frame(make, kind):
    with pytest.raises(tr.InvalidArgument, match=r"values\[2, 1\] is missing"):
        tr.Gaussian(1.0).release(make([1, 2, 3], [1.0, 2.0, None]))
    with pytest.raises(tr.InvalidArgument, match=r"rows\[2, 1\] is missing"):
        tr.bounded_row_sum(make([1, 2, 3], [1.0, 2.0, None]), "L2", 1)


# --- the extra --------------------------------------------------------------------------------


def test_without_the_extra_there_is_one_clear_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals", None)
    with pytest.raises(tr.InvalidArgument) as told:
        tr.Gaussian(1.0).release(pd.Series([1.0]))
    assert str(told.value) == (
        "Gaussian.release: values are a column or a frame; to read them, install what does: "
        'pip install "tightrope[dataframes]"'
    )
    assert tr.Gaussian(1.0).release(np.zeros(2)).value.shape == (2,)


def test_numpy_alone_does_not_import_it():
    program = (
        "import sys, numpy, tightrope as tr; tr.Gaussian(1.0).release(numpy.zeros(3)); "
        "tr.bounded_sum([1, 2], (0, 5)); "
        "sys.exit(any(name in sys.modules for name in ('narwhals', 'pandas', 'polars', 'pyarrow')))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
