"""Test numbers on the pages on findings and on Siamese CBOW: reproduced values, and settings of word2vec."""

import numpy as np
import pandas as pd
import pytest

from conftest import ROOT
from helpers_docs import PUBLISHED, ablation_rows, shown, table_after, text_of
from sentrep.claims.decision import decide
from sentrep.evaluation.statistics.draws import Key, read_draws
from sentrep.tables.values import Values


def test_findings_have_the_reproduced_values():
    frame = pd.read_csv(PUBLISHED / "reproduced.csv").query("metric in ['pearson', 'accuracy', 'split error']")
    weighted = "Weighted aggregation, table 1"
    columns = {
        "Siamese CBOW, table 1: skip-gram": ("siamese_cbow", "table1", "w2v skipgram"),
        "Siamese CBOW, table 1: CBOW": ("siamese_cbow", "table1", "w2v CBOW"),
        "Siamese CBOW, table 1: Siamese CBOW": ("siamese_cbow", "table1", "Siamese CBOW"),
        "Siamese CBOW, table 1: skip-thought": ("siamese_cbow", "table1", "skip-thought"),
        "CBOS, table I: CBOS": ("cbos", "table1", "CBOS"),
        f"{weighted}: texts of 20 words": ("weighted_aggregation", "table1", "Wikipedia, 20 words"),
        f"{weighted}: texts of variable length": ("weighted_aggregation", "table1", "Wikipedia, variable length"),
        f"{weighted}: other word vectors": ("weighted_aggregation", "table1", "Google, variable length"),
        "Weighted aggregation, table 2: tweets": ("weighted_aggregation", "table2", "Twitter"),
        "Quick Thoughts, table 8: QT (BoW)": ("quick_thoughts", "table8", "QT (BoW)"),
        "Quick Thoughts, table 8: QT (RNN)": ("quick_thoughts", "table8", "QT (RNN)"),
        "Quick Thoughts, table 8: Skip-Thoughts": ("quick_thoughts", "table8", "Skip-Thoughts"),
        "Quick Thoughts, table 8: FastSent": ("quick_thoughts", "table8", "FastSent"),
        "Quick Thoughts, table 8: CBOW": ("quick_thoughts", "table8", "CBOW"),
        "Quick Thoughts, table 8: Skipgram": ("quick_thoughts", "table8", "Skipgram"),
        "Quick Thoughts, table 8: Siamese CBOW": ("quick_thoughts", "table8", "Siamese CBOW"),
        "Quick Thoughts, table 1: FastSent": ("quick_thoughts", "table1", "FastSent"),
        "Quick Thoughts, table 1: ParagraphVec": ("quick_thoughts", "table1", "ParagraphVec"),
        "Quick Thoughts, table 1: MC-QT": ("quick_thoughts", "table1", "MC-QT"),
        "Quick Thoughts, table 3: CNN of Kim (2014)": ("quick_thoughts", "table3", "CNN"),
    }
    page = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    lines = page.split("| published column |")[1].split("\n\n")[0].split("\n")[2:]
    assert len(lines) == 29
    for line in lines:
        column, model, _, reproduced, mean, seeds, run = (cell.strip() for cell in line.strip("|").split("|"))
        place = zip(("paper", "item", "column", "run"), (*columns[column], run.strip("`")), strict=True)
        chosen = frame[np.logical_and.reduce([frame[key] == value for key, value in place])]
        if model in ("as described", "exact gradient", "as released"):
            chosen = chosen[chosen["system"].str.endswith("_released") == (model == "as released")]
        chosen = chosen[chosen["metric"] == chosen["metric"].mode()[0]]  # MC-QT also has a correlation (SICK)
        assert len(set(chosen["row"])) == len(chosen), line  # all values belong to the same model
        assert reproduced == f"{chosen['within'].sum()} of {len(chosen)}", line
        percent = set(chosen["metric"]) != {"pearson"}
        difference = chosen["difference"].mean()
        assert mean == (f"{difference:.1f}" if percent else shown(difference)), line
        assert seeds == str(chosen["seeds"].max()), line


