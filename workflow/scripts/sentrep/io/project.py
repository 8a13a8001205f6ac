"""Paths of the files of this project."""

from __future__ import annotations

from pathlib import Path

_LIBRARY = Path(__file__).resolve().parents[1]
_CHECKOUT = _LIBRARY.parents[1]
WORKFLOW = _CHECKOUT if (_CHECKOUT / "sources.tsv").exists() else _LIBRARY / "workflow"
"""The folder of data sources, presets and sample data: in the checkout, or its copy in an installed package."""
