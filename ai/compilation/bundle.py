"""Arrays as one argument of a compiled function: each one on its own makes every call slower."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Array, Number, has_numba

_WORDS = 3
"""Words for each array: its address, its rows and its columns."""

DType = Any  # of numpy; what else only numba reads is of any type too


class Bundle:
    """Contiguous arrays of one or two axes, for a compiled function that takes `words`.

    It keeps the arrays alive: the bundle has to exist as long as a call with its `words` runs. The
    function reads and writes them by `line_at` and `table_at`.

    Raises
    ------
    ValueError
        An array is not contiguous, or has another number of axes.
    """

    __slots__ = ("arrays", "words")

    def __init__(self, *arrays: NDArray[Any]) -> None:
        self.arrays = arrays
        words = []
        for array in arrays:
            if not array.flags.c_contiguous or array.ndim not in (1, 2):
                axes = f"got {array.ndim} axes, strides {array.strides}"
                raise ValueError(f"arrays of a bundle must be contiguous, of 1 or 2 axes, {axes}")
            words += [array.ctypes.data, *array.shape, 1][:_WORDS]
        self.words = np.array(words, dtype=np.int64)


def line_at(words: Array, place: Number, dtype: DType) -> Array:
    """Return an array of a bundle that has one axis, by its number."""
    return table_at(words, place, dtype).reshape(-1)


def table_at(words: Array, place: Number, dtype: DType) -> Array:
    """Return an array of a bundle that has two axes, by its number."""
    address, *shape = words[_WORDS * place : _WORDS * (place + 1)].tolist()
    memory = ctypes.c_char * (shape[0] * shape[1] * np.dtype(dtype).itemsize)
    return np.ndarray(shape, dtype, memory.from_address(address))


if has_numba:
    import numba
    from numba.extending import intrinsic, overload

    _numba: Any = numba  # its type hints leave out some of its names

    def _make_pointer(_context: DType, _address: DType) -> tuple[DType, Callable[..., DType]]:
        """Return the type and the generator of the code that makes an address a pointer."""

        def generate(context: DType, builder: DType, _signature: DType, given: DType) -> DType:
            return builder.inttoptr(given[0], context.get_value_type(_numba.types.voidptr))

        return _numba.types.voidptr(_numba.types.int64), generate

    _pointer: Any = intrinsic(_make_pointer)

    def _read_line(words: Array, place: Number, dtype: DType) -> Array:
        at = _WORDS * place
        return _carray(_pointer(words[at]), (words[at + 1],), dtype)

    def _read_table(words: Array, place: Number, dtype: DType) -> Array:
        at = _WORDS * place
        return _carray(_pointer(words[at]), (words[at + 1], words[at + 2]), dtype)

    _carray = _numba.carray
    overload(line_at, inline="always", strict=False)(lambda *_: _read_line)
    overload(table_at, inline="always", strict=False)(lambda *_: _read_table)
