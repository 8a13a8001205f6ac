"""Test the readers of the evaluation sets: layouts, unusual bytes, errors, and what is saved for later jobs."""

import json
from pathlib import Path

import numpy as np
import pytest

from helpers_evaluation import MIRROR, ROOT, mirror_members, needs_mirror, run_script
from sentrep.errors import SentrepError
from sentrep.evaluation.sts.reader import collect_sets, read_lee, read_pairs
from sentrep.evaluation.sts.sets import STANDARD, MissingSet, StsSet, load_sets, write_sets

PAIR = "A man sings.\tA man is singing.\n"


def read(text, gold, where="2014/STS.input.images.txt"):
    as_bytes = [value.encode() if isinstance(value, str) else value for value in (text, gold)]
    return read_pairs(*as_bytes, where)


def members(year, datasets, prefix=""):
    for dataset in datasets:
        yield f"{prefix}STS.input.{dataset}.txt", PAIR.encode()
        yield f"{prefix}STS.gs.{dataset}.txt", f"{year % 5}\n".encode()


def test_standard_list():
    assert len(STANDARD) == 20
    assert sum(s.pairs for s in STANDARD) == 17608
    assert sum(s.scored_pairs for s in STANDARD) == 12108
    assert [s.year for s in STANDARD] == sorted(s.year for s in STANDARD)


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_byte_order_mark(end, newline, mark):
    text = ("a\tb" + newline + "c\td" + end.replace("\n", newline)).encode()
    gold = ("1.5" + newline + "4" + end.replace("\n", newline)).encode()
    first, second, scores = read_pairs(mark + text, mark + gold, "x")
    assert (first, second) == (["a", "c"], ["b", "d"])
    assert scores.tolist() == [1.5, 4.0]


def test_text_is_kept_as_it_is():
    text = '"He said ""no"", then left\tthe ship\x92s project\n&quot;x&quot; &amp; y\ta\x85b\u2028c\x0bd\n'
    first, second, _ = read(text, "1\n2\n")
    assert first == ['"He said ""no"", then left', "&quot;x&quot; &amp; y"]
    assert second == ["the ship\x92s project", "a\x85b\u2028c\x0bd"]


def test_bytes_that_are_not_utf8_are_read_as_latin1(caplog):
    first, second, _ = read(b"caf\xe9\tthe ship\x92s\n", "3\n")
    assert (first, second) == (["café"], ["the ship\x92s"])
    assert "reading the file as Latin-1" in caplog.text


def test_blank_gold_is_unscored():
    scores = read(PAIR * 4, "\n3\n\n\n")[2]
    assert np.isnan(scores).tolist() == [True, False, True, True]


@pytest.mark.parametrize("value", ["5.01", "-0.5", "high", "nan", "inf", "1 2", "1_0", "1,5"])
def test_gold_that_is_no_score(value):
    with pytest.raises(SentrepError, match=r"^2014/STS\.gs\.images\.txt:2: .*from 0 to 5"):
        read(PAIR * 3, f"0\n{value}\n5\n")


@pytest.mark.parametrize("line", ["no tab", "one\ttwo\tthree", "", "\tno first", "no second\t "])
def test_wrong_number_of_tabs(line):
    with pytest.raises(SentrepError, match=r"^2014/STS\.input\.images\.txt:3: expected two sentences"):
        read(PAIR * 2 + line + "\n" + PAIR, "1\n" * 4)


def test_differing_lengths():
    with pytest.raises(SentrepError, match=r"STS\.gs\.images\.txt: expected as many lines as .*lines: 3\), found 2"):
        read(PAIR * 3, "1\n2\n")