@pytest.mark.parametrize(("run", "within"), [("novels", 7), ("gutenberg", 10)])
def test_untrained_vectors_are_close_to_some_published_values_of_siamese_cbow(run, within):
    published = pd.read_csv(PUBLISHED / "reproduced.csv").query(
        f"run == '{run}' and paper == 'siamese_cbow' and item == 'table1' and system == 'siamese_cbow'"
        " and metric == 'pearson'"
    )
    values = Values.read(PUBLISHED / run / "values.csv").frame
    untrained = values.query(
        "system == 'random' and item == 'table1' and paper == 'sentrep' and metric == 'pearson' and protocol == 'paper'"
    )
    both = published.merge(untrained, on="row")
    assert len(both) == 20
    assert ((both["mean"] - both["published_x"]).abs().round(6) <= 0.03).sum() == within
    assert f"{within} ({'novels' if run == 'novels' else '329 million words'})" in text_of("docs/findings.md")


def test_findings_have_the_number_of_values_that_only_the_released_code_reproduces():
    frame = pd.read_csv(PUBLISHED / "reproduced.csv").query(
        "run == 'novels' and paper == 'siamese_cbow' and item == 'table1' and metric == 'pearson'"
    )
    described, released = (
        set(frame[(frame["system"] == system) & frame["within"]]["row"])
        for system in ("siamese_cbow", "siamese_cbow_released")
    )
    page = text_of("docs/findings.md")
    assert f"{len(released - described)} of the 20 values of Siamese CBOW." in page
    assert f"described reproduces {len(described)} values, and training as in the released code" in page
    assert f"training as in the released code reproduces {len(released)}." in page


def test_page_of_siamese_cbow_has_the_published_scores_with_as_many_updates_as_in_the_paper():
    found = ablation_rows()
    _, rows = table_after(ROOT / "docs" / "siamese_cbow.md", "| training on the novels | r |")
    assert len(rows) == 9
    for line, cells in rows.items():
        assert cells == found["As many updates as in the papers", line][:2], line


def test_page_of_siamese_cbow_has_the_published_settings_of_word2vec():
    found = ablation_rows()
    renamed = {"as in table 1: 5 epochs, subsampling at 1e-5": "as in table 1", "window of 10 words": "window of 10"}
    page = ROOT / "docs" / "siamese_cbow.md"
    _, rows = table_after(page, "| setting | word2vec CBOW")
    assert rows.pop("published") == [".4222", "", ".4132", ""]
    assert len(rows) == 12
    for line, cells in rows.items():
        if line.startswith("minimum count"):
            assert cells[:2] == found["Minimum count of words", f"w2v CBOW, {line}"][:2], line
        else:
            label = renamed.get(line, line)
            assert cells[:2] == found["Settings of word2vec CBOW", label][:2], line
            skipgram = found.get(("Settings of word2vec skip-gram", label), [""])
            assert cells[2:] in (skipgram[:2], ["", ""]), line
    assert sum(bool(cells[2]) for cells in rows.values()) == 9
    text = text_of("docs/siamese_cbow.md")
    rates = "Learning rate, with leftover tokens"
    random = found["Differences between the paper and the released code", "unused slots hold random words"]
    assert random[1] == "-.0787 [-.0865, -.0711]"
    assert ".0787 [.0711, .0865] *below*" in text
    assert f"({found[rates, '1/4 of the rate'][1].split()[0]} compared with .0278)" in text
    assert f"half of it ({found[rates, '1/16 of the rate'][1].split()[0]})" in text
    assert f"the gain is {found[rates, '4 times the rate'][1]};" in text


