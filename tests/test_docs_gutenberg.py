"""Test that the numbers on the page on the collection of books match the published runs in every digit."""

from fractions import Fraction

import pandas as pd
import pytest

from conftest import ROOT
from helpers_docs import PUBLISHED, shown, table_after, text_of


def test_page_of_the_collection_has_the_published_numbers():
    frame = pd.read_csv(PUBLISHED / "gutenberg" / "corpus.csv", dtype=str).set_index("row")["number"]
    _, rows = table_after(ROOT / "docs" / "gutenberg.md", "| | number")
    for line, name in zip(rows, ("files", "books", "sentences", "words", "vocabulary"), strict=True):
        assert rows[line] == [frame[name]]
    page = (ROOT / "docs" / "gutenberg.md").read_text(encoding="utf-8")
    for name in ("duplicate", "verse", "play"):
        assert frame[f"left out: {name}"] in page


def test_page_of_the_collection_has_the_published_results():
    run = PUBLISHED / "gutenberg"
    ablation = pd.read_csv(run / "siamese_cbow" / "ablation.csv")
    ablation = ablation[ablation["section"] == "Siamese CBOW, word2vec and baselines"].set_index("model")
    mean = pd.read_csv(run / "table1.csv").query("protocol == 'paper' and year.isna()").iloc[0]
    _, rows = table_after(ROOT / "docs" / "gutenberg.md", "| system, 329 M words")
    models = {
        "Siamese CBOW as described": "siamese_cbow",
        "Siamese CBOW as released": "siamese_cbow_released",
        "Siamese CBOW, leftover tokens only": "siamese_cbow_leftover",
        "word2vec CBOW, 5 epochs": "word2vec_cbow",
        "word2vec CBOW x idf": "word2vec_cbow_idf",
        "FastSent": "fastsent",
        "untrained, weighted by idf": "random_idf",
        "untrained": "random",
    }
    for line, model in models.items():
        of_model = ablation.loc[model].set_index("unknown_words")
        omitted = of_model.loc["omitted"]
        bounds = [shown(omitted[name], 4) for name in ("difference", "low", "high")]
        difference = f"{bounds[0]} [{bounds[1]}, {bounds[2]}]" if bounds[0] else ""
        expected = [shown(omitted["pearson"], 4), difference, shown(of_model["pearson"]["random"], 4)]
        assert rows[line] == [str(int(omitted["seeds"])), *expected], line
    assert rows["tf-idf"][1] == shown(mean["tfidf pearson"], 4)
    scores = pd.read_csv(PUBLISHED / "gutenberg_sweeps" / "scores.csv").query(
        "protocol == 'paper' and dataset != 'Lee'"
    )
    others = {"word2vec skip-gram, 5 epochs": "word2vec_skipgram", "CBOS, 10 epochs": "cbos"}
    for line, model in others.items():
        of_seed = scores[scores["model"] == model].groupby("seed")["pearson"].mean()
        assert rows[line][:2] == [str(len(of_seed)), shown(of_seed.mean(), 4)], line
    assert set(rows) == {*models, *others, "tf-idf"}


@pytest.mark.parametrize(
    ("figure", "start", "axis"),
    [
        (2, "| epochs (", "epochs"),
        (3, "| negative", "negatives"),
        (4, "| dimensions (", "dimension"),
    ],
)
def test_sweeps_on_the_collection_have_the_published_means(figure, start, axis):
    data = pd.read_csv(PUBLISHED / "gutenberg_sweeps" / "siamese_cbow" / f"figure{figure}.csv")
    means = data[data["protocol"] == "paper"].groupby(axis)["pearson"].mean()
    head, rows = table_after(ROOT / "docs" / "gutenberg.md", start)
    assert rows["mean r"] == [shown(means[float(Fraction(point))], 4) for point in head]


def test_extrapolations_are_the_published_ones():
    sizes = pd.read_csv(PUBLISHED / "gutenberg" / "corpus_size.csv")
    expected = sizes[sizes["expected"].notna() & (sizes["unknown_words"] == "omitted")].set_index("label")
    text = text_of("docs/gutenberg.md")
    for label in ("Siamese CBOW", "Siamese CBOW, as released", "w2v CBOW", "CBOS"):
        value, low, high = (shown(expected[f"expected{end}"][label]) for end in ("", "_low", "_high"))
        assert f"{value} [{low}, {high}]" in text, label
