"""Test that the numbers in the README and the docs match the published runs in every digit."""

import re

import pandas as pd
import pytest

from conftest import ROOT
from helpers_docs import PUBLISHED, ablation_rows, shown, table_after, text_of


def ablation_cells(label: str) -> list[str]:
    """Return the cells of a row of the ablation table, from the first section that contains it."""
    return next(cells for (_section, found), cells in ablation_rows().items() if found == label)


def test_findings_have_the_published_ablation():
    _, rows = table_after(ROOT / "docs" / "findings.md", "| training on 724 novels")
    labels = {
        "as described": "as described",
        "as released": "as released",
        "as described, with leftover tokens": "leftover tokens only",
        "as described, with random tokens instead of leftover tokens": "unused slots hold random tokens",
    }
    assert rows == {line: ablation_cells(label)[:2] for line, label in labels.items()}


def test_page_of_siamese_cbow_has_the_published_ablation():
    _, rows = table_after(ROOT / "docs" / "siamese_cbow.md", "| training | mean r")
    labels = {
        "untrained": "untrained",
        "as described": "as described",
        "as released: all five differences": "as released",
        "only leftover tokens": "leftover tokens only",
        "only 16-bit ids": "16-bit ids only",
        "only document boundaries ignored": "document boundaries ignored only",
        "only negatives unchecked": "negatives unchecked only",
        "only the rate falling over 5 epochs": "rate falling over 5 epochs only",
        "all but leftover tokens": "all but leftover tokens",
        "all but 16-bit ids": "all but 16-bit ids",
        "all but ignored document boundaries": "all but ignored boundaries",
        "all but unchecked negatives": "all but unchecked negatives",
        "all but the rate falling over 5 epochs": "all but the rate falling over 5 epochs",
        "unused slots hold random tokens": "unused slots hold random tokens",
        "unused slots hold the most frequent word": "unused slots hold the most frequent word",
        "norms as released, untrained directions": "trained norms, untrained directions",
        "norms as described, untrained directions": "norms as described, untrained directions",
        "untrained norms, directions as described": "untrained norms, directions as described",
        "untrained norms, directions as released": "untrained norms, trained directions",
        "untrained, weighted by idf": "untrained x idf",
    }
    assert set(rows) == {*labels, "published, Siamese CBOW"}
    for line, label in labels.items():
        assert rows[line] == ablation_cells(label), line


def test_page_of_siamese_cbow_has_the_published_effect_of_the_domain():
    frame = pd.read_csv(PUBLISHED / "novels_domain" / "table1.csv").query("protocol == 'paper'").set_index("dataset")
    models = {"untrained": "random", "as described": "siamese_cbow", "as released": "siamese_cbow_released"}
    models |= {"word2vec CBOW": "word2vec_cbow", "published, Siamese CBOW": "siamese_cbow reported"}
    suffixes = {"novels": "", "Wikipedia": "_wikipedia", "both": "_both", "Toronto Book Corpus": ""}
    page = (ROOT / "docs" / "siamese_cbow.md").read_text(encoding="utf-8")
    table = page.split("| training | text |")[1].split("\n\n")[0]
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.split("\n")[2:]]
    assert len(lines) == 13
    for training, corpus, *cells in lines:
        scores = frame[f"{models[training]}{suffixes[corpus]} pearson"]
        assert cells == [shown(scores[name]) for name in ("mean of 20 sets", "MSRvid", "MSRpar", "belief")]


