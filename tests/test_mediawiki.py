"""Articles from MediaWiki exports and jsonl files: which pages count, what text they give, what bad files are told."""

import bz2
import gzip
import io
import json
import lzma
import random
import time
import tracemalloc
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers_corpora import manifest
from sentrep.corpora.mediawiki import Titles, pages, read_articles
from sentrep.corpora.readers import READERS
from sentrep.corpora.sentences import build_sentences
from sentrep.corpora.shards import shard_lines
from sentrep.corpora.wikitext import paragraphs
from sentrep.errors import SentrepError
from sentrep.multistream import open_bz2
from sentrep.sources import SourceFiles

PROSE = "Salt is a mineral that people eat and trade. It is mined in many places of the world, and sea water has it."
MORE = "The second paragraph says more about the matter of salt. It is long enough to count as a running text, too."


def page(title: str, text: str, ns: int | None = None, extra: str = "") -> str:
    space = "" if ns is None else f"<ns>{ns}</ns>"
    return (
        f"<page><title>{escape(title)}</title>{space}<id>1</id>{extra}<revision><id>2</id>"
        f'<contributor><username>Me</username></contributor><comment>no text</comment><text xml:space="preserve">'
        f"{escape(text)}</text></revision></page>\n"
    )


def export(*content: str, version: str = "0.10", namespaces: str = "") -> bytes:
    info = f"<siteinfo><sitename>Wikipedia</sitename><namespaces>{namespaces}</namespaces></siteinfo>"
    root = f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-{version}/" version="{version}" xml:lang="en">'
    return f"{root}{info}{''.join(content)}</mediawiki>".encode()


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
            SentrepError, match=r"dump\.xml: expected a whole and .*, found the end of the file at line"
        ):
            titles(content[:cut])

    def test_truncated_inside_a_page_names_it(self):
        with pytest.raises(SentrepError, match="inside page 'Sea'"):
            titles(export(page("Sea", MORE, 0))[:-40])

    def test_broken(self):
        content = export(page("Salt", PROSE, 0)).replace(b"</title>", b"</titel>")
        with pytest.raises(SentrepError, match=r"dump\.xml: .*found mismatched tag: line 1, column"):
            titles(content)

    @pytest.mark.parametrize("content", [b"<html><body/></html>", b"<rss/>"])
    def test_other_xml(self, content):
        with pytest.raises(SentrepError, match=r"which begins with <mediawiki>, found <(html|rss)>"):
            titles(content)

    @pytest.mark.parametrize("content", [b"", b"no xml"])
    def test_no_xml(self, content):
        with pytest.raises(SentrepError, match="well-formed MediaWiki XML"):
            titles(content)


