"""Test that the page on Quick Thoughts states the published numbers."""

from pathlib import Path

import numpy as np
import pandas as pd

from conftest import ROOT
from helpers_docs import PUBLISHED, shown, table_after, text_of
from sentrep.claims.decision import decide
from sentrep.evaluation.statistics.draws import read_draws
from sentrep.tables.numbers import fixed


def test_networks_on_equal_text_have_the_published_results():
    run = PUBLISHED / "novels_equal_text"
    means = (
        pd.read_csv(run / "scores.csv")
        .query("protocol == 'paper' and dataset != 'Lee'")
        .groupby("model")["pearson"]
        .mean()
    )
    scores = pd.read_csv(run / "transfer.csv").query("protocol == 'kiros'")
    tasks = scores.groupby(["model", "task", "metric"])["value"].mean()
    _, rows = table_after(ROOT / "docs" / "quick_thoughts.md", "| equal text")
    models = {
        "uni-skip": "skip_thought_uni",
        "bi-skip": "skip_thought_bi",
        "combine-skip": "skip_thought_combine",
        "combine-cnn": "conv_combine",
        "SDAE": "sdae",
        "FastSent": "fastsent",
        "Paragraph Vector (DM)": "paragraph_vector_dm",
        "uni-QT": "quick_thoughts_uni",
        "bi-QT": "quick_thoughts_bi",
        "combine-QT": "quick_thoughts_combine",
        "MC-QT": "quick_thoughts_mc",
        "untrained bi-GRU": "untrained_gru",
        "random word vectors": "random",
        "tf-idf": "tfidf",
    }
    assert set(rows) == set(models)
    for line, model in models.items():
        accuracies = [fixed(tasks[model, task, "accuracy"], 1) for task in ("mr", "cr", "subj", "mpqa", "trec", "msrp")]
        assert rows[line] == [shown(means[model], 3), *accuracies, shown(tasks[model, "sick", "pearson"], 3)], line
    claims = pd.read_csv(run / "claims.csv").set_index("id")
    uni, bi = (claims.loc[f"qt_{name}_beats_cnn_on_tasks"] for name in ("uni", "bi"))
    assert uni["verdict"] == bi["verdict"] == "undecided"
    values = dict(part.rsplit(" ", 1) for claim in (uni, bi) for part in claim["ours"].split(": ")[1].split(", "))
    page = text_of("docs/quick_thoughts.md")
    assert f"six accuracies are {values['quick_thoughts_uni']} and {values['quick_thoughts_bi']}, and" in page
    assert f"the mean of combine-cnn is {values['conv_combine']}" in page


def test_large_networks_have_the_published_results_on_transfer_tasks():
    run = PUBLISHED / "novels_gpu_transfer"
    table = pd.read_csv(run / "quick_thoughts" / "table1.csv").query("protocol == 'kiros' and model.notna()")
    header, rows = table_after(ROOT / "docs" / "quick_thoughts.md", "| system | MR | CR | SUBJ | MPQA |")
    models = {
        "uni-QT": "quick_thoughts_uni",
        "bi-QT": "quick_thoughts_bi",
        "combine-QT": "quick_thoughts_combine",
        "MC-QT": "quick_thoughts_mc",
        "untrained bi-GRU": "untrained_gru",
    }
    assert set(rows) == set(models)
    cells = table.set_index(["model", "task", "metric"])[["ours", "reported"]]
    for line, model in models.items():
        expected = []
        for task in header:
            ours, published = cells.loc[(model, task, "pearson" if task == "SICK" else "accuracy")]
            texts = [shown(value, 3) if task == "SICK" else fixed(value, 1) for value in (ours, published)]
            expected.append(texts[0] if pd.isna(published) else f"{texts[0]} [{texts[1]}]")
        assert rows[line] == expected, line
    compared = table[(table["metric"] == "accuracy") & table["reported"].notna()]
    compared = compared[compared["model"].isin(models.values())]
    assert len(compared) == 24
    assert (compared["difference"].abs() <= 3).sum() == 6
    means = compared.groupby("model")[["ours", "difference"]].mean().loc[list(models.values())[:4]]
    assert means["ours"].is_monotonic_increasing
    *lower_means, highest = (fixed(value, 1) for value in means["ours"])
    low, high = (fixed(-value, 1) for value in (means["difference"].max(), means["difference"].min()))
    page = text_of("docs/quick_thoughts.md")
    assert f"rise in this order ({', '.join(lower_means)} and {highest})" in page
    assert f"Our means are {low} to {high} percentage points lower than published" in page
    assert f"mean accuracies {low} to {high} percentage points lower than published" in page
    sizes = pd.read_csv(run / "quick_thoughts" / "table9.csv").dropna(subset=["mean accuracy"])
    *small, large = (fixed(value, 1) for value in sizes.sort_values("size")["mean accuracy"])
    assert f"{', '.join(small)} and {large} with 1,600, 3,200 and 4,800 dimensions" in page
    assert f"it has {fixed(means.loc['quick_thoughts_mc', 'ours'], 1)} with 4,800 dimensions" in page
    claim = pd.read_csv(run / "claims.csv").set_index("id").loc["ensemble_beats_single_model"]
    assert claim["verdict"] == "does not hold"
    difference, lower, upper = (fixed(claim[name], 1) for name in ("margin", "low", "high"))
    assert f"{difference} percentage points (95% confidence interval [{lower}, {upper}])" in page


