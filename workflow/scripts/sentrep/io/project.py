"""Where the files of this project lie."""

from __future__ import annotations

from pathlib import Path

WORKFLOW = Path(__file__).resolve().parents[3]
