"""Put the report together: read what a folder holds, write one HTML file."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from sentrep import __version__
from sentrep.io.files import atomic_file
from sentrep.report import claims as claiming
from sentrep.report import costs, data, deltas, graph, notes, record
from sentrep.report.folder import Folder
from sentrep.report.headline import Average, Headline, headline, sentences
from sentrep.report.html import render
from sentrep.report.names import PAPERS
from sentrep.report.pages import read_page
from sentrep.report.palette import stylesheet
from sentrep.report.parts import Paper, papers_of
from sentrep.sources.registry import read_sources
from sentrep.tables.layout import DIGITS, Cell, Row, Section, Table, correlation, difference

HERE = Path(__file__).parent
TITLE = "Four papers on sentence embeddings, replicated"
FLOOR_FAMILIES = ("random_vectors", "tfidf")


def write_report(folder: Folder, output: str | Path) -> None:
    """Write the report on a folder of results.

    Args:
        folder: of a run or published; of what it does not hold, the report says that it is left out.
        output: the HTML file to write.

    Raises:
        SentrepError: a file of the folder cannot be read.
    """
    with atomic_file(output) as temporary:
        temporary.write_text(make_report(folder), encoding="utf-8")


def make_report(folder: Folder) -> str:
    """Return the report on a folder of results: HTML that refers to nothing outside itself."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("report.html.jinja").render(**_contents(folder)) + "\n"


def _contents(folder: Folder) -> dict[str, Any]:
    run = folder.record()
    sample = _is_sample(run, folder)
    claim_rows = folder.rows("claims.csv", claiming.COLUMNS)
    found, errors = claiming.claims(claim_rows), claiming.claims(claim_rows, "error")
    papers = papers_of(folder, sample)
    top = headline(folder.rows("table1.csv"), _labels(folder), _floors(run))
    facts = record.facts(run)
    return {
        "title": TITLE,
        "preset": run.get("preset", "unknown preset"),
        "run_line": _run_line(run, facts),
        "sample": sample,
        "style": Markup(stylesheet() + (HERE / "report.css").read_text(encoding="utf-8")),
        "script": Markup((HERE / "report.js").read_text(encoding="utf-8")),
        "version": __version__,
        "contents": _table_of_contents(folder, papers, bool(errors)),
        "sentences": [
            *(sentences(top) if top else []),
            *([claiming.sentence(found)] if found else []),
        ],
        **_averages(top),
        "held": _by_paper([claim for claim in found if claim.verdict == "holds" and not sample]),
        "tally": _tally(found) if found and not sample else None,
        "claims": _by_paper(found),
        "claims_sentence": claiming.sentence(found) if found else "",
        "verdicts": [("", len(found)), *claiming.counts(found).items()],
        "claim_papers": [("", "all", len(found)), *_paper_counts(found)],
        "errors": _by_paper(errors),
        "deltas": deltas.part(folder),
        "papers": papers,
        "data_sentences": data.statements(run) if run else [],
        "data_tables": _rendered(
            ("data-sources", data.source_table(run, read_sources())),
            ("data-corpora", data.corpus_table(run)),
            ("data-sets", data.set_table(run)),
        ),
        "checksums": next(iter(_rendered(("data-files", data.checksum_table(run)))), ""),
        "notes": notes.to_html(folder.path("README.md").read_text(encoding="utf-8")) if folder.has("README.md") else "",
        "costs": _costs(folder),
        "graph": _graph(folder),
        "record_facts": facts,
        "record_tables": [
            (table.title, render(table, name))
            for name, table in (
                ("record-models", record.model_table(run)),
                ("record-libraries", record.library_table(run)),
                ("record-results", record.result_table(run)),
            )
            if table
        ],
        "configuration": json.dumps(run["configuration"], indent=1, ensure_ascii=False)
        if "configuration" in run
        else "",
    }


def _is_sample(run: Mapping[str, Any], folder: Folder) -> bool:
    if run.get("evaluation"):
        return bool(run["evaluation"]["sample"])
    return any(row["dataset"].endswith("(sample)") for row in folder.rows("table1.csv"))


def _run_line(run: Mapping[str, Any], facts: Sequence[tuple[str, str]]) -> str:
    known = dict(facts)
    parts = [f"Preset {known['preset']}"] if "preset" in known else []
    parts += [f"recorded {known['recorded']}"] if "recorded" in known else []
    parts += [f"{known['trained models']} trained models"] if "trained models" in known else []
    parts += [known["models were trained on"]] if "models were trained on" in known else []
    return " · ".join(parts)


def _labels(folder: Folder) -> list[str]:
    return [name for name, _ in read_page(folder.path("table1.html")).groups] if folder.has("table1.html") else []


def _floors(run: Mapping[str, Any]) -> set[str]:
    configured = (run.get("configuration") or {}).get("models", {})
    named = {name for name, entry in configured.items() if entry and entry.get("floor")}
    trained = run.get("models") or {}
    return named | {name for name, model in trained.items() if model["family"] in FLOOR_FAMILIES}