def test_sizes_of_vectors_have_the_published_accuracies():
    frame = pd.read_csv(PUBLISHED / "novels_equal_text" / "quick_thoughts" / "table9.csv").dropna(
        subset=["mean accuracy"]
    )
    *smaller, large = (f"{accuracy:.1f}" for accuracy in frame.sort_values("size")["mean accuracy"])
    assert f"has mean accuracies of {', '.join(smaller)} and {large}." in text_of("docs/quick_thoughts.md")


def test_contrastive_sentences_and_losses_have_the_published_results():
    folder = PUBLISHED / "novels"
    frame = pd.read_csv(folder / "quick_thoughts" / "ablation.csv").query("unknown_words == 'omitted'")
    frame = frame.set_index("model")
    page = (ROOT / "docs" / "quick_thoughts.md").read_text(encoding="utf-8")
    for place, name in (
        ("| the rest of the batch | softmax (the paper's objective) |", ""),
        ("| random | softmax |", "_random"),
        ("| the rest of the batch | max-margin |", "_margin"),
        ("| the rest of the batch | binary classifier |", "_binary"),
    ):
        row = frame.loc[f"quick_thoughts_bow_400{name}"]
        interval = f"{shown(row['difference'], 4)} [{shown(row['low'], 4)}, {shown(row['high'], 4)}]"
        assert f"{place} {shown(row['pearson'], 4)} | {interval} |" in page
    claims = pd.read_csv(folder / "claims.csv").set_index("id")
    for name in ("contiguous_batches_suffice", "objective_beats_max_margin"):
        assert claims.loc[name, "verdict"] == "holds"
    assert claims.loc["contiguous_batches_suffice", "low"] > 0.01  # the claim allows a difference of .01
    assert claims.loc["objective_beats_max_margin", "low"] > 0


def test_details_of_the_released_code_have_the_published_results():
    folder = PUBLISHED / "novels" / "quick_thoughts"
    frame = pd.read_csv(folder / "ablation.csv").query("unknown_words == 'omitted'")
    trained = frame[frame["difference"].notna() & frame["section"].str.contains("details")]
    page = (ROOT / "docs" / "quick_thoughts.md").read_text(encoding="utf-8")
    for _, row in trained.iterrows():
        label = row["label"].removesuffix(", 1/8 of the text")
        interval = f"{shown(row['difference'], 4)} [{shown(row['low'], 4)}, {shown(row['high'], 4)}]"
        assert f"| {label} | {shown(row['pearson'], 4)} | {interval} |" in page
    assert len(trained) == 6
    changes = trained["pearson"] - trained["pearson"].iloc[0]
    assert changes.abs().max() < 0.001


