"""Where the files of this project lie."""

from __future__ import annotations

from pathlib import Path

_LIBRARY = Path(__file__).resolve().parents[1]
_CHECKOUT = _LIBRARY.parents[1]
WORKFLOW = _CHECKOUT if (_CHECKOUT / "sources.tsv").exists() else _LIBRARY / "workflow"
"""The folder of data sources, presets and sample data: of the checkout, or the copy in an installed package."""
