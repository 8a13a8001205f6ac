"""The record of a run, ``provenance.json``, as tables that can be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sentrep.tables.layout import Cell, Row, Section, Table


def facts(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what a run was: name and value."""
    made = record.get("environment") or {}
    models = list(_seeds(record))
    devices = sorted({f"{seed['device']} ({seed['processor']})" for _, _, seed in models if seed.get("device")})
    found = [
        ("preset", record.get("preset", "")),
        ("recorded", made.get("time", "").replace("T", " ").replace("+00:00", " UTC")),
        ("machine", " ".join(part for part in (made.get("processor", ""), made.get("system", "")) if part)),
        ("Python", made.get("python", "")),
        ("models were trained on", "; ".join(devices)),
        ("trained models", f"{len(models):,}" if models else ""),
        ("commit", str(record.get("commit") or "")),
    ]
    return [(name, value) for name, value in found if value]


def library_table(record: Mapping[str, Any]) -> Table | None:
    """Return the versions of libraries: of the record itself, and of the models where theirs are others."""
    own = (record.get("environment") or {}).get("libraries", {})
    trained: dict[str, set[str]] = {}
    for _, _, seed in _seeds(record):
        for library, version in (seed.get("libraries") or {}).items():
            trained.setdefault(library, set()).add(version)
    names = list(dict.fromkeys([*own, *trained]))
    if not names:
        return None
    rows = tuple(
        Row(Cell(name), (Cell(own.get(name, "")), Cell(", ".join(sorted(trained.get(name, ()))))))
        for name in sorted(names)
    )
    return Table("Versions of libraries", "Library", (("", ("tables and figures", "models")),), (Section("", rows),))


def model_table(record: Mapping[str, Any]) -> Table | None:
    """Return every trained model, a line per seed; None if the record names none."""
    rows = tuple(
        Row(
            Cell(name),
            (
                Cell(number),
                Cell(model["family"]),
                Cell(f"{model['corpus']['sentences']:,}"),
                Cell(seed.get("device") or ""),
                Cell("" if seed.get("threads") is None else str(seed["threads"])),
                Cell("" if seed.get("seconds") is None else f"{seed['seconds']:,.1f}"),
                Cell("" if seed.get("peak_memory_mb") is None else f"{seed['peak_memory_mb']:,.0f}"),
                Cell((seed.get("time") or "").replace("T", " ").replace("+00:00", "")),
                Cell(seed.get("code") or ""),
                Cell(seed.get("embeddings_sha256") or ""),
            ),
        )
        for name, number, seed, model in _with_models(record)
    )
    if not rows:
        return None
    columns = (
        "seed",
        "family",
        "sentences",
        "device",
        "threads",
        "seconds",
        "memory, MB",
        "trained, UTC",
        "digest of the code",
        "SHA-256 of the vectors",
    )
    return Table("Trained models", "Model", (("", columns),), (Section("", rows),))


def result_table(record: Mapping[str, Any]) -> Table | None:
    """Return the checksums of the results; None if the record holds none."""
    rows = tuple(
        Row(Cell(path), (Cell(digest if isinstance(digest, str) else str(digest.get("sha256", ""))),))
        for path, digest in sorted((record.get("results") or {}).items())
    )
    if not rows:
        return None
    return Table("Results", "File", (("", ("SHA-256",)),), (Section("", rows),))


def _seeds(record: Mapping[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(name, number, seed) for name, number, seed, _ in _with_models(record)]


def _with_models(record: Mapping[str, Any]) -> list[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    return [
        (name, number, seed, model)
        for name, model in sorted((record.get("models") or {}).items())
        for number, seed in model["seeds"].items()
    ]
