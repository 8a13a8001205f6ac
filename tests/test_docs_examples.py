"""Test that the worked examples of CONTRIBUTING.md run exactly as written."""

import csv
import io
import re
import sys
import types

import numpy as np
import pandas as pd
import yaml

from conftest import ROOT
from sentrep.claims.reading import read_claims
from sentrep.config.corpora import Corpus
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.corpora import readers
from sentrep.families import FAMILIES
from sentrep.tables.views import TableView, read_views
from sentrep.training.initialisation import normal_vectors
from sentrep.training.run import Run


def example(heading: str) -> list[str]:
    """Return the code blocks of one of the worked examples in CONTRIBUTING.md."""
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split(f"### {heading}\n")[1].split("\n#")[0]
    found = re.findall(r"^```\w+\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found


def test_example_of_a_family(monkeypatch):
    code, entry = example("A new family")
    module = types.ModuleType("sentrep.families.rare_words")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr("sentrep.families.FAMILIES", (*FAMILIES, "rare_words"))
    exec(compile(code, module.__name__, "exec"), module.__dict__)
    assert make_plan(resolve(yaml.safe_load(entry))).trained["rare_words"].family == "rare_words"
    store = types.SimpleNamespace(
        vocabulary_size=2, counts=np.array([9, 1]), vocabulary=["a", "b"], meta={"encoding_tokeniser": "kenter"}
    )
    encoder = module.train(store, module.Parameters(dimension=50, a=0.1), Run(seed=1))
    lengths = np.linalg.norm(encoder.encode(["a", "b"]), axis=1)
    unweighted = np.linalg.norm(normal_vectors(2, 50, sigma=0.01, seed=1), axis=1)
    np.testing.assert_allclose(lengths / unweighted, [0.1 / 1.0, 0.1 / 0.2], rtol=1e-5)


def test_example_of_a_table(tmp_path):
    (declared,) = example("A new table")
    path = tmp_path / "tables.yaml"
    path.write_text(f"tables:\n{declared}", encoding="utf-8")
    views = read_views(path)
    assert isinstance(views.view("sentrep/sizes"), TableView)
    assert views.item("sentrep/sizes") == "sentrep/models"
    shown = {cell.metric for group in views.tables["sentrep/sizes"].groups for cell in group.cells}
    values = pd.read_csv(ROOT / "results" / "published" / "novels" / "values.csv")
    assert shown <= set(values["metric"][values["item"] == "models"])


def test_example_of_a_claim(tmp_path):
    (entry,) = example("A new claim")
    path = tmp_path / "claims.yaml"
    known = (ROOT / "workflow" / "reported" / "claims.yaml").read_text(encoding="utf-8")
    path.write_text(known + entry, encoding="utf-8")
    assert read_claims(path).claims[-1].id == "cbos_above_fastsent"


def test_example_of_a_reader():
    code, entry = example("A new corpus reader")
    names = {"csv": csv, "io": io, **vars(readers)}
    exec(compile(code, "readers.py", "exec"), names)
    file = io.BytesIO(b'date,text\n2020-01-01,"One.  And two."\n2020-01-02,Three.\n')
    assert list(names["read_letters"]([("a.csv", file)])) == [["One. And two."], ["Three."]]
    (corpus,) = yaml.safe_load(entry)["corpora"].values()
    Corpus.model_validate({**corpus, "reader": "sentences"})
