"""Test the tokenisers against a reference and hand-written token lists, and the error for an unknown name."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers_corpora import kenter_reference
from sentrep.corpora.tokenisers import (
    PUNCTUATION_TOKENS,
    STRIPPED,
    TOKENISERS,
    kenter,
    nltk,
    tokeniser,
    treebank,
    treebank_reference,
    whitespace,
)
from sentrep.errors import SentrepError

NASTY = Path(__file__).parent / "data" / "nasty_sentences.txt"

# These were derived by hand from the description of the rules, so that they also check the reference.
BY_HAND = {
    "": [],
    "?!?!": [],
    ":-/": [],
    "Π": [],  # the text is lower-cased first, and the lower-case letter is stripped
    "π≈3.14": ["3.14"],
    "and//or": ["and", "or"],
    "a / b": ["a", "b"],
    "http://example.org": ["http", "example.org"],
    "https://www.example.org/a/b?c=d&e=f#g": ["https", "www.example.org", "a", "b?c=d&e=f#g"],
    'He said, "She said, \'He said "no".\'"': ["he", "said", "she", "said", "he", "said", "no"],
    "rock 'n' roll": ["rock", "n", "roll"],
    "O'Neill's house": ["o'neill's", "house"],
    "U.S.A.'s": ["u.s.a.'s"],
    "the U.S., the U.K. and the U.N.": ["the", "u.s", "the", "u.k", "and", "the", "u.n"],
    "wait...what": ["wait...what"],
    "...and then…": ["and", "then"],
    "($5.00)": ["$5.00"],
    "100%.": ["100%"],
    "Q & A": ["q", "&", "a"],
    "@_handle_": ["@_handle"],  # "@" is kept and protects the characters after it
    "#tag_with_underscores_": ["tag_with_underscores"],
    "underscores__inside": ["underscores__inside"],
    "|a|b|c|": ["|a|b|c|"],
    "-well-known-": ["well-known"],
    "if (a[i] != b[j]) { return -1; }": ["if", "a[i", "b[j", "{", "return", "1", "}"],
    '{"key": "value", "n": [1, 2, 3]}': ['{"key', "value", "n", "1", "2", "3]}"],
    "¯\\_(ツ)_/¯": ["ツ"],
    "ﬁsh": ["sh"],  # the class of symbols in the released code includes the two ligatures
    "oﬃce": ["oﬃce"],
    "ΣΟΦΟΣ.": ["σοφος"],  # lower-casing sees the full stop and gives a final sigma
    "ΑΣ/ΑΣ": ["ας", "ας"],  # two words, each of which ends in a final sigma
    "STRASSE STRAẞE": ["strasse", "straße"],
    "İ": ["i\u0307"],
    "ＡＢＣ．": ["ａｂｃ．"],
    "100\u00a0000\u202f€": ["100", "000", "€"],
    "\u2009.thin.\u2009": ["thin"],
    # this character is neither whitespace nor punctuation, so the full stops are kept
    "\u200b.x.\u200b": ["\u200b.x.\u200b"],
    "dots...\u0085...dots": ["dots", "dots"],
    "don\u0092t": ["don\u0092t"],
    ".\u2028.\u2029.": [],
    "\t \u00a0\u2009\u3000 \t": [],
    # All characters of the stripped class except "/", written out again, and some characters that are not in it.
    "‘’‛“”„‟«»…x.,[];:-\"'?!¡¢∞§¶•ª≠∑´®†¨^π": ["x"],
    "ƒ©˙∆˚¬≈√∫~⁄™‹›ﬁﬂx‡°·±—‚‰∏`◊ˆ¯˘¿÷*()<>=+#\\_–": ["x"],
    "@x% &y& $z$ {w} |v| ×u× →t→ ―s― −r− ′q′": [
        "@x%",
        "&y&",
        "$z$",
        "{w}",
        "|v|",
        "×u×",
        "→t→",
        "―s―",
        "−r−",
        "′q′",
    ],
}


def nasty_lines() -> list[str]:
    """Split at line feeds only, because some lines contain characters at which ``str.splitlines`` would split."""
    text = NASTY.read_bytes().decode("utf-8")
    assert text.endswith("\n")
    assert "\r" not in text
    return text[:-1].split("\n")


def test_nasty_file_is_large_and_nasty():
    lines = nasty_lines()
    assert len(lines) >= 300
    assert len(set(lines)) == len(lines)
    text = "".join(lines)
    assert set(STRIPPED) <= set(text)
    assert set("\t\x0b\x0c\x1c\x85\x92\xa0\u2009\u200b\u2028\u2029\u3000\ufeff") <= set(text)
    assert max(map(len, lines)) >= 3000


def test_kenter_equals_reference_on_nasty_lines():
    wrong = [line for line in nasty_lines() if kenter(line) != kenter_reference(line)]
    assert wrong == []


@pytest.mark.parametrize(("text", "tokens"), BY_HAND.items(), ids=ascii)
def test_kenter_and_reference_by_hand(text, tokens):
    assert kenter(text) == tokens
    assert kenter_reference(text) == tokens


def test_by_hand_cases_are_in_the_nasty_file():
    assert set(BY_HAND) - set(nasty_lines()) == set()


@given(st.text())
@settings(deadline=None)
def test_kenter_equals_reference_on_any_text(text):
    assert kenter(text) == kenter_reference(text)


@given(st.text(alphabet=STRIPPED + "aAΣΠİ\u0307{|@ \t\n\r\x85\xa0\u2028\u200b"))
@settings(deadline=None, max_examples=300)
def test_kenter_equals_reference_on_punctuation_soup(text):
    assert kenter(text) == kenter_reference(text)


@given(st.text(alphabet=STRIPPED + "aAΣİ{@ \n\xa0"))
@settings(deadline=None)
def test_kenter_tokens_keep_the_rule(text):
    for token in kenter(text):
        assert token
        assert not re.search(r"[\s/]", token)
        assert token[0] not in STRIPPED
        assert token[-1] not in STRIPPED


def test_carriage_return_is_white_space():
    assert kenter("One.\r\nTwo!\r") == kenter_reference("One.\r\nTwo!\r") == ["one", "two"]


def test_whitespace_keeps_case_and_drops_bare_punctuation():
    line = "`` Do n't , '' she said : Go ; now ! - _ ? . ... -- ( O'Neill )"
    assert whitespace(line) == ["Do", "n't", "she", "said", "Go", "now", "...", "--", "(", "O'Neill", ")"]
    assert whitespace(" ".join(sorted(PUNCTUATION_TOKENS))) == []
    assert whitespace(" \t\u00a0") == []


def test_nltk_splits_contractions_and_drops_bare_punctuation():
    assert nltk("\"Don't go,\" she said; it's late!") == [
        "do",
        "n't",
        "go",
        "she",
        "said",
        "it",
        "'s",
        "late",
    ]
    assert nltk("Well - yes, no?") == ["well", "yes", "no"]
    assert nltk("(He can't.)") == ["(", "he", "ca", "n't", ")"]  # brackets are not in the set of punctuation
    assert nltk("") == []


@pytest.mark.parametrize("name", ["whitespace", "nltk"])
def test_no_bare_punctuation_from_the_others(name):
    split = tokeniser(name)
    for line in nasty_lines():
        assert PUNCTUATION_TOKENS.isdisjoint(split(line)), line


@pytest.mark.parametrize("name", TOKENISERS)
def test_tokeniser_by_name(name):
    assert tokeniser(name) is TOKENISERS[name]


@pytest.mark.parametrize(
    ("name", "near"), [("kentr", "kenter"), ("nlkt", "nltk"), ("white_space", "whitespace"), ("NLTK", None)]
)
def test_unknown_name_offers_the_nearest(name, near):
    with pytest.raises(SentrepError) as error:
        tokeniser(name)
    text = str(error.value)
    assert f"'{name}'" in text
    assert "\n" not in text
    assert (f"did you mean '{near}'?" if near else f"use one of {', '.join(sorted(TOKENISERS))}") in text


# Characters to which the rules of NLTK's tokeniser refer, and words.
MARKS = "\"|'|''|``|`|.|..|...|,|:|;|?|!|(|)|[|]|{|}|<|>|--|-|“|”|’|‘|»|«|*|%|$|@|&|—|_"
WORDS = "n't|'s|'S|'ll|'re|'d|'m|'tis|'twas|cannot|Wanna|gonna|gimme|more'n|d'ye|lemme|Mr.|U.S.|3.5|2,000|a|é|x"
SCRAPS = [*MARKS.split("|"), *WORDS.split("|"), *[" "] * 20]


def test_treebank_equals_nltk_on_nasty_lines():
    for line in nasty_lines():
        for text in (line, " ".join(line.split())):
            assert treebank(text) == treebank_reference(text), text


@given(st.lists(st.sampled_from([*SCRAPS, "\t", "\u00a0"]), max_size=16))
@settings(deadline=None, max_examples=1500)
def test_treebank_equals_nltk_on_scraps(scraps):
    text = "".join(scraps)
    assert treebank(text) == treebank_reference(text)
    assert treebank(" ".join(text.split())) == treebank_reference(" ".join(text.split()))


@given(st.text())
@settings(deadline=None)
def test_treebank_equals_nltk_on_any_text(text):
    assert treebank(text) == treebank_reference(text)


def test_nltk_is_imported_without_scikit_learn_and_scipy_statistics():
    code = (
        "import sys; from sentrep.corpora.nltk_classes import PorterStemmer; "
        "loaded = [m for m in ('sklearn', 'scipy.stats') if m in sys.modules]; "
        "import scipy.stats, sklearn; print(loaded, PorterStemmer().stem('running'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[] run\n"
