"""Command-line interface: train, evaluate and export models; encode text; publish and verify runs; write reports."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from sentrep import __version__
from sentrep.commands import evaluate, train
from sentrep.commands.parsing import Parser
from sentrep.errors import SentrepError
from sentrep.runtime.one_line import one_line_errors

EXPORTS = ["word2vec", "word2vec-text", "sentence-transformers", "safetensors"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a ``sentrep`` command and return its exit status; report an error as one line on standard error."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    if not sys.stderr.isatty():
        logging.getLogger("sentrep.progress").setLevel(logging.WARNING)
    options = parser().parse_args(arguments)
    # Raise an exception on SIGTERM, so that incomplete files are removed before the process ends.
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        with one_line_errors():
            return options.run(options) or 0
    except SentrepError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("sentrep"):
            raise
        missing = SentrepError(
            "sentrep",
            expected=f"the Python package {error.name}",
            found="no such package",
            remedy="run `pip install 'sentrep[workflow]'`",
        )
        sys.stderr.write(f"error: {missing}\n")
        return 1
    except BrokenPipeError:  # the program that reads the output, such as `head`, has ended
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted before the command finished; run the same command again\n")
        return 130


def parser() -> argparse.ArgumentParser:
    """Return the command-line argument parser."""
    program = Parser(
        prog="sentrep",
        description="Train, evaluate and export models; encode text; publish and verify runs; write reports.",
    )
    program.add_argument("--version", action="version", version=f"sentrep {__version__}")
    commands = program.add_subparsers(required=True, metavar="COMMAND")

    train.add(commands)
    evaluate.add(commands)

    encode = commands.add_parser("encode", help="encode each line of a text file as a vector")
    encode.add_argument("model", type=Path, help="model folder, such as results/sample/models/siamese_cbow/seed1")
    encode.add_argument("input", type=Path, help="UTF-8 text file with one sentence per line, or - for standard input")
    encode.add_argument("output", type=Path, help=".npy file to write (.npz for tf-idf models)")
    encode.set_defaults(run=_encode)

    export = commands.add_parser("export", help="convert a model to a format that other tools can read")
    export.add_argument("model", type=Path, help="model folder")
    export.add_argument("output", type=Path, help="output folder")
    export.add_argument("--format", choices=EXPORTS, required=True, help="format to write")
    export.add_argument(
        "--scores",
        type=Path,
        metavar="DIR",
        help="add the scores in DIR, a folder written by `sentrep evaluate --output`, to the model card of a "
        "sentence-transformers export",
    )
    export.set_defaults(run=_export)

    claims = commands.add_parser("claims", help="test the papers' claims against the values of published runs")
    claims.add_argument("folders", type=Path, nargs="+", help="folders of published runs")
    claims.add_argument(
        "--overview",
        metavar="STEM",
        help="also write STEM.csv, STEM.md and STEM.html with one verdict per claim, taken from the first folder whose "
        "run decides the claim or has enough data for an informative confidence interval",
    )
    claims.set_defaults(run=_claims)

    reproduced = commands.add_parser(
        "reproduced",
        help="count the papers' values that published runs reproduce to within .03 "
        "(for percentages, to within 3 percentage points)",
    )
    reproduced.add_argument("folders", type=Path, nargs="+", help="folders of published runs")
    reproduced.add_argument("--output", required=True, metavar="STEM", help="write STEM.csv, STEM.md and STEM.html")
    reproduced.set_defaults(run=_reproduced)

    render = commands.add_parser(
        "render", help="regenerate the tables and figures of a published run from its values.csv"
    )
    render.add_argument("folder", type=Path, help="folder of a published run, such as results/published/novels")
    render.set_defaults(run=_render)

    publish = commands.add_parser(
        "publish", help="copy the tables, figures, logs and resource usage of a finished run to a folder"
    )
    publish.add_argument("output", type=Path, help="output folder, such as results/published/novels")
    publish.add_argument(
        "--project", type=Path, default=Path(), help="folder that contains results/ and logs/ (default: .)"
    )
    publish.add_argument("--overwrite", action="store_true", help="replace an existing published run")
    publish.set_defaults(run=_publish)

    fetch = commands.add_parser(
        "fetch", help="download every source that a preset needs, for use on a machine without internet access"
    )
    fetch.add_argument("--preset", required=True, help="name of the preset, such as paper")
    fetch.add_argument(
        "--to",
        type=Path,
        required=True,
        metavar="DIR",
        help="mirror folder to fill; to use it, set `mirror: DIR` in config.yaml",
    )
    fetch.add_argument("--configfile", type=Path, help="your config.yaml, if it changes which sources are needed")
    fetch.set_defaults(run=_fetch)

    verify = commands.add_parser("verify", help="check the files of a finished run against their recorded checksums")
    verify.add_argument("--preset", help="preset of the run (default: the one recorded in results/provenance.json)")
    verify.add_argument("--project", type=Path, default=Path(), help="folder that contains results/ (default: .)")
    verify.set_defaults(run=_verify)

    reference = commands.add_parser(
        "config-reference", help="generate the reference documentation of all configuration keys"
    )
    reference.add_argument("folder", type=Path, help="folder for the pages, such as docs")
    reference.add_argument("--schema", type=Path, metavar="FILE", help="file for the JSON schema of the configuration")
    reference.set_defaults(run=_config_reference)

    report = commands.add_parser("report", help="write a report on a run as a single HTML file")
    report.add_argument(
        "folder",
        type=Path,
        help="folder of a published run, such as results/published/novels, or the results/ folder of any run",
    )
    report.add_argument("--output", type=Path, metavar="FILE", help="file to write (default: FOLDER/report.html)")
    report.set_defaults(run=_report)

    return program


def _encode(options: argparse.Namespace) -> None:
    import numpy as np
    import scipy.sparse as sp

    from sentrep.encoders.registry import load_encoder
    from sentrep.encoders.tfidf import TfIdfEncoder
    from sentrep.io.files import atomic_file

    encoder = load_encoder(options.model)
    suffix = ".npz" if isinstance(encoder, TfIdfEncoder) else ".npy"
    if options.output.suffix != suffix:
        raise SentrepError(
            options.output,
            expected=f"a file name that ends in {suffix}",
            found=f"'{options.output.name}'",
            remedy=f"change the suffix to {suffix}",
        )
    lines = _lines(options.input)
    vectors = encoder.encode(lines)
    with atomic_file(options.output) as temporary, temporary.open("wb") as stream:
        if isinstance(vectors, np.ndarray):
            np.save(stream, vectors)
        else:
            sp.save_npz(stream, vectors)
    _, known = encoder.count_tokens(lines)
    logging.getLogger("sentrep").info(
        "encoded lines: %d; lines without known words: %d; vector dimension: %d",
        len(lines),
        int((known == 0).sum()),
        encoder.dimension,
    )


def _lines(path: Path) -> list[str]:
    """Return the lines of a UTF-8 file or, if the path is "-", of standard input.

    Raises:
        SentrepError: the text cannot be read, is not UTF-8 or is empty.
    """
    from sentrep.io.files import check_input

    where = "standard input" if str(path) == "-" else path
    try:
        content = sys.stdin.buffer.read() if str(path) == "-" else check_input(path).read_bytes()
        text = content.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SentrepError(
            where, expected="a UTF-8 text file", found=f"an error ({error})", remedy="check the path and the encoding"
        ) from None
    if not text:
        raise SentrepError(where, expected="one sentence per line", found="no text", remedy="pass a non-empty text")
    # Only "\n" ends a line. If a stray "\r" ended one too, later vectors would no longer match the lines of the file.
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def _export(options: argparse.Namespace) -> None:
    from sentrep.encoders.export import export

    export(options.model, options.format, options.output, options.scores)


def _claims(options: argparse.Namespace) -> None:
    from sentrep.claims.overview import write_overview
    from sentrep.claims.table import judge_folder

    log = logging.getLogger("sentrep")
    for folder in options.folders:
        log.info("%s: %s", folder, judge_folder(folder))
    if options.overview:
        log.info("%s: %s", options.overview, write_overview(options.folders, options.overview))


def _reproduced(options: argparse.Namespace) -> None:
    from sentrep.tables.reproduced import write_reproduced

    logging.getLogger("sentrep").info("%s: %s", options.output, write_reproduced(options.folders, options.output))


def _render(options: argparse.Namespace) -> None:
    from sentrep.tables.render import render_folder

    names = render_folder(options.folder)
    logging.getLogger("sentrep").info("tables and figures rendered in %s: %d", options.folder, len(names))


def _publish(options: argparse.Namespace) -> None:
    from sentrep.provenance.publish import publish

    names = publish(options.project, options.output, overwrite=options.overwrite)
    logging.getLogger("sentrep").info("files copied to %s: %d", options.output, len(names))


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
    logging.getLogger("sentrep").info(
        "files available in %s: %d; missing sources: %d", options.to, len(files), len(missing)
    )
    return int(bool(missing))


def _verify(options: argparse.Namespace) -> int:
    from sentrep.provenance.verify import verify

    number, findings = verify(options.project, options.preset)
    for finding in findings:
        sys.stdout.write(f"{finding}\n")
    logging.getLogger("sentrep").info(
        "files checked against their recorded checksums: %d; problems found: %d", number, len(findings)
    )
    return int(bool(findings))


def _config_reference(options: argparse.Namespace) -> None:
    from sentrep.config.reference_pages import pages, schema
    from sentrep.io.files import write_text

    texts = {options.folder / name: text for name, text in pages().items()}
    if options.schema:
        texts[options.schema] = schema()
    for path, text in texts.items():
        write_text(path, text)


def _report(options: argparse.Namespace) -> None:
    from sentrep.report.page import write_report

    output = options.output or options.folder / "report.html"
    write_report(options.folder, output)
    logging.getLogger("sentrep").info("wrote %s (%.1f MB)", output, output.stat().st_size / 1e6)