class TestMarkup:
    @pytest.mark.parametrize(
        ("wikitext", "expected"),
        [
            ("'''Salt''' and ''sea'' and '''''both'''''", "Salt and sea and both"),
            ("''Titanic'''s crew", "Titanic's crew"),
            ("[[salt]] and [[sea water|the sea]]s", "salt and the seas"),
            ("a{{cite|x={{y|z}}|w}} b", "a b"),
            ('a<ref>note {{x}}</ref> b<ref name="n" /> c<ref name=n>[[t]]</ref>', "a b c"),
            ("a<!-- hidden\n\n--> b", "a b"),
            ("a [[File:x.jpg|thumb|A [[sea]] and [http://x.org y]]] b", "a b"),
            ("a [[Image:x.jpg|the ''[[sea]]'' {{y}}]] b [[Category:Salts]]", "a b"),
            ("a [[fr:Sel]]b", "a b"),
            ("see [[:Category:Salts]]", "see Category:Salts"),
            ("a [http://x.org its page] or [https://x.org]", "a its page or"),
            ("H<sub>2</sub>O&nbsp;&ndash; x<br />y", "H2O – x y"),
            ("a <math>x < y</math> b <gallery>\nx.jpg|y\n</gallery> c", "a b c"),
            ("{{convert|5|km|mi|abbr=on}} and {{convert|3|-|5|ft|m}}", "5 km and 3 - 5 ft"),
            ("{{lang|fr|[[sel]]}} {{lang-de|Salz}} {{nowrap|{{convert|1|t}}}}", "sel Salz 1 t"),
            ("Sel ({{IPA|x}}; ) is ( ) it (, or not)", "Sel is it (or not)"),
            ("a __NOTOC__ b\u200b", "a b"),
            ("a <ref> unclosed", "a unclosed"),
            ("one\ntwo", "one two"),
        ],
    )
    def test_inline(self, wikitext, expected):
        assert paragraphs(f"{wikitext} {PROSE}") == [" ".join(f"{expected} {PROSE}".split())]

    @pytest.mark.parametrize(
        "block",
        [
            f"== {PROSE} ==",
            f"* {PROSE}",
            f"# {PROSE}",
            f": {PROSE}",
            f"; {PROSE}",
            "{| class=x\n|-\n| " + PROSE + "\n{| \n| nested\n|}\n|}",
            "{{Infobox\n| text = " + PROSE + "\n| table = {|\n| x\n|}\n|}}",
            f"<table><tr><td>{PROSE}</td></tr></table>",
            f"<!-- {PROSE} -->",
            f"[[File:x.jpg|{PROSE}]]",
            "Too short. Really.",
            "A long line without any end of a sentence, such as a caption or a cell of some table in the article text",
            "{{ a bracket that nobody closes. " + PROSE,
            "| a cell of a table that nobody opened. " + PROSE,
            "a || b. " + PROSE,
        ],
    )
    def test_blocks_that_are_no_prose(self, block):
        assert paragraphs(f"{PROSE}\n\n{block}\n\n{MORE}") == [PROSE, MORE]
        assert paragraphs(block) == []

    def test_paragraphs_stay_paragraphs(self):
        assert paragraphs(f"{PROSE}\n{MORE}\n\n{MORE}\n* list\n{PROSE}") == [f"{PROSE} {MORE}", MORE, PROSE]

    def test_leading_template_and_blanks(self):
        assert paragraphs("{{Infobox|a=\n\n{{b}}}} " + PROSE) == [PROSE]

    @pytest.mark.parametrize(
        "piece",
        [
            "{{",
            "}}",
            "[[",
            "]]",
            "{|\n",
            "\n|}",
            "<ref>",
            "</ref>",
            "<ref",
            "''",
            "(,",
            "[http://",
            "&",
            "<!--",
            ",;: ",
        ],
    )
    def test_time_is_linear(self, piece):
        started = time.perf_counter()
        paragraphs(piece * 60_000 + "}}" * 30_000 + "]]" * 30_000)
        assert time.perf_counter() - started < 5

    @given(st.lists(st.sampled_from(["{{", "}}", "[[", "]]", "|", "{|", "|}", "<ref>", "</ref>", "a", "\n", "'", "="])))
    def test_any_brackets(self, pieces):
        text = "".join(pieces)
        for paragraph in paragraphs(f"{text}\n\n{PROSE}"):
            assert "{{" not in paragraph
            assert "[[" not in paragraph
            assert paragraph == " ".join(paragraph.split())


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
        documents = list(READERS["articles"](self.both()))
        assert documents == [[PROSE], ["one two", "three"], ["four", "five"], [MORE]]

    def test_mediawiki_reads_exports_only(self):
        assert list(READERS["mediawiki"](self.both())) == [[PROSE], [MORE], [MORE]]

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
        build_sentences(sources, "articles", tmp_path / "two", processes=2)  # sentences, cleaned in the workers
        assert len(shard_lines(tmp_path / "two" / "shard-00000.txt.zst")) == 2 + 1 + 2 + 1 + 2 + 1

    def test_articles_without_prose_are_no_documents(self, tmp_path):
        (tmp_path / "a.xml").write_bytes(export(page("A", "* list", 0), page("B", PROSE, 0)))
        meta = build_sentences(manifest(tmp_path, tmp_path / "a.xml"), "mediawiki", tmp_path / "out", unit="paragraph")
        assert (meta["documents"], meta["sentences"]) == (1, 1)

    @pytest.mark.parametrize("unit", ["sentence", "paragraph"])
    def test_truncated_bz2(self, tmp_path, unit):
        noise = random.Random(1).randbytes(100_000).hex()
        path = tmp_path / "dump.xml.bz2"
        path.write_bytes(bz2.compress(export(page("A", PROSE, 0), page("B", noise, 0)))[:-5000])
        with pytest.raises(SentrepError, match=r"dump\.xml\.bz2: expected a whole and readable file, found EOFError"):
            build_sentences(manifest(tmp_path, path), "mediawiki", tmp_path / "out", unit=unit)
        assert not list(tmp_path.glob("*out*"))

    def test_broken_xml_leaves_nothing(self, tmp_path):
        (tmp_path / "dump.xml").write_bytes(export(page("A", PROSE, 0))[:-30])
        with pytest.raises(SentrepError, match=r"dump\.xml: expected a whole and well-formed"):
            build_sentences(manifest(tmp_path, tmp_path / "dump.xml"), "mediawiki", tmp_path / "out")
        assert not list(tmp_path.glob("*out*"))

    def test_unknown_unit(self, tmp_path):
        with pytest.raises(SentrepError, match="did you mean 'paragraph'"):
            build_sentences("m", "mediawiki", tmp_path / "out", unit="paragraphs")


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
    """An export with as many pages as wanted, all with different titles."""

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
    assert peak(4000) < peak(200) + 200_000  # 45 MB of XML and 2 MB


