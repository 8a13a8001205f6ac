"""Test the steps from source files to a token store: readers, sentences, vocabulary and ids."""

import bz2
import io
import json
import random
import tarfile
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers_corpora import manifest
from helpers_store import make_store, words_of
from sentrep.corpora.build_store import build_store
from sentrep.corpora.frequencies import document_frequencies
from sentrep.corpora.mediawiki import finished, read_articles
from sentrep.corpora.readers import book_paragraphs
from sentrep.corpora.sentence_shards import shard_documents, write_shard
from sentrep.corpora.sentences import build_sentences
from sentrep.corpora.store import TokenStore, id_type
from sentrep.corpora.tokenisers import PUNCTUATION_TOKENS, tokeniser
from sentrep.errors import SentrepError
from sentrep.sources.archives import SourceFiles


def store_of(folder: Path, text: str, processes: int = 1, **settings: object) -> TokenStore:
    """Build a store from one file of sentences, in which empty lines separate documents."""
    source = folder / "text.txt"
    source.write_text(text, encoding="utf-8")
    build_sentences(manifest(folder, source), "sentences", folder / "sentences", processes=processes)
    build_store(folder / "sentences", folder / "store", processes=processes, **settings)
    return TokenStore.open(folder / "store")


def expected_store(text: str, name: str, minimum_count: int) -> tuple[list[tuple[str, int]], list[list[list[str]]]]:
    """Build the same with simple code: the vocabulary with counts, and documents as lists of sentences."""
    cut = tokeniser(name)
    documents = [[cut(line) for line in block.split("\n") if line.split()] for block in text.split("\n\n")]
    documents = [document for document in documents if document]
    counts = Counter(word for document in documents for sentence in document for word in sentence)
    kept = {w: c for w, c in counts.items() if c >= minimum_count and w not in PUNCTUATION_TOKENS}
    ordered = sorted(kept.items(), key=lambda item: (-item[1], item[0]))
    return ordered, [[[w for w in s if w in kept] for s in document] for document in documents]


def check(store: TokenStore, text: str, name: str, minimum_count: int) -> None:
    vocabulary, documents = expected_store(text, name, minimum_count)
    assert list(zip(store.vocabulary, store.counts.tolist(), strict=True)) == vocabulary
    assert store.n_documents == len(documents)
    found = [
        [words_of(store, s) for s in range(first, last)]
        for first, last in zip(store.document_offsets, store.document_offsets[1:], strict=False)
    ]
    assert found == documents


TEXT = "\n".join(["the cat sat", "The dog and/or the cat .", "zzz", "", "a cat!", "dog the", "", "", "the end"] * 3)


@pytest.mark.parametrize("name", ["kenter", "whitespace", "nltk"])
def test_store_equals_the_plain_way(tmp_path, name):
    check(store_of(tmp_path, TEXT, tokeniser_name=name, minimum_count=4), TEXT.replace("\n\n\n", "\n\n"), name, 4)


def test_nasty_sentences(tmp_path, nasty_sentences):
    text = "\n".join(" ".join(line.split()) for line in nasty_sentences if line.split())
    for name in ("kenter", "whitespace", "nltk"):
        folder = tmp_path / name
        folder.mkdir()
        check(store_of(folder, text, tokeniser_name=name, minimum_count=1), text, name, 1)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from(["a", "b", "c/d", "E.", "--", "f", ""]), min_size=1, max_size=5),
        min_size=1,
        max_size=30,
    )
)
def test_random_documents(tmp_path_factory, lines):
    text = "\n".join(" ".join(words).strip() for words in lines) + "\na a\n"
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    check(store_of(tmp_path_factory.mktemp("s"), text, minimum_count=1), text, "kenter", 1)


def test_processes_make_no_difference(tmp_path):
    dice = random.Random(1)
    words = [f"w{i}" for i in range(3000)]
    lines = [" ".join(dice.choices(words, k=30)) for _ in range(60_000)]  # enough text for several shards
    text = "\n\n".join("\n".join(lines[i : i + 100]) for i in range(0, len(lines), 100))
    stores = []
    for processes in (1, 2):
        folder = tmp_path / str(processes)
        folder.mkdir()
        stores.append(store_of(folder, text, processes, minimum_count=2))
    assert len(list((tmp_path / "1" / "sentences").glob("shard-*"))) > 1
    for name in ("ids", "sentence_offsets", "document_offsets", "vocabulary"):
        assert np.array_equal(getattr(stores[0], name), getattr(stores[1], name))
    check(stores[0], text, "kenter", 2)