def test_weighted_aggregation_page_has_the_published_errors():
    frame = pd.read_csv(PUBLISHED / "novels" / "weighted_aggregation" / "table1.csv")
    _, rows = table_after(ROOT / "docs" / "weighted_aggregation.md", "| method | 20 words")
    methods = {
        "tf-idf": "Tf-idf",
        "mean": "Mean",
        "mean of the top 30% idf": "Mean, top 30% idf",
        "learned weights, contrastive": "Learned weights, contrastive",
        "learned weights, median": "Learned weights, median",
    }
    places = frame["column"].unique()
    assert set(rows) == set(methods)
    for label, method in methods.items():
        for cell, place in zip(rows[label], places, strict=True):
            (row,) = frame[(frame["method"] == method) & (frame["column"] == place)].to_dict("records")
            ours, paper = re.fullmatch(r"\**([\d.]+)\** \[\**([\d.]+)\**\]", cell).groups()
            assert float(ours) == pytest.approx(row["error"], abs=0.0501)
            assert float(paper) == pytest.approx(row["reported_error"], abs=0.0501)


def test_quick_thoughts_page_has_the_published_table_8():
    frame = pd.read_csv(PUBLISHED / "novels_gpu" / "quick_thoughts" / "table8.csv").set_index("model")
    header, rows = table_after(ROOT / "docs" / "quick_thoughts.md", "| system | News")
    systems = {
        "QT (BoW)": "quick_thoughts_bow",
        "Siamese CBOW": "siamese_cbow",
        "w2v skip-gram": "word2vec_skipgram",
        "w2v CBOW": "word2vec_cbow",
        "combine-QT (RNN)": "quick_thoughts_combine",
        "combine-skip, 1/16 of the text": "skip_thought_combine",
        "SDAE, 1/16 of the text": "sdae",
        "FastSent, as released": "fastsent_released",
        "untrained": "random",
        "tf-idf": "tfidf",
    }
    assert set(rows) == set(systems)
    for label, model in systems.items():
        for name, cell in zip(header, rows[label], strict=True):
            numbers = cell.replace("*", "").replace("[", "").replace("]", "").split()
            row = frame.loc[model]
            expected = [
                row[f"{name.capitalize() if name == 'overall' else name} {kind}"] for kind in ("pearson", "reported")
            ]
            for number, value in zip(numbers, [value for value in expected if not pd.isna(value)], strict=True):
                assert float(number) == pytest.approx(value, abs=0.00501)


def test_cbos_page_has_the_published_means():
    frame = pd.read_csv(PUBLISHED / "novels" / "cbos" / "table1.csv")
    mean = frame[(frame["protocol"] == "paper") & (frame["dataset"] == "mean of 20 sets")].iloc[0]
    _, rows = table_after(ROOT / "docs" / "cbos.md", "| | ours | paper |")
    models = {"CBOS": "cbos", "w2v CBOW": "word2vec_cbow", "w2v skip-gram": "word2vec_skipgram"}
    models |= {
        "Siamese CBOW": "siamese_cbow",
        "untrained": "random",
        "untrained x idf": "random_idf",
        "tf-idf": "tfidf",
    }
    assert set(rows) == set(models)
    for label, model in models.items():
        assert rows[label] == [shown(mean[f"{model} pearson"], 4), shown(mean.get(f"{model} reported pearson"), 4)]


def test_siamese_cbow_page_has_the_published_baseline():
    frame = pd.read_csv(PUBLISHED / "novels" / "table1.csv").query("year == 2015")
    _, rows = table_after(ROOT / "docs" / "siamese_cbow.md", "| 2015 set")
    for dataset, cells in rows.items():
        of_set = frame[frame["dataset"] == dataset].set_index("protocol")
        expected = [of_set.loc[protocol, "tfidf pearson"] for protocol in ("paper", "official")]
        assert cells == [shown(value) for value in (*expected, of_set.loc["paper", "siamese_cbow reported pearson"])]
    assert len(rows) == 5


