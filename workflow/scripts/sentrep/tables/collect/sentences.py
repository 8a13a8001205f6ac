"""Values of tables 5 to 7 of Logeswaran and Lee (2018): nearest sentences and sentence analogies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from sentrep.errors import SentrepError
from sentrep.evaluation.analogies.scoring import ANSWER_COLUMNS, QUESTIONS
from sentrep.evaluation.analogies.tuples import PARTS, load_tuples
from sentrep.evaluation.nearest import NEIGHBOUR_COLUMNS
from sentrep.evaluation.statistics.bootstrap import share_interval
from sentrep.io.csv_files import read_all_csv
from sentrep.io.files import read_json
from sentrep.io.frames import as_float, group_means, rows_where
from sentrep.sources.published import Published, read_published
from sentrep.tables.systems import Entry, names, seed_means
from sentrep.tables.values import Value, facts, notes, with_published

QUERY, SENTENCE, ANSWER, SOUGHT = "Query", "sentence", "answer", "sought"
WITH_QUERY, WITHOUT_QUERY = "with query sentences", "without query sentences"
ALL = "all"
CORRECT, WRONG = "✓", "✗"
CASES = 3  # correct answers shown by model, and one wrong answer, as in the paper
_PAPER = "quick_thoughts"
_MATCH = {"set": "the same other words in any order", "sequence": "the same other words in the same order"}


def nearest_values(
    neighbours: pd.DataFrame,
    paper: Published,
    systems: Sequence[Entry],
    pool: Mapping[str, Any],
) -> list[Value]:
    """Return the values of Table 5: the nearest sentences to each query, their cosine as number, their rank as x.

    A row is a query. Published sentences follow ours.

    Args:
        neighbours: rows with :data:`sentrep.evaluation.nearest.NEIGHBOUR_COLUMNS` of all models, first seeds.
        paper: the paper's published sentences.
        systems: models of the table, in order.
        pool: sentences, read, source and corpus of the pool.

    Raises:
        SentrepError: a model has no neighbours of a query.
    """
    queries = list(dict.fromkeys(neighbours["query"]))
    known = {"pool_sentences": pool["sentences"], "read": pool["read"], "source": pool["source"]}
    values = facts(_PAPER, "table5", **known, corpus=str(pool["corpus"]))
    for query in queries:
        for entry in systems:
            own = rows_where(neighbours, (neighbours["model"] == entry["id"]) & (neighbours["query"] == query))
            if own.empty:
                raise SentrepError(
                    "nearest sentences", expected=f"neighbours of {entry['id']}", found="none", remedy="run it again"
                )
            for found in own.fillna({"sentence": ""}).to_dict("records"):
                text = str(found["sentence"])
                missing = "" if text else "the query has no known word"
                value: dict[str, Any] = {**names(entry), "text": text, "seeds": 1}
                value |= {"mean": found["cosine"], "x": float(found["rank"])}
                values.append(Value(_PAPER, "table5", query, metric=SENTENCE, missing=missing, note=missing, **value))
    without = []
    for entry in systems:
        first = rows_where(neighbours, neighbours["model"] == entry["id"]).iloc[0]
        for metric in ("pool", "zero_vectors"):
            about: dict[str, Any] = {"metric": metric.replace("_", " "), "mean": float(first[metric])}
            values.append(Value(_PAPER, "table5", "", **about, **names(entry)))
        without += [f"{entry['id']} {first['zero_vectors']:,}"] if first["zero_vectors"] else []
    if without:
        sentence = f"Sentences of the pool without a known word: {', '.join(without)}."
        values += notes(_PAPER, "table5", [sentence])
    published = {row: paper.text(5, row, QUERY, SENTENCE) for row in paper.rows(5)}
    return [
        *values,
        *(
            replace(value, row=published[value.row] or "", x=1.0)
            for value in with_published([], paper, "table5", 5)
            if value.column != QUERY and published[value.row] in queries
        ),
    ]


def analogy_values(
    answers: pd.DataFrame,
    paper: Published,
    systems: Sequence[Entry],
    relations: Sequence[str],
    text: Mapping[str, Any],
) -> list[Value]:
    """Return the values of Table 6: the share of questions answered correctly, by relation.

    Args:
        answers: rows with :data:`sentrep.evaluation.analogies.scoring.ANSWER_COLUMNS` of all models and seeds.
        paper: the paper's published values.
        systems: systems of the table, in order.
        relations: the relations, "<set> <relation>".
        text: description of the tuples' text: source, corpus, read, sample, tuples by relation, match.

    Raises:
        SentrepError: the answers of a seed are missing.
    """
    counts = {relation: 4 * text["tuples"].get(relation, 0) for relation in relations}
    counts[ALL] = sum(counts.values())

    def shares(protocol: str, column: str) -> Iterator[Value]:
        keys = ["model", "seed"]
        by_relation = group_means(answers, [*keys, "relation"], column)
        overall = group_means(answers, keys, column).assign(relation=ALL)
        frame = pd.concat([by_relation, overall])
        for entry in systems:
            means = seed_means(frame, entry, ["relation"], column, "answers to analogies")
            for relation, questions in counts.items():
                if mean := means.get((relation,)):
                    low, high = share_interval(mean.mean, questions)
                    value: dict[str, Any] = {**names(entry), **mean._asdict(), "low": low, "high": high}
                    yield Value(_PAPER, "table6", relation, metric="retrieval", protocol=protocol, **value)

    known = facts(
        *(_PAPER, "table6"),
        pool=as_float(answers["pool"].max()) if len(answers) else 0,
        text=text_of_analogies(text),
        questions=", ".join(f"{relation} {count:,}" for relation, count in counts.items()),
    )
    if empty := [relation for relation, count in counts.items() if not count]:
        known += facts(_PAPER, "table6", empty=", ".join(empty))
    known += [Value(_PAPER, "table6", row, "", "questions", mean=count) for row, count in counts.items()]
    compared = with_published(shares(WITH_QUERY, "correct"), paper, "table6", 6, not text["sample"])
    return [*known, *compared, *shares(WITHOUT_QUERY, "correct_without_query")]


def text_of_analogies(text: Mapping[str, Any]) -> str:
    """Return the sentence that says which text stands in for the paper's reviews."""
    corpus = f"corpus {text['corpus']}, " if text["corpus"] else ""
    return (
        f"In place of Yelp's reviews: {text['source']} ({corpus}{text['read']:,} sentences); pairs of sentences with "
        f"{_MATCH[text['match']]}."
    )