@pytest.mark.parametrize("shards", [9, 13, 16])
@pytest.mark.parametrize("fraction", [1.0, 0.5])
def test_batches_of_shards_hold_everything_once(tmp_path, shards, fraction):
    """This includes numbers of shards that are not a multiple of the batch size."""
    documents = [[f"w{i % 7} w{i} x" for i in range(40 * d, 40 * d + 40)] for d in range(8 * shards)]
    texts = ["\n".join(lines) + "\n\n" for lines in documents]
    store_of(tmp_path, "".join(texts))  # only for the meta.json of the folder
    for shard in range(shards):
        write_shard(tmp_path / "sentences", shard, "".join(texts[8 * shard : 8 * shard + 8]))
    build_store(tmp_path / "sentences", tmp_path / "many", fraction=fraction, minimum_count=1)
    kept = texts if fraction == 1 else texts[1::2]
    check(TokenStore.open(tmp_path / "many"), "".join(kept).removesuffix("\n\n"), "kenter", 1)


def test_long_document_goes_on_over_shards(tmp_path):
    text = "\n".join(f"sentence number {i} of one document" for i in range(120_000))
    store = store_of(tmp_path, text, minimum_count=2)
    assert (store.n_documents, store.n_sentences) == (1, 120_000)


def test_fraction_takes_evenly_spaced_documents(tmp_path):
    text = "\n\n".join(f"doc{i} doc{i}\ndoc{i}" for i in range(100))
    store = store_of(tmp_path, text, minimum_count=1, fraction=0.25)
    assert sorted(store.vocabulary) == sorted(f"doc{i}" for i in range(3, 100, 4))
    assert (store.n_documents, store.n_sentences) == (25, 50)


def test_fraction_of_few_documents_takes_their_beginnings(tmp_path):
    text = "\n".join(f"first{i}" for i in range(8)) + "\n\n" + "\n".join(f"second{i}" for i in range(4))
    store = store_of(tmp_path, text, minimum_count=1, fraction=0.5)
    assert sorted(store.vocabulary) == ["first0", "first1", "first2", "first3", "second0", "second1"]


def test_ids_never_wrap(tmp_path):
    assert id_type(65_536) == np.uint16
    assert id_type(65_537) == np.uint32
    text = "\n".join(f"w{i}" for i in range(70_000))
    store = store_of(tmp_path, text, minimum_count=1)
    assert store.ids.dtype == np.uint32
    assert sorted(store.ids.tolist()) == list(range(70_000))


def test_maximum_words(tmp_path):
    store = store_of(tmp_path, "a a a\nb b\nc c\nd", minimum_count=1, maximum_words=2)
    assert store.vocabulary == ["a", "b"]  # "b" comes before "c", because ties are ordered by word
    assert [len(words_of(store, s)) for s in range(4)] == [3, 2, 0, 0]


def test_all_tokens_are_kept_for_networks(tmp_path):
    text = "The dog , the Dog . \nthe rare dog ran .\n\nrarer , ,\n"
    store = store_of(tmp_path, text, tokeniser_name="treebank", minimum_count=2, keep_all_tokens=True)
    assert store.vocabulary == [",", ".", "dog", "the", "<unk>"]
    assert store.counts.tolist() == [3, 2, 2, 2, 5]  # The, Dog, rare, ran, rarer
    assert store.unknown_id == 4
    assert [words_of(store, i) for i in range(store.n_sentences)] == [
        ["<unk>", "dog", ",", "the", "<unk>", "."],
        ["the", "<unk>", "dog", "<unk>", "."],
        ["<unk>", ",", ","],
    ]


def test_no_frequent_word(tmp_path):
    with pytest.raises(SentrepError, match=r"expected words that occur 9 times.*minimum_count"):
        store_of(tmp_path, "a b c", minimum_count=9)
    assert not (tmp_path / "store").exists()


def test_incomplete_copy_of_a_known_corpus(tmp_path):
    (tmp_path / "t.txt").write_text("a b\nc d\n")
    with pytest.raises(SentrepError, match=r"test: expected 3 sentences, found 2 sentences; .*_sentences: null"):
        build_sentences(manifest(tmp_path, tmp_path / "t.txt"), "sentences", tmp_path / "out", expected_sentences=3)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("content", [b"", b"\n\n \n"])
def test_empty_corpus(tmp_path, content):
    (tmp_path / "t.txt").write_bytes(content)
    with pytest.raises(SentrepError, match="found an empty corpus"):
        build_sentences(manifest(tmp_path, tmp_path / "t.txt"), "sentences", tmp_path / "out")
    assert not (tmp_path / "out").exists()


