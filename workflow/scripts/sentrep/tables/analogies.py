"""Tables 6 and 7 of Logeswaran and Lee (2018): sentence analogies by relation, and some answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from sentrep.evaluation.analogies.scoring import QUESTIONS
from sentrep.evaluation.analogies.tuples import PARTS
from sentrep.tables.beside import Beside, Measure, fixed, section_of, sections, seed_means
from sentrep.tables.layout import Cell, Row, Section, Table
from sentrep.tables.reported import Reported

CASES = 3  # right answers shown; one wrong answer, as in the paper
SAMPLE_NOTE = "Made-up reviews: no number here can be compared with the paper's."
RIGHT, WRONG = "✓", "✗"
WITHOUT = "Query sentences left out of the pool"
ALL = "all"


def build_table6(
    answers: pd.DataFrame,
    paper: Reported,
    entries: Sequence[Mapping[str, Any]],
    relations: Sequence[str],
    text: Mapping[str, Any],
    preset: str,
) -> tuple[Table, pd.DataFrame]:
    """Build Table 6: the share of questions answered right, by relation.

    Args:
        answers: rows with :data:`sentrep.evaluation.analogies.scoring.ANSWER_COLUMNS` of all models and seeds.
        paper: the paper's values.
        entries: systems, see :func:`sentrep.config.transfer.systems`.
        relations: the columns, "<set> <relation>".
        text: description of the tuples' text: source, corpus, read, sample, tuples by relation, match.
        preset: name of the preset.

    Raises:
        SentrepError: a system's answers are not all there.
    """
    sample = bool(text["sample"])
    measures = [Measure(relation, digits=2) for relation in [*relations, ALL]]
    systems = [_system(entry, answers, "correct", paper) for entry in entries]
    left_out = [
        Beside({**s.entry, "reported": None}, ours, {}, WITHOUT)
        for s in systems
        if (ours := _accuracy(answers, s.entry, "correct_without_query"))
    ]
    counts = {**{relation: text["tuples"].get(relation, 0) for relation in relations}}
    counts[ALL] = sum(counts.values())
    number = Row(Cell("questions"), tuple(Cell(f"{4 * counts[measure.key]:,}") for measure in measures))
    parts = [
        *sections(systems, measures, sample, lambda _: ()),
        *sections(left_out, measures, sample, lambda _: ()),
        Section("", (number,)),
    ]
    table = Table(
        title="Quick Thoughts, table 6: sentence analogies",
        stub="Method",
        groups=(*_groups(relations), ("", (ALL,))),
        sections=tuple(parts),
        notes=_notes(answers, text),
        sample=sample,
        sample_note=SAMPLE_NOTE,
    )
    records = [
        _record(system, pool, measures, counts, preset, sample)
        for pool, shown in (("with query sentences", systems), ("without query sentences", left_out))
        for system in shown
    ]
    return table, pd.DataFrame(records)


def build_table7(
    answers: pd.DataFrame, paper: Reported, models: Sequence[Mapping[str, Any]], text: Mapping[str, Any], preset: str
) -> tuple[Table, pd.DataFrame]:
    """Build Table 7: for each model some questions answered right, of different relations, and one answered wrong.

    The wrong answer is the question's third sentence, the failure that the paper describes, if there is such a one.

    Args:
        answers: as in :func:`build_table6`; the first seed of a model is shown.
        paper: the paper's cases.
        models: id and label.
        text: as in :func:`build_table6`.
        preset: name of the preset.
    """
    found, records = [], []
    for model in models:
        own = answers[answers["model"] == model["id"]]
        for case in _cases(own[own["seed"] == own["seed"].min()]):
            correct = bool(case["correct"])
            heading = f"{model['label']}, {case['relation']}, {'right' if correct else 'wrong'}"
            sought = () if correct else (Row(Cell("sought"), (Cell(case["sought"]),)),)
            found.append(Section(heading, (*_question(case, RIGHT if correct else WRONG), *sought)))
            records.append({"preset": preset, "system": model["id"], "kind": "ours", **case})
    for row in paper.rows(7):
        case = {name: paper.text(7, row, name, "sentence") or "" for name in PARTS[:3]}
        mark = paper.text(7, row, "answer", "mark") or ""
        case |= {"retrieved": paper.text(7, row, "answer", "sentence") or "", "correct": mark == RIGHT}
        kind = {RIGHT: "right", WRONG: "wrong"}.get(mark, "")
        found.append(Section(f"MC-QT (reported), {kind}", _question(case, mark)))
        records.append({"preset": preset, "system": "MC-QT", "kind": "reported", **case})
    table = Table(
        title="Quick Thoughts, table 7: answers to sentence analogies",
        stub="",
        groups=(("", ("Sentence",)),),
        sections=tuple(found),
        notes=(
            f"A is to B as C is to the answer, which is the nearest sentence to C + B - A. {RIGHT}: it is the sentence "
            f"sought; {WRONG}: it is not.",
            _text_note(text),
        ),
        sample=bool(text["sample"]),
        sample_note=SAMPLE_NOTE,
        prose=True,
    )
    return table, pd.DataFrame(records)


def _system(entry: Mapping[str, Any], answers: pd.DataFrame, column: str, paper: Reported) -> Beside:
    name = entry["reported"]["column"] if entry["reported"] else ""
    printed = {relation: paper.text(6, relation, name, "retrieval") or "" for relation in paper.rows(6)}
    return Beside(entry, _accuracy(answers, entry, column), printed, section_of(entry, ""))


def _accuracy(answers: pd.DataFrame, entry: Mapping[str, Any], column: str) -> dict[Any, Any]:
    """Return the share of right answers by relation, and over all questions."""
    shared = ["model", "seed"]
    shares = answers.groupby([*shared, "relation"], sort=False)[column].mean().reset_index()
    whole = answers.groupby(shared, sort=False)[column].mean().reset_index().assign(relation=ALL)
    return seed_means(pd.concat([shares, whole]), entry, ["relation"], column, "answers to analogies")


def _groups(relations: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    groups: dict[str, list[str]] = {}
    for relation in relations:
        name, _, rest = relation.partition(" ")
        groups.setdefault(name, []).append(rest)
    return tuple((name, tuple(rest)) for name, rest in groups.items())


def _cases(own: pd.DataFrame) -> list[dict[str, Any]]:
    """Return relation, A, B, C, sought, retrieved and correct of some questions, as A : B :: C : ?"""
    # those for D first: their sentences stand in the order of the word analogy
    own = own.sort_values("answer", ascending=False, kind="stable")
    rows = [
        {
            "relation": row["relation"],
            **{name: row[part] for name, part in zip(PARTS[:3], QUESTIONS[row["answer"]], strict=True)},
            "sought": row[row["answer"]],
            "retrieved": "" if pd.isna(row["retrieved"]) else str(row["retrieved"]),
            "correct": bool(row["correct"]),
        }
        for row in own.to_dict("records")
    ]
    right = {row["relation"]: row for row in reversed(rows) if row["correct"]}  # the first one of each relation
    wrong = [row for row in rows if not row["correct"]]
    typical = [row for row in wrong if row["retrieved"] == row["C"]]
    ordered = [right[relation] for relation in dict.fromkeys(row["relation"] for row in rows) if relation in right]
    return [*ordered[:CASES], *(typical or wrong)[:1]]


def _question(case: Mapping[str, Any], mark: str) -> tuple[Row, ...]:
    asked = (Row(Cell(part), (Cell(case[part]),)) for part in PARTS[:3])
    return (*asked, Row(Cell("answer"), (Cell(case["retrieved"], tail=mark),)))


def _notes(answers: pd.DataFrame, text: Mapping[str, Any]) -> tuple[str, ...]:
    pool = f"{int(answers['pool'].max()):,} sentences" if len(answers) else "no sentence"
    notes = [
        "Share of questions whose nearest sentence by cosine is the one sought; four questions a tuple. The paper does "
        "not name its measure. The query's own sentences are in the pool, as in the paper.",
        f"Pool: {pool}, those of the tuples and others of the same text. The paper's: 1,300 tuples of Yelp reviews, "
        "and 1 M others.",
        _text_note(text),
    ]
    empty = [relation for relation, count in text["tuples"].items() if not count]
    return (*notes, f"No tuple was found for {', '.join(empty)}.") if empty else tuple(notes)


def _text_note(text: Mapping[str, Any]) -> str:
    how = {"set": "the same other words in any order", "sequence": "the same other words in the same order"}
    corpus = f"corpus {text['corpus']}, " if text["corpus"] else ""
    return (
        f"In place of Yelp's reviews: {text['source']} ({corpus}{text['read']:,} sentences); pairs of sentences with "
        f"{how[text['match']]}."
    )


def _record(
    system: Beside, pool: str, measures: Sequence[Measure], counts: Mapping[str, int], preset: str, sample: bool
) -> dict[str, Any]:
    reported = system.entry["reported"]
    record: dict[str, Any] = {
        "preset": preset,
        "pool": pool,
        "system": reported["column"] if reported else "",
        "model": system.entry["id"] or "",
        "seeds": len(system.entry["seeds"]),
        "sample": sample,
    }
    for measure in measures:
        name, value = str(measure.key), system.ours.get(measure.key)
        record[name] = fixed(value.mean, 4) if value else ""
        record[f"{name} sd"] = fixed(value.sd, 4) if value else ""
        record[f"{name} reported"] = system.printed.get(measure.key, "")
        record[f"{name} difference"] = "" if sample else fixed(system.difference(measure), 4)
        record[f"{name} questions"] = 4 * counts[name]
    return record
