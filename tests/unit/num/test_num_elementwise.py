import numpy as np

from tightrope.num.elementwise import branches, elementwise


@elementwise
def hypotenuse(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    assert x.shape == y.shape
    return np.sqrt(x * x + y * y)


def test_scalars_give_a_float() -> None:
    for value in (hypotenuse(3, 4.0), hypotenuse(np.float64(3), np.array(4.0))):
        assert type(value) is float
        assert value == 5.0


def test_arrays_and_lists_broadcast() -> None:
    result = hypotenuse(np.array([[3.0], [5.0]]), [4.0, 12.0])
    np.testing.assert_array_equal(result[0], [5.0, np.sqrt(153.0)])
    assert result.shape == (2, 2)
    assert hypotenuse(np.zeros((0, 2)), 1.0).shape == (0, 2)


def test_the_first_branch_that_holds_wins() -> None:
    x = np.array([-1.0, 1.0, 10.0, np.nan])
    result = branches([x], (x > 5, np.sqrt), (x > 0, np.negative), (x < 0, np.abs))
    np.testing.assert_array_equal(result, [1.0, -1.0, np.sqrt(10.0), np.nan])
    assert branches([x[:1]], (x[:1] > 0, _refuse), (x[:1] < 0, np.abs))[0] == 1.0


def _refuse(x: np.ndarray) -> np.ndarray:
    raise AssertionError(f"evaluated where it is not wanted: {x}")
