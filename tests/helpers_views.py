"""Helpers for the tests of declared tables: the table and the csv file built from values."""

import io

import pandas as pd

from helpers_evaluation import run_script
from sentrep.tables.build import build_frame, build_table
from sentrep.tables.values import Values, facts
from sentrep.tables.views import read_views


def view_of(name, values, sample=False, preset="p"):
    """Return a declared table and its csv file, built from values; the facts that rules add are not included."""
    paper, item = name.split("/")
    known = facts(paper, item, preset=preset, sample=str(sample))
    rows = Values.of([*known, *values]).rows()
    view = read_views().view(name)
    text = build_frame(view.csv, rows).to_csv(index=False)
    return build_table(view, rows), pd.read_csv(io.StringIO(text), keep_default_na=False, na_values=[""])


def lines(table):
    """Return the texts of each row by (section, heading)."""
    return {
        (section.heading, f"{row.heading.text} {row.heading.tail}".strip()): [cell.text for cell in row.cells]
        for section in table.sections
        for row in section.rows
    }


def run_values(name, collector, folder, inputs, params, sample=False):
    """Return the values that the job of an item writes, from the files that it reads."""
    known = {"item": name, "collector": collector, "preset": "p", "settings": {"sample": sample, **params}}
    path = folder / f"{name.replace('/', '_')}.csv"
    run_script("values", input=inputs, output={"csv": path}, params=known)
    return Values.read(path)
