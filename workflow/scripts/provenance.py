"""Write the record of a run: the inputs, code and software versions that produced its results."""

from pathlib import Path
from typing import Any

from sentrep.io.files import read_json, sha256, write_json
from sentrep.provenance.checksums import step_files, with_checksums
from sentrep.provenance.environment import environment
from sentrep.provenance.run_crate import write_run_crate
from sentrep.provenance.workflow_graph import needed_rules

_FROM_MODEL = (
    *("code", "parameters", "threads", "device", "seconds", "processor_share", "peak_memory_mb", "time"),
    *("libraries", "processor"),
)


def main(snakemake: Any) -> None:
    """Write the record of a run: ``steps.json``, ``provenance.json`` and the metadata of an RO-Crate.

    ``steps.json`` lists every job and the checksum of every file that jobs read or write. ``provenance.json`` describes
    the configuration, the software, the data and the models, and contains the checksums of the results.
    """
    source, params = snakemake.input, snakemake.params
    files = step_files(params.steps, source.sources)
    results = set(source.results)
    models: dict[str, Any] = {}
    for folder in source.models:
        meta = read_json(Path(folder) / "meta.json")
        record = {key: meta.get(key) for key in _FROM_MODEL}
        record["embeddings_sha256"] = _digest(Path(folder))
        models.setdefault(meta["model"], {"family": meta["family"], "corpus": meta["corpus"], "seeds": {}})
        models[meta["model"]]["seeds"][str(meta["seed"])] = record
    # Write steps.json first, because a run that has a provenance.json counts as finished.
    rules = needed_rules(params.steps)
    run_record = {"preset": params.preset, "after": params.after, "rules": rules, "steps": params.steps}
    write_json(snakemake.output.steps, {**run_record, "files": files})
    write_json(
        snakemake.output.provenance,
        {
            "preset": params.preset,
            "configuration": params.configuration,
            "environment": environment(),
            "sources": {Path(path).stem: _source(path) for path in source.sources},
            "sentences": {Path(path).name: read_json(Path(path) / "meta.json") for path in source.sentences},
            "corpora": {Path(path).name: read_json(Path(path) / "meta.json") for path in source.stores},
            "evaluation": read_json(source.description),
            "models": models,
            "results": {path: files[path]["sha256"] for path in sorted(results)},
            "rules": rules,
            "steps": [with_checksums(step, files) for step in params.steps if results & set(step["outputs"])],
        },
    )
    write_run_crate(Path(snakemake.output.provenance).parent)


def _source(path: str) -> dict[str, Any]:
    """Return a source's manifest with file names instead of paths on this machine."""
    record = {key: value for key, value in read_json(path).items() if key != "root"}
    files = [{**{k: v for k, v in f.items() if k != "path"}, "name": Path(f["path"]).name} for f in record["files"]]
    return {**record, "files": files}


def _digest(folder: Path) -> str | None:
    tensors = sorted(folder.glob("*.safetensors"))
    return sha256(tensors[0]) if tensors else None
