"""Test the conversion of wiki markup to paragraphs: kept text, skipped blocks, and linear time."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers_mediawiki import MORE, PROSE
from sentrep.corpora.wikitext import paragraphs


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
