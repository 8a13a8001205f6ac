"""Write the record of a run: the inputs, code and software versions that produced its results."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sentrep.io.files import read_json, sha256, write_json
from sentrep.provenance.checksums import Step, checksum, step_files, with_checksums
from sentrep.provenance.environment import environment
from sentrep.provenance.run_crate import write_run_crate
from sentrep.provenance.workflow_graph import needed_rules

_FROM_MODEL = (
    *("code", "parameters", "threads", "device", "seconds", "processor_share", "peak_memory_mb", "time"),
    *("libraries", "processor"),
)


def main(
    *,
    sources: Sequence[str],
    sentences: Sequence[str],
    stores: Sequence[str],
    models: Sequence[str],
    description: str,
    results: Sequence[str],
    preset: str,
    configuration: Mapping[str, Any],
    jobs: Sequence[Step],
    after: Sequence[str],
    record: str,
    crate: str,
    workflow: str,
    steps: str,
) -> None:
    """Write the record of a run.

    Args:
        sources: manifests of the sources.
        sentences: folders of sentences.
        stores: token stores.
        models: folder of each seed of each model.
        description: file that describes the evaluation sets.
        results: files of all tables and figures.
        preset: name of the preset.
        configuration: configuration of the run.
        jobs: all jobs of the run.
        after: the files of the record and the files that are created from it, such as the report.
        record: output file that describes the configuration, the software, the data and the models, and contains the
            checksums of the results.
        crate: output file for the metadata of the RO-Crate, in the folder of ``record``.
        workflow: output file for a copy of the Snakefile, in the folder of ``record``.
        steps: output file that lists every job, and the checksum of every file that jobs read or write.
    """
    files, rules = step_files(jobs, sources), needed_rules(jobs)
    known: dict[str, Any] = {}
    for folder in map(Path, models):
        meta = read_json(folder / "meta.json")
        seed = {key: meta.get(key) for key in _FROM_MODEL} | {"embeddings_sha256": _digest(folder)}
        known.setdefault(meta["model"], {"family": meta["family"], "corpus": meta["corpus"], "seeds": {}})
        known[meta["model"]]["seeds"][str(meta["seed"])] = seed
    write_json(
        record,
        {
            "preset": preset,
            "configuration": configuration,
            "environment": environment(),
            "sources": {Path(path).stem: _source(path) for path in sources},
            "sentences": {Path(path).name: read_json(Path(path) / "meta.json") for path in sentences},
            "corpora": {Path(path).name: read_json(Path(path) / "meta.json") for path in stores},
            "evaluation": read_json(description),
            "models": known,
            "results": {path: files[path]["sha256"] for path in sorted(results)},
            "rules": rules,
            "steps": [with_checksums(job, files) for job in jobs if not set(results).isdisjoint(job["outputs"])],
        },
    )
    write_run_crate(Path(record).parent)
    files |= {path: checksum(path) for path in (record, crate, workflow)}
    write_json(steps, {"preset": preset, "after": after, "rules": rules, "steps": jobs, "files": files})


def _source(path: str) -> dict[str, Any]:
    """Return a source's manifest with file names instead of paths on this machine."""
    record = {key: value for key, value in read_json(path).items() if key != "root"}
    files = [{**{k: v for k, v in f.items() if k != "path"}, "name": Path(f["path"]).name} for f in record["files"]]
    return {**record, "files": files}


def _digest(folder: Path) -> str | None:
    tensors = sorted(folder.glob("*.safetensors"))
    return sha256(tensors[0]) if tensors else None
