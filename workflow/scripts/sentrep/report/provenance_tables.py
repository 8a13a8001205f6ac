"""Build the report section on provenance: machine, libraries, trained models and checksums of results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sentrep.report.list_tables import list_table
from sentrep.tables.layout import Table


def facts(provenance: Mapping[str, Any]) -> dict[str, str]:
    """Return the known facts about a run, such as its preset, machine and commit, keyed by name."""
    environment = provenance.get("environment") or {}
    trained = [seed for _, _, _, seed in _models(provenance)]
    devices = sorted({f"{seed['device']} ({seed['processor']})" for seed in trained if seed.get("device")})
    found = {
        "preset": provenance.get("preset", ""),
        "recorded": _time(environment.get("time"), " UTC"),
        "machine": f"{environment.get('processor', '')} {environment.get('system', '')}".strip(),
        "Python": environment.get("python", ""),
        "models were trained on": "; ".join(devices),
        "trained models": f"{len(trained):,}" if trained else "",
    }
    return {name: value for name, value in found.items() if value}


def library_table(provenance: Mapping[str, Any]) -> Table | None:
    """Return a table of the library versions with which tables and figures were created and models were trained.

    Returns:
        The table, or None if no versions are recorded.
    """
    own = (provenance.get("environment") or {}).get("libraries", {})
    trained: dict[str, set[str]] = {name: set() for name in own}
    for _, _, _, seed in _models(provenance):
        for library, version in (seed.get("libraries") or {}).items():
            trained.setdefault(library, set()).add(version)
    rows = [(name, own.get(name), ", ".join(sorted(versions))) for name, versions in sorted(trained.items())]
    return list_table("Versions of libraries", ("Library", "tables and figures", "models"), rows)


def model_table(provenance: Mapping[str, Any]) -> Table | None:
    """Return a table of the trained models, with one row for each seed of a model; None if there are no models."""
    rows = [
        (
            name,
            number,
            model["family"],
            model["corpus"]["sentences"],
            seed.get("device"),
            seed.get("threads"),
            _decimal(seed.get("seconds"), 1),
            _decimal(seed.get("peak_memory_mb"), 0),
            _time(seed.get("time")),
            seed.get("code"),
            seed.get("embeddings_sha256"),
        )
        for name, model, number, seed in _models(provenance)
    ]
    training = ("sentences", "device", "threads", "seconds", "memory, MB", "trained, UTC")
    digests = ("digest of the code", "SHA-256 of the vectors")
    return list_table("Trained models", ("Model", "seed", "family", *training, *digests), rows)


def result_table(provenance: Mapping[str, Any]) -> Table | None:
    """Return a table of all result files with their SHA-256 checksums; None if no files are recorded."""
    results = sorted((provenance.get("results") or {}).items())
    return list_table("Results", ("File", "SHA-256"), results)


def _models(provenance: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], str, Mapping[str, Any]]]:
    for name, model in sorted((provenance.get("models") or {}).items()):
        for number, seed in model["seeds"].items():
            yield name, model, number, seed


def _decimal(value: float | None, digits: int) -> str | None:
    return None if value is None else f"{value:,.{digits}f}"


def _time(text: str | None, zone: str = "") -> str:
    return (text or "").replace("T", " ").replace("+00:00", zone)
