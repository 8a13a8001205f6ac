"""Locate the folder of data sources, presets and sample data, in a checkout or in the installed package."""

from __future__ import annotations

from pathlib import Path

_LIBRARY = Path(__file__).resolve().parents[1]
_CHECKOUT = _LIBRARY.parents[1]
WORKFLOW = _CHECKOUT if (_CHECKOUT / "sources.tsv").exists() else _LIBRARY / "workflow"
"""Folder of data sources, presets and sample data: ``workflow`` in a checkout, or its copy in the installed package."""
