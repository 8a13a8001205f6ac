"""Former name of :mod:`sentrep.tables.render`."""

from sentrep.tables.render import RENDERERS, latex, markdown, page

__all__ = ["RENDERERS", "latex", "markdown", "page"]