@pytest.mark.parametrize("prefix", ["", "2012/", "STS2012-test/sub/", "data/2013-copy/sts/2012/"])
def test_folder_layouts_and_release_names(prefix):
    names = ["MSRpar", "MSRvid", "surprise.OnWN", "SMTeuroparl", "surprise.SMTnews"]
    found, missing = collect_sets(2012, members(2012, names, prefix))
    assert [sts.dataset for sts in found] == ["MSRpar", "MSRvid", "OnWN", "SMTeuroparl", "SMTnews"]
    assert not missing


def test_other_years_and_training_data_are_left_aside():
    files = [
        *members(2014, ["OnWN", "headlines", "images"], "sts/2014/"),
        *members(2013, ["OnWN", "headlines"], "sts/2013/"),
        *members(2012, ["MSRpar"], "sts/2012-train/"),
    ]
    found, missing = collect_sets(2013, files)
    assert [(sts.dataset, sts.gold.tolist()) for sts in found] == [("OnWN", [3]), ("headlines", [3])]
    assert [gap.dataset for gap in missing] == ["FNWN", "SMT"]
    assert not collect_sets(2012, files)[0]


def test_missing_input_is_recorded_with_its_reason():
    files = [*members(2013, ["FNWN", "OnWN", "headlines"]), ("STS.gs.SMT.txt", b"3\n")]
    found, missing = collect_sets(2013, files, "sts2013")
    assert len(found) == 3
    (gap,) = missing
    assert (gap.year, gap.dataset) == (2013, "SMT")
    assert "STS.input.SMT.txt" in gap.reason
    assert "LDC" in gap.reason


def test_licence_notice_in_place_of_the_text():
    files = [*members(2013, ["FNWN", "OnWN", "headlines"]), ("STS.gs.SMT.txt", b"3\n")]
    _, missing = collect_sets(2013, [*files, ("STS.input.SMT.txt", b"Please obtain it from the LDC.\n")])
    assert "licence notice" in missing[0].reason
    with pytest.raises(SentrepError, match=r"STS\.input\.FNWN\.txt:1"):  # in other sets, such a text is an error
        collect_sets(2013, [("STS.gs.FNWN.txt", b"3\n"), ("STS.input.FNWN.txt", b"Please obtain it.\n")])


def test_two_files_of_one_name():
    files = [*members(2014, ["images"], "a/"), *members(2014, ["images"], "b/")]
    assert len(collect_sets(2014, files)[0]) == 1  # identical copies are allowed
    with pytest.raises(SentrepError, match="which differ"):
        collect_sets(2014, [*files, ("c/STS.input.images.txt", b"other\ttext\n")])


def test_lee():
    documents = b"one text\ntwo \xa3 texts\nthird"
    sts = read_lee(documents, b"1\t0.2\t0.4\n0.2\t1\t1\n0.4\t1\t1\n", "similarities")
    assert sts.sentences1 == ["one text", "one text", "two £ texts"]
    assert sts.sentences2 == ["two £ texts", "third", "third"]
    assert sts.gold.tolist() == [1.0, 2.0, 5.0]
    for matrix in (b"1\t0.2\n0.2\t1\n", b"1\t2\t0\n2\t1\t0\n0\t0\t1\n", b"1\tx\t0\n0\t1\t0\n0\t0\t1\n"):
        with pytest.raises(SentrepError, match="3 x 3 matrix"):
            read_lee(documents, matrix, "similarities")


def test_lee_of_gensim():
    from gensim.test.utils import datapath

    documents, matrix = (Path(datapath(n)).read_bytes() for n in ("lee.cor", "similarities0-1.txt"))
    sts = read_lee(documents, matrix, "similarities0-1.txt")
    assert sts.pairs == sts.scored_pairs == 1225
    assert 0 < sts.gold.min() < sts.gold.max() <= 5


