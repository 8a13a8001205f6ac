"""Test readers of MediaWiki exports and JSON lines: which pages count as articles, their text, and errors in files."""

import bz2
import gzip
import io
import json
import lzma
import random
import tracemalloc

import pytest

from helpers_corpora import manifest
from helpers_mediawiki import MORE, PROSE, export, page
from sentrep.corpora.mediawiki import Titles, finished, pages, read_articles
from sentrep.corpora.readers import READERS
from sentrep.corpora.sentence_shards import shard_lines
from sentrep.corpora.sentences import build_sentences
from sentrep.errors import SentrepError
from sentrep.sources.archives import SourceFiles


def titles(content: bytes) -> list[str]:
    return [title for title, _ in pages(io.BytesIO(content), "dump.xml")]


class TestPages:
    @pytest.mark.parametrize("version", [f"0.{n}" for n in range(3, 12)])
    def test_every_export_version(self, version):
        ns = None if version < "0.6" and len(version) == 3 else 0
        talk = None if ns is None else 1
        content = export(
            page("Salt", PROSE, ns),
            page("Talk:Salt", PROSE, talk),
            page("2001: A Space Odyssey", PROSE, ns),
            page("Old", "#redirect [[Salt]]", ns),
            version=version,
        )
        assert titles(content) == ["Salt", "2001: A Space Odyssey"]

    def test_namespaces_of_the_export_itself(self):
        listed = '<namespace key="0" /><namespace key="1">Diskussion</namespace>'
        content = export(page("Diskussion:Salz", PROSE), page("Talk:Salz", PROSE), namespaces=listed)
        assert titles(content) == ["Talk:Salz"]

    def test_redirects(self):
        content = export(
            page("A", PROSE, 0, '<redirect title="B" />'),
            page("B", "  #REDIRECT[[A]]", 0),
            page("C", "# Redirect [[A]]", 0),
            page("D", "An article about #redirect.", 0),
            page("E", "", 0),
        )
        assert titles(content) == ["D"]

    def test_last_revision_counts(self):
        first, last = "<revision><text>old</text></revision>", "<revision><text>new &amp; last</text></revision>"
        content = export(f"<page><title>A</title><ns>0</ns>{first}{last}</page>")
        assert list(pages(io.BytesIO(content), "x")) == [("A", "new & last")]

    def test_no_root_name_space_and_nothing_inside(self):
        assert titles(b"<mediawiki></mediawiki>") == []

    @pytest.mark.parametrize("cut", [100, 600, -20, -5])
    def test_truncated(self, cut):
        content = export(page("Salt", PROSE, 0), page("Sea", MORE * 10, 0))
        with pytest.raises(
            SentrepError, match=r"dump\.xml: expected a complete and .*, found the end of the file at line"
        ):
            titles(content[:cut])

    def test_truncated_inside_a_page_names_it(self):
        with pytest.raises(SentrepError, match="inside page 'Sea'"):
            titles(export(page("Sea", MORE, 0))[:-40])

    def test_broken(self):
        content = export(page("Salt", PROSE, 0)).replace(b"</title>", b"</titel>")
        with pytest.raises(SentrepError, match=r"dump\.xml: .*found an error \(mismatched tag: line 1, column"):
            titles(content)

    @pytest.mark.parametrize("content", [b"<html><body/></html>", b"<rss/>"])
    def test_other_xml(self, content):
        with pytest.raises(
            SentrepError, match=r"which begins with <mediawiki>, found a file that begins with <(html|rss)>"
        ):
            titles(content)

    @pytest.mark.parametrize("content", [b"", b"no xml"])
    def test_no_xml(self, content):
        with pytest.raises(SentrepError, match="well-formed MediaWiki XML"):
            titles(content)


