"""Locate the files that belong to this project."""

from __future__ import annotations

from pathlib import Path

_LIBRARY = Path(__file__).resolve().parents[1]
_CHECKOUT = _LIBRARY.parents[1]
WORKFLOW = _CHECKOUT if (_CHECKOUT / "sources.tsv").exists() else _LIBRARY / "workflow"
"""Folder of the data sources, presets and sample data: ``workflow`` in the checkout, or its copy in the package."""
