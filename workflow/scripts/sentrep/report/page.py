"""Write the report on a run as a self-contained HTML file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from sentrep import __version__
from sentrep.io.files import write_text
from sentrep.report import claims, costs, data_tables, deltas, provenance_tables
from sentrep.report.headline import dot_plot, findings, headline
from sentrep.report.list_tables import fragment, list_table
from sentrep.report.paper_sections import paper_sections
from sentrep.report.papers import by_paper
from sentrep.report.result_files import ResultFiles
from sentrep.report.rule_graph import RuleGraph
from sentrep.sources.registry import read_sources
from sentrep.tables.layout import Table
from sentrep.tables.values import Values

TEMPLATES = Path(__file__).parent
TITLE = "Four papers on sentence embeddings, replicated"


def write_report(folder: str | Path, output: str | Path) -> None:
    """Create a report on the results in a folder, and write it to an HTML file.

    Args:
        folder: folder ``results/`` of a finished or unfinished run, or a folder written by ``sentrep publish``. The
            report states which parts are missing.
        output: path of the HTML file to write.

    Raises:
        SentrepError: the folder contains no values of tables or figures, or one of its files cannot be read.
    """
    write_text(output, make_report(folder))


def make_report(folder: str | Path) -> str:
    """Return an HTML report on the results in a folder; see :func:`write_report`."""
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
        "claims": claims.groups(files),
        **_headline(files, values),
        **_data(provenance),
    }


def _facts(values: Values, name: str) -> set[str]:
    """Return the distinct texts that the tables and figures record for a property of the run, such as ``preset``."""
    return set(values.select(row="", column="", metric=name).frame["text"]) - {""}


def _run(facts: Mapping[str, str]) -> str:
    texts = {"preset": "Preset {}", "recorded": "recorded {}", "trained models": "trained models: {}"}
    known = [text.format(facts[name]) for name, text in texts.items() if name in facts]
    return " · ".join([*known, *([facts["models were trained on"]] if "models were trained on" in facts else [])])


def _notes(text: str) -> Markup:
    """Convert Markdown notes to HTML; lower headings by two levels, and turn links to local files into plain text."""
    content = MarkdownIt("commonmark", {"html": False}).render(text)
    content = re.sub(r'<a href="(?!https?:)[^"]*">(.*?)</a>', r"\1", content, flags=re.DOTALL)
    return Markup(re.sub(r"(</?h)([1-4])>", lambda match: f"{match[1]}{int(match[2]) + 2}>", content))


def _headline(files: ResultFiles, values: Values) -> dict[str, Any]:
    found = headline(values)
    said = [*(findings(found) if found else []), claims.finding(files)]
    return {"findings": [finding for finding in said if finding[0]], "means": dot_plot(found) if found else None}


def _deltas(files: ResultFiles) -> dict[str, Any] | None:
    rows = files.rows("deltas.csv", deltas.COLUMNS)
    if not rows:
        return None
    papers = by_paper(rows)
    numbers = [deltas.number_table(f"{name}: {len(group):,} numbers", group) for name, group in papers.items()]
    return {
        "text": deltas.summary(rows),
        "counts": fragment(deltas.count_table(papers), "deltas-counts"),
        "tables": _folded("deltas", numbers),
    }


def _data(provenance: Mapping[str, Any]) -> dict[str, Any]:
    data = [
        data_tables.source_table(provenance, read_sources()),
        data_tables.corpus_table(provenance),
        data_tables.set_table(provenance),
        data_tables.checksum_table(provenance),
    ]
    records = [
        provenance_tables.model_table(provenance),
        provenance_tables.library_table(provenance),
        provenance_tables.result_table(provenance),
    ]
    return {
        "data_statements": data_tables.statements(provenance),
        "data_tables": _folded("data", data),
        "provenance_tables": _folded("provenance", records),
    }


def _costs(files: ResultFiles, preset: str) -> dict[str, Any] | None:
    jobs = costs.read_jobs(files, preset)
    if not jobs:
        return None
    tables = _folded("costs", [costs.kind_table(jobs), costs.job_table(jobs)])
    return {"text": costs.summary(jobs), "tables": tables}


def _graph(provenance: Mapping[str, Any]) -> dict[str, Any] | None:
    graph = RuleGraph.of(provenance.get("rules", {}))
    if graph is None:
        return None
    rows = [(rule, ", ".join(needed)) for rule, needed in graph.needs.items()]
    tables = _folded("graph", [list_table("Dependencies of each rule", ("Rule", "needs"), rows, sentences=True)])
    return {"text": graph.summary, "tables": {"Drawing of the graph": graph.svg(), **tables}}


def _folded(identity: str, tables: Iterable[Table | None]) -> dict[str, Markup]:
    """Return the HTML fragments of tables that the report shows in collapsed sections, keyed by the tables' titles."""
    return {table.title: fragment(table, f"{identity}-{place}") for place, table in enumerate(tables) if table}
