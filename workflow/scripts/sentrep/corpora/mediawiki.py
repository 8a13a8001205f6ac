"""Stream articles from MediaWiki XML exports (versions 0.3 to 0.11) and JSON-lines files, one article at a time.

In an export, an article is a page that belongs to the main namespace and is not a redirect. Only the last revision of
each page is used. Exports before version 0.6 have no element ``<ns>``. In these exports, a page does not belong to the
main namespace if the prefix of its title is the name of another namespace in ``<siteinfo>``. Articles from exports are
returned as :class:`Wikitext` objects, which contain markup. :mod:`sentrep.corpora.wikitext` removes the markup, usually
in another process.

In a JSON-lines file, each line contains the title and the text of one article. These articles are returned as lists of
paragraphs.

If several articles have the same title, only the first is used. Before titles are compared, they are normalised as in
MediaWiki: underscores become spaces, and the first letter is capitalised.
"""

from __future__ import annotations

import json
import re
import xml.parsers.expat
from array import array
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import IO

from sentrep.corpora.wikitext import paragraphs
from sentrep.errors import SentrepError

_BLOCK = 1 << 18  # bytes of XML parsed at a time
_REDIRECT = re.compile(r"\s*#\s*redirect", re.IGNORECASE)
# For exports without <siteinfo>: the English names of all namespaces except the main one.
_NAMESPACES = frozenset(
    f"{name}{talk}".strip()
    for name in (
        *("", "user", "wikipedia", "file", "image", "mediawiki", "template", "help", "category", "portal", "book"),
        *("draft", "education program", "timedtext", "module", "gadget", "gadget definition", "topic"),
    )
    for talk in ("", " talk")
) - {""} | {"media", "special"}


class Wikitext(list):
    """The wikitext of an article, stored as a list of one string; :func:`finished` converts it to paragraphs."""


class Titles:
    """A set of titles, stored as 64-bit hashes in one array.

    The array takes up 16 to 32 bytes per title, whereas a Python set takes up about 150 bytes. If two titles have the
    same hash, the second title counts as already present, and its article is lost. The probability that this happens
    among ten million titles is three in a million.
    """

    def __init__(self) -> None:
        self._slots = array("Q", bytes(8 << 16))
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, title: str) -> bool:
        """Add a title, and return whether it is new."""
        title = " ".join(title.replace("_", " ").split())
        digest = blake2b((title[:1].upper() + title[1:]).encode("utf-8", "surrogatepass"), digest_size=8).digest()
        value = int.from_bytes(digest, "little") or 1  # 0 marks a free slot
        slot = self._slot(value)
        if self._slots[slot]:
            return False
        self._slots[slot] = value
        self._count += 1
        if self._count * 2 > len(self._slots):
            old, self._slots = self._slots, array("Q", bytes(16 * len(self._slots)))
            for other in filter(None, old):
                self._slots[self._slot(other)] = other
        return True

    def _slot(self, value: int) -> int:
        mask = len(self._slots) - 1
        slot = value & mask
        while self._slots[slot] not in (0, value):
            slot = (slot + 1) & mask
        return slot


def read_articles(members: Iterable[tuple[str, IO[bytes]]]) -> Iterator[list[str]]:
    """Yield one document per article: a :class:`Wikitext` from an XML export, or a list of paragraphs from a JSON line.

    An article is skipped if an earlier article had the same title.

    Args:
        members: name and binary stream of each file. A file with ".xml" in its name is an export. A file with ".jsonl"
            in its name has one JSON object per line, with a "title" and either a list of "paragraphs" or a "text" with
            one paragraph per line. Other files are ignored.

    Raises:
        SentrepError: an XML file is malformed, truncated or not a MediaWiki export, or a line of a JSON-lines file is
            not an article.
    """
    titles = Titles()
    for name, stream in members:
        if ".xml" in name:  # also matches "…articles1.xml-p10p30302"
            for title, wikitext in pages(stream, name):
                if titles.add(title):
                    yield Wikitext([wikitext])
        elif ".jsonl" in name:
            for title, document in _json_articles(stream, name):
                if titles.add(title) and document:
                    yield document


def finished(document: list[str]) -> list[str]:
    """Return the paragraphs of a document, with all markup removed; the list may be empty."""
    return paragraphs(document[0]) if isinstance(document, Wikitext) else document


