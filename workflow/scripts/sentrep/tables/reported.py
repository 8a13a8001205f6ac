"""Former names of :mod:`sentrep.tables.published`."""

from sentrep.tables.published import COLUMNS, paper_of, read_all
from sentrep.tables.published import Published as Reported
from sentrep.tables.published import read_published as read_reported

__all__ = ["COLUMNS", "Reported", "paper_of", "read_all", "read_reported"]
