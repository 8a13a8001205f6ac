"""Test the workflow as a user runs it, in a copy of the project: dry runs, rebuilds, messages and results."""

import csv
import hashlib
import importlib
import inspect
import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from helpers_corpora import kenter_reference
from helpers_project import copy_finished, copy_project, planned_rules, snakemake, without_messages

# One paper without its networks and sweeps; all rules that other papers also use are part of its workflow.
SMALL = ["--config", "papers=[siamese_cbow]", "models={skip_thought_combine: null}"]
SMALL += ["sweeps={progress: null, negatives: null, dimensions: null, corpus_size: null}"]


# This prints what the rules declare as one line of JSON, whatever the command.
DUMP = """
import json

print(json.dumps([
    {"name": r.name, "call": r.params.get("call"), "names": [*r.input.keys(), *r.output.keys(), *r.params.keys()]}
    for r in workflow.rules if r.params.get("call")
]))
"""
# Keyword arguments that depend on the job.
KEYWORDS = {
    "sentences": ["reader_name"],
    "train": ["store"],
    "evaluate_pairs": ["pairs", "embeddings"],
    "sentence_pool": ["corpus", "size", "seed", "leave_out"],
}


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    """Return a copy of the project without results."""
    return copy_project(tmp_path_factory.mktemp("project") / "sentrep")


@pytest.fixture(scope="module")
def trained(project) -> Path:
    """Return the copy after one small model was trained."""
    snakemake(project, "results/sample/models/tfidf/seed1")
    return project


def test_dry_run_of_each_preset(project):
    for preset in ("sample", "novels", "paper"):
        output = snakemake(project, "--dry-run", "--config", f"preset={preset}")
        assert "table1" in output
        assert "figure4" in output


def test_started_from_elsewhere(project, tmp_path):
    output = snakemake(tmp_path, "--snakefile", str(project / "Snakefile"), "--dry-run")
    assert "table1" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--config", "preset=nvels"], "config.preset: expected a known preset, found 'nvels'; did you mean 'novels'?"),
        (["--config", "mirrr=x"], "config: expected a known key, found 'mirrr'; did you mean 'mirror'?"),
        (["--config", "models={siamese_cbow: {parameters: {negatives: -1}}}"], "negatives: expected at least 1"),
    ],
)
def test_mistakes_end_with_one_line(project, arguments, message):
    output = snakemake(project, "--dry-run", *arguments, expect=1)
    assert message in output
    assert "Traceback" not in output


def test_scoring_is_timed_with_the_first_seed_of_a_model(project):
    target, seeds = "results/sample/timing/siamese_cbow.csv", "models={siamese_cbow: {seeds: [2]}}"
    output = snakemake(project, "--snakefile", without_messages(project), "--dry-run", target, "--config", seeds)
    assert "models/siamese_cbow/seed2" in output
    assert "models/siamese_cbow/seed1" not in output


def test_missing_corpus_says_what_to_do(project):
    output = snakemake(project, "results/novels/sources/books.json", "--config", "preset=novels", expect=1)
    assert (
        "source books: expected files that match books/novels-0*.tar.xz in a mirror folder (`mirror` is not set)"
        in output
    )
    assert "or in the working directory" in output
    assert not (project / "results/novels/sources/books.json").exists()


def test_cuda_asked_and_absent(trained):
    if shutil.which("nvidia-smi"):
        pytest.skip("this machine has a GPU")
    target = "results/sample/models/siamese_cbow/seed1"
    output = snakemake(trained, target, "--config", "device=cuda", expect=1)
    assert "config.device: expected an available CUDA device, found no CUDA device" in output
    assert not (trained / target).exists()


def test_scripts_import_the_library_of_their_own_checkout(trained):
    """The library of this checkout is imported even if another checkout is installed."""
    path = trained / "workflow" / "scripts" / "sentrep" / "families" / "tfidf.py"
    before = path.read_text()
    path.write_text(before.replace("def train(", 'raise RuntimeError("this checkout")\n\n\ndef train(', 1))
    try:
        output = snakemake(
            trained, "results/sample/models/tfidf/seed2", "--config", "models={tfidf: {seeds: [2]}}", expect=1
        )
    finally:
        path.write_text(before)
    assert "this checkout" in output


