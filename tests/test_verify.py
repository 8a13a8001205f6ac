"""Test that `sentrep verify` finds and names all kinds of files that were changed after a run."""

import hashlib
import re
from pathlib import Path

import pytest
from rocrate.rocrate import ROCrate

from conftest import ROOT
from helpers_project import copy_project, snakemake, without_messages
from sentrep.cli import main
from sentrep.errors import SentrepError
from sentrep.io.files import read_json, write_json
from sentrep.provenance.checksums import checksum, step_files, with_checksums
from sentrep.provenance.publish import publish
from sentrep.provenance.run_crate import write_run_crate
from sentrep.provenance.verify import verify

TEXT, MODEL, TABLE = "mirror/books.txt", "results/sample/models/m/seed1", "results/table1.csv"
RECORD = [f"results/{name}" for name in ("Snakefile", "provenance.json", "ro-crate-metadata.json")]
AFTER = [*RECORD, "results/report.html"]
WAYS = ("uni", "bi", "combine")
STEPS = [
    {"rule": "fetch", "code": "00", "inputs": [TEXT], "outputs": ["results/sample/sources/books.json"]},
    {"rule": "train", "code": "01", "inputs": ["results/sample/sources/books.json"], "outputs": [MODEL]},
    {"rule": "table1", "code": "02", "inputs": [MODEL], "outputs": [TABLE, "results/table1.md"]},
]