class TestReaders:
    def test_paragraph_per_line(self):
        text = "A long paragraph " * 10 + "\nSecond  one.\n"
        assert book_paragraphs(text) == [("A long paragraph " * 10).strip(), "Second one."]

    def test_hard_wrapped(self):
        assert book_paragraphs("It was\na dark night.\n\nHe\nslept.\n") == ["It was a dark night.", "He slept."]

    def test_gutenberg_header_and_licence(self):
        body = "Real text here.\n\nMore of it."
        mark = "*** {} OF THE PROJECT GUTENBERG EBOOK X ***"
        text = f"Title\n{mark.format('START')}\n{body}\n{mark.format('END')}\nLicence"
        assert book_paragraphs(text) == ["Real text here.", "More of it."]

    def test_mediawiki(self):
        prose = (
            "'''Salt''' is a [[mineral|mineral]] that people eat and trade. It is mined in many places of the world."
        )
        item = "* a list item that is long enough. But no prose, so it goes, however long it is."
        talk = "Talk about salt is in another namespace. It is not an article. It is left out of the corpus."
        page = "<page><title>{}</title><ns>{}</ns><id>1</id><revision><id>2</id><text>{}</text></revision></page>"
        pages = [
            page.format("Salt", 0, f"{prose}&lt;ref>x&lt;/ref>\n\n== Heading ==\n{item}"),
            page.format("Salt", 0, "A duplicate title of which nothing may be kept. It would count twice. It is out."),
            page.format("NaCl", 0, "#REDIRECT [[Salt]]"),
            page.format("Talk:Salt", 1, talk),
        ]
        xml = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/">' + "".join(pages) + "</mediawiki>"
        documents = [finished(d) for d in read_articles([("dump.xml", io.BytesIO(xml.encode()))])]
        assert documents == [["Salt is a mineral that people eat and trade. It is mined in many places of the world."]]


class TestSources:
    def content(self, path: Path) -> dict[str, bytes]:
        return {name: stream.read() for name, stream in SourceFiles(manifest(path.parent, path))}

    def test_members_of_every_kind(self, tmp_path):
        (tmp_path / "plain.txt").write_bytes(b"x")
        (tmp_path / "packed.txt.bz2").write_bytes(bz2.compress(b"x"))
        with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
            archive.writestr("in/a.txt", "x")
        with tarfile.open(tmp_path / "t.tar.xz", "w:xz") as archive:
            archive.add(tmp_path / "plain.txt", "b.txt")
        assert self.content(tmp_path / "plain.txt") == {"plain.txt": b"x"}
        assert self.content(tmp_path / "packed.txt.bz2") == {"packed.txt": b"x"}
        assert self.content(tmp_path / "z.zip") == {"in/a.txt": b"x"}
        assert self.content(tmp_path / "t.tar.xz") == {"b.txt": b"x"}

    @pytest.mark.parametrize(
        "name", ["books.tar.xz", "books.tar.gz", "books.tar.bz2", "text.txt.bz2", "text.txt.gz", "b.zip"]
    )
    def test_truncated_archive(self, tmp_path, name):
        body = tmp_path / "novel.txt"
        body.write_bytes(random.Random(0).randbytes(200_000).hex().encode())
        path = tmp_path / name
        if ".tar" in name:
            with tarfile.open(path, f"w:{name.rpartition('.')[2]}") as archive:
                archive.add(body, "novel.txt")
        elif name.endswith(".zip"):
            with zipfile.ZipFile(path, "w") as archive:
                archive.write(body, "novel.txt")
        else:
            import gzip

            packer = bz2.compress if name.endswith("bz2") else gzip.compress
            path.write_bytes(packer(body.read_bytes()))
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        with pytest.raises(SentrepError, match=f"{name}: expected a complete and readable file.*download it again"):
            build_sentences(manifest(tmp_path, path), "sentences", tmp_path / "out")
        assert not (tmp_path / "out").exists()
        assert not list(tmp_path.glob(".out*"))

    def test_missing_file(self, tmp_path):
        path = tmp_path / "gone.txt"
        path.write_text("x")
        listed = manifest(tmp_path, path)
        path.unlink()
        with pytest.raises(SentrepError, match=r"gone\.txt: expected a source file, found no file"):
            build_sentences(listed, "sentences", tmp_path / "out")


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.integers(0, 9), max_size=8), min_size=1, max_size=12), st.sampled_from([10, 70_000]))
def test_frequencies_count_a_sentence_once_per_word(sentences, size):
    counted = Counter(word for sentence in sentences for word in set(sentence))
    found = document_frequencies(make_store(sentences, size))
    assert found.shape == (size,)
    assert {word: int(n) for word, n in enumerate(found) if n} == counted


def test_broken_store_is_reported(tmp_path):
    store_of(tmp_path, "a b\nb a", minimum_count=1)
    np.save(tmp_path / "store" / "ids.npy", np.zeros(3, np.uint16))
    with pytest.raises(SentrepError, match=r"ids\.npy: expected the file whose checksum .*, found a file with another"):
        TokenStore.open(tmp_path / "store")


def test_meta_counts(tmp_path):
    store_of(tmp_path, TEXT, minimum_count=4)
    meta = json.loads((tmp_path / "store" / "meta.json").read_text())
    assert meta["tokens"] > meta["kept_tokens"] > 0
    assert meta["empty_sentences"] == 3  # "zzz" is too rare, so its sentences lose their only token


def test_shards_keep_document_ends(tmp_path):
    store_of(tmp_path, "a\nb\n\nc\n", minimum_count=1)
    runs = list(shard_documents(tmp_path / "sentences" / "shard-00000.txt.zst"))
    assert runs == [["a", "b"], [], ["c"], []]