def pages(stream: IO[bytes], where: str) -> Iterator[tuple[str, str]]:
    """Yield the title and wikitext of each article in a MediaWiki export.

    Args:
        stream: binary stream of the XML file.
        where: name of the file, for error messages.

    Raises:
        SentrepError: the XML is malformed or truncated, or is not a MediaWiki export.
    """
    export = _Export(where)
    while block := stream.read(_BLOCK):
        export.feed(block)
        yield from export.take()
    export.feed(b"", last=True)
    yield from export.take()


class _Export:
    """A parser that collects the articles of one export until :meth:`take` returns them."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._parser = xml.parsers.expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.buffer_size = 1 << 16
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._root = ""
        self._namespaces: set[str] = set()
        self._namespace_key = ""
        self._page: dict[str, str] = {}
        self._text: list[str] = []
        self._articles: list[tuple[str, str]] = []

    def feed(self, block: bytes, *, last: bool = False) -> None:
        try:
            self._parser.Parse(block, last)
        except (xml.parsers.expat.ExpatError, LookupError, ValueError) as error:  # LookupError: unknown encoding
            if last and isinstance(error, xml.parsers.expat.ExpatError):
                inside = f" inside page '{self._page['title']}'" if "title" in self._page else ""
                found = f"the end of the file at line {error.lineno}{inside}"
            else:
                found = f"an error ({error})"
            raise SentrepError(
                self._where,
                expected="a complete and well-formed MediaWiki XML export",
                found=found,
                remedy="download a complete copy, or replace everything after the last </page> with </mediawiki>",
            ) from None

    def take(self) -> list[tuple[str, str]]:
        articles, self._articles = self._articles, []
        return articles

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._root:
            self._root = name
            if name != "mediawiki":
                raise SentrepError(
                    self._where,
                    expected="a MediaWiki XML export, which begins with <mediawiki>",
                    found=f"a file that begins with <{name}>",
                    remedy="check `files` of the corpus in the configuration",
                )
        if name in ("text", "title", "ns", "namespace"):
            self._text = []
            self._parser.CharacterDataHandler = self._text.append
            self._namespace_key = attributes.get("key", "")
        elif name == "page":
            self._page = {}
        elif name == "redirect":
            self._page["redirect"] = "yes"

    def _end(self, name: str) -> None:
        if name in ("text", "title", "ns"):
            self._page[name] = "".join(self._text)
            self._parser.CharacterDataHandler = None
        elif name == "namespace":
            self._parser.CharacterDataHandler = None
            if self._namespace_key != "0":
                self._namespaces.add("".join(self._text).strip().lower())
        elif name == "page":
            page, self._page = self._page, {}
            if page.get("title") and page.get("text") and self._is_article(page):
                self._articles.append((page["title"], page["text"]))

    def _is_article(self, page: dict[str, str]) -> bool:
        if "redirect" in page or _REDIRECT.match(page["text"]):
            return False
        if "ns" in page:
            return page["ns"].strip() == "0"
        prefix, colon, _ = page["title"].partition(":")
        return not colon or prefix.replace("_", " ").strip().lower() not in (self._namespaces or _NAMESPACES)


def _json_articles(stream: IO[bytes], where: str) -> Iterator[tuple[str, list[str]]]:
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        try:
            article = json.loads(line)
            title, body = article["title"], article.get("paragraphs")
            body = article["text"].split("\n") if body is None else body
            # Half of a surrogate pair, written as an escape sequence, is valid JSON but not valid text.
            lines = (paragraph.encode("utf-8", "replace").decode() for paragraph in body)
            document = [squeezed for line in lines if (squeezed := " ".join(line.split()))]
            if not isinstance(title, str) or not isinstance(body, list):
                raise TypeError("a title that is not a string, or paragraphs that are not a list")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            found = f"a malformed line ({type(error).__name__}: {error})"
            raise SentrepError(
                f"{where}:{number}",
                expected='a JSON object with "title" and either "paragraphs" (a list of strings) or "text" (a string)',
                found=f"a line without the key {error}" if isinstance(error, KeyError) else found,
                remedy="correct or delete the line",
            ) from None
        yield title, document