def interval_of_difference(run: str, system: str, baseline: str, digits: int = 3, negatives: str = "") -> str:
    """Return the difference between the means over the 20 sets, with the interval that verdicts on claims use."""
    draws = read_draws(PUBLISHED / run / "draws.npz")
    scores = pd.read_csv(PUBLISHED / run / "scores.csv").query("protocol == 'paper'")
    measured = scores.groupby("model")["pearson"].mean()
    ours, place = measured.loc[system], {}
    if negatives:
        place = {"x": negatives, "item": "siamese_cbow/figure3"}
        curve = pd.read_csv(PUBLISHED / run / "siamese_cbow" / "figure3.csv").query("protocol == 'paper'")
        ours = curve[curve["negatives"] == int(negatives)]["pearson"].mean()
    deviations = [
        draws[key._replace(system=system, **place)].deviations - drawn.deviations
        for key, drawn in draws.items()
        if (key.system, key.metric, key.protocol, key.x) == (baseline, "pearson", "paper", "") and key.row[:3] == "201"
    ]
    assert len(deviations) == 20
    difference = ours - measured.loc[baseline]
    found = decide(np.concatenate([[difference], difference + np.mean(deviations, axis=0)]))
    return f"{shown(difference, digits)} [{shown(found.low, digits)}, {shown(found.high, digits)}]"


def difference_after_epochs(system: str, baseline: str) -> str:
    """Return the difference between two models of the run `gutenberg_epochs`, with its interval."""
    folder = PUBLISHED / "gutenberg_epochs"
    frame = pd.read_csv(folder / "siamese_cbow" / "ablation.csv").query("unknown_words == 'omitted'")
    measured = frame.drop_duplicates("model").set_index("model")["pearson"]
    draws = read_draws(folder / "draws.npz")
    deviations = {
        name: np.mean(
            [d.deviations for key, d in draws.items() if key[:4:2] == (name, "pearson") and rows(key)], axis=0
        )
        for name in (system, baseline)
    }
    difference = measured[system] - measured[baseline]
    samples = difference + deviations[system] - deviations[baseline]
    found = decide(np.concatenate([[difference], samples]))
    return f"{shown(difference)} [{shown(found.low)}, {shown(found.high)}]"


def rows(key: Key) -> bool:
    """Return whether a key belongs to a set or, for models that are only in the ablation table, to the mean."""
    return key.protocol == "paper" and not key.x


def test_findings_compare_models_after_one_and_five_epochs():
    page = text_of("docs/findings.md")
    frame = pd.read_csv(PUBLISHED / "gutenberg_epochs" / "siamese_cbow" / "ablation.csv").set_index("model")
    frame = frame.query("unknown_words == 'omitted'").dropna(subset=["difference"])
    cells = {
        name: f"{shown(row.difference, 4)} [{shown(row.low, 4)}, {shown(row.high, 4)}]"
        for name, row in frame.iterrows()
    }
    for model, label in (("word2vec_cbow", "word2vec CBOW"), ("siamese_cbow", "Siamese CBOW as described")):
        one, five = (cells.get(f"{model}~epochs={n}", cells.get(model)) for n in (1, 5))
        assert f"| {label} | {one} | {five} |" in page
    assert f"| Siamese CBOW as released | {cells['siamese_cbow_released']} | |" in page
    once = "word2vec_cbow~epochs=1"
    assert f"({difference_after_epochs(once, 'siamese_cbow_released')} higher)" in page
    fall = difference_after_epochs("siamese_cbow", "siamese_cbow~epochs=5")
    assert f"Siamese CBOW as described scores {fall} lower after five epochs" in page
    assert (
        f"and {difference_after_epochs(once, 'siamese_cbow')} lower than that of word2vec CBOW after one epoch" in page
    )
    assert f"scores {fall} lower after five epochs than after one" in text_of("docs/gutenberg.md")


def test_findings_have_the_intervals_that_are_computed_from_draws():
    page = text_of("docs/findings.md")
    systems = "siamese_cbow_released", "siamese_cbow"
    released = [interval_of_difference(run, *systems, digits=4) for run in ("gutenberg", "novels")]
    assert f"Training as released scores {released[0]} higher than training as described" in page
    assert f"as large as on the novels ({released[1]};" in page
    one = interval_of_difference("novels", "siamese_cbow", "random", negatives="1")
    assert f"Siamese CBOW as described scores {one} higher than untrained vectors" in page
    assert f"({interval_of_difference('gutenberg_sweeps', 'cbos', 'tfidf')})" in page
    idf = interval_of_difference("gutenberg_sweeps", "cbos", "random_idf")
    assert f"CBOS is {idf} above untrained vectors weighted by idf" in page
