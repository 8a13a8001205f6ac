"""Describe a run as a Workflow Run RO-Crate, a format that workflow registries can read.

The results folder is the crate. The metadata of the crate contain part of the information in ``provenance.json``: the
workflow, its inputs, its configuration, the software, and the name and checksum of every table and figure.

See https://www.researchobject.org/workflow-run-crate/profiles/workflow_run_crate
"""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rocrate.model.contextentity import ContextEntity
from rocrate.rocrate import ROCrate

from sentrep import __version__
from sentrep.io.files import read_json, write_json
from sentrep.io.project import WORKFLOW
from sentrep.provenance.checksums import CRATE, RECORD, WORKFLOW_FILE, checksum

# The newest versions of RO-Crate and its profiles that validators support.
_CRATE_VERSION = "1.1"
_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
_FORMATS = {".csv": "text/csv", ".md": "text/markdown", ".tex": "text/x-tex", ".npz": "application/zip"}


def write_run_crate(results: str | Path) -> None:
    """Turn a results folder into an RO-Crate by adding ``ro-crate-metadata.json`` and, if available, the Snakefile.

    Args:
        results: folder that contains the ``provenance.json`` of a run and at least some of its tables and figures.
    """
    results = Path(results)
    main_file = WORKFLOW.parent / WORKFLOW_FILE
    if main_file.exists():  # the installed package has no Snakefile, because it does not run the workflow
        (results / WORKFLOW_FILE).write_bytes(main_file.read_bytes())
    describe_run(results)


def describe_run(results: Path) -> None:
    """Write the metadata of the crate, ``ro-crate-metadata.json``, to a results folder."""
    write_json(results / CRATE, _run_crate(read_json(results / RECORD), results))


def _run_crate(record: Mapping[str, Any], results: Path) -> dict[str, Any]:
    """Return the metadata of a run's RO-Crate as JSON-LD.

    Args:
        record: contents of ``provenance.json``.
        results: folder of the results.
    """
    crate = ROCrate(gen_preview=False, version=_CRATE_VERSION)
    crate.metadata.extra_contexts.append("https://w3id.org/ro/terms/workflow-run/context")
    crate.metadata.extra_terms["sha256"] = "http://schema.org/sha256"  # not defined in the context of RO-Crate
    environment = record["environment"]
    title = f"sentrep, preset {record['preset']}"
    root: Any = crate.root_dataset
    root["name"] = f"Results of {title}"
    root["description"] = "Tables and figures of papers on sentence embeddings, replicated from raw text."
    root["datePublished"] = environment["time"]
    root["license"] = _add(crate, "https://spdx.org/licenses/MIT", "CreativeWork", name="MIT License")
    root["author"] = _add(crate, "#developers", "Organization", name="The sentrep developers")
    root["conformsTo"] = [
        _add(crate, address, "CreativeWork", name=name, version=address.rpartition("/")[2])
        for address, name in _PROFILES.items()
    ]

    libraries = {"python": environment["python"], **environment["libraries"]}
    workflow: Any = crate.add_workflow(
        dest_path=WORKFLOW_FILE, main=True, lang="snakemake", lang_version=libraries.get("snakemake")
    )
    workflow["name"] = "sentrep"
    workflow["version"] = __version__
    workflow["encodingFormat"] = "text/plain"
    workflow["softwareRequirements"] = [_software(crate, name, version) for name, version in sorted(libraries.items())]
    if (results / WORKFLOW_FILE).exists():
        _describe(workflow, checksum(results / WORKFLOW_FILE))

    settings = _add(
        crate,
        "#configuration",
        "PropertyValue",
        name="configuration",
        value=json.dumps(record["configuration"], sort_keys=True, default=str),
    )
    inputs = [settings, *(_source(crate, name, source) for name, source in sorted(record["sources"].items()))]
    for entity in inputs:
        kind = "PropertyValue" if entity is settings else "Collection"
        parameter = crate.add_formal_parameter(entity["name"], kind, identifier=f"#input-{entity['name']}")
        entity["exampleOfWork"] = parameter
        workflow.append_to("input", parameter)

    outputs = [_file(crate, results, RECORD, checksum(results / RECORD)["sha256"])]
    names = {name.removeprefix("results/"): digest for name, digest in record["results"].items()}
    outputs += [
        _file(crate, results, name, digest) for name, digest in sorted(names.items()) if (results / name).exists()
    ]
    parameter: Any = crate.add_formal_parameter("results", "File", identifier="#output-results")
    parameter["multipleValues"] = "True"
    workflow["output"] = parameter
    for entity in outputs:
        entity["exampleOfWork"] = parameter
    run = crate.add_action(
        workflow,
        "#run",
        object=inputs,
        result=outputs,
        properties={
            "name": f"Run of {title}",
            "endTime": environment["time"],
            "actionStatus": "http://schema.org/CompletedActionStatus",
            "description": f"On {environment['processor']}, {environment['system']}.",
        },
    )
    root["mentions"] = run
    return crate.metadata.generate()


def _add(crate: ROCrate, identifier: str, kind: str, **properties: Any) -> Any:
    return crate.add(ContextEntity(crate, identifier, properties={"@type": kind, **properties}))


def _software(crate: ROCrate, name: str, version: str) -> Any:
    address = "https://www.python.org/" if name == "python" else f"https://pypi.org/project/{name}/{version}/"
    return _add(crate, address, "SoftwareApplication", name=name, version=version, url=address)


def _source(crate: ROCrate, name: str, source: Mapping[str, Any]) -> Any:
    """Add a description of a data source and its files to the crate, and return the entity of the source."""
    parts = []
    for number, file in enumerate(source["files"]):
        part = _add(crate, f"#source-{name}-{number}", "CreativeWork", name=file["name"])
        parts.append(_describe(part, file))
    about = {
        "description": source["version"],
        "license": source["licence"],
        "hasPart": parts[0] if len(parts) == 1 else parts,
    }
    return _add(crate, f"#source-{name}", "Collection", name=name, **about)


def _file(crate: ROCrate, results: Path, name: str, digest: str) -> Any:
    """Add a result file to the crate, and return its entity."""
    entity: Any = crate.add_file(dest_path=name, properties={"name": name})
    kind = _FORMATS.get(Path(name).suffix) or mimetypes.guess_type(name)[0]
    if kind:
        entity["encodingFormat"] = kind
    return _describe(entity, {"sha256": digest, "bytes": (results / name).stat().st_size})


def _describe(entity: Any, file: Mapping[str, Any]) -> Any:
    entity["contentSize"] = str(file["bytes"])
    entity["sha256"] = file["sha256"]
    return entity
