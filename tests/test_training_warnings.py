"""Test that warnings during training reach the tables: a mark on the model, and a note that names it."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

import helpers_tables
from helpers_evaluation import run_script
from helpers_store import random_store, save_store
from sentrep.api.training import train_model
from sentrep.config.plan import make_plan
from sentrep.config.plan_values import collectors
from sentrep.config.resolve import resolve
from sentrep.encoders.base import AveragingEncoder
from sentrep.evaluation.statistics.ablation import COLUMNS
from sentrep.io.files import write_json
from sentrep.io.seal import read_meta
from sentrep.tables.collect.trainings import with_warnings
from sentrep.tables.markup import html_table, latex, markdown
from sentrep.tables.values import Values

FLAT = "nothing learnt: the loss went from 6.667 to 6.808; give more text, more epochs or a higher learning rate"
SHORT = "nothing learnt: the loss went from 6.667 to 6.808"


def folders(tmp_path, **warnings):
    """Return model folders with warnings, given as <system>_<seed>=[...]."""
    made = []
    for name, texts in warnings.items():
        system, _, seed = name.rpartition("_")
        made.append(tmp_path / "models" / system / f"seed{seed}")
        made[-1].mkdir(parents=True)
        write_json(made[-1] / "meta.json", {"family": "x", **({"warnings": texts} if texts else {})})
    return made


def test_a_warned_model_is_marked_and_named(tmp_path):
    values = helpers_tables.values(name="sentrep/table1")
    warned = with_warnings(
        values, folders(tmp_path, w2v_cbow_1=[], siamese_cbow_1=[FLAT], random_1=[], random_2=["collapsed: x; y"])
    )
    assert warned[2:] == values
    table, _ = helpers_tables.show("sentrep/table1", warned)
    plain, frame = helpers_tables.show("sentrep/table1", values)
    headings = [heading for heading, _ in table.groups]
    assert {"Siamese CBOW§", "Untrained§", "w2v CBOW"} <= set(headings)
    assert [heading.removesuffix("§") for heading in headings] == [heading for heading, _ in plain.groups]
    note = (
        f"§ marks systems whose training raised a warning: Siamese CBOW ({SHORT}); Untrained (collapsed: x (seed 2))."
    )
    assert table.notes == (*plain.notes, note)
    assert dataclasses.replace(table, groups=plain.groups, notes=plain.notes) == plain
    assert helpers_tables.show("sentrep/table1", warned)[1].equals(frame)
    assert note in markdown(table)
    assert note in html_table(table).unescape()
    assert r"{Siamese CBOW$^{\S}$}" in latex(table)


def test_a_table_of_other_models_has_no_note(tmp_path):
    values = helpers_tables.values(name="sentrep/table1")
    assert with_warnings(values, folders(tmp_path, elsewhere_1=[FLAT])) == values


def test_the_values_of_an_item_hold_the_warnings(tmp_path):
    record = {**dict.fromkeys(COLUMNS, np.nan), "section": "Rates", "convention": "omitted", "seeds": 1, "pearson": 0.4}
    records = [
        {**record, "label": "rate 9", "model": "m~rate=9", "baseline": "random"},
        {**record, "label": "random", "model": "random", "baseline": "random"},
    ]
    pd.DataFrame(records, columns=list(COLUMNS)).to_csv(tmp_path / "table.csv", index=False)
    run_script(
        "values",
        input={
            "table": tmp_path / "table.csv",
            "trainings": folders(tmp_path, **{"m~rate=9_1": [FLAT], "random_1": []}),
        },
        output={"csv": tmp_path / "values.csv"},
        params={
            "preset": "novels",
            "item": "siamese_cbow/ablation",
            "collector": "ablation.ablation_values",
            "settings": {"sample": False},
        },
    )
    table, _ = helpers_tables.show("siamese_cbow/ablation", Values.read(tmp_path / "values.csv").rows())
    marks = {row.heading.text: row.heading.mark for row in table.rows()}
    assert marks == {"rate 9": "§", "random": ""}
    assert f"rate 9 ({SHORT})" in table.notes[-1]


@pytest.mark.parametrize(
    "item", ["sentrep/table1", "siamese_cbow/table1", "quick_thoughts/table1", "siamese_cbow/ablation"]
)
def test_the_plan_asks_for_the_trained_models(item):
    plan = make_plan(resolve({"preset": "novels", "mirror": "/data"}))
    found = collectors(plan)[item]
    folders = found.inputs["trainings"]
    assert plan.paths.model.format(model="siamese_cbow", seed=1) in folders
    assert len({folder.rpartition("/")[0] for folder in folders}) > 3
    several = plan.trained["random"].seeds[:5] if item == "sentrep/table1" else (1,)
    assert {plan.paths.model.format(model="random", seed=seed) for seed in several} <= set(folders)


def test_a_model_inherits_the_warnings_of_what_it_is_built_on(tmp_path):
    part = tmp_path / "parts" / "cbow"
    part.mkdir(parents=True)
    vectors = np.random.default_rng(0).normal(size=(20, 4)).astype(np.float32)
    AveragingEncoder(
        vectors, [f"w{n}" for n in range(20)], "whitespace", meta={"family": "word2vec", "warnings": [FLAT]}
    ).save(part)
    store = tmp_path / "store"
    save_store(random_store(0, 40, 20), store)
    train_model(
        store,
        tmp_path / "model",
        family_name="transformed_vectors",
        parameters={"centre": "tokens"},
        seed=1,
        inputs={"directions": part},
    )
    warning = f"built on parts/cbow, whose training raised a warning: {FLAT}"
    assert read_meta(tmp_path / "model")["warnings"] == [warning]
