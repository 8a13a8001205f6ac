"""The report: one HTML file on a run, which refers to nothing outside itself."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from sentrep import __version__
from sentrep.io.files import atomic_file
from sentrep.report import claims, costs, data_tables, deltas, provenance_tables
from sentrep.report.headline import dot_plot, headline, sentences
from sentrep.report.list_tables import fragment, list_table
from sentrep.report.paper_sections import paper_sections
from sentrep.report.papers import by_paper
from sentrep.report.result_files import ResultFiles
from sentrep.report.rule_graph import RuleGraph
from sentrep.sources.registry import read_sources
from sentrep.tables.values import Values

TEMPLATES = Path(__file__).parent
TITLE = "Four papers on sentence embeddings, replicated"
LONGEST_JOBS = 15


def write_report(folder: str | Path, output: str | Path) -> None:
    """Write the report on a folder of results.

    Args:
        folder: ``results/`` of a run, finished or not, or a published folder. The report lists what it lacks.
        output: the HTML file to write.

    Raises:
        SentrepError: the folder has no values, or one of its files cannot be read.
    """
    with atomic_file(output) as temporary:
        temporary.write_text(make_report(folder), encoding="utf-8")


def make_report(folder: str | Path) -> str:
    """Return the report on a folder of results as HTML."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = environment.get_template("report.html.jinja")
    return template.render(**_contents(ResultFiles(Path(folder)))) + "\n"


def _contents(files: ResultFiles) -> dict[str, Any]:
    values, provenance = files.values(), files.provenance()
    facts = provenance_tables.facts(provenance)
    preset = facts.get("preset") or next(iter(_facts(values, "preset")), "unknown preset")
    evaluation = provenance.get("evaluation")
    sample = bool(evaluation["sample"]) if evaluation else _facts(values, "sample") == {"True"}
    return {
        "title": TITLE,
        "preset": preset,
        "run": _run(facts),
        "sample": sample,
        "finished": bool(provenance),
        "style": Markup((TEMPLATES / "report.css").read_text(encoding="utf-8")),
        "script": Markup((TEMPLATES / "report.js").read_text(encoding="utf-8")),
        "version": __version__,
        "papers": paper_sections(files, values),
        "notes": _notes(files.text("README.md")),
        "deltas": _deltas(files),
        "costs": _costs(files, preset),
        "graph": _graph(provenance),
        "facts": facts,
        "configuration": json.dumps(provenance.get("configuration", {}), indent=1, ensure_ascii=False),
        **_headline(values),
        **_claims(files, sample),
        **_data(provenance),
    }


def _facts(values: Values, name: str) -> set[str]:
    """Return the texts of a fact of all items."""
    return set(values.select(row="", column="", metric=name).frame["text"]) - {""}


def _run(facts: Mapping[str, str]) -> str:
    texts = {"preset": "Preset {}", "recorded": "recorded {}", "trained models": "{} trained models"}
    known = [text.format(facts[name]) for name, text in texts.items() if name in facts]
    return " · ".join([*known, *([facts["models were trained on"]] if "models were trained on" in facts else [])])


def _notes(text: str) -> Markup:
    """Return Markdown as HTML; its headings begin at the level of the report's subsections."""
    content = MarkdownIt("commonmark", {"html": False}).render(text)
    return Markup(re.sub(r"(</?h)([1-4])>", lambda match: f"{match[1]}{int(match[2]) + 2}>", content))


def _headline(values: Values) -> dict[str, Any]:
    found = headline(values)
    if found is None:
        return {"findings": [], "means": None}
    return {"findings": sentences(found), "means": dot_plot(found)}


def _claims(files: ResultFiles, sample: bool) -> dict[str, Any]:
    found, errors = claims.read_claims(files), claims.read_claims(files, "error")
    groups = by_paper(found)
    return {
        "claims": groups,
        "claims_summary": claims.summary(found) if found else "",
        "claim_verdicts": {"": len(found), **claims.counts(found)},
        "claim_papers": [(group[0]["paper"], name, len(group)) for name, group in groups.items()],
        "tally": [] if sample else claims.tally(found),
        "held": {} if sample else by_paper([claim for claim in found if claim["style"] == "good"]),
        "own": by_paper(claims.read_claims(files, "ours")),
        "errors": by_paper(errors),
    }


def _deltas(files: ResultFiles) -> dict[str, Any] | None:
    rows = files.rows("deltas.csv", deltas.COLUMNS)
    if not rows:
        return None
    papers = by_paper(rows)
    return {
        "summary": deltas.summary(rows),
        "counts": fragment(deltas.count_table(papers), "deltas-counts"),
        "papers": {
            f"{name}: {len(group):,} numbers": fragment(deltas.number_table(name, group), f"deltas-{place}")
            for place, (name, group) in enumerate(papers.items())
        },
    }


def _data(provenance: Mapping[str, Any]) -> dict[str, Any]:
    tables = {
        "data-sources": data_tables.source_table(provenance, read_sources()),
        "data-corpora": data_tables.corpus_table(provenance),
        "data-sets": data_tables.set_table(provenance),
    }
    records = {
        "provenance-models": provenance_tables.model_table(provenance),
        "provenance-libraries": provenance_tables.library_table(provenance),
        "provenance-results": provenance_tables.result_table(provenance),
    }
    return {
        "data_statements": data_tables.statements(provenance),
        "data_tables": [fragment(table, name) for name, table in tables.items() if table],
        "checksums": fragment(data_tables.checksum_table(provenance), "data-files"),
        "provenance_tables": {table.title: fragment(table, name) for name, table in records.items() if table},
    }


def _costs(files: ResultFiles, preset: str) -> dict[str, Any] | None:
    jobs = costs.read_jobs(files, preset)
    if not jobs:
        return None
    longest = jobs[:LONGEST_JOBS]
    rest = costs.job_table(jobs, "All jobs") if len(jobs) > len(longest) else None
    return {
        "summary": costs.summary(jobs),
        "kinds": fragment(costs.kind_table(jobs), "costs-kinds"),
        "longest": fragment(costs.job_table(longest, f"The {len(longest)} longest jobs"), "costs-longest"),
        "all": fragment(rest, "costs-all"),
    }


def _graph(provenance: Mapping[str, Any]) -> dict[str, Any] | None:
    graph = RuleGraph.of(provenance.get("rules", {}))
    if graph is None:
        return None
    rows = [(rule, ", ".join(needed)) for rule, needed in graph.needs.items()]
    table = list_table("Rules that each rule needs", ("Rule", "needs"), rows)
    return {"summary": graph.summary, "drawing": graph.svg(), "table": fragment(table, "graph-table")}
