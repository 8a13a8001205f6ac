"""Test which texts the collection of books keeps, and that all forms of a repository give the same result."""

import csv
import json

import pytest
import zstandard

from helpers_books import Repository, git, gutenberg, prose
from sentrep.corpora.book_collection import COLUMNS, build_collection
from sentrep.corpora.build_store import build_store
from sentrep.corpora.sentences import build_sentences
from sentrep.errors import SentrepError
from sentrep.io.files import read_json, write_json
from sentrep.tables.collect import collect as collect_values
from sentrep.tables.render import write_item
from sentrep.tables.values import facts

VERSE = "\n\n".join(
    f"The rose is red and blue is {n}\nThe night is long,\nMy love is true,\nAnd so are you." for n in "abcdefgh" * 20
)
PLAY = "\n\n".join(
    f"{name}. I will not go there tonight, my lord, whatever they may say of it." for name in ("ROMEO", "JULIET") * 60
)
LIST = "\n\n".join(f"Apples of the {kind} kind, see also pears and plums of all sorts" for kind in "abcdefgh" * 20)
TABLE = "\n\n".join(
    f"In the year {1800 + n} it was {n * 37} feet in length and {n * 91} feet in breadth." for n in range(120)
)
GERMAN = "\n\n".join(
    ["Es war einmal ein alter Mann, der sass in der Nacht am Feuer und las ein Buch, das er sehr liebte."] * 80
)
FIRST = {
    "txt/A Writer___A Night.txt": prose(1),
    "txt/A Writer___Second Night.txt": prose(2),
    "txt/A Writer___Roses.txt": VERSE,
    "txt/A Writer___A Play.txt": PLAY,
    "txt/A Writer___A List.txt": LIST,
    "txt/A Writer___A Table.txt": TABLE,
    "txt/A Writer___Nacht.txt": GERMAN,
    "txt/A Writer___Short.txt": prose(9, 3),
    "txt/B Writer___Long.txt": prose(8, 2000),
    "other/notes.txt": prose(10),
}
SECOND = {
    # the same text as in the first repository
    "Writer, A/A Night.txt": gutenberg("A Night", "A Writer", prose(1).replace("\n", "\r\n")),
    # the texts of two books together
    "Writer, A/Both Nights.txt": gutenberg("Both", "A Writer", f"{prose(1)}\n\n{prose(2)}"),
    "Writer, A/Third\rNight.txt": gutenberg("Third Night", "A Writer", prose(3)),
    "Writer, A/Ours.txt": gutenberg("Ours", "PG", prose(4)).replace(
        "This eBook is", "This is a COPYRIGHTED Project Gutenberg eBook"
    ),
    "Writer, A/Binary.txt": "\0\1\2" * 100,
    ".DS_Store": "x",
    "README.md": prose(11),
}
EXPECTED = {
    "A Writer___A List.txt": "list",
    "A Writer___A Night.txt": "kept",
    "A Writer___A Play.txt": "play",
    "A Writer___A Table.txt": "digits",
    "A Writer___Nacht.txt": "language de",
    "A Writer___Roses.txt": "verse",
    "A Writer___Second Night.txt": "kept",
    "A Writer___Short.txt": "short",
    "B Writer___Long.txt": "large",
    "Writer, A/A Night.txt": "duplicate",
    "Writer, A/Binary.txt": "not text",
    "Writer, A/Both Nights.txt": "duplicate",
    "Writer, A/Ours.txt": "copyrighted",
    "Writer, A/Third\\rNight.txt": "kept",
}
CRITERIA = {"largest_bytes": 100_000}


@pytest.fixture(scope="module")
def repositories(tmp_path_factory):
    return [Repository(tmp_path_factory.mktemp("repository"), files) for files in (FIRST, SECOND)]


def manifests(folder, repositories, form="bare", roots=None):
    paths = []
    for number, (repository, inside) in enumerate(zip(repositories, ("txt", ""), strict=True)):
        root = roots[number] if roots else repository.forms()[form]
        record = {"name": f"books_{number}", "version": "1", "licence": "public domain", "stands_in_for": ""}
        paths.append(folder / f"{number}.json")
        write_json(paths[-1], {**record, "root": str(root), "folder": inside, "git_tree": repository.tree(inside)})
    return paths


def collect(folder, sources, processes=1, **criteria):
    """Return the table, the text and the manifest of a collection."""
    out = {"manifest": folder / "books.json", "table": folder / "books.csv", "text": folder / "books.txt.zst"}
    build_collection(sources, **out, criteria={**CRITERIA, **criteria}, processes=processes)
    with out["table"].open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    with zstandard.open(out["text"], "rt", encoding="utf-8") as stream:
        return rows, stream.read(), out["manifest"]


def test_every_book_has_its_reason(repositories, tmp_path):
    rows, text, manifest = collect(tmp_path, manifests(tmp_path, repositories))
    assert tuple(rows[0]) == COLUMNS
    assert {row["path"]: row["decision"] for row in rows} == EXPECTED
    assert [row["like"] for row in rows if row["path"] == "Writer, A/A Night.txt"] == ["books_0/A Writer___A Night.txt"]
    assert len(text.strip().split("\n\n")) == 3
    assert text.split("\n")[0] == " ".join(prose(1).split("\n\n")[0].split())
    assert "Gutenberg" not in text
    assert read_json(manifest)["version"] == "3 books of 14 files"


@pytest.mark.parametrize("form", ["archive", "clone", "folder"])
def test_all_forms_give_the_same_collection(repositories, tmp_path, form):
    (tmp_path / "bare").mkdir()
    (tmp_path / form).mkdir()
    expected = collect(tmp_path / "bare", manifests(tmp_path / "bare", repositories))
    found = collect(tmp_path / form, manifests(tmp_path / form, repositories, form))
    assert found[:2] == expected[:2]