def test_training_budget_has_the_published_results():
    frame = pd.read_csv(PUBLISHED / "novels" / "budget.csv", dtype={"epochs": str}).query("unknown_words == 'omitted'")
    mean = frame.fillna({"epochs": ""}).set_index(["label", "epochs"])["pearson"]
    last = frame.query("epochs == '20'").set_index("label")
    _, rows = table_after(ROOT / "docs" / "quick_thoughts.md", "| epochs |")
    models = {
        "CBOS": ("CBOS", "untrained (100, stems)"),
        "Paragraph Vector (DBOW)": ("ParagraphVec DBOW", "untrained"),
        "QT (BoW)": ("QT (BoW)", "untrained QT (BoW)"),
        "Siamese CBOW, as released": ("Siamese CBOW, as released", "untrained"),
        "Siamese CBOW": ("Siamese CBOW", "untrained"),
        "FastSent, exact gradient": ("FastSent", "untrained"),
        "FastSent, as released": ("FastSent, as released", "untrained"),
        "word2vec CBOW": ("w2v CBOW", "untrained"),
    }
    assert set(rows) == set(models)
    for line, (label, baseline) in models.items():
        scores = [mean[label, epochs] for epochs in ("1", "2", "5", "10", "20")]
        difference, low, high = last.loc[label, ["difference", "difference_low", "difference_high"]]
        expected = [*(shown(score, 3) for score in scores), shown(mean[baseline, ""], 3)]
        assert rows[line] == [*expected, f"{shown(difference, 3)} [{shown(low, 3)}, {shown(high, 3)}]"], line


def test_bags_of_words_on_equal_text_have_the_published_results():
    run = PUBLISHED / "novels_equal_text"
    overall = pd.read_csv(run / "quick_thoughts" / "table8.csv").set_index("model")["Overall pearson"]
    claim = pd.read_csv(run / "claims.csv").set_index("id").loc["bow_encoder_beats_rnn_on_sts14"]
    assert claim["verdict"] == "holds"
    difference, low, high = (shown(claim[name], 3) for name in ("margin", "low", "high"))
    page = text_of("docs/quick_thoughts.md")
    assert f"mean r of {shown(overall['quick_thoughts_bow'], 3)} on STS14" in page
    assert f"combine-QT {shown(overall['quick_thoughts_combine'], 3)} (difference {difference} [{low}, {high}]" in page
    assert f"Untrained word vectors reach {shown(overall['random'], 3)}." in page
    assert f"skip-gram ({shown(overall['word2vec_skipgram'], 3)}) scores lower than SDAE" in page
    for name, model in (("SDAE", "sdae"), ("combine-skip", "skip_thought_combine")):
        assert f"{shown(overall[model], 3)} for {name}" in page
    sentence = f"On the sets of 2014, the bag-of-words variant of Quick Thoughts scores {difference} [{low}, {high}]"
    assert sentence in text_of("docs/findings.md")


def test_fastsent_has_the_published_results():
    folder = PUBLISHED / "novels" / "siamese_cbow"
    scores = pd.read_csv(folder / "table2.csv").set_index("dataset")
    page = ROOT / "docs" / "quick_thoughts.md"
    header, rows = table_after(page, "| FastSent | OnWN")
    columns = {"exact gradient": "fastsent pearson", "as released": "fastsent_released pearson"}
    assert set(rows) == {"published", *columns}
    for label, column in columns.items():
        assert rows[label] == [shown(scores.loc[name, column], 3) for name in header], label
    published = scores["FastSent un-swapped pearson"]
    assert rows["published"] == [shown(published[name], 2) for name in header]
    exact, released = ((scores[column] - published).abs() for column in columns.values())
    assert (exact <= 0.011).sum() == 4
    assert released.round(2).min() == 0.24
    assert released.round(2).max() == 0.47

    of_settings = "unknown_words == 'omitted' and section == 'Settings of FastSent'"
    settings = pd.read_csv(folder / "ablation.csv").query(of_settings).set_index("label")
    _, rows = table_after(page, "| FastSent | 20 sets")
    assert set(rows) == set(settings.index[settings["difference"].notna()])
    for label, row in rows.items():
        of_label = settings.loc[label]
        interval = f"[{shown(of_label['low'], 4)}, {shown(of_label['high'], 4)}]"
        assert row == [shown(of_label["pearson"], 4), f"{shown(of_label['difference'], 4)} {interval}"], label
    low, high = -settings.loc["as released", ["high", "low"]]
    below = f"{shown(-settings.loc['as released', 'difference'], 4)} [{shown(low, 4)}, {shown(high, 4)}] below"
    assert f"its mean r over the 20 sets is {below} that of untrained" in text_of("docs/findings.md")
    overall = pd.read_csv(PUBLISHED / "novels" / "quick_thoughts" / "table8.csv").set_index("model")["Overall pearson"]
    exact, released = (shown(overall[name], 2) for name in ("fastsent", "fastsent_released"))
    assert f"weighted by the number of pairs, is then {exact}, and" in text_of("docs/findings.md")
    assert f"except FastSent trained as in the released code ({released})." in text_of("README.md")


