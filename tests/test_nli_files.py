"""Test readers of SNLI: both formats, archives, omitted lines and damaged files."""

import json
import zipfile

import pytest

from helpers_nli import items, make_nli, manifest, write_jsonl
from sentrep.corpora.nli import CLASSES, read_nli
from sentrep.errors import SentrepError

HEADINGS = ["gold_label", "sentence1_binary_parse", "sentence1_parse", "sentence1", "sentence2", "captionID"]


def table(*rows: list[str], headings: list[str] = HEADINGS) -> bytes:
    return "".join("\t".join(row) + "\n" for row in [headings, *rows]).encode()


def row(label: str, first: str, second: str) -> list[str]:
    return [
        label,
        "( ( A dog ) ( sees . ) )",
        "(ROOT (S (NP (DT A) (NN dog)) (VP (VBZ sees))))",
        first,
        second,
        "1.jpg#0",
    ]


def read_one(tmp_path, name: str, content: bytes):
    (tmp_path / name).write_bytes(content)
    return read_nli(manifest(tmp_path / "m.json", tmp_path / name), ["train"])["train"]


def test_json_lines(tmp_path):
    rows = [
        {"gold_label": "contradiction", "sentence1": "A “dog”\tsees.", "sentence2": "n/a"},
        {"gold_label": "-", "sentence1": "left", "sentence2": "out"},
        {"gold_label": "entailment", "sentence1": 'He said "no\u0085way".', "sentence2": ""},
        {"gold_label": "neutral", "sentence1": "caf\u00e9", "sentence2": "x\u2028y"},
    ]
    write_jsonl(tmp_path / "a_train.jsonl", rows)
    part = read_one(tmp_path, "b_train.jsonl", (tmp_path / "a_train.jsonl").read_bytes() + b"\n")
    assert part.targets.tolist() == [2, 0, 1]
    assert part.first == ["A “dog”\tsees.", 'He said "no\u0085way".', "caf\u00e9"]
    assert part.second == ["n/a", "", "x\u2028y"]


def test_tables(tmp_path):
    # The content includes an unclosed quotation mark, a line separator within a text, "\r\n" and an empty last line.
    content = table(
        row("neutral", 'a "dog', "sees\u0085it"),
        row("-", "left", "out"),
        row("entailment", "A man", 'a "person'),
        row("contradiction", "", "No one."),
    )
    part = read_one(tmp_path, "snli_1.0_train.txt", content.replace(b"\n", b"\r\n") + b"\n")
    assert part.targets.tolist() == [1, 0, 2]
    assert (part.first, part.second) == (['a "dog', "A man", ""], ["sees\u0085it", 'a "person', "No one."])


def test_both_formats_give_the_same_and_one_is_read(tmp_path):
    rows = items(20, 0)
    write_jsonl(tmp_path / "s_train.jsonl", rows)
    (tmp_path / "s_train.txt").write_bytes(table(*(row(*(r[key] for key in r)) for r in rows)))
    parts = [
        read_nli(manifest(tmp_path / "m.json", *(tmp_path / name for name in names)), ["train"])["train"]
        for names in (["s_train.jsonl"], ["s_train.txt"], ["s_train.jsonl", "s_train.txt"])
    ]
    for part in parts:
        assert [CLASSES[i] for i in part.targets] == [r["gold_label"] for r in rows]
        assert (part.first, part.second) == ([r["sentence1"] for r in rows], [r["sentence2"] for r in rows])


def test_an_archive_as_it_is_distributed(tmp_path):
    make_nli(tmp_path, 70)
    archive = tmp_path / "snli_1.0.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.writestr("snli_1.0/Icon\r", b"\0")
        zipped.writestr("snli_1.0/README.txt", b"no table")
        zipped.writestr("snli_1.0/snli_1.0_dev_matched.jsonl", b"not this one")
        zipped.writestr("__MACOSX/snli_1.0/._snli_1.0_train.jsonl", b"\0\5\26\7")
        for file in sorted((tmp_path / "snli_1.0").iterdir()):
            zipped.write(file, f"snli_1.0/{file.name}")
    parts = read_nli(manifest(tmp_path / "m.json", archive))
    assert {split: len(part) for split, part in parts.items()} == {"train": 70, "dev": 60, "test": 90}


GOOD = json.dumps({"gold_label": "neutral", "sentence1": "a", "sentence2": "b"})


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x_train.jsonl", GOOD + "\n{", r"^x_train\.jsonl:2: expected a JSON object"),
        (
            "x_train.jsonl",
            '{"gold_label": "neutral", "sentence1": "a"}',
            r"train\.jsonl:1: .* found no key 'sentence2'",
        ),
        ("x_train.jsonl", "[1]", r"train\.jsonl:1: expected a JSON object"),
        ("x_train.jsonl", GOOD.replace('"a"', "null"), r"train\.jsonl:1: expected strings"),
        (
            "x_train.jsonl",
            GOOD.replace("neutral", "nuetral"),
            r"train\.jsonl:1: expected one of the labels 'entailment'",
        ),
        (
            "x_train.jsonl",
            GOOD.replace("neutral", "-"),
            r"^x_train\.jsonl: expected at least one labelled pair, found none",
        ),
        ("x_train.jsonl", "", r"^x_train\.jsonl: expected at least one labelled pair, found none"),
        ("x_train.txt", table(row("neutral", "a", "b")[:-1]), r"train\.txt:2: expected 6 fields .* found 5"),
        ("x_train.txt", table(row("neutral", "a\tb", "b")), r"train\.txt:2: expected 6 fields .* found 7"),
        (
            "x_train.txt",
            table(headings=HEADINGS[:4]),
            r"train\.txt:1: expected the headings .* found no heading sentence2",
        ),
        ("x_train.txt", table() + b"\xff\n", r"train\.txt:2: expected UTF-8"),
        ("x_dev.jsonl", GOOD, r"expected files whose names end in train\.jsonl \(or \.txt\), found no file for train"),
    ],
)
def test_damage_is_one_line(tmp_path, name, content, message):
    with pytest.raises(SentrepError, match=message) as caught:
        read_one(tmp_path, name, content if isinstance(content, bytes) else content.encode())
    assert "\n" not in str(caught.value)