def answer_values(
    answers: pd.DataFrame, paper: Published, systems: Sequence[Entry], text: Mapping[str, Any]
) -> list[Value]:
    """Return the values of Table 7: for each model, questions answered correctly and one answered wrongly.

    The wrong answer is the question's third sentence, the failure that the paper describes, if there is such a one.
    A row is a question; its columns are the sentences A, B and C, the ``answer``, and the one ``sought``.

    Args:
        answers: as in :func:`analogy_values`; the first seed of a model is shown.
        paper: the paper's published questions.
        systems: trained models, in order.
        text: as in :func:`analogy_values`.
    """
    values = facts(_PAPER, "table7", text=text_of_analogies(text))
    for entry in systems:
        own = rows_where(answers, answers["model"] == entry["id"])
        about: dict[str, Any] = {"system": entry["id"], "label": entry["label"], "seeds": 1}
        for case in _cases(rows_where(own, own["seed"] == own["seed"].min())):
            row = f"{entry['label']}, {case['relation']}, {'right' if case['correct'] else 'wrong'}"
            mark = CORRECT if case["correct"] else WRONG
            sentences = {**{part: case[part] for part in PARTS[:3]}, ANSWER: case["retrieved"], SOUGHT: case[SOUGHT]}
            values += [Value(_PAPER, "table7", row, part, SENTENCE, text=t, **about) for part, t in sentences.items()]
            values.append(Value(_PAPER, "table7", row, ANSWER, "mark", text=mark, **about))
            values.append(Value(_PAPER, "table7", row, ANSWER, "relation", text=case["relation"], **about))
    kinds = {
        row: {CORRECT: "right", WRONG: "wrong"}.get(paper.text(7, row, ANSWER, "mark") or "") for row in paper.rows(7)
    }
    return [
        *values,
        *(
            replace(value, row=f"MC-QT (published) {value.row}, {kinds[value.row]}", label="MC-QT")
            for value in with_published([], paper, "table7", 7)
        ),
    ]


def _cases(own: pd.DataFrame) -> list[dict[str, Any]]:
    """Return relation, A, B, C, sought, retrieved and correct of some questions, as A : B :: C : ?"""
    # questions for D first: their sentences are in the order of the word analogy
    own = own.sort_values("answer", ascending=False, kind="stable")
    rows = [
        {
            "relation": row["relation"],
            **{name: row[part] for name, part in zip(PARTS[:3], QUESTIONS[row["answer"]], strict=True)},
            SOUGHT: row[row["answer"]],
            "retrieved": "" if pd.isna(row["retrieved"]) else str(row["retrieved"]),
            "correct": bool(row["correct"]),
        }
        for row in own.to_dict("records")
    ]
    correct = {row["relation"]: row for row in reversed(rows) if row["correct"]}  # the first one of each relation
    wrong = [row for row in rows if not row["correct"]]
    typical = [row for row in wrong if row["retrieved"] == row["C"]]
    ordered = [correct[relation] for relation in dict.fromkeys(row["relation"] for row in rows) if relation in correct]
    return [*ordered[:CASES], *(typical or wrong)[:1]]


def collect_nearest(source: Any, params: Any) -> list[Value]:
    """Return the values of Table 5 from the inputs and parameters of its rule."""
    neighbours = read_all_csv(source.neighbours, NEIGHBOUR_COLUMNS)
    paper, pool = read_published(source.reported), read_json(source.pool)
    return nearest_values(neighbours, paper, params.systems, pool)


def collect_analogies(source: Any, params: Any) -> list[Value]:
    """Return the values of Table 6 from the inputs and parameters of its rule."""
    paper, (_, text) = read_published(source.reported), load_tuples(source.tuples)
    answers = read_all_csv(source.answers, ANSWER_COLUMNS)
    return analogy_values(answers, paper, params.systems, params.relations, text)


def collect_answers(source: Any, params: Any) -> list[Value]:
    """Return the values of Table 7 from the inputs and parameters of its rule."""
    paper, (_, text) = read_published(source.reported), load_tuples(source.tuples)
    models = [system for system in params.systems if system["id"] and not system["baseline"]]
    return answer_values(read_all_csv(source.answers, ANSWER_COLUMNS), paper, models, text)
