"""Implement the command ``sentrep train``, which trains a model on a text and writes a model folder."""

from __future__ import annotations

import argparse
import dataclasses
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_type_hints

from sentrep.commands.parsing import Parser, count
from sentrep.errors import SentrepError
from sentrep.runtime.devices import DEVICES

log = logging.getLogger("sentrep")

FAMILY = "siamese_cbow"  # equals sentrep.api.defaults.FAMILY, whose module is not imported because it imports numpy
_PREFIX = "parameter "
_PREPROCESSING = ("format", "tokeniser", "minimum_count", "maximum_words")


def add(commands: Any) -> None:
    """Add the subcommand ``train``, with its options, to the parser of ``sentrep``."""
    train: Parser = commands.add_parser(
        "train",
        help="train a model on a text",
        description=(
            "Train a model on plain text or on a token store. Text can be given as files, compressed files (gz, bz2, "
            "xz or zst), archives (tar or zip) or folders. To read from standard input, pass -. `sentrep train "
            "--family NAME --help` lists the parameters of a family."
        ),
    )
    train.prepare = _add_parameters
    train.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="paths of one or more texts, or of a token store, followed by the path of the model folder to write",
    )
    train.add_argument("--family", default=FAMILY, help="model family (default: %(default)s)")
    train.add_argument("--seed", type=int, default=1, help="random seed (default: 1)")
    train.add_argument(
        "--threads",
        type=int,
        metavar="N",
        help="number of threads (default: 1 for families whose results depend on the number of threads; for other "
        "families, the number of available CPU cores, up to 8)",
    )
    train.add_argument("--device", choices=DEVICES, default="auto", help="device to train on")
    train.add_argument("--overwrite", action="store_true", help="replace an existing model folder")
    train.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=PATH",
        help="name and path of an additional input of the family, such as vectors=PATH; may be repeated",
    )
    train.add_argument(
        "--checkpoints",
        type=Path,
        metavar="DIR",
        help="folder for checkpoints, from which an interrupted training run resumes (default: the subfolder "
        "`checkpoints` of the cache folder; if the token store is not in the cache folder, no checkpoints are written)",
    )
    train.add_argument(
        "--checkpoint-minutes", type=float, default=5.0, metavar="M", help="minutes between checkpoints (default: 5)"
    )
    train.add_argument(
        "--parameters", default="{}", metavar="JSON", help="parameters of the model family, as a JSON object"
    )
    text = train.add_argument_group("text")
    text.add_argument(
        "--format",
        choices=["auto", "lines", "text"],
        help="format of the text: lines (one sentence per line), text (running text) or auto (detect the format; the "
        "default)",
    )
    text.add_argument(
        "--minimum-count",
        type=count,
        metavar="N",
        help="number of times that a word must occur in the text to be in the vocabulary (default: 5, or 2 for texts "
        "of fewer than five million tokens)",
    )
    text.add_argument(
        "--maximum-words", type=count, metavar="N", help="maximum size of the vocabulary (default: no maximum)"
    )
    text.add_argument(
        "--tokeniser",
        metavar="NAME",
        help="tokeniser: kenter, kenter_porter, whitespace, nltk or treebank (default: treebank for networks, "
        "otherwise kenter)",
    )
    text.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        help="folder in which token stores are cached (default: $SENTREP_CACHE, $XDG_CACHE_HOME/sentrep or "
        "~/.cache/sentrep)",
    )
    train.set_defaults(run=run)


def _add_parameters(parser: Parser, words: list[str]) -> None:
    """Add an option for each parameter of the model family that the arguments select with ``--family``."""
    name = parser.get_default("family")
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name = following if word == "--family" else word.removeprefix("--family=") if "--family=" in word else name
    from sentrep.families import FAMILIES, family

    if name not in FAMILIES:
        return
    cls = family(name).Parameters
    with_help = not {"-h", "--help"}.isdisjoint(words)
    texts = _meanings(cls) if with_help else {}
    group = parser.add_argument_group(f"parameters of {name}")
    for field in dataclasses.fields(cls):
        option = f"--{field.name.replace('_', '-')}"
        # An option of the command takes precedence; a parameter of the same name can be set with --parameters.
        if option not in parser.known_options():
            group.add_argument(option, dest=_PREFIX + field.name, metavar="X", help=texts.get(field.name))