@pytest.fixture
def run(tmp_path, monkeypatch) -> Path:
    """Return a finished run of three jobs."""
    monkeypatch.chdir(tmp_path)
    for name in (TEXT, f"{MODEL}/meta.json", f"{MODEL}/snapshots/0.5/vectors", TABLE, "results/table1.md"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(f"content of {name}\n")
    Path(MODEL, ".snakemake_timestamp").touch()
    digest = hashlib.sha256(Path(TEXT).read_bytes()).hexdigest()
    entry = {"path": str(Path(TEXT).resolve()), "bytes": Path(TEXT).stat().st_size, "sha256": digest}
    write_json(
        "results/sample/sources/books.json",
        {"name": "books", "version": "novels", "licence": "MIT", "bytes": entry["bytes"], "files": [entry]},
    )
    record()
    return tmp_path


def record() -> None:
    files = step_files(STEPS, ["results/sample/sources/books.json"])
    results = {name: files[name]["sha256"] for name in (TABLE, "results/table1.md")}
    steps = [with_checksums(STEPS[2], files)]
    sources = {"books": read_json("results/sample/sources/books.json")}
    sources["books"]["files"][0]["name"] = "books.txt"
    environment = {"time": "2026-11-21T01:12:15+00:00", "python": "3.11.7", "libraries": {"snakemake": "9.27.1"}}
    summary = {"preset": "sample", "configuration": {"preset": "sample"}, "sources": sources, "results": results}
    machine = {"system": "Linux x86_64", "processor": "a processor"}
    write_json("results/provenance.json", {**summary, "environment": {**environment, **machine}, "steps": steps})
    write_run_crate("results")
    files |= {name: checksum(name) for name in RECORD}
    write_json("results/sample/steps.json", {"preset": "sample", "after": AFTER, "steps": STEPS, "files": files})


def test_an_untouched_run(run, capsys):
    assert main(["verify"]) == 0
    assert capsys.readouterr().out == ""
    number, findings = verify(run)
    assert (number, findings) == (9, [])


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        (TEXT, "restore the original file, or run `snakemake` to update"),
        ("results/sample/sources/books.json", "run `snakemake --force results/sample/sources/books.json`"),
        (f"{MODEL}/snapshots/0.5/vectors", f"by the rule `train`.*run `snakemake --force {MODEL}`, then `snakemake`"),
        (TABLE, "by the rule `table1`.*run `snakemake --force results/table1.csv`"),
        ("results/table1.md", "by the rule `table1`"),
        ("results/Snakefile", "by the rule `provenance`"),
        ("results/ro-crate-metadata.json", "run `snakemake --force results/ro-crate-metadata.json`"),
    ],
)
@pytest.mark.parametrize("fault", ["one bit", "truncated", "missing", "a folder"])
def test_every_tampered_file_is_named(run, capsys, name, remedy, fault):
    path, content = Path(name), Path(name).read_bytes()
    path.unlink()
    if fault == "one bit":
        path.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    elif fault == "truncated":
        path.write_bytes(content[:-1])
    elif fault == "a folder":
        path.mkdir()
    assert main(["verify"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    shown = str(path.resolve()) if name == TEXT else name
    assert lines[0].startswith(f"{shown}: expected {len(content)} bytes with sha256 ")
    assert hashlib.sha256(content).hexdigest()[:16] in lines[0]
    assert re.search(remedy, lines[0])
    expected = {"one bit": f"found {len(content)} bytes", "truncated": f"found {len(content) - 1} bytes"}
    assert expected.get(fault, "found no file") in lines[0]


def test_a_result_without_a_record(run):
    Path("results/report.html").write_text("made from the record")
    Path("results/old_figure.svg").write_text("from another run")
    assert [str(f) for f in verify(run)[1]] == [
        "results/old_figure.svg: expected a record of the file, found none; "
        "delete the file, which the recorded run did not create"
    ]


def test_a_table_was_changed_together_with_its_records(run):
    Path(TABLE).write_text("a better number")
    summary = read_json("results/provenance.json")
    summary["results"][TABLE] = hashlib.sha256(Path(TABLE).read_bytes()).hexdigest()
    write_json("results/provenance.json", summary)
    write_run_crate("results")
    found = [str(finding).partition(":")[0] for finding in verify(run)[1]]
    assert found == [TABLE, "results/provenance.json", "results/ro-crate-metadata.json"]


def test_another_preset_has_written_the_tables_since(run):
    """Only files in results/sample/ still belong to this run."""
    Path(TABLE).write_text("of another preset")
    write_json("results/provenance.json", {"preset": "novels", "results": {}, "steps": []})
    assert verify(run, "sample") == (4, [])
    Path(MODEL, "meta.json").unlink()
    assert [str(f).split(":")[0] for f in verify(run, "sample")[1]] == [f"{MODEL}/meta.json"]


def test_the_crate_of_a_run(run):
    """Read the crate with the rocrate library, and check the requirements of the Workflow Run Crate profile."""
    crate = ROCrate("results")
    assert crate.mainEntity.type == ["File", "SoftwareSourceCode", "ComputationalWorkflow"]
    assert crate.mainEntity["programmingLanguage"]["name"] == "Snakemake"
    assert (run / "results" / crate.mainEntity.id).read_bytes() == (ROOT / "Snakefile").read_bytes()
    root = crate.root_dataset
    assert all(root[key] for key in ("name", "description", "datePublished", "license"))
    profiles = {profile.id for profile in root["conformsTo"]}
    assert {f"https://w3id.org/ro/wfrun/{name}/0.5" for name in ("process", "workflow")} <= profiles
    (action,) = crate.get_by_type("CreateAction")
    assert root["mentions"] == action
    assert action["instrument"] == crate.mainEntity
    assert action["endTime"] == "2026-11-21T01:12:15+00:00"
    assert {entity.id for entity in action["object"]} == {"#configuration", "#source-books"}
    assert {entity.id for entity in action["result"]} == {"provenance.json", "table1.csv", "table1.md"}
    # Values are examples of the parameters of the workflow.
    for entities, slots in (action["object"], "input"), (action["result"], "output"):
        declared = crate.mainEntity[slots]
        parameters = {parameter.id for parameter in (declared if isinstance(declared, list) else [declared])}
        assert {entity["exampleOfWork"].id for entity in entities} == parameters
    for entity in action["result"]:
        content = Path("results", entity.id).read_bytes()
        assert entity["sha256"] == hashlib.sha256(content).hexdigest()
        assert entity["contentSize"] == str(len(content))
    assert {entity.id for entity in root["hasPart"]} == {"Snakefile", *(entity.id for entity in action["result"])}


def test_a_crate_names_only_files_that_are_there(run):
    """Published folders do not contain all formats."""
    Path("results/table1.md").unlink()
    write_run_crate("results")
    assert {entity.id for entity in ROCrate("results").root_dataset["hasPart"]} == {
        "Snakefile",
        "provenance.json",
        "table1.csv",
    }


def test_a_published_folder_is_a_crate(run):
    Path("results/table1.tex").write_text("left out")
    summary = read_json("results/provenance.json")
    summary["results"]["results/table1.tex"] = "0" * 64
    write_json("results/provenance.json", summary)
    write_run_crate("results")
    assert ROCrate("results").get("table1.tex")
    Path("results/novels/benchmarks").mkdir(parents=True)
    write_json("results/novels/steps.json", {})  # of a run with another preset in the same folder
    assert "novels/steps.json" not in publish(run, run / "published")
    files = {entity.id for entity in ROCrate("published").root_dataset["hasPart"]}
    assert files == {"Snakefile", "provenance.json", "table1.csv", "table1.md"}
    assert all((run / "published" / name).is_file() for name in files)


@pytest.mark.parametrize("preset", [None, "novels"])
def test_no_run_is_one_line(tmp_path, capsys, preset):
    assert main(["verify", "--project", str(tmp_path), *(["--preset", preset] if preset else [])]) == 1
    error = capsys.readouterr().err
    assert "run `snakemake` first" in error
    assert error.count("\n") == 1


def test_a_damaged_record(run):
    write_json("results/sample/steps.json", [1])
    with pytest.raises(SentrepError, match=r"steps\.json: expected a JSON object, found a value of type list"):
        verify(run)


def test_checksum_of_a_folder_is_over_names_and_contents(run):
    summary = read_json("results/provenance.json")["steps"][0]["inputs"][MODEL]
    lines = [
        f"/{name}\t{hashlib.sha256(Path(MODEL, name).read_bytes()).hexdigest()}\n"
        for name in ("meta.json", "snapshots/0.5/vectors")
    ]
    assert summary == hashlib.sha256("".join(lines).encode()).hexdigest()


def test_every_result_has_a_record(tmp_path):
    """The record names exactly the files that Snakemake plans to write outside results/<preset>/."""
    project = copy_project(tmp_path / "project")
    output = snakemake(project, "--snakefile", without_messages(project), "--dry-run", "--forceall")
    jobs = re.split(r"^(?:local)?rule ", output, flags=re.MULTILINE)[1:]

    def files(job: str, kind: str) -> set[str]:
        found = re.search(rf"^    {kind}: (.*)$", job, re.MULTILINE)
        return {name for name in found[1].split(", ") if name.startswith("results/")} if found else set()

    job = next(job for job in jobs if job.startswith("provenance:"))
    planned = {name for job in jobs for name in files(job, "output")} - files(job, "output")
    assert len(planned) > 300
    assert files(job, "input") == planned
    assert "results/claims.csv" in planned


@pytest.mark.slow
def test_a_real_run(tmp_path, monkeypatch):
    """Verify a run of the sample preset for one paper: unchanged, tampered with, and fixed as messages advise."""
    project = copy_project(tmp_path / "project")
    monkeypatch.chdir(project)
    few = ["random", "random_idf", "word2vec_skipgram", "word2vec_cbow", "siamese_cbow"]
    models = ", ".join([f"{name}: {{seeds: [1]}}" for name in few] + [f"skip_thought_{n}: null" for n in WAYS])
    sweeps = "cbos_context: null, cbos_negatives: null, corpus_size: null"
    settings = ["--config", "papers=[cbos]", f"models={{{models}}}", f"sweeps={{{sweeps}}}"]
    snakemake(project, *settings)
    number, findings = verify()
    assert findings == []
    assert number > 60
    assert read_json("results/sample/steps.json")["after"] == [
        "results/Snakefile",
        "results/provenance.json",
        "results/report.html",
        "results/ro-crate-metadata.json",
        "results/sample/steps.json",
    ]
    summary = read_json("results/provenance.json")
    made = {path.as_posix() for path in Path("results").rglob("*") if path.is_file()}
    record = {f"results/{name}" for name in ("provenance.json", "ro-crate-metadata.json", "Snakefile")}
    of_the_run = {name for name in made if name.startswith("results/sample/")} | record
    assert set(summary["results"]) == made - of_the_run
    # Files that no rule reads or declares: the times of jobs, which the table of costs uses, and the record itself.
    apart = ("results/sample/benchmarks/", "results/sample/steps.json")
    hidden = {name for name in of_the_run if "/." in name}
    recorded = set(read_json("results/sample/steps.json")["files"])
    assert {n for n in of_the_run - hidden if not n.startswith(apart)} <= recorded
    for step in summary["steps"]:
        assert re.fullmatch("[0-9a-f]{16}", step["code"])
        for path, digest in {**step["inputs"], **step["outputs"]}.items():
            assert Path(path).is_dir() or hashlib.sha256(Path(path).read_bytes()).hexdigest() == digest
    vectors = next(Path("results/sample/models/cbos/seed1").glob("*.safetensors"))
    vectors.write_bytes(vectors.read_bytes()[:-1] + b"?")
    Path("results/table1.md").unlink()
    lines = [str(finding) for finding in verify()[1]]
    assert [line.split(": ")[0] for line in lines] == [
        "results/sample/models/cbos/seed1/" + vectors.name,
        "results/table1.md",
    ]
    for line in lines:
        command = re.search("run `snakemake (--force [^`]+)`, then `snakemake`", line)[1]
        snakemake(project, *command.split(), *settings)
    snakemake(project, *settings)
    assert verify()[1] == []
