"""Write pickles as Python 2 did, opcode by opcode, in the format of the files released by the authors."""

import struct

import numpy as np

ARRAY = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\nt"


class Instance:
    """An instance of the old-style class ``module.name`` with attributes."""

    def __init__(self, name, **attributes):
        self.module, _, self.name = name.rpartition(".")
        self.attributes = attributes


class Namespace(Instance):
    """An instance of a new-style class."""


def pickled(value, text=True):
    """Return a complete pickle: of protocol 0, the default of cPickle.dump, or with binary strings."""
    return (b"" if text else b"\x80\x02") + _write(value, text) + b"."


def _write(value, text):  # noqa: PLR0911 - one return statement per type
    if value is None:
        return b"N"
    if isinstance(value, bool):
        return b"I01\n" if value else b"I00\n"
    if isinstance(value, int):
        return b"I%d\n" % value
    if isinstance(value, float):
        return b"F%r\n" % value
    if isinstance(value, bytes):  # a str of Python 2
        return b"S" + repr(value)[1:].encode() + b"\n" if text else b"T" + struct.pack("<i", len(value)) + value
    if isinstance(value, str):  # a unicode string of Python 2
        return b"V" + value.encode("raw_unicode_escape") + b"\n"
    if isinstance(value, tuple):
        return b"(" + b"".join(_write(entry, text) for entry in value) + b"t"
    if isinstance(value, list):
        return b"(l" + b"".join(_write(entry, text) + b"a" for entry in value)
    if isinstance(value, dict):
        return b"(d" + b"".join(_write(key, text) + _write(entry, text) + b"s" for key, entry in value.items())
    if isinstance(value, np.ndarray):
        objects = value.dtype == object
        kind, order, flags = (b"O8", b"|", 63) if objects else (value.dtype.str[1:].encode(), b"<", 0)
        dtype = b"cnumpy\ndtype\n(" + _write((kind, 0, 1), text)[1:] + b"R"
        dtype += _write((3, order, None, None, None, -1, -1, flags), text) + b"b"
        data = list(value) if objects else value.tobytes()
        state = b"(I1\n" + _write(value.shape, text) + dtype + b"I00\n" + _write(data, text) + b"tb"
        return ARRAY + _write(b"b", text) + b"tR" + state
    attributes = _write({key.encode(): entry for key, entry in value.attributes.items()}, text)
    if isinstance(value, Namespace):
        cls = f"c{value.module}\n{value.name}\n".encode()
        return b"ccopy_reg\n_reconstructor\n(" + cls + b"c__builtin__\nobject\nNtR" + attributes + b"b"
    return f"(i{value.module}\n{value.name}\n".encode() + attributes + b"b"
