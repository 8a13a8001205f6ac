"""Test readers of transfer tasks: formats, layouts, unusual bytes and errors in files."""

import json
import zipfile

import numpy as np
import pytest

from helpers_evaluation import MIRROR, needs_mirror
from helpers_transfer import TASKS, make_task, real_task, sample_members, settings_of
from sentrep.errors import SentrepError
from sentrep.evaluation.transfer.readers import build_task, text_lines
from sentrep.evaluation.transfer.tasks import load_task, write_task
from sentrep.io.json_lines import read_json_lines

PER_CLASS = "{classes: [n, p], layouts: [{reader: file_per_class, files: {p: a.pos, n: a.neg}}]}"
LABELLED = "{classes: [A, B], layouts: [{reader: labelled_lines, files: {train: x.train, test: x.test}}]}"
TABBED = '{classes: ["0", "1"], layouts: [{reader: text_tab_label, files: {all: x.txt}}]}'
SCORES = """
measure: relatedness
scores: [1, 5]
layouts:
  - {reader: pair_table, files: {train: x, dev: y, test: z}, columns: {first: a, second: b, target: s}}
"""
PAIRS = """
measure: paraphrase
classes: ["0", "1"]
layouts:
  - {reader: pair_table, files: {train: x, test: y}, columns: {first: "#1", second: "#2", target: Q}}
"""


def read(settings, **files):
    members = [(f"folder/{name}", content) for name, content in files.items()]
    return build_task("task", settings_of(settings), members, sample=False)


def error_of(settings, **files):
    with pytest.raises(SentrepError) as caught:
        read(settings, **files)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_file_per_class():
    task = read(PER_CLASS, **{"a.neg": b"bad one\n", "a.pos": b" good one \r\n\r\ngood two"})
    part = task.parts["all"]
    assert part.first == ["good one", "", "good two", "bad one"]  # an empty line is also an item
    assert part.targets.tolist() == [1, 1, 1, 0]
    assert part.second is None


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("\ufeffone\r\ntwo\r\n".encode(), ["one", "two"]),
        (b"caf\xe9 \x93x\x94 a\x85b\nd\x81", ["café “x” a…b", "d\x81"]),  # Windows-1252, in which 0x81 is not defined
        # these characters are line ends only for str.splitlines
        ("a\u0085b \u2028c\x0bd\ne".encode(), ["a…b \u2028c\x0bd", "e"]),
        ("a\u0096b".encode(), ["a–b"]),  # Windows-1252 that was read as Latin-1 and saved as UTF-8
        (b"", []),
        (b"\n\n", ["", ""]),
    ],
)
def test_text_lines(content, lines):
    assert text_lines(content, "x") == lines


def test_labelled_lines():
    task = read(
        LABELLED, **{"x.train": b"A:sub one : two\n\nB three\n", "x.test": b"B\xa0x y\nA  z\n".replace(b"\xa0", b" ")}
    )
    assert task.parts["train"].first == ["one : two", "three"]
    assert task.parts["train"].targets.tolist() == [0, 1]
    assert task.parts["test"].targets.tolist() == [1, 0]


def test_text_tab_label_keeps_tabs_of_the_text():
    part = read(TABBED, **{"x.txt": b"a\tb \t1\nc\t0\n"}).parts["all"]
    assert part.first == ["a\tb", "c"]
    assert part.targets.tolist() == [1, 0]


def test_pair_tables():
    table = '\ufeffQ\t#1 ID\t#1\t#2\r\n1\t7\t"a\tb"\r\n0\t8\tc " d\te\r\n'.encode()
    task = read(PAIRS, x=table, y=table)
    assert task.parts["test"].first == ['"a', 'c " d']
    assert task.parts["test"].second == ['b"', "e"]
    assert task.parts["test"].targets.tolist() == [1, 0]
    assert task.pairs
    sick = read(SCORES, **dict.fromkeys("xyz", b"n\ta\tb\ts\n1\tx\ty\t3.4\n"))
    assert sick.parts["dev"].targets.tolist() == [3.4]
    assert sick.parts["dev"].targets.dtype == np.float64
    assert (sick.classes, sick.scores) == ((), (1, 5))


