"""Test the folder of pairs: pairs survive saving and loading, and wrong or damaged parts are reported."""

import numpy as np
import pytest

from sentrep.errors import SentrepError
from sentrep.pairs.pair_set import SPLITS, Count, Pairs, PairSet


class TestFormat:
    def pair_set(self, **changes) -> PairSet:
        pairs = Pairs(np.array([[0, -1]], np.int32), np.array([[1, 0]], np.int32), np.array([True]))
        parts = {
            **{"vocabulary": ["a", "é"], "document_frequencies": np.array([2, 1]), "documents": 3},
            **{"splits": dict.fromkeys(SPLITS, pairs), "meta": {"x": 1}},
            "counts": [Count("train", "wikipedia", True, 1), Count("", "wikipedia", "", 5, "left out: why, then")],
        }
        return PairSet(**{**parts, **changes})

    def test_round_trip(self, tmp_path):
        self.pair_set().save(tmp_path / "p")
        found = PairSet.load(tmp_path / "p")
        assert (found.vocabulary, found.documents, found.counts) == (["a", "é"], 3, self.pair_set().counts)
        assert found.document_frequencies.tolist() == [2, 1]
        assert found.meta["x"] == 1
        assert found.train.first.tolist() == [[0, -1]]
        assert found.test.related.dtype == np.bool_
        assert len(found.validation) == 1

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            (
                {"document_frequencies": np.array([1])},
                r"document frequencies of shape \(2,\) and type int64, found shape \(1,\)",
            ),
            ({"document_frequencies": np.array([1, 9])}, "document frequencies from 0 to 3, found values from 1 to 9"),
            ({"splits": {}}, "expected the splits train, validation, test"),
            ({"vocabulary": ["a", "b", "c"]}, r"shape \(3,\) and type int64"),
        ],
    )
    def test_wrong_parts(self, tmp_path, changes, message):
        with pytest.raises(SentrepError, match=message):
            self.pair_set(**changes).save(tmp_path / "p")
        assert not (tmp_path / "p").exists()

    @pytest.mark.parametrize(
        ("first", "message"),
        [
            (np.array([[0, 2]], np.int32), "ids from -1 to 1 in 'first', found ids from 0 to 2"),
            (np.array([[-2, -2]], np.int32), "ids from -1 to 1"),
            (np.array([[-1, 0]], np.int32), "a word after -1"),
            (np.array([[0, 1]], np.int64), "type int32"),
            (np.array([[0, 1], [0, 1]], np.int32), r"shape \(1, 2\)"),
            (np.array([[0]], np.int32), r"'second' of shape \(1, 1\)"),
        ],
    )
    def test_wrong_texts(self, tmp_path, first, message):
        pairs = Pairs(first, np.array([[1, 0]], np.int32), np.array([True]))
        with pytest.raises(SentrepError, match=message):
            self.pair_set(splits=dict.fromkeys(SPLITS, pairs)).save(tmp_path / "p")

    @pytest.mark.parametrize("name", ["vocabulary.txt", "document_frequencies.npy", "test.npz", "counts.csv"])
    @pytest.mark.parametrize("damage", ["gone", "cut"])
    def test_damaged_folder(self, tmp_path, name, damage):
        self.pair_set().save(tmp_path / "p")
        path = tmp_path / "p" / name
        path.unlink() if damage == "gone" else path.write_bytes(path.read_bytes()[:20])
        if (name, damage) in (("counts.csv", "cut"), ("vocabulary.txt", "cut")):
            return  # truncated text may still be valid text
        with pytest.raises(SentrepError, match="delete the folder of pairs and run `snakemake` again"):
            PairSet.load(tmp_path / "p")
