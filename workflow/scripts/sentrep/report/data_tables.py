"""Build the report section on a run's sources, corpora and evaluation sets, from ``provenance.json``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sentrep.report.list_tables import list_table, sectioned_table
from sentrep.sources.registry import Source
from sentrep.tables.layout import Table

FEW = 4  # if more sources than this replace the papers' data, the text states only how many do


def statements(provenance: Mapping[str, Any]) -> list[str]:
    """Return sentences about the evaluation sets, missing data, and sources that replace the papers' data."""
    found = []
    if evaluation := provenance.get("evaluation"):
        kind = "hand-written sample sets" if evaluation["sample"] else "sets"
        found.append(
            f"The evaluation uses {len(evaluation['sets'])} {kind} with a total of {evaluation['pairs']:,} sentence "
            f"pairs, of which {evaluation['scored_pairs']:,} have a human score."
        )
        gaps = evaluation.get("missing", [])
        found += [
            f"The {gap['year']} set {gap['dataset']} is not available. {_sentence(gap['reason'])}" for gap in gaps
        ]
        found += [_sentence(note) for note in evaluation.get("notes", [])]
    sources = _sources(provenance)
    replaced = [
        f"{source['version']} instead of {source['stands_in_for']}"
        for _, source in sorted(sources.items())
        if source.get("stands_in_for")
    ]
    if len(replaced) > FEW:
        found.append(
            f"{len(replaced)} of {len(sources)} sources replace data that the papers used. The table “Data sources” "
            "lists the replaced data."
        )
    elif replaced:
        found.append(f"Some of the papers' data were replaced. This run uses {'; '.join(replaced)}.")
    return found


def source_table(provenance: Mapping[str, Any], known: Mapping[str, Source]) -> Table | None:
    """Return a table of the data sources of a run; None if no sources are recorded.

    Args:
        provenance: contents of ``provenance.json``.
        known: the sources in ``workflow/sources.tsv``, keyed by name. Their public addresses are shown in the table.
    """
    rows = [
        (
            name,
            source["version"],
            source.get("stands_in_for"),
            source.get("licence"),
            source["bytes"],
            len(source.get("files", ())) or None,
            " ".join(known[name].addresses) if name in known else None,
        )
        for name, source in sorted(_sources(provenance).items())
    ]
    headings = ("Source", "edition", "replaces", "licence", "bytes", "files", "public addresses")
    return list_table("Data sources", headings, rows, sentences=True)


def checksum_table(provenance: Mapping[str, Any]) -> Table | None:
    """Return a table of all source files, with the size and checksum of each file; None if no files are recorded."""
    rows = {
        name: [(file["name"], file["bytes"], file["sha256"]) for file in source.get("files", [])]
        for name, source in sorted(provenance.get("sources", {}).items())
    }
    return sectioned_table("Files of the sources", ("File", "bytes", "SHA-256"), rows)


def corpus_table(provenance: Mapping[str, Any]) -> Table | None:
    """Return a table of the corpora on which models were trained; None if no corpora are recorded."""
    rows = [
        (
            name,
            corpus["source"]["name"] if corpus.get("source") else None,
            *(corpus[key] for key in ("documents", "sentences", "tokens", "words", "vocabulary")),
            f"{corpus['kept_tokens'] / corpus['tokens']:.2%}" if corpus["tokens"] else None,
            f"{corpus['fraction']:g}",
            corpus["tokeniser"],
        )
        for name, corpus in sorted(provenance.get("corpora", {}).items())
    ]
    counted = ("documents", "sentences", "tokens", "types", "vocabulary", "tokens kept")
    return list_table("Corpora after preprocessing", ("Corpus", "source", *counted, "fraction", "tokeniser"), rows)


def set_table(provenance: Mapping[str, Any]) -> Table | None:
    """Return a table of the evaluation sets of sentence pairs; None if no sets are recorded."""
    years: dict[str, list[tuple[object, ...]]] = {}
    for entry in (provenance.get("evaluation") or {}).get("sets", []):
        years.setdefault(str(entry["year"]), []).append((entry["dataset"], entry["pairs"], entry["scored_pairs"]))
    return sectioned_table("Evaluation sets of sentence pairs", ("Set", "pairs", "with a score"), years)


def _sources(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """Return the recorded sources, keyed by name; older records list them only in the entries of corpora and models."""
    if provenance.get("sources"):
        return dict(provenance["sources"])
    models = [model["corpus"] for model in provenance.get("models", {}).values()]
    found = [entry.get("source") for entry in (*provenance.get("corpora", {}).values(), *models)]
    return {source["name"]: source for source in found if source}


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."