def test_product_reviews():
    settings = "{classes: [n, p], layouts: [{reader: product_reviews, files: {all: 'r/*.txt'}}]}"
    reviews = b"[t]title\nsize[+2], menu[-1]##good size .\nsound[-2][u]##bad .\n##nothing\nx[+1], y[-1]##mixed\n"
    part = build_task("t", settings_of(settings), [("r/a.txt", reviews), ("r/README", b"")], False).parts["all"]
    assert part.first == ["good size .", "bad ."]
    assert part.targets.tolist() == [1, 0]


def test_the_first_layout_whose_files_are_there():
    second = "{reader: labelled_lines, files: {all: one.cor}, labels: {__label__neg: n, __label__pos: p}}"
    settings = PER_CLASS.replace("]}", f", {second}]}}")
    task = read(settings, **{"one.cor": b"__label__pos x\n__label__neg y\n", "a.pos": b"alone"})
    assert task.parts["all"].targets.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("settings", "files", "message"),
    [
        (PER_CLASS, {"a.pos": b"x"}, "task: expected the files a.pos and a.neg, found a.pos; add the missing files"),
        (
            PER_CLASS,
            {"a.pos": b"x\n", "a.neg": b""},
            "task, all: expected training items in each class \\(n, p\\), found none in n",
        ),
        (PER_CLASS, {"a.pos": b"x\0y", "a.neg": b"z"}, "folder/a.pos: expected plain text, found a zero byte"),
        (LABELLED, {"x.train": b"A x\n"}, "expected the files x.train and x.test, found x.train"),
        (
            LABELLED,
            {"x.train": b"A x\nC y\n", "x.test": b"A x"},
            "x.train:2: expected one of the labels A, B, found 'C'",
        ),
        (LABELLED, {"x.train": b"A x\nB y\n", "x.test": b"\n"}, "task, test: expected at least one item, found none"),
        (TABBED, {"x.txt": b"a\t1\nb 0\n"}, "x.txt:2: expected a text, a tab and a label, found no tab in 'b 0'"),
        (TABBED, {"x.txt": b"a\t2\n"}, "x.txt:1: expected one of the labels 0, 1, found '2'"),
        (PAIRS, {"x": b"Q\t#1\n", "y": b""}, "x:1: expected a header with the columns #1, #2, Q, found no #2"),
        (PAIRS, {"x": b"Q\t#1\t#2\n1\ta\n", "y": b""}, "x:2: expected 3 fields separated by tabs"),
        (PAIRS, {"x": b"Q\t#1\t#2\n1\ta\t \n", "y": b""}, "x:2: expected 3 fields .* with no empty field"),
        (SCORES, dict.fromkeys("xyz", b"a\tb\ts\nq\tr\t5.2\n"), "x:2: expected a score from 1 to 5, found '5.2'"),
        (SCORES, dict.fromkeys("xyz", b"a\tb\ts\nq\tr\tnan\n"), "found 'nan'"),
        (SCORES.replace("dev: y, ", ""), dict.fromkeys("xz", b"a\tb\ts\nq\tr\t2\n"), "expected a dev split"),
        (
            LABELLED.replace("test:", "tset:"),
            {"x.train": b"A x", "x.test": b"B y"},
            "expected the split `all`, the splits `train` and",
        ),
    ],
)
def test_malformed_tasks(settings, files, message):
    import re

    assert re.search(message, error_of(settings, **files))


def test_two_files_of_one_name():
    members = [("a/a.pos", b"x"), ("b/a.pos", b"y"), ("a/a.neg", b"z")]
    with pytest.raises(
        SentrepError, match=r"expected only one version of a\.pos, found a/a\.pos and b/a\.pos, which differ"
    ):
        build_task("t", settings_of(PER_CLASS), members, False)
    members[1] = ("b/a.pos", b"x")
    assert len(build_task("t", settings_of(PER_CLASS), members, False).parts["all"]) == 2


