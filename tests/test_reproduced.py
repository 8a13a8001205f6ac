"""Test the overview of published values that runs reproduce to within a fixed distance."""

import shutil

import pandas as pd
import pytest

from conftest import ROOT
from sentrep.cli import main
from sentrep.errors import SentrepError
from sentrep.tables.reproduced import COLUMNS, compare
from sentrep.tables.values import Value, Values

PUBLISHED = ROOT / "results" / "published"


def value(row, ours, published, **more):
    about = {"protocol": "paper", "system": "cbos", "seeds": 3, **more}
    text, difference = f"{published:.3f}", ours - published
    return Value("cbos", "table1", row, "CBOS", "pearson", mean=ours, published=text, difference=difference, **about)


def test_values_within_the_distance():
    values = Values.of(
        [
            value("2012 MSRpar", 0.43, 0.4),  # the difference is .03 except for rounding errors
            value("2012 MSRvid", 0.4301, 0.4),
            value("2013 OnWN", 0.3, 0.5),
            value("2012 average", 0.4, 0.4),
            value("mean", 0.4, 0.4),
            value("2012 MSRpar", 0.4, 0.4, protocol="official"),
            Value("cbos", "figure3", "2012 MSRpar", "CBOS", "pearson", "paper", mean=0.4, difference=0.0),
            Value("cbos", "table1", "2014 images", "CBOS", "pearson", "paper", mean=0.4, published=""),
            Value("quick_thoughts", "table1", "MR", "QT", "accuracy", "kiros", mean=77.0, difference=-2.9),
            Value("quick_thoughts", "table1", "CR", "QT", "accuracy", "kiros", mean=77.0, difference=3.1),
            Value("quick_thoughts", "table1", "Training time", "QT", "hours", "projected", mean=1.0, difference=0.0),
        ]
    )
    found = compare(values, "run")
    assert list(found.columns) == COLUMNS
    within = dict(zip(found["row"], found["within"], strict=True))
    assert within == {"2012 MSRpar": True, "2012 MSRvid": False, "2013 OnWN": False, "MR": True, "CR": False}


def test_published_overview_is_up_to_date(tmp_path):
    """The committed overview matches the committed values of the runs that it names."""
    runs = pd.read_csv(PUBLISHED / "reproduced.csv")["run"].unique()
    assert len(runs) >= 5
    command = ["reproduced", *(str(PUBLISHED / run) for run in runs), "--output", str(tmp_path / "reproduced")]
    assert main(command) == 0
    for kind in ("csv", "md", "html"):
        committed = (PUBLISHED / f"reproduced.{kind}").read_text(encoding="utf-8")
        assert (tmp_path / f"reproduced.{kind}").read_text(encoding="utf-8") == committed


def test_a_folder_without_values(tmp_path):
    shutil.copy(PUBLISHED / "novels" / "claims.csv", tmp_path)
    with pytest.raises(SentrepError, match=r"values\.csv: expected"):
        from sentrep.tables.reproduced import write_reproduced

        write_reproduced([tmp_path], tmp_path / "out")
