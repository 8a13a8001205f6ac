"""Former place of :mod:`sentrep.sources.published`."""

from sentrep.sources.published import COLUMNS, Published, paper_of, published_number, read_all, read_published

__all__ = ["COLUMNS", "Published", "paper_of", "published_number", "read_all", "read_published"]
