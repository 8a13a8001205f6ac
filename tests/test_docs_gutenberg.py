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
    main, sizes = (
        pd.read_csv(folder / "siamese_cbow" / "ablation.csv") for folder in (run, PUBLISHED / "gutenberg_sizes")
    )
    main = main[main["section"] == "Siamese CBOW, word2vec and baselines"].set_index("model")
    sizes = sizes.drop_duplicates(["model", "unknown_words"]).set_index("model")
    mean = pd.read_csv(run / "table1.csv").query("protocol == 'paper' and year.isna()").iloc[0]
    _, rows = table_after(ROOT / "docs" / "gutenberg.md", "| system, 329 M words")
    models = {
        "Siamese CBOW as described": "siamese_cbow",
        "Siamese CBOW as released": "siamese_cbow_released",
        "Siamese CBOW, leftover tokens only": "siamese_cbow_leftover",
        "word2vec CBOW, 5 epochs": "word2vec_cbow",
        "word2vec CBOW x idf": "word2vec_cbow_idf",
        "FastSent, exact gradient": "fastsent",
        "FastSent as released": "fastsent_released",
        "untrained, weighted by idf": "random_idf",
        "untrained": "random",
    }
    in_main = {"siamese_cbow", "siamese_cbow_released", "word2vec_cbow_idf", "random_idf", "random"}
    for line, model in models.items():
        ablation = main if model in in_main else sizes
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


def test_differences_by_corpus_size_are_the_published_ones():
    frame = pd.read_csv(PUBLISHED / "gutenberg_sizes" / "corpus_size.csv")
    frame = frame[(frame["unknown_words"] == "omitted") & frame["difference"].notna()]
    header, rows = table_after(ROOT / "docs" / "findings.md", "| difference from untrained vectors")
    assert header == ["4.8 M words", "20 M", "83 M", "329 M"]
    labels = {
        "CBOS": "CBOS",
        "word2vec CBOW": "w2v CBOW",
        "FastSent, exact gradient": "FastSent",
        "Siamese CBOW as described": "Siamese CBOW",
        "Siamese CBOW as released": "Siamese CBOW, as released",
    }
    assert set(rows) == set(labels)
    for line, label in labels.items():
        of_model = frame[frame["label"] == label].sort_values("words")
        assert set(of_model["seeds"]) == {2}
        for cell, (_, row) in zip(rows[line], of_model.iterrows(), strict=True):
            difference, low, high = (shown(row[name]) for name in ("difference", "difference_low", "difference_high"))
            assert cell == f"{difference} [{low}, {high}]", (line, row["words"])