class TestArticles:
    def both(self) -> list[tuple[str, io.BytesIO]]:
        lines = [
            {"title": "Sea water", "paragraphs": ["one  two", " ", "three"]},
            {"title": "salt", "paragraphs": ["the same title as in the export"]},
            {"title": "Lines", "text": "four\n\nfive\n"},
            {"title": "Empty", "paragraphs": []},
        ]
        body = "\n".join(map(json.dumps, lines)) + "\n\n"
        return [
            ("dump.xml-p10p20", io.BytesIO(export(page("Salt", PROSE, 0), page("Salt", MORE, 0)))),
            ("a.jsonl", io.BytesIO(body.encode())),
            ("again.xml", io.BytesIO(export(page("Sea_water", MORE, 0), page("Ore", MORE, 0)))),
            ("SOURCES.tsv", io.BytesIO(b"passed over")),
        ]

    def test_a_mix_of_files(self):
        documents = list(filter(None, map(finished, READERS["articles"](self.both()))))
        assert documents == [[PROSE], ["one two", "three"], ["four", "five"], [MORE]]

    @pytest.mark.parametrize(
        "line",
        [
            *("no json", "[1]", "null", '{"title": "x"}', '{"title": 1, "paragraphs": []}'),
            *('{"title": "x", "paragraphs": "text"}', '{"title": "x", "paragraphs": [1]}'),
        ],
    )
    def test_wrong_line(self, line):
        members = [("a.jsonl", io.BytesIO(b'{"title": "a", "paragraphs": ["b"]}\n' + line.encode()))]
        with pytest.raises(SentrepError, match=r'a\.jsonl:2: expected a JSON object with "title"'):
            list(read_articles(members))

    def test_half_a_surrogate_pair(self):
        members = [("a.jsonl", io.BytesIO(b'{"title": "\\ud800", "paragraphs": ["b \\ud800"]}'))]
        assert list(read_articles(members)) == [["b ?"]]

    def test_compressed_files_through_build_sentences(self, tmp_path):
        (tmp_path / "a.xml.bz2").write_bytes(bz2.compress(export(page("Salt", PROSE, 0))))
        (tmp_path / "b.xml.gz").write_bytes(gzip.compress(export(page("Sea", MORE, 0))))
        line = json.dumps({"title": "Ore", "paragraphs": ["Ore is dug.", "And sold."]})
        (tmp_path / "c.jsonl.xz").write_bytes(lzma.compress(line.encode()))
        sources = manifest(tmp_path, *sorted(tmp_path.glob("*.*")))
        meta = build_sentences(sources, "articles", tmp_path / "out", unit="paragraph", normalisation="paper")
        expected = [PROSE, "", MORE, "", "ore is dug", "and sold", "", ""]
        shard = shard_lines(tmp_path / "out" / "shard-00000.txt.zst")
        assert shard == [line.lower().replace(".", "").replace(",", "") for line in expected[:-1]]
        assert (meta["documents"], meta["sentences"]) == (3, 4)
        # the sentences are cleaned in the worker processes
        build_sentences(sources, "articles", tmp_path / "two", processes=2)
        assert len(shard_lines(tmp_path / "two" / "shard-00000.txt.zst")) == 2 + 1 + 2 + 1 + 2 + 1

    def test_articles_without_prose_are_no_documents(self, tmp_path):
        (tmp_path / "a.xml").write_bytes(export(page("A", "* list", 0), page("B", PROSE, 0)))
        meta = build_sentences(manifest(tmp_path, tmp_path / "a.xml"), "articles", tmp_path / "out", unit="paragraph")
        assert (meta["documents"], meta["sentences"]) == (1, 1)

    @pytest.mark.parametrize("unit", ["sentence", "paragraph"])
    def test_truncated_bz2(self, tmp_path, unit):
        noise = random.Random(1).randbytes(100_000).hex()
        path = tmp_path / "dump.xml.bz2"
        path.write_bytes(bz2.compress(export(page("A", PROSE, 0), page("B", noise, 0)))[:-5000])
        with pytest.raises(
            SentrepError, match=r"dump\.xml\.bz2: expected a complete and readable file, found .*\(EOFError"
        ):
            build_sentences(manifest(tmp_path, path), "articles", tmp_path / "out", unit=unit)
        assert not list(tmp_path.glob("*out*"))

    def test_broken_xml_leaves_nothing(self, tmp_path):
        (tmp_path / "dump.xml").write_bytes(export(page("A", PROSE, 0))[:-30])
        with pytest.raises(SentrepError, match=r"dump\.xml: expected a complete and well-formed"):
            build_sentences(manifest(tmp_path, tmp_path / "dump.xml"), "articles", tmp_path / "out")
        assert not list(tmp_path.glob("*out*"))

    def test_unknown_unit(self, tmp_path):
        with pytest.raises(SentrepError, match="did you mean 'paragraph'"):
            build_sentences("m", "articles", tmp_path / "out", unit="paragraphs")


class TestTitles:
    def test_same_title(self):
        found = Titles()
        assert found.add("sea water")
        assert not found.add("Sea_water")
        assert not found.add(" Sea  water ")
        assert found.add("Sea Water")

    def test_growth(self):
        found = Titles()
        assert all(found.add(f"t{i}") for i in range(100_000))
        assert not any(found.add(f"t{i}") for i in range(0, 100_000, 7))
        assert len(found) == 100_000


class Endless(io.RawIOBase):
    """A file-like export with a given number of pages, all with different titles."""

    def __init__(self, count: int) -> None:
        self._parts = self._pages(count)

    def _pages(self, count: int):
        yield b"<mediawiki>"
        for number in range(count):
            yield page(f"Title {number}", PROSE * 100, 0).encode()
        yield b"</mediawiki>"

    def read(self, size: int = -1) -> bytes:
        return next(self._parts, b"")


def test_memory_does_not_grow_with_the_export():
    def peak(count: int) -> int:
        tracemalloc.start()
        assert sum(1 for _ in read_articles([("dump.xml", Endless(count))])) == count
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak(10)
    assert peak(4000) < peak(200) + 200_000  # the larger export has 45 MB of XML, the smaller one 2 MB


@pytest.mark.mirror
@pytest.mark.parametrize("name", ["enwik8-first-4MB-2006", "enwiki-2011-sample", "enwiki-first-10k-lines"])
def test_real_fragments(mirror, tmp_path, name):
    path = mirror / "wikipedia" / f"{name}.xml.bz2"
    if not path.exists():
        pytest.skip(f"no {path}")
    members = SourceFiles(manifest(tmp_path, path))
    documents = list(filter(None, map(finished, READERS["articles"](members))))
    expected = {"enwik8-first-4MB-2006": 248, "enwiki-2011-sample": 25, "enwiki-first-10k-lines": 68}[name]
    assert 0.7 * expected <= len(documents) <= expected  # a few articles consist only of lists
    text = [paragraph for document in documents for paragraph in document]
    assert sum(map(len, text)) > 2000 * len(documents)
    for mark in ("{{", "}}", "[[", "]]", "<ref", "''", "thumb|", "||", "&nbsp;"):
        assert not any(mark in paragraph for paragraph in text), mark
