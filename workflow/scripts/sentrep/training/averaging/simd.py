"""Define SIMD vectors for numba, and operations that process several columns of a matrix row at once.

When code compiled by numba accumulates a sum of matrix rows in an array, it reads and writes this array again for every
row, because the array might overlap the matrix in memory. A value of type :class:`Columns`, by contrast, is an LLVM
vector. It stays in registers, and LLVM splits it to fit the processor's register width. Functions that take such a
value are compiled once per vector width.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

# Flags that allow fused multiply-add, and flags that also allow adding the elements of a vector in any order.
_FUSE, _REORDER = ("contract",), ("reassoc", "contract")


class Columns(types.Type):
    """The numba type of a SIMD vector.

    Args:
        dtype: numba type of the elements, float32 or float64.
        width: number of elements.
    """

    def __init__(self, dtype: types.Float, width: int) -> None:
        self.dtype, self.width = dtype, width
        super().__init__(name=f"Columns({dtype}, {width})")


@register_model(Columns)
class _ColumnsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Columns) -> None:
        super().__init__(manager, kind, ir.VectorType(manager.lookup(kind.dtype).get_value_type(), kind.width))


@intrinsic(prefer_literal=True)
def zeros(_typing: Any, matrix: Any, width: Any) -> Any:
    """Return a constant vector of ``width`` zeros with the dtype of ``matrix``."""

    def generate(context: Any, _builder: Any, signature: Any, _arguments: Any) -> Any:
        return ir.Constant(context.get_value_type(signature.return_type), None)

    return Columns(matrix.dtype, width.literal_value)(matrix, width), generate


@intrinsic
def width_of(_typing: Any, vector: Any) -> Any:
    """Return the number of elements in a SIMD vector, as uint64."""
    return types.uint64(vector), lambda context, *_: context.get_constant(types.uint64, vector.width)


@intrinsic
def load(_typing: Any, matrix: Any, row: Any, column: Any, like: Any) -> Any:
    """Load a vector with the width of ``like`` from a matrix row, beginning at ``column``.

    Indices must not be negative, and bounds are not checked. This also applies to :func:`store`.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = context.get_value_type(like).as_pointer()
        loaded = builder.load(builder.bitcast(_address(context, builder, signature, arguments), vector))
        loaded.align = matrix.dtype.bitwidth // 8
        return loaded

    return like(matrix, row, column, like), generate


@intrinsic
def store(_typing: Any, matrix: Any, row: Any, column: Any, vector: Any) -> Any:
    """Write a vector to a matrix row, beginning at ``column``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = arguments[3].type.as_pointer()
        stored = builder.store(arguments[3], builder.bitcast(_address(context, builder, signature, arguments), pointer))
        stored.align = matrix.dtype.bitwidth // 8
        return context.get_dummy_value()

    return types.void(matrix, row, column, vector), generate


@intrinsic
def prefetch(_typing: Any, matrix: Any, row: Any, column: Any) -> Any:
    """Prefetch the cache line that contains matrix[row, column] into the second-level cache."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        for_reading, second_level, data = number(0), number(2), number(1)
        address = _address(context, builder, signature, arguments)
        builder.call(function, [address, for_reading, second_level, data])
        return context.get_dummy_value()

    return types.void(matrix, row, column), generate


@intrinsic
def add(_typing: Any, a: Any, b: Any) -> Any:
    """Return the sum of two vectors."""
    return a(a, b), lambda _context, builder, _signature, arguments: builder.fadd(*arguments, flags=_FUSE)


@intrinsic
def scale(_typing: Any, _factor: Any, a: Any) -> Any:
    """Return the product of a number and a vector of the same dtype."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        index = ir.IntType(32)
        first = builder.insert_element(ir.Constant(arguments[1].type, ir.Undefined), arguments[0], index(0))
        repeated = builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(index, a.width), None))
        return builder.fmul(repeated, arguments[1], flags=_FUSE)

    return a(a.dtype, a), generate


@intrinsic
def multiply(_typing: Any, a: Any, b: Any) -> Any:
    """Return the elementwise product of two vectors."""
    return a(a, b), lambda _context, builder, _signature, arguments: builder.fmul(*arguments, flags=_FUSE)


@intrinsic
def total(_typing: Any, a: Any) -> Any:
    """Return the sum of the elements of a vector."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _reduced(builder, a, arguments[0])

    return a.dtype(a), generate


@intrinsic
def inner(_typing: Any, a: Any, b: Any) -> Any:
    """Return the inner product of two vectors."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _reduced(builder, a, builder.fmul(*arguments, flags=_REORDER))

    return a.dtype(a, b), generate


def _reduced(builder: Any, kind: Columns, vector: Any) -> Any:
    """Return the sum of the elements of a vector; the order of the additions is not specified."""
    number = vector.type.element
    name = f"llvm.vector.reduce.fadd.v{kind.width}f{kind.dtype.bitwidth}"
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(number, [number, vector.type]), name)
    return builder.call(function, [number(-0.0), vector], fastmath=_REORDER)


def _address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Return a byte pointer to matrix[row, column]; matrix, row and column are the first three of ``arguments``."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    indices = [context.cast(builder, arguments[i], signature.args[i], types.intp) for i in (1, 2)]
    strides = cgutils.unpack_tuple(builder, array.strides, 2)
    row, column = (builder.mul(index, stride) for index, stride in zip(indices, strides, strict=True))
    return builder.gep(builder.bitcast(array.data, ir.IntType(8).as_pointer()), [builder.add(row, column)])
