"""Collect the values of tables 5 to 7 of Logeswaran and Lee (2018): nearest sentences and sentence analogies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from sentrep.errors import SentrepError
from sentrep.evaluation.analogies.scoring import ANSWER_COLUMNS, QUESTIONS
from sentrep.evaluation.analogies.tuples import PARTS, load_tuples
from sentrep.evaluation.nearest_sentences import NEIGHBOUR_COLUMNS
from sentrep.evaluation.statistics.bootstrap import share_interval
from sentrep.io.files import read_json
from sentrep.io.frames import as_float, group_means, rows_where
from sentrep.sources.published import Published, read_published
from sentrep.tables.collect import joined_rows, reads
from sentrep.tables.systems import Entry, names, seed_means
from sentrep.tables.values import Value, described, facts, notes, with_published

QUERY, SENTENCE, ANSWER, SOUGHT = "Query", "sentence", "answer", "sought"
WITH_QUERY, WITHOUT_QUERY = "with query sentences", "without query sentences"
ALL = "all"
CORRECT, WRONG = "✓", "✗"
CASES = 3  # maximum number of correct answers that are shown for each model, in addition to one wrong answer
_PAPER = "quick_thoughts"


@reads(neighbours=joined_rows(NEIGHBOUR_COLUMNS), reported=read_published, pool=read_json)
def nearest_values(
    neighbours: pd.DataFrame, reported: Published, systems: Sequence[Entry], pool: Mapping[str, Any]
) -> list[Value]:
    """Return the values of table 5 of Logeswaran and Lee (2018): the sentences nearest to each query.

    The row of a value is the query, ``text`` is the retrieved sentence, ``mean`` is the cosine similarity of this
    sentence to the query, and ``x`` is the rank of the sentence, counted from 1. Published sentences follow ours.

    Args:
        neighbours: nearest sentences for all models and queries.
        reported: published values.
        systems: systems of the table, in order.
        pool: description of the pool of sentences that were searched, with the keys sentences (number of sentences in
            the pool), corpus (name of the corpus from which the pool was drawn), read (number of sentences in the
            corpus) and source (versions of the corpus's sources).

    Raises:
        SentrepError: ``neighbours`` has no sentences for a combination of a model and a query.
    """
    queries = list(dict.fromkeys(neighbours["query"]))
    known = {"pool_sentences": pool["sentences"], "read": pool["read"], "source": pool["source"]}
    values = facts(_PAPER, "table5", **known, corpus=str(pool["corpus"]))
    for query in queries:
        for entry in systems:
            own = rows_where(neighbours, (neighbours["model"] == entry["id"]) & (neighbours["query"] == query))
            if own.empty:
                raise SentrepError(
                    "nearest sentences",
                    expected=f"the sentences nearest to {query!r} according to {entry['id']}",
                    found="none",
                    remedy="run `snakemake --forcerun nearest_sentences`",
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
        place = Value(_PAPER, "table5", "", metric="", **names(entry))
        values += described(place, **{metric: float(first[metric]) for metric in ("pool", "zero_vectors")})
        without += [f"{entry['id']} {first['zero_vectors']:,}"] if first["zero_vectors"] else []
    if without:
        sentence = f"Number of pool sentences without known words, by model: {', '.join(without)}."
        values += notes(_PAPER, "table5", [sentence])
    published = {row: reported.text(5, row, QUERY, SENTENCE) for row in reported.rows(5)}
    return values + [
        replace(value, row=published[value.row] or "", x=1.0)
        for value in with_published([], reported, "table5", 5)
        if value.column != QUERY and published[value.row] in queries
    ]


def _read_text(tuples: str) -> Mapping[str, Any]:
    """Read the description of the text from which the sentences of analogy tuples were mined."""
    return load_tuples(tuples)[1]


@reads(answers=joined_rows(ANSWER_COLUMNS), reported=read_published, text=_read_text)
def analogy_values(
    answers: pd.DataFrame,
    reported: Published,
    systems: Sequence[Entry],
    relations: Sequence[str],
    text: Mapping[str, Any],
) -> list[Value]:
    """Return the values of table 6 of Logeswaran and Lee (2018): the share of correct answers for each relation.

    The protocol of a share is "with query sentences" if the pool from which answers are chosen includes the sentences
    of the question, as in the paper, and "without query sentences" if the pool excludes them.

    Args:
        answers: answers of all models and seeds.
        reported: published values.
        systems: systems of the table, in order.
        relations: names of the relations, each in the form "<set> <relation>", where the set is "Google" or
            "Microsoft".
        text: description of the text from which the sentences of the questions were mined, with the keys source,
            corpus, read (number of sentences read), sample (True for sample data) and tuples (number of analogies by
            relation).

    Raises:
        SentrepError: the answers of a model for one of its seeds are missing.
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

    pool = as_float(answers["pool"].max()) if len(answers) else 0
    questions = ", ".join(f"{relation} {count:,}" for relation, count in counts.items())
    known = facts(_PAPER, "table6", pool=pool, text=text_of_analogies(text), questions=questions)
    if empty := [relation for relation, count in counts.items() if not count]:
        known += facts(_PAPER, "table6", empty=", ".join(empty))
    known += [Value(_PAPER, "table6", row, "", "questions", mean=count) for row, count in counts.items()]
    compared = with_published(shares(WITH_QUERY, "correct"), reported, "table6", 6, not text["sample"])
    return [*known, *compared, *shares(WITHOUT_QUERY, "correct_without_query")]


def text_of_analogies(text: Mapping[str, Any]) -> str:
    """Return a note on the text that replaces the Yelp reviews from which Logeswaran and Lee (2018) mined analogies."""
    corpus = f"corpus {text['corpus']}, " if text["corpus"] else ""
    return (
        f"The text that replaces the paper's Yelp reviews is {text['source']} ({corpus}{text['read']:,} sentences). "
        "The two sentences in each half of an analogy (A and B, or C and D) differ in one word; their other words are "
        "the same, in any order."
    )


@reads(answers=joined_rows(ANSWER_COLUMNS), reported=read_published, text=_read_text)
def answer_values(
    answers: pd.DataFrame, reported: Published, systems: Sequence[Entry], text: Mapping[str, Any]
) -> list[Value]:
    """Return the values of table 7 of Logeswaran and Lee (2018): example answers of each trained model.

    For each model, the examples are at most three correct answers, each for a different relation, and at most one wrong
    answer. All of them come from the training run with the lowest seed. Wrong answers that repeat sentence C of the
    question are preferred, because the paper describes this error.

    The row of a value identifies the example. The column is "A", "B" or "C" for the sentences of the question, "answer"
    for the answer of the model, and "sought" for the correct answer. Published examples follow ours.

    Args:
        answers: answers of all models and seeds.
        reported: published values.
        systems: systems of the table, in order.
        text: description of the text from which the sentences of the questions were mined, as for
            :func:`analogy_values`.
    """
    values = facts(_PAPER, "table7", text=text_of_analogies(text))
    for entry in (entry for entry in systems if entry["id"] and not entry["baseline"]):
        own = rows_where(answers, answers["model"] == entry["id"])
        about: dict[str, Any] = {"system": entry["id"], "label": entry["label"], "seeds": 1}
        for case in _cases(rows_where(own, own["seed"] == own["seed"].min())):
            row = f"{entry['label']}, {case['relation']}, {'right' if case['correct'] else 'wrong'}"
            mark = CORRECT if case["correct"] else WRONG
            sentences = {**{part: case[part] for part in PARTS[:3]}, ANSWER: case["retrieved"], SOUGHT: case[SOUGHT]}
            values += [Value(_PAPER, "table7", row, part, SENTENCE, text=t, **about) for part, t in sentences.items()]
            values += described(Value(_PAPER, "table7", row, ANSWER, "", **about), mark=mark, relation=case["relation"])
    marks = {row: reported.text(7, row, ANSWER, "mark") for row in reported.rows(7)}
    kinds = {row: {CORRECT: "right", WRONG: "wrong"}.get(mark or "") for row, mark in marks.items()}
    return values + [
        replace(value, row=f"MC-QT (published) {value.row}, {kinds[value.row]}", label="MC-QT")
        for value in with_published([], reported, "table7", 7)
    ]


def _cases(own: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the examples of one model: questions of the form A : B :: C : ?, with their answers.

    Each example has the keys relation, A, B, C, sought (the correct answer), retrieved (the model's answer) and correct
    (whether the two answers are the same).
    """
    # Questions that ask for D come first because their sentences are in the order of the word analogy.
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
    correct = {row["relation"]: row for row in reversed(rows) if row["correct"]}  # the first one for each relation
    wrong = [row for row in rows if not row["correct"]]
    typical = [row for row in wrong if row["retrieved"] == row["C"]]
    ordered = [correct[relation] for relation in dict.fromkeys(row["relation"] for row in rows) if relation in correct]
    return [*ordered[:CASES], *(typical or wrong)[:1]]