def _table_of_contents(folder: Folder, papers: Sequence[Paper], errors: bool) -> list[dict[str, Any]]:
    plain = [("headline", "Headline"), ("claims", "Claims")]
    plain += [("errors", "Errors in the papers")] if errors else []
    plain += [("deltas", "Every reported number")] if folder.has("deltas.csv") else []
    last = [("data", "Data"), *([("notes", "Notes on this run")] if folder.has("README.md") else [])]
    last += [("costs", "Costs"), ("steps", "Steps"), ("provenance", "Provenance")]
    return [
        *[{"id": name, "name": shown, "parts": ()} for name, shown in plain],
        *[{"id": paper.id, "name": paper.name, "parts": paper.parts} for paper in papers],
        *[{"id": name, "name": shown, "parts": ()} for name, shown in last],
    ]


def _averages(found: Headline | None) -> dict[str, Any]:
    """Return the lines of the headline's table and the ends of its axis."""
    if found is None or not found.averages:
        return {"averages": None, "axis": {}}
    values = [average.ours for average in found.averages]
    values += [average.reported for average in found.compared if average.reported is not None]
    low, high = min(0.0, math.floor(min(values) * 10) / 10), math.ceil(max(*values, 0.1) * 10) / 10

    def place(value: float) -> float:
        return round(100 * (value - low) / (high - low), 2)

    def line(average: Average) -> dict[str, Any]:
        reported = None if average.reported is None or found.sample else place(average.reported)
        ours = place(average.ours)
        bar = None if reported is None else (min(ours, reported), round(abs(ours - reported), 2))
        apart = average.difference
        return {
            "label": average.label,
            "floor": average.floor,
            "ours": _r(average.ours),
            "ours_key": f"{average.ours:.4f}",
            "sd": f"±{correlation(average.sd, 3)}" if average.sd is not None else "",
            "reported": "" if average.reported is None else _r(average.reported),
            "reported_key": "" if average.reported is None else f"{average.reported:.4f}",
            "difference": "" if apart is None else difference(apart).replace("-", "−"),
            "difference_key": "" if apart is None else f"{apart:.4f}",
            "place": ours,
            "reported_place": reported,
            "bar": bar,
        }

    shown = {"sets": found.sets, "sample": found.sample, "lines": [line(average) for average in found.averages]}
    floor = place(found.floors[0].ours) if found.floors else None
    return {"averages": shown, "axis": {"low": _r(low, 1) if low else "0", "high": _r(high, 1), "floor": floor}}


def _r(value: float, digits: int = DIGITS) -> str:
    return correlation(value, digits).replace("-", "−")


def _by_paper(found: Sequence[claiming.Claim]) -> list[tuple[str, list[claiming.Claim]]]:
    names = dict.fromkeys(claim.paper_name for claim in found)
    return [(name, [claim for claim in found if claim.paper_name == name]) for name in names]


def _paper_counts(found: Sequence[claiming.Claim]) -> list[tuple[str, str, int]]:
    number = Counter(claim.paper for claim in found)
    return [(key, PAPERS.get(key, (key, ""))[0], count) for key, count in number.items()]


def _tally(found: Sequence[claiming.Claim]) -> list[dict[str, Any]]:
    """Return for each paper how many claims have each verdict, and their shares in percent."""
    lines = []
    for name, group in _by_paper(found):
        number = claiming.counts(group)
        parts = [
            {"verdict": verdict, "style": claiming.VERDICTS.get(verdict, "open"), "number": count}
            for verdict, count in number.items()
        ]
        lines.append({"name": name, "total": len(group), "parts": parts})
    return lines


def _rendered(*tables: tuple[str, Table | None]) -> list[Markup]:
    return [render(table, name) for name, table in tables if table is not None]


def _costs(folder: Folder) -> dict[str, Any] | None:
    steps = costs.read_steps(folder)
    if not steps:
        return None
    longest = sorted(steps, key=lambda step: -step.seconds)[: costs.LONGEST]
    return {
        "sentence": costs.summary(steps),
        "kinds": render(costs.kind_table(steps), "costs-kinds"),
        "longest": render(costs.step_table(longest, f"The {len(longest)} longest steps"), "costs-longest"),
        "all": render(costs.step_table(steps, "All steps"), "costs-all") if len(steps) > len(longest) else "",
    }


def _graph(folder: Folder) -> dict[str, Any] | None:
    edges = [(row["needs"], row["step"]) for row in folder.rows("steps.csv", ("step", "needs"))]
    if not edges:
        return None
    single, collectors = graph.without_collectors(edges)
    shown = graph.reduce(graph.forward(single))
    layout = graph.lay_out(shown)
    steps = sorted({step for edge in edges for step in edge})
    needs = {step: sorted(a for a, b in edges if b == step) for step in steps}
    rows = tuple(Row(Cell(step), (Cell(", ".join(needs[step])),)) for step in steps)
    table = Table("What each step needs", "Step", (("", ("needs",)),), (Section("", rows),))
    sentence = (
        f"{len(steps)} rules and {len(edges)} dependencies between them, of which {len(shown)} are drawn: those that "
        "do not follow from others."
    )
    if collectors:
        sentence += f" Left out, because most results lead there: {', '.join(collectors)}."
    return {"sentence": sentence, "content": graph.draw(layout, "graph"), "table": render(table, "graph-table")}
