"""Tables 1 to 3 of Logeswaran and Lee (2018): systems on transfer tasks, ours beside the printed numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from sentrep.tables.layout import Cell, Row, Section, Table
from sentrep.tables.reported import Reported
from sentrep.tables.transfer_scores import Measured, System, columns_of, system_of

MAIN = "kiros"  # the paper's protocol
SAMPLE_NOTE = (
    "Made of small sample tasks, made up but for 200 lines of MR: no number here can be compared with the paper's."
)
NAMES = {"accuracy": "acc", "f1": "F1", "pearson": "r", "spearman": "ρ", "mse": "MSE"}
OTHERS, FLOORS = "Not in this table of the paper", "Floors"


def build_table(
    number: int,
    title: str,
    scores: pd.DataFrame,
    paper: Reported,
    entries: Sequence[Mapping[str, Any]],
    tasks: Mapping[str, Mapping[str, Any]],
    hours: Mapping[str, float],
    preset: str,
    sample: bool,
) -> tuple[Table, pd.DataFrame]:
    """Build Table 1, 2 or 3.

    Args:
        number: of the table in the paper.
        title: one sentence.
        scores: the long table of transfer scores.
        paper: the paper's values; its systems are columns, its tasks rows.
        entries: id, label, floor, seeds and reported ({paper, table, column} or None) of each system, in order; id
            None for a system that is only reprinted.
        tasks: label and measure of each task, by its key in the configuration.
        hours: training time by model.
        preset: name of the preset.
        sample: the tasks are samples: no differences.

    Returns:
        The table as shown, and its numbers: a line per protocol, system and measure.

    Raises:
        SentrepError: a system's scores are not all there.
    """
    columns = columns_of(number, paper, tasks)
    systems = [
        system_of(number, entry, scores, paper, columns, hours)
        for entry in entries
        if number == 1 or entry["reported"] or entry["floor"]
    ]
    protocols = list(dict.fromkeys(scores["protocol"]))
    main = MAIN if MAIN in protocols or not protocols else protocols[0]
    sections = _sections(number, paper, systems, columns, main, sample)
    for protocol in protocols if number == 1 else []:
        if protocol != main:
            scored = [s for s in systems if any(own == protocol for own, _, _ in s.values)]
            rows = tuple(_ours(s, columns, protocol, number, set()) for s in scored)
            sections.append(Section(f"Ours, protocol {protocol}", rows))
    table = Table(
        title=title,
        stub="Model",
        groups=_groups(number, columns),
        sections=tuple(section for section in sections if section.rows),
        notes=_notes(scores, systems, main, number, sample),
        sample=sample,
        sample_note=SAMPLE_NOTE,
    )
    return table, _frame(systems, columns, protocols, main, preset, sample)


def _groups(number: int, columns: Sequence[Measured]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    several = {c.task for c in columns if sum(other.task == c.task for other in columns) > 1}
    groups: list[tuple[str, list[str]]] = []
    for column in columns:
        if column.task in several or column.metric != "accuracy":
            heading, name = column.label, NAMES[column.metric]
        else:
            heading, name = "Accuracy" if column.printed else "Accuracy, not in the paper", column.label
        if not groups or groups[-1][0] != heading:
            groups.append((heading, []))
        groups[-1][1].append(name)
    before = (("", ("Dim",)), ("", ("Training time (h)",))) if number == 1 else ()
    return (*before, *((heading, tuple(names)) for heading, names in groups), ("", ("Folds / seeds",)))


def _sections(
    number: int, paper: Reported, systems: Sequence[System], columns: Sequence[Measured], main: str, sample: bool
) -> list[Section]:
    """Return the systems under the paper's headings, then our others and the floors."""
    trained = [system for system in systems if system.values and not system.entry["floor"]]
    bold = _best(columns, {i: [s.value(s.protocol(main), c).mean for c in columns] for i, s in enumerate(trained)})
    ours_bold = {(id(trained[i]), column) for i, column in bold}
    bold = _best(columns, {i: [s.printed[c] for c in columns] for i, s in enumerate(systems)})
    printed_bold = {(id(systems[i]), column) for i, column in bold}
    found: dict[str, list[Row]] = {}
    for system in systems:
        reported = system.entry["reported"]
        heading = FLOORS if system.entry["floor"] else OTHERS
        if reported:
            heading = paper.text(number, "Section", reported["column"], "heading") or ""
        rows = found.setdefault(heading, [])
        if system.values:
            rows.append(
                _ours(system, columns, system.protocol(main), number, {c for s, c in ours_bold if s == id(system)})
            )
        if reported:
            rows.append(_printed(system, columns, paper, number, {c for s, c in printed_bold if s == id(system)}))
        if reported and system.values and not sample:
            rows.append(_difference(system, columns, system.protocol(main), number))
    last = [heading for heading in (OTHERS, FLOORS) if heading in found]
    return [Section(heading, tuple(found[heading])) for heading in [*(h for h in found if h not in last), *last]]


def _best(columns: Sequence[Measured], values: Mapping[int, Sequence[float]]) -> set[tuple[int, Measured]]:
    """Return (system, column) of the best values as printed, if at least two systems have one."""
    found = set()
    for place, column in enumerate(columns):
        shown = {i: float(number(v[place], column.digits)) for i, v in values.items() if not math.isnan(v[place])}
        if len(shown) > 1:
            best = min(shown.values()) if column.metric == "mse" else max(shown.values())
            found |= {(i, column) for i, value in shown.items() if value == best}
    return found


