"""Test readers of captioned images, synthetic images, and the evaluation of an encoder on images and captions."""

import io
import json
import zipfile

import numpy as np
import pytest
import scipy.io

from helpers_evaluation import encoder_of
from sentrep.errors import SentrepError
from sentrep.evaluation.retrieval.dataset import load_images
from sentrep.evaluation.retrieval.ranking import SCORE_COLUMNS
from sentrep.evaluation.retrieval.readers import prepare, read_annotations
from sentrep.evaluation.retrieval.scoring import score_retrieval
from sentrep.evaluation.retrieval.settings import Settings
from sentrep.evaluation.synthetic import IMAGE_DIMENSION, IMAGES, write_captioned_images
from sentrep.sources.archives import SourceFiles


def image(imgid, split, captions):
    sentences = [{"raw": text, "tokens": text.split()} for text in captions]
    return {"imgid": imgid, "split": split, "filename": f"{imgid}.jpg", "sentences": sentences}


def annotations(splits=("train", "val", "restval", "test"), captions=2):
    images = [
        image(number, split, [f"caption {number} {i}\n of it " for i in range(captions)])
        for number, split in enumerate(splits)
    ]
    return json.dumps({"dataset": "coco", "images": images}).encode()


FEATURES = np.arange(12, dtype=np.float64).reshape(4, 3) / 7


def npy(array=FEATURES):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def mat(name="feats"):
    stream = io.BytesIO()
    scipy.io.savemat(stream, {name: FEATURES.T.astype(np.float32)})
    return stream.getvalue()


def prepared(folder, *members, dimension=3, captions_per_image=2):
    streams = [(name, io.BytesIO(content)) for name, content in members]
    provenance = {"sample": False, "source": "test"}
    return prepare(streams, folder, dimension=dimension, captions_per_image=captions_per_image, provenance=provenance)


@pytest.mark.parametrize("features", [("coco/vgg_feats.mat", mat()), ("my_features.npy", npy())])
def test_both_formats(tmp_path, features):
    prepared(tmp_path / "images", ("coco/dataset.json", annotations()), ("coco/readme.txt", b"x"), features)
    found = load_images(tmp_path / "images")
    assert found.meta["images"] == {"train": 2, "dev": 1, "test": 1}
    assert found.meta["captions_per_image"] == 2
    # restval images are added to the training images; line ends are removed from captions
    train = ["caption 0 0 of it", "caption 0 1 of it", "caption 2 0 of it", "caption 2 1 of it"]
    assert found.parts["train"].captions == train
    assert found.parts["test"].captions == ["caption 3 0 of it", "caption 3 1 of it"]
    for split, rows in {"train": [0, 2], "dev": [1], "test": [3]}.items():
        np.testing.assert_allclose(found.parts[split].images, FEATURES[rows], rtol=1e-6)
        assert found.parts[split].images.dtype == np.float32


def test_from_an_archive(tmp_path):
    with zipfile.ZipFile(tmp_path / "coco.zip", "w") as archive:
        archive.writestr("coco/vgg_feats.mat", mat())
        archive.writestr("coco/dataset.json", annotations())
    members = SourceFiles.of([tmp_path / "coco.zip"])
    prepare(members, tmp_path / "images", dimension=3, captions_per_image=2, provenance={"sample": False})
    assert len(load_images(tmp_path / "images").parts["train"]) == 2