def test_worker_processes_change_nothing(repositories, tmp_path):
    expected = collect(tmp_path, manifests(tmp_path, repositories))
    assert collect(tmp_path, manifests(tmp_path, repositories), processes=2)[:2] == expected[:2]


def test_partial_clone_gives_the_same_text(repositories, tmp_path):
    expected = collect(tmp_path, manifests(tmp_path, repositories))
    roots = []
    for number, repository in enumerate(repositories):
        git(repository.bare, "config", "uploadpack.allowFilter", "true")
        url = f"file://{repository.bare}"
        git(tmp_path, "clone", "-q", "--bare", "--filter=blob:limit=100k", url, f"partial{number}")
        roots.append(tmp_path / f"partial{number}")
    rows, text, _ = collect(tmp_path, manifests(tmp_path, repositories, roots=roots))
    assert text == expected[1]
    assert [row["decision"] for row in rows if row["path"] == "B Writer___Long.txt"] == ["missing from the clone"]


def test_criteria_can_be_relaxed(repositories, tmp_path):
    limits = ("largest_verse_share", "largest_speech_share", "largest_capital_share", "largest_overlap")
    rows, _, _ = collect(tmp_path, manifests(tmp_path, repositories), **dict.fromkeys(limits, 1))
    kept = {row["path"] for row in rows if row["decision"] == "kept"}
    assert {"A Writer___Roses.txt", "A Writer___A Play.txt", "Writer, A/Both Nights.txt"} <= kept


def test_wrong_version_leaves_no_output(repositories, tmp_path):
    sources = manifests(tmp_path, repositories)
    write_json(sources[1], {**read_json(sources[1]), "git_tree": "1234" * 10})
    with pytest.raises(SentrepError, match="Git tree id 1234"):
        collect(tmp_path, sources)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.json", "1.json"]


def test_truncated_archive_leaves_no_output(repositories, tmp_path):
    short = tmp_path / "short.tar.gz"
    short.write_bytes(repositories[1].archive.read_bytes()[:3000])
    with pytest.raises(SentrepError, match=r"short.tar.gz"):
        collect(tmp_path, manifests(tmp_path, repositories, roots=[repositories[0].bare, short]))
    assert not list(tmp_path.glob("*books*"))


def test_nothing_kept_is_an_error(repositories, tmp_path):
    with pytest.raises(SentrepError, match=r"no such file \(number of files examined: 14\)"):
        collect(tmp_path, manifests(tmp_path, repositories), smallest_words=1_000_000)


def test_sentences_of_a_collection(repositories, tmp_path):
    _, _, manifest = collect(tmp_path, manifests(tmp_path, repositories))
    meta = build_sentences(manifest, "collection", tmp_path / "sentences")
    assert meta["documents"] == 3
    # the splitter is trained on random words, so the number is not exact
    assert meta["sentences"] == pytest.approx(3 * 60 * 4, rel=0.02)


@pytest.mark.parametrize("damage", ["truncated", "damaged"])
def test_damaged_text_is_named(repositories, tmp_path, damage):
    _, _, manifest = collect(tmp_path, manifests(tmp_path, repositories))
    path = tmp_path / "books.txt.zst"
    content = bytearray(path.read_bytes())
    if damage == "truncated":
        del content[-100:]
    else:
        content[len(content) // 3] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(SentrepError, match=rf"books\.txt\.zst: .*{damage} zst stream"):
        build_sentences(manifest, "collection", tmp_path / "sentences")


def test_values_describe_the_collection(repositories, tmp_path):
    _, _, manifest = collect(tmp_path, manifests(tmp_path, repositories))
    build_sentences(manifest, "collection", tmp_path / "sentences")
    build_store(tmp_path / "sentences", tmp_path / "store", minimum_count=1)
    pairs = {"year": 2012, "dataset": "MSRpar", "sentence1": "the zebra was here", "sentence2": "the house on fire"}
    (tmp_path / "pairs.jsonl").write_text(json.dumps(pairs) + "\n")
    novels = "protocol,year,dataset,model,seed,oov_rate\npaper,2012,MSRpar,siamese_cbow,1,0.1\n"
    (tmp_path / "novels.csv").write_text(novels)
    inputs = {"table": tmp_path / "books.csv", "sentences": tmp_path / "sentences", "store": tmp_path / "store"}
    inputs |= {"pairs": tmp_path / "pairs.jsonl", "novels": tmp_path / "novels.csv"}
    found = collect_values("corpus.collection_values", inputs, {})
    numbers = {(value.row, value.column, value.metric): value.mean for value in found}
    assert numbers["files", "books", "number"] == 14
    assert numbers["books", "books", "number"] == 3
    assert numbers["authors", "books", "number"] == 1
    assert numbers["from books_0", "books", "share"] == pytest.approx(2 / 3, abs=0.03)
    assert numbers["left out: duplicate", "books", "number"] == 2
    assert numbers["year unknown", "books", "number"] == 3
    assert numbers["2012 MSRpar", "books", "oov rate"] == 2 / 8  # the only unknown word here is "zebra"
    assert numbers["2012 MSRpar", "novels", "oov rate"] == 0.1
    assert sum(value.metric == "sentence" and value.text.count(" ") >= 3 for value in found) == 20
    values = [*facts("sentrep", "corpus", preset="gutenberg", sample="False"), *found]
    write_item("sentrep/corpus", values, {kind: tmp_path / f"corpus.{kind}" for kind in ("csv", "md", "tex", "html")})
    assert "| left out: duplicate | 2 | 0.1429 |" in (tmp_path / "corpus.md").read_text()
