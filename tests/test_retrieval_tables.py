"""Test tables 4 to 7 of Quick Thoughts: our values next to the published values, for hand-written numbers."""

import itertools

import numpy as np
import pandas as pd
import pytest

from helpers_evaluation import ROOT
from helpers_tables import cells
from helpers_views import run_values, view_of
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.errors import SentrepError
from sentrep.evaluation.analogies.scoring import ANSWER_COLUMNS
from sentrep.evaluation.nearest_sentences import Neighbours, neighbour_rows
from sentrep.evaluation.retrieval.ranking import MEDIAN, RECALLS, SCORE_COLUMNS
from sentrep.sources.published import read_published
from sentrep.tables.collect.retrieval import ROWS, retrieval_values
from sentrep.tables.collect.sentences import analogy_values, answer_values, nearest_values
from sentrep.tables.markup import latex, markdown, page
from sentrep.tables.numbers import signed

REPORTED = ROOT / "workflow" / "reported" / "quick_thoughts.csv"
PAPER = read_published(REPORTED)
QUERIES = make_plan(resolve({})).nearest.queries


def entry(name, label, table=None, column=None, baseline=False, seeds=(1,)):
    reported = {"paper": "quick_thoughts", "table": table, "column": column} if column else None
    return {"id": name, "label": label, "baseline": baseline, "seeds": list(seeds), "reported": reported}


def retrieval_scores(values, sample=False):
    """Return rows from {(model, seed): recall}; the median rank is a tenth of the recall."""
    rows = []
    for (model, seed), value in values.items():
        for direction, metric in itertools.product(ROWS, (*RECALLS, MEDIAN)):
            number = value / 10 if metric == "median rank" else value
            given = {"preset": "p", "model": model, "seed": seed, "direction": direction, "metric": metric}
            given |= {"value": number, "folds": 5, "fold_images": 1000, "dimension": 300, "sample": sample}
            rows.append(given)
    return pd.DataFrame(rows, columns=SCORE_COLUMNS)


SETTINGS = {"dimension": 1000, "scoring": "inner_product", "margin": 0.2, "contrasts": 50, "drawn_for": "pair"}
SYSTEMS4 = [
    entry("ours", "Ours", 4, "MC-QT", seeds=(1, 2)),
    entry(None, "DVSA", 4, "DVSA", seeds=()),
    entry(None, "Order", 4, "Order", seeds=()),
    entry("other", "Other"),
    entry("random", "Untrained", baseline=True),
]
SCORES4 = {("ours", 1): 40.0, ("ours", 2): 42.0, ("other", 1): 50.0, ("random", 1): 60.0}


def table4(scores=SCORES4, systems=SYSTEMS4, sample=False):
    values = retrieval_values(retrieval_scores(scores, sample), PAPER, systems, SETTINGS)
    return view_of("quick_thoughts/table4", values, sample)


def test_table4():
    table, data = table4()
    headings = [section.heading for section in table.sections]
    supervised = "Direct supervision of sentence representations"
    assert headings == [
        "Pre-trained unsupervised sentence representations",
        supervised,
        "Not in this table of the paper",
        "Baselines",
    ]
    ours = cells(table, "Ours")
    assert [c.text for c in ours][:4] == ["41.0 ±1.4", "41.0 ±1.4", "41.0 ±1.4", "4.1 ±0.1"]
    assert [c.text for c in cells(table, "MC-QT")][:4] == ["37.1", "72.0", "84.7", "2"]
    # our values minus the published values
    assert [c.text for c in cells(table, "")][:4] == ["+3.9", "-31.0", "-43.7", "+2.1"]
    # the baseline is higher but untrained; the highest recall and the lowest median rank are the best
    assert [c.bold for c in cells(table, "Other")][:4] == [True, True, True, False]
    assert [c.bold for c in ours][:4] == [False, False, False, True]
    assert not any(c.bold for c in cells(table, "Untrained"))
    assert [c.bold for c in cells(table, "DVSA")][:4] == [False, False, False, True]
    assert [c.bold for c in cells(table, "Order")][:4] == [True, True, False, False]
    assert any("5 folds of 1000 test images" in note for note in table.notes)
    row = data.set_index("model").loc["ours"]
    assert (row["annotation r@1"], row["annotation r@1 reported"], row["annotation r@1 difference"]) == (
        41.0,
        37.1,
        3.9,
    )
    assert set(data["system"].dropna()) == set(PAPER.columns(4))
    assert len(data) == 9


def test_table4_of_sample_data_has_no_differences():
    table, data = table4(sample=True)
    assert table.full_title.startswith("SAMPLE")
    assert "synthetic scenes and not COCO images" in table.full_notes[0]
    assert data["annotation r@1 difference"].isna().all()
    assert "difference" not in {row.heading.tail for row in table.rows()}