def test_prose_of_the_pages():
    """Check the counts and means that sentences state."""
    text = text_of("README.md", "docs/siamese_cbow.md", "docs/scoring.md", "docs/cbos.md")
    frame = pd.read_csv(PUBLISHED / "novels" / "table1.csv").query("protocol == 'paper'")
    sets = frame[frame["year"].notna() & (frame["pairs"] > 0)]
    ours, published, untrained = (
        sets[f"{name} pearson"] for name in ("siamese_cbow", "siamese_cbow reported", "random")
    )
    of_three = sets[[f"{name} pearson" for name in ("siamese_cbow", "word2vec_cbow", "word2vec_skipgram")]]
    best = (of_three.max(axis=1) == ours).sum()
    assert f"outperforms word2vec CBOW and word2vec skip-gram on {best} of {len(sets)} sets;" in text
    near = ((published - untrained).abs() <= 0.05).sum()
    within = "the score of the untrained model is within .05 of the published score of Siamese CBOW"
    assert f"{within} on {near} of the {len(sets)} sets" in text
    mean = frame[frame["year"].isna()].iloc[0]
    trained, untrained = (shown(mean[f"{name} pearson"], 4) for name in ("siamese_cbow", "random"))
    assert f"mean r of {trained}. The untrained vectors reach {untrained}" in text
    assert f"the untrained vectors weighted by idf {shown(mean['random_idf pearson'], 4)}" in text
    costs = pd.read_csv(PUBLISHED / "novels" / "costs.csv")
    hours = costs["seconds"].sum() / 3600
    assert f"took {hours:.1f} hours, summed over {len(costs)} jobs" in text_of("docs/running.md")
    assert costs["peak_memory_mb"].max() < 6144
    assert "6 GB of memory" in text_of("docs/running.md")


def test_counts_of_claims():
    path = PUBLISHED / "claims.csv"
    if not path.exists():
        pytest.skip("the published run has no claims")
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    judged = pd.read_csv(path)
    claims = judged[judged["kind"] == "claim"]
    n = claims["verdict"].value_counts()
    holm = claims["corrected"].fillna("not tested").value_counts()
    errors = ((judged["kind"] == "error") & (judged["verdict"] == "holds")).sum()
    assert (
        f"of {n.sum()} statements in the four papers, {n['holds']} hold, {n['does not hold']} do not, "
        f"{n['undecided']} are undecided, and {n['not tested']} are not tested ({holm['holds']}, "
        f"{holm['does not hold']}, {holm['undecided']} and {holm['not tested']} after a correction for multiple tests)"
        f". In the papers, {errors} errors are confirmed."
    ) in text
    assert (
        f"{holm['holds']} of the {n.sum()} claims in the overview hold, {holm['does not hold']} do not hold, "
        f"{holm['undecided']} are undecided and {holm['not tested']} are not tested."
    ) in text_of("docs/claims.md")


def test_findings_have_the_margins_of_the_claims():
    text = text_of("docs/findings.md")
    words = "trained as described for one epoch, is {} lower than that of word2vec CBOW after five epochs"
    claims = pd.read_csv(PUBLISHED / "gutenberg_epochs" / "claims.csv").set_index("id")
    margin, *bounds = (abs(claims.loc["scbow_better_than_word2vec", name]) for name in ("margin", "low", "high"))
    assert words.format(f"{shown(margin, 3)} [{shown(min(bounds), 3)}, {shown(max(bounds), 3)}]") in text


def test_page_of_siamese_cbow_quotes_the_intervals_of_the_domain():
    frame = pd.read_csv(PUBLISHED / "novels_domain" / "siamese_cbow" / "ablation.csv").query(
        "unknown_words == 'omitted'"
    )
    frame = frame.set_index("model")

    def quoted(model: str, sign: float, digits: int) -> str:
        numbers = sorted(sign * frame.loc[model, name] for name in ("difference", "low", "high"))
        low, middle, high = (shown(number, digits).replace("-0.", "-.") for number in numbers)
        return f"{middle} [{low}, {high}]"

    text = text_of("docs/siamese_cbow.md")
    assert f"it scores {quoted('siamese_cbow_wikipedia', -1, 3)} below untrained vectors" in text
    assert f"on both texts, it scores {quoted('siamese_cbow_both', -1, 3)} below untrained vectors" in text
    released = [quoted(f"siamese_cbow_released_{corpus}", 1, 4) for corpus in ("wikipedia", "both")]
    assert f"({released[0]} and {released[1]})" in text
    assert f"which is {quoted('word2vec_cbow_both', 1, 3)} above untrained vectors" in text