class TestMultistream:
    def streams(self, count: int, size: int = 60_000) -> tuple[bytes, bytes]:
        dice = random.Random(3)
        bodies = [dice.randbytes(size).hex().encode() for _ in range(count)]
        return b"".join(bodies), b"".join(map(bz2.compress, bodies))

    def read(self, path: Path, content: bytes, monkeypatch) -> bytes:
        monkeypatch.setattr("sentrep.multistream._WORTHWHILE", 0)
        path.write_bytes(content)
        with open_bz2(path, threads=3) as stream:
            return b"".join(iter(lambda: stream.read(100_003), b""))

    @pytest.mark.parametrize("block", [1000, 70_000, 1 << 20])
    def test_content(self, tmp_path, monkeypatch, block):
        monkeypatch.setattr("sentrep.multistream._BLOCK", block)
        plain, packed = self.streams(12)
        assert self.read(tmp_path / "x.bz2", packed, monkeypatch) == plain
        assert self.read(tmp_path / "x.bz2", packed + b"trailing garbage", monkeypatch) == plain

    def test_long_stream_after_short_ones(self, tmp_path, monkeypatch):
        monkeypatch.setattr("sentrep.multistream._BLOCK", 10_000)
        monkeypatch.setattr("sentrep.multistream._LONGEST", 150_000)
        plain, packed = self.streams(4)
        long = random.Random(4).randbytes(400_000)
        found = self.read(tmp_path / "x.bz2", packed + bz2.compress(long) + bz2.compress(b"end"), monkeypatch)
        assert found == plain + long + b"end"

    def test_truncated(self, tmp_path, monkeypatch):
        _, packed = self.streams(4)
        with pytest.raises(EOFError, match="end-of-stream"):
            self.read(tmp_path / "x.bz2", packed[:-100], monkeypatch)

    @pytest.mark.parametrize("content", [b"no bz2 at all", b"BZh91AY&SY and then nonsense"])
    def test_no_bz2(self, tmp_path, monkeypatch, content):
        with pytest.raises(OSError, match="Invalid data stream"):
            self.read(tmp_path / "x.bz2", content, monkeypatch)

    def test_empty(self, tmp_path, monkeypatch):
        assert self.read(tmp_path / "x.bz2", bz2.compress(b""), monkeypatch) == b""

    def test_truncated_file_is_named(self, tmp_path, monkeypatch):
        monkeypatch.setattr("os.sched_getaffinity", lambda process: range(8))
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
        monkeypatch.setattr("sentrep.multistream._BLOCK", 5000)
        monkeypatch.setattr("sentrep.multistream._WORTHWHILE", 0)
        body = export(*(page(f"T{i}", PROSE, 0) for i in range(3000)))
        packed = b"".join(bz2.compress(body[i : i + 200_000]) for i in range(0, len(body), 200_000))
        path = tmp_path / "dump.xml.bz2"
        path.write_bytes(packed[:-50])
        with pytest.raises(SentrepError, match=r"dump\.xml\.bz2: .*EOFError"):
            build_sentences(manifest(tmp_path, path), "mediawiki", tmp_path / "out", processes=2)
        path.write_bytes(packed)
        assert build_sentences(manifest(tmp_path, path), "mediawiki", tmp_path / "o2", processes=2)["documents"] == 3000

    def test_left_early(self, tmp_path, monkeypatch):
        self.read(tmp_path / "x.bz2", self.streams(8)[1], monkeypatch)
        with open_bz2(tmp_path / "x.bz2", threads=2) as stream:
            assert len(stream.read(10)) == 10


@pytest.mark.mirror
@pytest.mark.parametrize("name", ["enwik8-first-4MB-2006", "enwiki-2011-sample", "enwiki-first-10k-lines"])
def test_real_fragments(mirror, tmp_path, name):
    path = mirror / "wikipedia" / f"{name}.xml.bz2"
    if not path.exists():
        pytest.skip(f"no {path}")
    members = SourceFiles(manifest(tmp_path, path))
    documents = list(READERS["mediawiki"](members))
    expected = {"enwik8-first-4MB-2006": 248, "enwiki-2011-sample": 25, "enwiki-first-10k-lines": 68}[name]
    assert 0.7 * expected <= len(documents) <= expected  # a few articles are lists only
    text = [paragraph for document in documents for paragraph in document]
    assert sum(map(len, text)) > 2000 * len(documents)
    for mark in ("{{", "}}", "[[", "]]", "<ref", "''", "thumb|", "||", "&nbsp;"):
        assert not any(mark in paragraph for paragraph in text), mark
