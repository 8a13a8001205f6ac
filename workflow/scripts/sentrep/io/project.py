"""Locate the folder that contains the presets, the sample data and the list of data sources."""

from __future__ import annotations

from pathlib import Path

_LIBRARY = Path(__file__).resolve().parents[1]
_CHECKOUT = _LIBRARY.parents[1]
WORKFLOW = _CHECKOUT if (_CHECKOUT / "sources.tsv").exists() else _LIBRARY / "workflow"
"""The folder ``workflow`` of a checkout, or its copy in the installed package."""
