"""What a run was made from: sources, corpora, evaluation sets; what stands in for what the papers used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sentrep.sources.registry import Source
from sentrep.tables.layout import Cell, Row, Section, Table

FEW = 4  # sources that one sentence can name


def statements(record: Mapping[str, Any]) -> list[str]:
    """Return sentences on the data, from ``provenance.json``."""
    said = []
    evaluation = record.get("evaluation") or {}
    if evaluation:
        kind = "hand-written sample sets" if evaluation["sample"] else "sets"
        said.append(
            f"Evaluation: {len(evaluation['sets'])} {kind}, {evaluation['pairs']:,} pairs of sentences, "
            f"{evaluation['scored_pairs']:,} of them with a human score."
        )
    said += [f"Left out: {gap['year']} {gap['dataset']}. {_sentence(gap['reason'])}" for gap in _gaps(evaluation)]
    said += [_sentence(note) for note in evaluation.get("notes", [])]
    sources = _sources(record)
    replaced = [
        f"{source['version']} in the place of {source['stands_in_for']}"
        for _, source in sorted(sources.items())
        if source.get("stands_in_for")
    ]
    if len(replaced) > FEW:
        said.append(f"{len(replaced)} of {len(sources)} sources stand in for data of the papers, as the table says.")
    elif replaced:
        said.append(f"What is not the papers’ own data: {'; '.join(replaced)}.")
    return said


def source_table(record: Mapping[str, Any], known: Mapping[str, Source]) -> Table | None:
    """Return the table of sources; None if the record names none.

    Args:
        record: ``provenance.json``.
        known: rows of ``workflow/sources.tsv`` by name, for the addresses.
    """
    rows = []
    for name, source in sorted(_sources(record).items()):
        files = source.get("files", [])
        addresses = known[name].addresses if name in known else ()
        rows.append(
            Row(
                Cell(name),
                (
                    Cell(source["version"]),
                    Cell(source.get("stands_in_for", "")),
                    Cell(source.get("licence", "")),
                    Cell(f"{source['bytes']:,}"),
                    Cell(str(len(files)) if files else ""),
                    Cell(" ".join(addresses)),
                ),
            )
        )
    if not rows:
        return None
    return Table(
        "Sources of text and evaluation sets",
        "Source",
        _headings("edition", "stands in for", "licence", "bytes", "files", "public addresses"),
        (Section("", tuple(rows)),),
    )


def checksum_table(record: Mapping[str, Any]) -> Table | None:
    """Return the files of all sources with their checksums; None if there are none."""
    sections = tuple(
        Section(
            name,
            tuple(
                Row(Cell(file["name"]), (Cell(f"{file['bytes']:,}"), Cell(file["sha256"])))
                for file in source.get("files", [])
            ),
        )
        for name, source in sorted(record.get("sources", {}).items())
        if source.get("files")
    )
    return Table("Files of the sources", "File", _headings("bytes", "SHA-256"), sections) if sections else None


def corpus_table(record: Mapping[str, Any]) -> Table | None:
    """Return the corpora that models were trained on; None if the record names none."""
    rows = [
        Row(
            Cell(name),
            (
                Cell(corpus["source"]["name"] if corpus.get("source") else ""),
                *[Cell(f"{corpus[key]:,}") for key in ("documents", "sentences", "tokens", "words", "vocabulary")],
                Cell(f"{corpus['kept_tokens'] / corpus['tokens']:.2%}" if corpus["tokens"] else ""),
                Cell(f"{corpus['fraction']:g}"),
                Cell(corpus["tokeniser"]),
            ),
        )
        for name, corpus in sorted(record.get("corpora", {}).items())
    ]
    if not rows:
        return None
    return Table(
        "Corpora as the models read them",
        "Corpus",
        _headings(
            "source",
            "documents",
            "sentences",
            "tokens",
            "distinct words",
            "vocabulary",
            "tokens kept",
            "part read",
            "tokeniser",
        ),
        (Section("", tuple(rows)),),
    )


def set_table(record: Mapping[str, Any]) -> Table | None:
    """Return the evaluation sets of sentence pairs; None if the record names none."""
    evaluation = record.get("evaluation") or {}
    years: dict[str, list[Row]] = {}
    for entry in evaluation.get("sets", []):
        row = Row(Cell(entry["dataset"]), (Cell(f"{entry['pairs']:,}"), Cell(f"{entry['scored_pairs']:,}")))
        years.setdefault(str(entry["year"]), []).append(row)
    if not years:
        return None
    return Table(
        "Evaluation sets of sentence pairs",
        "Set",
        _headings("pairs", "with a score"),
        tuple(Section(year, tuple(rows)) for year, rows in years.items()),
        sample=bool(evaluation["sample"]),
    )


def _sources(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sources by name; of an older record those that its corpora and models name."""
    if record.get("sources"):
        return dict(record["sources"])
    parts = [*record.get("corpora", {}).values(), *(model["corpus"] for model in record.get("models", {}).values())]
    return {part["source"]["name"]: part["source"] for part in parts if part.get("source")}


def _gaps(evaluation: Mapping[str, Any]) -> list[dict[str, Any]]:
    return list(evaluation.get("missing", []))


def _headings(*names: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (("", names),)


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith(".") else f"{text}."