def test_kept_between_steps(tmp_path):
    sts = StsSet(2014, "images", ["a\x85", 'q"'], ["b\u2028", "é"], np.array([1.25, np.nan]))
    gap = MissingSet(2013, "SMT", "no text")
    paths = tmp_path / "sts.jsonl", tmp_path / "sts.json"
    write_sets([sts], [gap], *paths, sample=False, description="a test")
    (loaded,), missing, description = load_sets(*paths)
    assert (loaded.sentences1, loaded.sentences2) == (sts.sentences1, sts.sentences2)
    np.testing.assert_array_equal(loaded.gold, sts.gold)
    assert missing == [gap]
    assert (description["pairs"], description["scored_pairs"], description["sample"]) == (2, 1, False)
    assert description["notes"] == [
        "2014 images: 2 pairs (1 with a human score); the release has 750 pairs (750 with a human score)"
    ]
    first = json.loads(paths[0].read_text().splitlines()[0])
    assert list(first) == ["year", "dataset", "pair", "sentence1", "sentence2", "gold"]
    write_sets([sts], [gap], *paths, sample=True, description="a test")
    assert load_sets(*paths)[2]["notes"] == []


def write_manifest(path, files):
    entries = [{"path": str(file), "bytes": file.stat().st_size, "sha256": ""} for file in files]
    path.write_text(json.dumps({"name": path.stem, "files": entries}))
    return path


def test_script_on_the_sample_data(tmp_path):
    from gensim.test.utils import datapath

    years = [2012, 2013, 2014, 2015]
    folder = ROOT / "workflow" / "sample" / "sts"
    outputs = {"pairs": tmp_path / "sts.jsonl", "description": tmp_path / "sts.json"}
    sources = [write_manifest(tmp_path / f"{y}.json", sorted((folder / f"{y}").iterdir())) for y in years]
    lee = {"lee_documents": datapath("lee.cor"), "lee_similarities": datapath("similarities0-1.txt")}
    run_script(
        "sts_sets",
        input={"sources": sources, **lee},
        output=outputs,
        params={"years": years, "sample": True, "source_names": "hand-written"},
    )
    sets, missing, description = load_sets(*outputs.values())
    assert [(s.year, s.dataset) for s in sets] == [*[(s.year, s.dataset) for s in STANDARD], (2005, "Lee")]
    assert not missing
    assert description["sample"]
    assert all(sts.scored_pairs >= 25 for sts in sets)
    assert description["pairs"] == sum(sts.pairs for sts in sets) - 1225  # Lee is not one of the 20 sets


def test_script_ends_with_one_line(tmp_path):
    (tmp_path / "STS.gs.images.txt").write_text("1\n6\n")
    (tmp_path / "STS.input.images.txt").write_text(PAIR * 2)
    manifest = write_manifest(tmp_path / "sts_2014.json", sorted(tmp_path.glob("*.txt")))
    with pytest.raises(SystemExit) as end:
        run_script(
            "sts_sets",
            input={"sources": [manifest]},
            output={"pairs": tmp_path / "out" / "sts.jsonl", "description": tmp_path / "out" / "sts.json"},
            params={"years": [2014], "sample": False, "source_names": ""},
        )
    assert end.value.code == 1
    assert not (tmp_path / "out").exists()


@needs_mirror
def test_real_sets_have_the_released_counts():
    counts = {}
    for year in (2012, 2013, 2014, 2015):
        found, missing = collect_sets(year, mirror_members(), "mirror")
        counts.update({(sts.year, sts.dataset): (sts.pairs, sts.scored_pairs) for sts in found})
        counts.update({(gap.year, gap.dataset): None for gap in missing})
    for standard in STANDARD:
        found = counts[standard.year, standard.dataset]
        if (standard.year, standard.dataset) == (2013, "SMT") and found is None:
            continue  # the text of this set is not public
        assert found == (standard.pairs, standard.scored_pairs)


@needs_mirror
def test_real_text_is_kept():
    belief = next(s for s in collect_sets(2015, mirror_members())[0] if s.dataset == "belief")
    text = "".join(belief.sentences1 + belief.sentences2)
    assert "ship\x92s" in text
    assert MIRROR.exists()