def test_nothing_to_do_after_a_run(trained):
    assert "Nothing to be done" in snakemake(trained, "--dry-run", "results/sample/models/tfidf/seed1")


@pytest.mark.parametrize(
    ("file", "change", "rebuilt"),
    [
        ("sentrep/families/tfidf.py", "\n# a comment\n", set()),
        ("train.py", "\n# a comment\n", set()),
        ("sentrep/families/siamese_cbow.py", "\nADDED = 1\n", set()),
        ("sentrep/families/tfidf.py", "\nADDED = 1\n", {"train"}),
        ("sentrep/corpora/punkt.py", "\nADDED = 1\n", {"sentences", "store", "train"}),
    ],
)
def test_code_changes_rebuild_what_they_reach(trained, file, change, rebuilt):
    path = trained / "workflow" / "scripts" / file
    before = path.read_text()
    path.write_text(before + change)
    try:
        output = snakemake(trained, "--dry-run", "results/sample/models/tfidf/seed1")
    finally:
        path.write_text(before)
    assert planned_rules(output) == rebuilt


@pytest.mark.parametrize("column", ["addresses", "sha256", "licence"])
def test_a_corrected_source_reruns_what_depends_on_it(trained, column):
    path = trained / "workflow" / "sources.tsv"
    before = path.read_text()
    header, *rows = (line.split("\t") for line in before.splitlines())
    row = next(row for row in rows if row[0] == "wikipedia_sample")
    row[header.index(column)] = "https://example.org/corrected"
    path.write_text("".join("\t".join(line) + "\n" for line in (header, *rows)))
    try:
        output = snakemake(trained, "--dry-run", "results/sample/models/tfidf/seed1")
    finally:
        path.write_text(before)
    assert planned_rules(output) == {"fetch", "sentences", "store", "train"}


def test_rules_call_functions_with_their_arguments(project):
    """The inputs, outputs and parameters of every rule match the function that it calls."""
    snakefile = project / "Rules.smk"
    snakefile.write_text((project / "Snakefile").read_text() + DUMP)
    try:
        output = snakemake(project, "--snakefile", "Rules.smk", "--list-rules")
    finally:
        snakefile.unlink()
    called = json.loads(next(line for line in output.splitlines() if line.startswith("[{")))
    assert len(called) > 20
    for rule in called:
        module, _, name = rule["call"].rpartition(".")
        signature = inspect.signature(getattr(importlib.import_module(module), name))
        extras = {"code", "config", "provenance", "log", "threads", "processes"} & set(signature.parameters)
        keywords = KEYWORDS.get(rule["name"], {})
        names = [n for n in rule["names"] if n not in ("call", "code", "cores", "caption", "keywords")]
        assert len(names) == len(set(names)), rule
        signature.bind(**dict.fromkeys({*names, *keywords, *extras}))


def test_training_leaves_nothing_half_written(trained):
    """If a corpus is too small for one batch, the error is one line and no model folder is left."""
    target = "results/sample/models/siamese_cbow/seed1"
    override = "models={siamese_cbow: {parameters: {batch_size: 1000000}}}"
    output = snakemake(trained, target, "--config", override, expect=1)
    assert "error: corpus: expected" in output
    assert not (trained / target).exists()
    assert not list((trained / target).parent.glob(".*.part"))


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    """Return another copy, after a complete run without sweeps."""
    project = copy_finished(tmp_path_factory.mktemp("finished") / "sentrep")
    snakemake(project, *SMALL)
    return project