def interval_of_2014(file: Path, system: str, mean: float) -> str:
    """Return the interval of a system's mean over the sets of 2014, weighted by their numbers of pairs."""
    if file.parent.name == "novels_gpu":  # this run has no bootstrap draws
        return ""
    draws = [
        drawn
        for key, drawn in read_draws(file).items()
        if (key.system, key.metric, key.protocol, key.x) == (system, "pearson", "paper", "")
        and key.row.startswith("2014")
    ]
    assert len(draws) == 6
    deviations = np.average([d.deviations for d in draws], axis=0, weights=[d.items for d in draws])
    found = decide(np.concatenate([[mean], mean + deviations]))
    return f" [{shown(found.low, 2)}, {shown(found.high, 2)}]"


def test_findings_have_the_scores_of_bags_of_words_and_recurrent_encoders():
    header, rows = table_after(ROOT / "docs" / "findings.md", "| model | training text | mean r |")
    systems = {
        "CBOS": "cbos",
        "skip-gram": "word2vec_skipgram",
        "FastSent": "fastsent_released",
        "MC-QT": "quick_thoughts_mc",
        "bi-QT": "quick_thoughts_bi",
        "skip-thought": "skip_thought_uni",
        "tf-idf": "tfidf",
        "untrained word vectors": "random",
        "untrained recurrent encoder of the size of bi-QT": "untrained_gru",
    }
    assert len(rows) == len(systems)
    for line, cells in rows.items():
        found = dict(zip(header, cells, strict=True))
        scores = pd.read_csv(PUBLISHED / found["run"].strip("`") / "scores.csv")
        scores = scores.query("protocol == 'paper' and year == 2014").groupby(["model", "seed", "dataset"]).first()
        by_model = {
            name: float(np.average(group["pearson"], weights=group["pairs"])) for name, group in scores.groupby("model")
        }
        system = systems[line.split(",")[0]]
        ends = interval_of_2014(PUBLISHED / found["run"].strip("`") / "draws.npz", system, by_model[system])
        assert found["mean r"] == f"{shown(by_model[system], 2)}{ends}", line
        assert found["seeds"] in ("", str(len(scores.loc[system].groupby("seed")))), line
        if line.startswith("CBOS"):
            others = ("word2vec_cbow", "siamese_cbow", "quick_thoughts_bow", "fastsent")
            assert all(by_model["word2vec_skipgram"] < by_model[name] < by_model["cbos"] for name in others)


def test_signs_of_fastsent_agree_with_the_exchanged_columns():
    """The page on Siamese CBOW says that r and rho are exchanged in the published values of FastSent."""
    scores = pd.read_csv(PUBLISHED / "novels" / "scores.csv").query("protocol == 'paper' and year == 2014")
    ours = scores[scores["model"] == "fastsent"].groupby("dataset")[["pearson", "spearman"]].mean()
    published = pd.read_csv(PUBLISHED / "novels" / "siamese_cbow" / "table2.csv").set_index("dataset")
    gaps = published["FastSent reported spearman"] - published["FastSent reported pearson"]
    assert set(ours.index[ours["spearman"] > ours["pearson"]]) == {"OnWN", "deft-forum"}
    assert ((ours["pearson"] > ours["spearman"]) == (gaps[ours.index] > 0)).all()