def _ours(system: System, columns: Sequence[Measured], protocol: str, number_: int, bold: set[Measured]) -> Row:
    cells = []
    for column in columns:
        value = system.value(protocol, column)
        spread = "" if math.isnan(value.sd) else f" ±{number(value.sd, column.digits)}"
        text = number(value.mean, column.digits)
        cells.append(Cell(text + spread if text else "", bold=column in bold))
    hours = "" if math.isnan(system.hours) else np.format_float_positional(system.hours, 2, fractional=False, trim="-")
    before = (Cell(system.dimension), Cell(hours)) if number_ == 1 else ()
    folds = max((value.folds for (p, _, _), value in system.values.items() if p == protocol), default=0)
    heading = Cell(system.entry["label"], "(ours)")
    return Row(heading, (*before, *cells, Cell(f"{folds} / {len(system.entry['seeds'])}")))


def _printed(system: System, columns: Sequence[Measured], paper: Reported, number_: int, bold: set[Measured]) -> Row:
    name = system.entry["reported"]["column"]
    cells = [
        Cell(paper.text(number_, column.label, name, column.metric) or "", bold=column in bold) for column in columns
    ]
    before: tuple[Cell, ...] = ()
    if number_ == 1:
        mark = paper.text(1, "Training time", name, "mark") or ""
        hours = paper.text(1, "Training time", name, "hours") or ""
        before = (Cell(paper.text(1, "Dim", name, "dimension") or ""), Cell(hours, mark=mark))
    return Row(Cell(name, "(reported)" if system.values else "(reprinted)"), (*before, *cells, Cell()))


def _difference(system: System, columns: Sequence[Measured], protocol: str, number_: int) -> Row:
    cells = [
        Cell(signed(system.value(protocol, column).mean - system.printed[column], column.digits)) for column in columns
    ]
    before = (Cell(), Cell()) if number_ == 1 else ()
    return Row(Cell("", "difference"), (*before, *cells, Cell()))


def number(value: float, digits: int) -> str:
    """Write a number with so many digits; nothing for NaN."""
    return "" if math.isnan(value) else f"{value:.{digits}f}"


def signed(value: float, digits: int) -> str:
    """Write a difference with its sign; nothing for NaN."""
    text = number(value, digits)
    plain = text.lstrip("-")
    return plain if not plain.strip("0.") else text if text.startswith("-") else f"+{text}"


def _notes(scores: pd.DataFrame, systems: Sequence[System], main: str, number_: int, sample: bool) -> tuple[str, ...]:
    notes = [
        f"Ours under the protocol {main}: logistic regression on fixed sentence vectors, C by cross-validation within "
        "the training items or by the dev items; accuracy and F1 in percent. Folds: of the search for C.",
        "reported: as the paper prints it"
        + ("." if sample else "; difference: ours minus that.")
        + " reprinted: a system that is not trained here. Bold: the best of ours and the best printed.",
    ]
    for protocol, rows in scores.groupby("protocol", sort=False):
        ways = ", ".join(sorted({str(way) for way in rows["normalisation"].dropna()}))
        meaning = {"unit": "vectors of length one", "none": "vectors as the models give them"}.get(ways, ways)
        if meaning and (protocol == main or number_ == 1):
            notes.append(f"Protocol {protocol}: {meaning}.")
    if several := [f"{s.entry['label']} ({len(s.entry['seeds'])})" for s in systems if len(s.entry["seeds"]) > 1]:
        notes.append(f"Means over seeds, ± standard deviation: {', '.join(several)}.")
    if number_ == 1:
        notes.append("Training time: ours from the models' records. *: on a CPU. †: parts trained side by side.")
    return tuple(notes)


def _frame(
    systems: Sequence[System],
    columns: Sequence[Measured],
    protocols: Sequence[str],
    main: str,
    preset: str,
    sample: bool,
) -> pd.DataFrame:
    records = []
    for protocol in protocols or [main]:
        for system in systems:
            own = {name for name, _, _ in system.values} or {main}
            if protocol not in own:
                continue
            for column in columns:
                value, printed = system.value(protocol, column), system.printed[column]
                if math.isnan(value.mean) and math.isnan(printed):
                    continue
                comparable = not sample and protocol == system.protocol(main)
                records.append(
                    {
                        "preset": preset,
                        "protocol": protocol,
                        "system": system.entry["label"],
                        "printed": system.entry["reported"]["column"] if system.entry["reported"] else "",
                        "model": system.entry["id"] or "",
                        "state": "trained here" if system.values else "reprinted",
                        "task": column.label + (" (sample)" if sample else ""),
                        "metric": column.metric,
                        "ours": value.mean,
                        "sd": value.sd,
                        "reported": printed,
                        "difference": value.mean - printed if comparable else math.nan,
                        "folds": value.folds or "",
                        "seeds": len(system.entry["seeds"]) or "",
                        "items": value.items or "",
                        "normalisation": value.normalisation,
                        "dimension": system.dimension,
                        "hours": "" if math.isnan(system.hours) else f"{system.hours:.6g}",
                    }
                )
    return pd.DataFrame(records)