def test_table4_without_a_seed():
    scores = {key: value for key, value in SCORES4.items() if key != ("ours", 2)}
    with pytest.raises(
        SentrepError, match=r"retrieval scores: expected \w+ of ours for seeds 1, 2, found only seed 1 for"
    ):
        table4(scores)


def test_table4_of_no_model_is_the_papers():
    table, data = table4({}, [])
    printed = {key: value for key, value in PAPER.values.items() if key[0] == "4" and key[1] != "Section"}
    shown = [cell.text for row in table.rows() for cell in row.cells if cell.text]
    assert sorted(shown) == sorted(printed.values())
    assert len(data) == 7


def test_queries_are_those_of_the_paper():
    assert len(QUERIES) == 9
    assert QUERIES[2] == "He kept both medals in a biscuit tin ."


def neighbours(model, queries, first):
    places = np.array([[first, 1], [-1, -1]])
    found = Neighbours(places, np.array([[0.75, 0.5], [np.nan, np.nan]]), 1000, 7 if model == "ours" else 0)
    texts = {first: f"nearest | of {model}", 1: "second"}
    return neighbour_rows(queries, found, texts, {"preset": "p", "model": model, "seed": 1})


POOL = {"sentences": 1000, "read": 5000, "source": "a dump", "corpus": "wikipedia_sentences"}


def test_table5():
    queries = [QUERIES[2], "A query of one's own."]
    both = pd.concat([neighbours("ours", queries, 5), neighbours("other", queries, 6)])
    models = [entry("ours", "Ours"), entry("other", "Other")]
    table, data = view_of("quick_thoughts/table5", nearest_values(both, PAPER, models, POOL))
    assert [section.heading for section in table.sections] == queries
    first, second = table.sections
    assert [(row.heading.text, row.cells[0].text, row.cells[1].text) for row in first.rows] == [
        ("Ours", "nearest | of ours", "0.750"),
        ("Other", "nearest | of other", "0.750"),
        (
            "ST",
            "He kept wicket for Middlesex in two first-class cricket matches during the 1891 County Championship .",
            "",
        ),
        ("QT", "He won a three medals at four Winter Olympics .", ""),
    ]
    assert [(row.cells[0].text, row.cells[0].note) for row in second.rows] == [("", "the query has no known word")] * 2
    assert any("drawn from the 5,000 sentences in the corpus" in note for note in table.notes)
    assert table.notes[-1] == "Number of pool sentences without known words, by model: ours 7."
    mine = data[(data["kind"] == "ours") & (data["query"] == queries[0])]
    assert mine["rank"].tolist() == [1, 2, 1, 2]
    assert data["query"].tolist() == [queries[0]] * 6 + [queries[1]] * 2


def test_sentences_are_left_aligned_and_escaped():
    both = neighbours("ours", QUERIES[:2], 5)
    values = nearest_values(both, PAPER, [entry("ours", "Ours")], POOL)
    table, _ = view_of("quick_thoughts/table5", values, sample=True)
    pages = {"md": markdown(table), "tex": latex(table), "html": page(table)}
    assert "| --- | :-- | --: |" in pages["md"]
    assert "nearest \\| of ours" in pages["md"]
    assert r"{l>{\raggedright\arraybackslash}p{1.1\textwidth}r}" in pages["tex"]
    assert '<table class="prose"' in pages["html"]
    assert all("SAMPLE" in page for page in pages.values())


RELATIONS = PAPER.rows(6)


def answers_of(models, right):
    """Return four answers to each of two tuples per relation; ``right`` gives the numbers of correct answers."""
    rows = []
    for (model, seed), (place, relation) in itertools.product(models, enumerate(RELATIONS)):
        count = right(model, seed, place)
        for number, (tuple_number, part) in enumerate(itertools.product(range(2), "DCBA")):
            sentences = {p: f"{p} of {relation} {tuple_number}" for p in "ABCD"}
            correct = number < count
            third = {"D": "C", "C": "D", "B": "A", "A": "B"}[part]
            retrieved = sentences[part] if correct else sentences[third]
            given = {"preset": "p", "model": model, "seed": seed, "relation": relation, "tuple": tuple_number}
            given |= {"answer": part, **sentences, "retrieved": retrieved, "cosine": 0.5, "correct": correct}
            rows.append({**given, "correct_without_query": True, "pool": 1234})
    return pd.DataFrame(rows, columns=ANSWER_COLUMNS)


TEXT = {"source": "novels", "corpus": "books", "read": 3000, "sample": False}
TEXT |= {"tuples": dict.fromkeys(RELATIONS, 2)}
SYSTEMS6 = [
    entry(None, "Combine-skip", 6, "Combine-skip", seeds=()),
    entry("ours", "Ours", 6, "MC-QT", seeds=(1, 2)),
    entry("random", "Untrained", baseline=True),
]
ANSWERS = answers_of(
    [("ours", 1), ("ours", 2), ("random", 1)],
    lambda model, seed, place: {"ours": 2 * seed, "random": 0}[model] if place else 8,
)


