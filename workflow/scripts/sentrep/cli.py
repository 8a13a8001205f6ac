"""The command line: encode text, export vectors, publish and judge a run, report on it, train without Snakemake."""

from __future__ import annotations

import argparse
import json
import logging
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from sentrep import __version__
from sentrep.errors import SentrepError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit status: 0, or 1 with one line on standard error."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    options = parser().parse_args(arguments)
    # As an exception, so that half-written files are removed on the way out.
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        return options.run(options) or 0
    except SentrepError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    program = argparse.ArgumentParser(prog="sentrep", description="Use models that the pipeline has trained.")
    program.add_argument("--version", action="version", version=f"sentrep {__version__}")
    commands = program.add_subparsers(required=True, metavar="COMMAND")

    encode = commands.add_parser("encode", help="write a vector per line of a text file")
    encode.add_argument("model", type=Path, help="model folder, such as results/sample/models/siamese_cbow/seed1")
    encode.add_argument("input", type=Path, help="UTF-8 text, a sentence per line")
    encode.add_argument("output", type=Path, help=".npy file to write (.npz for sparse models)")
    encode.set_defaults(run=_encode)

    export = commands.add_parser("export", help="write vectors in another tool's format")
    export.add_argument("model", type=Path, help="model folder")
    export.add_argument("output", type=Path, help="folder to write")
    export.add_argument("--format", choices=["word2vec", "sentence-transformers"], required=True)
    export.set_defaults(run=_export)

    claims = commands.add_parser("claims", help="judge the papers' claims by the values of a published run")
    claims.add_argument("folder", type=Path, help="folder that `publish` wrote, such as results/published/novels")
    claims.set_defaults(run=_claims)

    render = commands.add_parser("render", help="write the tables and figures of a folder again, from its values.csv")
    render.add_argument("folder", type=Path, help="published folder, such as results/published/novels")
    render.set_defaults(run=_render)

    publish = commands.add_parser("publish", help="copy a finished run's tables, figures, logs and costs into a folder")
    publish.add_argument("output", type=Path, help="folder to write, such as results/published/novels")
    publish.add_argument("--project", type=Path, default=Path(), help="folder that holds results/ and logs/")
    _add_overwrite(publish)
    publish.set_defaults(run=_publish)

    fetch = commands.add_parser(
        "fetch", help="collect every source that a preset needs, for machines without a network"
    )
    fetch.add_argument("--preset", required=True, help="for example paper")
    fetch.add_argument(
        "--to", type=Path, required=True, metavar="DIR", help="mirror folder; then run with `mirror: DIR`"
    )
    fetch.add_argument("--configfile", type=Path, help="your config.yaml, if it changes what is needed")
    fetch.set_defaults(run=_fetch)

    verify = commands.add_parser("verify", help="compare the files of a finished run with their recorded checksums")
    verify.add_argument("--preset", help="of the run; default: the one that results/provenance.json is of")
    verify.add_argument("--project", type=Path, default=Path(), help="folder that holds results/")
    verify.set_defaults(run=_verify)

    reference = commands.add_parser(
        "config-reference", help="write docs/config.md from the declarations of the settings"
    )
    reference.add_argument("output", type=Path, nargs="?", help="file to write; without it, standard output")
    reference.add_argument("--schema", action="store_true", help="write the JSON schema of the configuration instead")
    reference.set_defaults(run=_config_reference)

    report = commands.add_parser("report", help="write the report on a run or a published folder: one HTML file")
    report.add_argument(
        "folder", type=Path, help="results of a run, or a published folder such as results/published/novels"
    )
    report.add_argument("--output", type=Path, metavar="FILE", help="file to write; FOLDER/report.html unless given")
    report.set_defaults(run=_report)

    _add_train(commands.add_parser("train", help="train a model on a token store"))
    return program


def _add_overwrite(command: argparse.ArgumentParser) -> None:
    command.add_argument("--overwrite", action="store_true", help="replace an older folder of the same kind")


def _add_train(train: argparse.ArgumentParser) -> None:
    train.add_argument("store", type=Path, help="token store, such as results/paper/stores/books")
    train.add_argument("output", type=Path, help="model folder to write")
    train.add_argument("--family", required=True, help="for example siamese_cbow")
    train.add_argument("--parameters", default="{}", metavar="JSON", help="for example '{\"negatives\": 5}'")
    train.add_argument("--seed", type=int, default=1)
    train.add_argument("--threads", type=int, default=1)
    train.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    train.add_argument("--input", action="append", default=[], metavar="NAME=PATH", help="what else a family asks for")
    train.add_argument("--checkpoints", type=Path, metavar="DIR", help="where an interrupted run is taken up again")
    train.add_argument("--checkpoint-minutes", type=float, default=5.0, metavar="M")
    _add_overwrite(train)
    train.set_defaults(run=_train)