def test_page_of_weighted_aggregation_quotes_the_learned_weights():
    folder = PUBLISHED / "novels"
    claims = pd.read_csv(folder / "claims.csv").set_index("id")["ours"]
    curves = pd.read_csv(folder / "weighted_aggregation" / "figure3.csv").query("source == 'ours'")
    relative = curves.set_index(["loss", "index"])["relative"]
    text = text_of("docs/weighted_aggregation.md")
    assert f"It is {shown(relative['median', 2], 2)} times the first" in text
    late = [shown(relative[loss].loc[16:].abs().max(), 3) for loss in ("median", "contrastive")]
    assert (
        f"the largest of these weights is {late[0]} times the largest of all weights with the median loss, and" in text
    )
    assert f"{late[1]} times with the contrastive loss" in text
    changes = [
        shown(float(found), 2)
        for found in re.findall(r"in a weight is ([\d.]+)", claims["weights_converge_within_an_epoch"])
    ]
    assert f"still changes by {changes[0]} times the largest weight" in text
    assert f"no weight changes by more than {changes[1]} times the largest weight" in text


def test_page_of_weighted_aggregation_has_the_published_variants():
    frame = pd.read_csv(PUBLISHED / "novels" / "weighted_aggregation" / "variants.csv")
    errors = frame.set_index(["method", "column", "variant"])["error"]
    _, rows = table_after(ROOT / "docs" / "weighted_aggregation.md", "| learned weights | 1 epoch")
    lengths = {"20 words": "20 words", "10 to 30 words": "variable length"}
    epochs = [f"word vectors of {number}" for number in ("1 epoch", "3 epochs", "10 epochs")]
    variants = [*epochs[:2], "as in table 1", epochs[2], "as released"]
    assert len(rows) == 4
    for line, cells in rows.items():
        loss, words = line.split(", ")
        cell = (f"Learned weights, {loss}", f"Wikipedia vectors, texts of {lengths[words]}")
        assert cells[:5] == [f"{errors[(*cell, variant)]:.1f}" for variant in variants], line


def test_page_of_cbos_has_the_published_figures_and_matched_baselines():
    folder, page = PUBLISHED / "novels" / "cbos", ROOT / "docs" / "cbos.md"
    _, curves = table_after(page, "| | 1 | 2 | 3 | 4 | 5 |")
    for line, figure, parameter in (
        ("context, k (m = 2)", "figure3", "context"),
        ("negative examples, m (k = 1)", "figure4", "negatives"),
    ):
        means = pd.read_csv(folder / f"{figure}.csv").query("protocol == 'paper'").groupby(parameter)["pearson"].mean()
        assert curves[line] == [shown(mean) for mean in means]
    _, rows = table_after(page, "| 100 dimensions, stems | r | difference |")
    frame = pd.read_csv(folder / "ablation.csv").query("unknown_words == 'omitted'").set_index("model")
    models = {
        "CBOS": "cbos",
        "w2v CBOW": "word2vec_cbow_stemmed",
        "Siamese CBOW, as released": "siamese_cbow_released_stemmed",
        "Siamese CBOW": "siamese_cbow_stemmed",
        "untrained x idf": "random_idf_stemmed",
        "untrained": "random_stemmed",
    }
    assert set(rows) == set(models)
    for line, model in models.items():
        row = frame.loc[model]
        interval = f"{shown(row['difference'], 4)} [{shown(row['low'], 4)}, {shown(row['high'], 4)}]"
        assert rows[line] == [shown(row["pearson"], 4), "" if model == "random_stemmed" else interval]
