"""Columns and frames of pandas, polars, and whatever speaks Arrow: the same kind comes out."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tightrope as tr

X = [1.5, 2.5, 7.0]


def seeded(seed=1):
    return tr.InsecureEntropy(seed)


class Stream:
    """An object of an unknown library that speaks Arrow, as DuckDB's relations do."""

    def __init__(self, held):
        self.held = held

    def __arrow_c_stream__(self, requested_schema=None):
        return self.held.__arrow_c_stream__(requested_schema)


class Single:
    def __init__(self, held):
        self.held = held

    def __arrow_c_array__(self, requested_schema=None):
        return self.held.__arrow_c_array__(requested_schema)


COLUMNS = [
    (lambda x: pd.Series(x), pd.Series),
    (lambda x: pd.Series(x).convert_dtypes(), pd.Series),
    (lambda x: pl.Series(x), pl.Series),
    (lambda x: pa.array(x), pa.Array),
    (lambda x: pa.chunked_array([x[:1], [], x[1:]], type=pa.array(x).type), pa.ChunkedArray),
    (lambda x: Stream(pl.Series(x)), pa.ChunkedArray),
    (lambda x: Single(pa.array(x)), pa.Array),
]
FRAMES = [
    (lambda a, b: pd.DataFrame({"a": a, "b": b}), pd.DataFrame),
    (lambda a, b: pl.DataFrame({"a": a, "b": b}), pl.DataFrame),
    (lambda a, b: pa.table({"a": a, "b": b}), pa.Table),
    (lambda a, b: pa.RecordBatch.from_pydict({"a": a, "b": b}), pa.RecordBatch),
    (lambda a, b: Stream(pl.DataFrame({"a": a, "b": b})), pa.Table),
    (lambda a, b: Single(pa.RecordBatch.from_pydict({"a": a, "b": b})), pa.RecordBatch),
]


def numbers(held):
    """The numbers of a column or frame, read without the code under test."""
    if isinstance(held, pa.Array | pa.ChunkedArray):
        return np.array(held.to_pylist())
    if isinstance(held, pa.Table | pa.RecordBatch):
        return np.array([column.to_pylist() for column in held.columns]).T
    return held.to_numpy()


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