def _meanings(cls: type) -> dict[str, str]:
    """Return a mapping from the name of each parameter of a family to its help text (meaning, values and default)."""
    from sentrep.config.reference_pages import described, kind

    hints, meaning, texts = get_type_hints(cls, include_extras=True), described(cls), {}
    for field in dataclasses.fields(cls):
        default = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
        text = f"{meaning.get(field.name, '')} {kind(hints[field.name]).capitalize()}; default {json.dumps(default)}."
        texts[field.name] = text.replace("`", "").replace("%", "%%").strip()
    return texts


def run(options: argparse.Namespace) -> None:
    """Train a model with the options given on the command line."""
    from sentrep.api.defaults import threads
    from sentrep.runtime.threads import limit_threads

    if len(options.paths) < 2:
        raise SentrepError(
            "sentrep train",
            expected="the paths of a text and of a model folder",
            found=f"only {options.paths[0]}",
            remedy="pass both paths",
        )
    *text, output = options.paths
    cores = threads(options.family) if options.threads is None else options.threads
    if cores < 1:
        raise SentrepError("--threads", expected="1 or more", found=str(cores), remedy="omit --threads for the default")
    limit_threads(cores)
    from sentrep.api.model import train

    train(
        text,
        output,
        family=options.family,
        seed=options.seed,
        threads=cores,
        device=options.device,
        inputs=_inputs(options.input),
        preprocessing=_given(options),
        cache=options.cache,
        overwrite=options.overwrite,
        checkpoints=options.checkpoints,
        checkpoint_minutes=options.checkpoint_minutes,
        **_parameters(options),
    )
    log.info("saved the model to %s", output)
    vectors = "vectors.npz" if options.family == "tfidf" else "vectors.npy"
    log.info("next, run `sentrep encode %s sentences.txt %s` or `sentrep evaluate %s`", output, vectors, output)


def _inputs(words: list[str]) -> dict[str, str]:
    inputs: dict[str, str] = {}
    for word in words:
        name, _, inputs[name] = word.partition("=")
    for name, path in inputs.items():
        if not path or not Path(path).exists():
            raise SentrepError(
                "--input", expected="NAME=PATH with an existing path", found=f"{name}={path}", remedy="correct the path"
            )
    return inputs


def _given(options: argparse.Namespace) -> dict[str, Any]:
    """Return the preprocessing options given on the command line."""
    return {name: value for name in _PREPROCESSING if (value := getattr(options, name)) is not None}


def _parameters(options: argparse.Namespace) -> dict[str, Any]:
    """Return the family parameters given on the command line with ``--parameters`` or as separate options."""
    try:
        values = json.loads(options.parameters)
    except ValueError as error:
        raise SentrepError(
            "--parameters", expected="JSON", found=f"malformed text ({error})", remedy="use the form '{\"epochs\": 5}'"
        ) from None
    if not isinstance(values, Mapping):
        raise SentrepError(
            "--parameters", expected="a JSON object", found=options.parameters, remedy="use the form '{\"epochs\": 5}'"
        )
    given = {key.removeprefix(_PREFIX): _value(text) for key, text in vars(options).items() if key.startswith(_PREFIX)}
    return {**values, **{name: value for name, value in given.items() if value is not ...}}


def _value(text: str | None) -> Any:
    """Return an option's text parsed as JSON, the text itself if it is not JSON, or ``...`` if the text is None."""
    if text is None:
        return ...
    try:
        return json.loads(text)
    except ValueError:
        return text