def test_features_are_found_by_image_number_and_further_captions_left_out(tmp_path):
    content = {
        "images": [
            image(2, "train", ["a", "b", "c"]),
            image(0, "val", ["d", " ", "e"]),
            image(3, "test", ["f", "g"]),
        ]
    }
    prepared(tmp_path / "images", ("dataset_coco.json", json.dumps(content).encode()), ("f.npy", npy()))
    found = load_images(tmp_path / "images")
    assert [found.parts[split].captions for split in ("train", "dev", "test")] == [["a", "b"], ["d", "e"], ["f", "g"]]
    np.testing.assert_allclose(found.parts["train"].images, FEATURES[[2]], rtol=1e-6)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            annotations(("train", "val", "val")),
            "dataset.json: expected at least one image whose split is test, found none; download",
        ),
        (
            annotations(("test", "val", "val")),
            "expected at least one image whose split is train or restval, found none",
        ),
        (
            annotations(captions=1),
            "dataset.json, 0.jpg: expected 2 or more non-empty captions, found 1; add captions",
        ),
        (
            annotations(("train", "minival")),
            "1.jpg: expected one of the values train, restval, val, test under `split`, found 'min",
        ),
        (b'{"images": [{"split": "train"}]}', "expected JSON with a list `images`, whose entries have a `split`"),
        (b"[]", "found a different format (TypeError"),
        (b"{", "found a different format (JSONDecodeError"),
    ],
)
def test_annotations_that_do_not_do(content, message):
    with pytest.raises(SentrepError) as caught:
        read_annotations(content, "dataset.json", 2)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("members", "options", "message"),
    [
        (
            [("f.npy", npy())],
            {"dimension": 4096},
            "f.npy: expected features with 4096 dimensions for 4 or more images, fo",
        ),
        (
            [("f.npy", npy(FEATURES[:3]))],
            {},
            "found features with 3 dimensions for 3 images; use the features of the images listed in the annotation",
        ),
        ([("f.npy", npy(FEATURES * np.nan))], {}, "f.npy: expected finite features, found NaN or infinity"),
        (
            [("f.npy", npy(np.arange(4)))],
            {},
            "f.npy: expected a matrix of floating-point numbers, found an array of int64 with shape (4",
        ),
        ([("f.npy", b"nothing")], {}, "f.npy: expected a .npy file with a matrix, or a .mat file"),
        ([("vgg_feats.mat", mat("fc7"))], {}, "with a matrix `feats`, found a different format (KeyError"),
        ([], {}, "retrieval: expected exactly one file of image features (.npy or .mat), found none"),
        (
            [("a.npy", npy()), ("b.npy", npy())],
            {},
            "found a.npy, b.npy; download Karpathy's coco.zip, or list other files",
        ),
        ([("x/dataset_coco.json", b"{}"), ("a.npy", npy())], {}, "found dataset.json, x/dataset_coco.json"),
    ],
)
def test_files_that_do_not_do(tmp_path, members, options, message):
    with pytest.raises(SentrepError) as caught:
        prepared(tmp_path / "images", ("dataset.json", annotations()), *members, **options)
    assert message in str(caught.value)
    assert not (tmp_path / "images").exists()


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    write_captioned_images(folder / "files")
    members = SourceFiles.of(sorted((folder / "files").iterdir()))
    provenance = {"sample": True, "source": "synthetic scenes"}
    prepare(members, folder / "images", dimension=IMAGE_DIMENSION, captions_per_image=5, provenance=provenance)
    return load_images(folder / "images")


def test_synthetic_images(sample, tmp_path):
    write_captioned_images(tmp_path / "again")
    assert len(sample.parts["train"]) == IMAGES["train"] + IMAGES["restval"]
    captions = sample.parts["test"].captions
    assert all(len(set(captions[i : i + 5])) == 5 for i in range(0, len(captions), 5))
    again = SourceFiles.of(sorted((tmp_path / "again").iterdir()))
    prepare(again, tmp_path / "images", dimension=IMAGE_DIMENSION, captions_per_image=5, provenance={})
    assert load_images(tmp_path / "images").parts["test"].captions == captions


def test_an_encoder_that_knows_the_words_finds_more(sample):
    """Compare an encoder that distinguishes all words with one that knows only two words."""
    words = sorted({word for caption in sample.parts["train"].captions for word in caption.split()})
    settings = Settings(
        dimension=32, drawn_for="batch", epochs=6, learning_rate=2e-3, validate_every=100, fold_images=50
    )
    identity = {"preset": "sample", "model": "words", "seed": 1}
    all_words = encoder_of(dict(zip(words, np.eye(len(words)), strict=True)))
    scores, history = score_retrieval(all_words, sample, settings, identity)
    assert list(scores.columns) == SCORE_COLUMNS
    assert len(scores) == 8
    assert scores["folds"].eq(5).all()
    assert scores["sample"].all()
    assert scores["steps"].eq(history["step"].iloc[-1]).all()
    two, _ = score_retrieval(encoder_of({"fish": [1, 0], "sun": [0, 1]}), sample, settings, identity)
    assert scores["zero_captions"].eq(0).all()
    without = sum("fish" not in c.split() and "sun" not in c.split() for c in sample.parts["test"].captions)
    assert two["zero_captions"].eq(without).all()
    recall = [frame.set_index(["direction", "metric"])["value"] for frame in (scores, two)]
    for direction in ("annotation", "search"):
        assert recall[0][direction, "r@10"] > recall[1][direction, "r@10"] + 30
