"""Format numbers as text, for example for the cells of tables."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal

import numpy as np


def fixed(value: float, digits: int, leading_zero: bool = True) -> str:
    """Format a number with a fixed number of decimals, rounding half away from zero; return "" for NaN.

    Args:
        value: number to format.
        digits: number of decimals.
        leading_zero: if False, omit the zero before the decimal point, as is usual for correlations (``.4379``).
    """
    if math.isnan(value):
        return ""
    # A mean such as 2.35 may be stored as 2.3499999..., so it is rounded to 10 decimals first.
    exact = Decimal(repr(round(float(value), 10))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = f"{abs(exact):f}"
    if not leading_zero:
        text = text.removeprefix("0")
    return f"-{text}" if exact < 0 else text


def signed(value: float, digits: int, leading_zero: bool = True) -> str:
    """Format a difference like :func:`fixed`, but with a plus sign if the rounded difference is positive."""
    text = fixed(value, digits, leading_zero)
    return text if not text.strip("0.") or text.startswith("-") else f"+{text}"


def compact(value: float, digits: int | None = None) -> str:
    """Format a number with ``digits`` significant digits (None for all digits); return "" for NaN."""
    if math.isnan(value):
        return ""
    if digits is not None:
        return np.format_float_positional(value, digits, unique=False, fractional=False, trim="-")
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def seconds(value: float) -> str:
    """Format a time in seconds with one decimal (two below 1 s and six below 0.01 s); return "" for NaN."""
    if math.isnan(value):
        return ""
    return f"{value:,.1f}" if value >= 1 else f"{value:.2f}" if value >= 0.01 else f"{value:.6f}"