@pytest.mark.parametrize(("measure", "pairs"), [("accuracy", False), ("paraphrase", True), ("relatedness", True)])
def test_a_task_is_kept(tmp_path, measure, pairs):
    task = make_task({"train": 4, "dev": 2, "test": 3}, pairs=pairs, measure=measure)
    task.parts["dev"].first[0] = "odd \u0085 \u2028 \ud800".encode("utf-8", "replace").decode() + '"\\'
    write_task(tmp_path / "t.jsonl", task)
    found = load_task(tmp_path / "t.jsonl")
    assert next(read_json_lines(tmp_path / "t.jsonl"))["items"] == {"train": 4, "dev": 2, "test": 3}
    assert len((tmp_path / "t.jsonl").read_text().splitlines()) == 10
    for split, part in task.parts.items():
        assert (found.parts[split].first, found.parts[split].second) == (part.first, part.second)
        assert found.parts[split].targets.dtype == part.targets.dtype
        np.testing.assert_array_equal(found.parts[split].targets, part.targets)
    assert (found.name, found.classes, found.scores, found.measure) == (task.name, task.classes, task.scores, measure)
    json.loads((tmp_path / "t.jsonl").read_text().splitlines()[0])


@pytest.mark.parametrize("name", [name for name in TASKS if name != "mr"])
def test_sample_files_are_read(name):
    task = build_task(name, TASKS[name], sample_members(), sample=True)
    assert sum(map(len, task.parts.values())) >= 120
    assert task.sample


SIZES = {
    "mr": {"all": (10662, 5331)},
    "cr": {"all": (3775, 2407)},
    "subj": {"all": (10000, 5000)},
    "mpqa": {"all": (10606, 3312)},
    "sst": {"train": (67349, 37569), "dev": (872, 444), "test": (1821, 909)},
    "sst_fine": {"train": (8544, 1288), "dev": (1101, 165), "test": (2210, 399)},
    "trec": {"train": (5452, 896), "test": (500, 113)},
    "msrp": {"train": (4076, 2753), "test": (1725, 1147)},
    "sick": {"train": (4500, 0), "dev": (500, 0), "test": (4927, 0)},
}


@needs_mirror
@pytest.mark.parametrize("name", list(SIZES))
def test_the_real_tasks(name):
    """Check the published sizes; the second number is the size of the last class."""
    task = real_task(name)
    found = {
        split: (len(part), int((part.targets == len(task.classes) - 1).sum()) if task.classes else 0)
        for split, part in task.parts.items()
    }
    assert found == SIZES[name]
    assert not any("\n" in text or "\x85" in text for part in task.parts.values() for text in part.first)
    if name == "cr":
        assert [row for row, text in enumerate(task.parts["all"].first) if not text] == [2322, 2406, 3175, 3774]


def nltk_members(*names):
    for name in names:
        with zipfile.ZipFile(MIRROR / "nltk_data" / "corpora" / f"{name}.zip") as archive:
            yield from ((info.filename, archive.read(info)) for info in archive.infolist() if not info.is_dir())


@needs_mirror
@pytest.mark.parametrize(("name", "archive"), [("mr", "sentence_polarity"), ("subj", "subjectivity"), ("trec", "qc")])
def test_nltk_has_the_same_items(name, archive):
    """Compare with NLTK's copies, which keep some dashes that our MR lacks and have a space for the byte 0x85."""
    ours, theirs = real_task(name), build_task(name, TASKS[name], nltk_members(archive), sample=False)
    for split, part in ours.parts.items():
        pairs = zip(part.first, theirs.parts[split].first, strict=True)
        differing = [(a, b) for a, b in pairs if a.replace("…", " ").split() != b.replace("…", " ").split()]
        assert len(differing) <= {"mr": 22, "subj": 4, "trec": 0}[name]
        assert (part.targets == theirs.parts[split].targets).all()


@needs_mirror
def test_cr_from_the_annotated_reviews():
    members = nltk_members("product_reviews_1", "product_reviews_2")
    found = build_task("cr", TASKS["cr"], members, sample=False).parts["all"]
    assert [int((found.targets == k).sum()) for k in (1, 0)] == [2415, 1371]  # CR has 2,407 and 1,368 items
    letters = []
    for part in (found, real_task("cr").parts["all"]):
        positive = [text for text, target in zip(part.first, part.targets, strict=True) if target == 1]
        letters.append({"".join(c for c in text.lower() if c.isalnum()) for text in positive})
    assert len(letters[0] & letters[1]) / len(letters[1]) > 0.9