def table6(answers, text):
    values = analogy_values(answers, PAPER, SYSTEMS6, RELATIONS, text)
    return view_of("quick_thoughts/table6", values, text["sample"])


def test_table6():
    table, data = table6(ANSWERS, TEXT)
    assert [name for _, names in table.groups for name in names] == [*RELATIONS, "all"]
    ours = cells(table, "Ours", "")
    # all answers are correct in the first relation, and a quarter or a half of them in the others
    assert [c.text for c in ours][:2] == ["1.00 ±0.00", "0.38 ±0.18"]
    assert [c.text for c in cells(table, "", "")][:3] == ["+0.96", "+0.32", "+0.04"]
    assert [c.text for c in cells(table, "Ours", "Query sentences excluded from the pool")][:2] == ["1.00 ±0.00"] * 2
    assert any(
        note.startswith("Number of questions for each relation and in total: Google gram4-superlative 8,")
        and "all 72" in note
        for note in table.notes
    )
    assert any("novels (corpus books, 3,000 sentences)" in note for note in table.notes)
    row = data[(data["model"] == "ours") & (data["pool"] == "with query sentences")].iloc[0]
    # all eight answers of the first relation are correct, and two or four of eight in each other relation
    assert row["all"] == round(np.mean([(8 + 8 * 2) / 72, (8 + 8 * 4) / 72]), 4)
    assert (row["Google family reported"], row["Google family questions"]) == (0.34, 8)


def test_table6_of_a_text_without_tuples():
    text = {**TEXT, "sample": True, "tuples": dict.fromkeys(RELATIONS, 0)}
    table, data = table6(ANSWERS.iloc[:0], text)
    expected = "No tuples were found for the following relations: Google gram4-superlative, Google"
    assert any(note.startswith(expected) for note in table.notes)
    assert data[[f"{relation} questions" for relation in RELATIONS]].eq(0).all(axis=None)
    assert data[RELATIONS].isna().all(axis=None)


def table7(answers):
    return view_of("quick_thoughts/table7", answer_values(answers, PAPER, [entry("ours", "Ours")], TEXT))


def test_table7():
    table, data = table7(ANSWERS)
    ours = data[data["kind"] == "ours"]
    assert ours["relation"].tolist()[:3] == RELATIONS[:3]
    assert ours["correct"].tolist() == [True, True, True, False]
    # the wrong answer is the most common error: the third sentence of the question
    wrong = ours.iloc[3]
    assert wrong["retrieved"] == wrong["C"]
    assert table.sections[3].rows[-1].heading.text == "sought"
    reported = data[data["kind"] == "reported"]
    assert reported["correct"].tolist() == [True, True, True, False]
    assert reported["retrieved"].iloc[1] == "the complimentary valet was also a nice touch ."
    assert table.sections[-1].rows[-1].cells[0].tail == "(✗)"


def test_questions_are_shown_in_the_order_they_are_asked():
    """The question whose answer is B reads C : D :: A : ?"""
    one = ANSWERS[(ANSWERS["answer"] == "B") & ANSWERS["correct"]].head(1)
    _, data = table7(one)
    shown = data.iloc[0]
    assert [shown[part][0] for part in ("A", "B", "C", "retrieved")] == ["C", "D", "A", "B"]


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.04, 1, "0.0"),
        (-0.04, 1, "0.0"),
        (0.035, 2, "+0.04"),
        (-0.35, 1, "-0.4"),
        (0.06, 1, "+0.1"),
        (-2, 2, "-2.00"),
        (float("nan"), 1, ""),
    ],
)
def test_signs(value, digits, text):
    assert signed(value, digits) == text


def test_equal_values_are_both_bold():
    table, _ = table4({("a", 1): 41.04, ("b", 1): 40.96}, [entry("a", "A"), entry("b", "B")], sample=True)
    assert [cells(table, name)[0].bold for name in ("A", "B")] == [True, True]


def test_the_values_of_table4(tmp_path):
    paths = []
    for (model, seed), value in SCORES4.items():
        paths.append(tmp_path / f"{model}{seed}.csv")
        retrieval_scores({(model, seed): value}).to_csv(paths[-1], index=False)
    inputs = {"scores": paths, "reported": REPORTED}
    params = {"systems": SYSTEMS4, "settings": SETTINGS}
    values = run_values("quick_thoughts/table4", "retrieval.retrieval_values", tmp_path, inputs, params)
    ours = values.select(system="ours", row="Image Annotation", metric="r@1").frame.iloc[0]
    assert (ours["column"], ours["mean"], ours["published"], ours["seeds"]) == ("MC-QT", 41, "37.1", 2)
