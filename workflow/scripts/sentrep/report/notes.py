"""Notes that lie beside published results, a README in plain Markdown, as HTML: paragraphs, lists and code."""

from __future__ import annotations

import re

from markupsafe import Markup, escape


def to_html(text: str) -> Markup:
    """Return the paragraphs and lists of a note; its headings and other marks stay as they are written.

    Args:
        text: blocks apart by blank lines; a block whose first line begins with "- " is a list.
    """
    blocks = [block.strip("\n") for block in re.split(r"\n\s*\n", text.strip()) if block.strip()]
    return Markup("\n").join(_block(block) for block in blocks)


def _block(block: str) -> Markup:
    if not block.startswith("- "):
        return Markup("<p>{}</p>").format(_inline(block.lstrip("# ")))
    items = [_inline(item) for item in re.split(r"\n- ", block[2:])]
    return Markup("<ul>{}</ul>").format(Markup("").join(Markup("<li>{}</li>").format(item) for item in items))


def _inline(text: str) -> Markup:
    """Return one line of text; what stands between backticks is code."""
    parts = " ".join(text.split()).split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else escape(part) for place, part in enumerate(parts)
    )
