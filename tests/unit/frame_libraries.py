"""Columns and frames of every library, and their numbers."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

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