@pytest.mark.slow
class TestWholeRun:
    def test_scores_have_the_agreed_columns(self, finished):
        with (finished / "results/scores.csv").open() as stream:
            header = next(csv.reader(stream))
        assert header == (
            [
                "preset",
                "protocol",
                "year",
                "dataset",
                "model",
                "seed",
                "pearson",
                "spearman",
                "pairs",
                "scored_pairs",
                "oov_rate",
                "all_oov_pairs",
            ]
        )

    def test_baseline_equals_a_plain_computation(self, finished):
        """Compute the untrained baseline with seed 3 on one set by hand: draw vectors, average them and correlate."""
        run = finished / "results/sample"
        words = [line.split("\t")[0] for line in (run / "stores/books/vocabulary.tsv").read_text().split("\n")[:-1]]
        vectors = np.random.default_rng([3, 0]).standard_normal((len(words), 300), dtype=np.float32) * np.float32(0.01)
        row = {word: vectors[i].astype(float) for i, word in enumerate(words)}

        def encode(sentence: str) -> np.ndarray:
            known = [row[w] for w in kenter_reference(sentence) if w in row]
            return np.mean(known, axis=0) if known else np.zeros(300)

        cosines, gold = [], []
        for line in (run / "evaluation/sts.jsonl").read_text().splitlines():
            pair = json.loads(line)
            if (pair["year"], pair["dataset"]) == (2014, "images"):
                a, b = encode(pair["sentence1"]), encode(pair["sentence2"])
                cosines.append(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
                gold.append(pair["gold"])
        scores = pd.read_csv(finished / "results/scores.csv")
        chosen = scores.query(
            "model == 'random' and seed == 3 and year == 2014 and dataset == 'images' and protocol == 'paper'"
        )
        assert chosen["pearson"].item() == pytest.approx(scipy.stats.pearsonr(cosines, gold).statistic, abs=6e-5)
        assert chosen["spearman"].item() == pytest.approx(scipy.stats.spearmanr(cosines, gold).statistic, abs=6e-5)

    def test_table_holds_the_scores(self, finished):
        scores = pd.read_csv(finished / "results/scores.csv")
        table = pd.read_csv(finished / "results/table1.csv")
        for _, line in scores.query("model == 'siamese_cbow' and dataset != 'Lee'").iterrows():
            name = f"{line.dataset} (sample)"
            cell = table[(table.protocol == line.protocol) & (table.year == line.year) & (table.dataset == name)]
            assert cell["siamese_cbow pearson"].item() == pytest.approx(line.pearson, abs=1e-9)

    def test_sample_data_says_so(self, finished):
        for stem in ("table1", "siamese_cbow/table1", "siamese_cbow/table2", "siamese_cbow/table3"):
            for suffix in ("csv", "md", "tex", "html"):
                assert "sample" in (finished / f"results/{stem}.{suffix}").read_text().lower(), (stem, suffix)

    def test_retraining_gives_the_same_bits(self, finished):
        folder = finished / "results/sample/models"
        before = {p: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.glob("*/seed*/*.safetensors")}
        assert len(before) > 10, before
        snakemake(finished, "--forcerun", "train", *SMALL)
        after = {p: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.glob("*/seed*/*.safetensors")}
        assert after == before

    def test_no_op_run_has_nothing_to_do(self, finished):
        assert "Nothing to be done" in snakemake(finished, *SMALL)

    def test_provenance_names_everything(self, finished):
        record = json.loads((finished / "results/provenance.json").read_text())
        assert record["preset"] == "sample"
        assert record["models"]["siamese_cbow"]["seeds"]["1"]["parameters"]["negatives"] == 2
        assert record["sources"]["wikipedia_sample"]["files"][0]["sha256"]
        for path, digest in record["results"].items():
            assert hashlib.sha256((finished / path).read_bytes()).hexdigest() == digest


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["weighted_aggregation", "cbos"])
def test_another_paper_alone(finished, paper):
    """A run of chosen papers finishes and includes everything that these papers share with others."""
    choice = ["--config", f"papers=[{paper}]"]
    snakemake(finished, *choice)
    with (finished / "results/claims.csv").open(newline="") as stream:
        reasons = [row["reason"] for row in csv.DictReader(stream) if row["paper"] == paper]
    assert any(reason.startswith("this run uses sample data; the verdict based on these data is") for reason in reasons)
    assert (finished / "results" / paper / "table1.csv").stat().st_size > 1000
    assert "Nothing to be done" in snakemake(finished, *choice)