def _encode(options: argparse.Namespace) -> None:
    import numpy as np
    import scipy.sparse as sp

    from sentrep.encoders.registry import load_encoder
    from sentrep.io.files import atomic_file

    encoder = load_encoder(options.model)
    try:
        lines = options.input.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise SentrepError(
            options.input, expected="a UTF-8 text file", found=str(error), remedy="check the path and encoding"
        ) from None
    vectors = encoder.encode(lines)
    suffix = ".npz" if sp.issparse(vectors) else ".npy"
    if options.output.suffix != suffix:
        raise SentrepError(
            options.output, expected=f"a name ending in {suffix}", found="another", remedy=f"rename it to *{suffix}"
        )
    with atomic_file(options.output) as temporary, temporary.open("wb") as stream:
        if isinstance(vectors, np.ndarray):
            np.save(stream, vectors)
        else:
            sp.save_npz(stream, vectors)
    _, known = encoder.count_tokens(lines)
    logging.getLogger("sentrep").info(
        "%d lines, %d dimensions; %d lines without a known word are zero",
        len(lines),
        encoder.dimension,
        int((known == 0).sum()),
    )


def _export(options: argparse.Namespace) -> None:
    from sentrep.encoders.export import export

    export(options.model, options.format, options.output)


def _claims(options: argparse.Namespace) -> None:
    from sentrep.claims.table import judge_folder

    counts = judge_folder(options.folder)
    logging.getLogger("sentrep").info("%s: %s", options.folder, counts)


def _render(options: argparse.Namespace) -> None:
    from sentrep.tables.render import render_folder

    names = render_folder(options.folder)
    logging.getLogger("sentrep").info("%d tables and figures in %s", len(names), options.folder)


def _publish(options: argparse.Namespace) -> None:
    from sentrep.provenance.publish import publish

    names = publish(options.project, options.output, overwrite=options.overwrite)
    logging.getLogger("sentrep").info("%d files in %s", len(names), options.output)


def _fetch(options: argparse.Namespace) -> int:
    from sentrep.config.plan import make_plan
    from sentrep.config.resolve import resolve
    from sentrep.io.yaml_files import read_yaml
    from sentrep.sources.mirror import fetch

    own = (read_yaml(options.configfile) or {}) if options.configfile else {}
    plan = make_plan(resolve({**own, "preset": options.preset}))
    files, missing = fetch({name: plan.source_files(name) for name in plan.used_sources}, options.to)
    for error in missing:
        sys.stdout.write(f"{error}\n")
    logging.getLogger("sentrep").info("%d files in %s, %d sources missing", len(files), options.to, len(missing))
    return int(bool(missing))


def _verify(options: argparse.Namespace) -> int:
    from sentrep.provenance.verify import verify

    number, findings = verify(options.project, options.preset)
    for finding in findings:
        sys.stdout.write(f"{finding}\n")
    logging.getLogger("sentrep").info("%d files compared, %d findings", number, len(findings))
    return int(bool(findings))


def _config_reference(options: argparse.Namespace) -> None:
    from sentrep.config.reference import reference, schema
    from sentrep.io.files import atomic_file

    text = schema() if options.schema else reference()
    if options.output is None:
        sys.stdout.write(text)
        return
    with atomic_file(options.output) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _report(options: argparse.Namespace) -> None:
    from sentrep.report.page import write_report

    output = options.output or options.folder / "report.html"
    write_report(options.folder, output)
    logging.getLogger("sentrep").info("%s, %.1f MB", output, output.stat().st_size / 1e6)


def _train(options: argparse.Namespace) -> None:
    from sentrep.runtime.threads import limit_threads

    limit_threads(options.threads)
    from sentrep.api.training import train_model

    try:
        parameters = json.loads(options.parameters)
    except ValueError as error:
        raise SentrepError("--parameters", expected="JSON", found=str(error), remedy="quote it as one word") from None
    inputs = dict(text.partition("=")[::2] for text in options.input)
    for name, path in inputs.items():
        if not Path(path).exists() or not path:
            raise SentrepError("--input", expected="NAME=PATH", found=f"{name}={path}", remedy="name an existing path")
    train_model(
        options.store,
        options.output,
        family_name=options.family,
        parameters=parameters,
        seed=options.seed,
        threads=options.threads,
        device=options.device,
        inputs=inputs,
        checkpoints=options.checkpoints,
        checkpoint_minutes=options.checkpoint_minutes,
        overwrite=options.overwrite,
    )


if __name__ == "__main__":
    sys.exit(main())
