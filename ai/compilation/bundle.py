"""Arrays as one argument of a compiled function: each one on its own makes every call slower."""

import ctypes
from typing import Any

import numpy as np
from numba import carray, types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

_WORDS = 3
"""Words for each array: its address, its rows and its columns."""


class Bundle:
    """Contiguous arrays of one or two axes, for a compiled function that takes `words`.

    It keeps the arrays alive. The function reads them by `line_at` and `table_at`.
    """

    __slots__ = ("arrays", "words")

    def __init__(self, *arrays: NDArray[Any]) -> None:
        self.arrays = arrays
        words = []
        for array in arrays:
            if not array.flags.c_contiguous:
                raise ValueError("an array of a bundle has to be contiguous")
            words += [array.ctypes.data, *array.shape, 1][:_WORDS]
        self.words = np.array(words, dtype=np.int64)


def line_at(words: NDArray[np.int64], place: int, dtype: Any) -> NDArray[Any]:
    """Return an array of a bundle that has one axis, by its number."""
    return table_at(words, place, dtype).reshape(-1)


def table_at(words: NDArray[np.int64], place: int, dtype: Any) -> NDArray[Any]:
    """Return an array of a bundle that has two axes, by its number."""
    address, rows, cols = words[_WORDS * place : _WORDS * (place + 1)].tolist()
    size = rows * cols * np.dtype(dtype).itemsize
    memory = (ctypes.c_char * size).from_address(address)
    return np.frombuffer(memory, dtype=dtype).reshape(rows, cols)


@intrinsic  # type: ignore[misc]  # numba has no types
def _pointer(_context: Any, address: Any) -> Any:
    """Return a pointer to an address."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), generate


@overload(line_at, inline="always")  # type: ignore[misc]
def _line_at(words: Any, place: Any, dtype: Any) -> Any:
    def read(words: Any, place: Any, dtype: Any) -> Any:
        return carray(_pointer(words[_WORDS * place]), (words[_WORDS * place + 1],), dtype)

    return read


@overload(table_at, inline="always")  # type: ignore[misc]
def _table_at(words: Any, place: Any, dtype: Any) -> Any:
    def read(words: Any, place: Any, dtype: Any) -> Any:
        first = _WORDS * place
        return carray(_pointer(words[first]), (words[first + 1], words[first + 2]), dtype)

    return read
