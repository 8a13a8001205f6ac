"""The skip-thought models released by their authors (Kiros et al., NIPS 2015).

The input ``model`` is the manifest (:mod:`sentrep.sources.registry`) of a source that contains the released files under
their original names. The addresses of the files are listed in the GitHub repository ryankiros/skip-thoughts. Both the
uni model and the bi model need ``dictionary.txt``. The uni model also needs ``utable.npy``, ``uni_skip.npz`` and
``uni_skip.npz.pkl``, and the bi model also needs ``btable.npy``, ``bi_skip.npz`` and ``bi_skip.npz.pkl``. The corpus is
not used. The pickles are read without executing code (:mod:`sentrep.io.pickles`).

Sentences are encoded as in the released code: unknown words are replaced with ``UNK``, and the vectors of the uni model
and of the bi model are each scaled to length one. The only difference from the released code is that texts are not
split into sentences by Punkt before tokenisation, so a full stop within a text remains attached to the preceding word.

Reading a word table of the released size (930,913 words, 620 dimensions) takes about 5 GB of memory.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.corpora.tokenisers import tokeniser
from sentrep.encoders.released import ReleasedSkipThoughtEncoder
from sentrep.errors import SentrepError
from sentrep.io.files import ARRAY_ERRORS, read_json
from sentrep.io.pickles import ARRAYS, read_pickle, read_rows
from sentrep.training.run import Run

_FILES = {"uni": ("utable.npy", "uni_skip.npz"), "bi": ("btable.npy", "bi_skip.npz")}
_UNKNOWN, _END = "UNK", "<eos>"
_REMEDY = "use undamaged files of a released skip-thought model"


DETERMINISTIC = True
INPUTS = ("model",)


@dataclass(frozen=True)
class Parameters:
    """Settings of a released skip-thought model.

    Attributes:
        part: released model to use: "uni" (2,400 dimensions), "bi" (1,200 dimensions in each of two directions) or
            "combine" (the concatenation of the vectors of both models).
        end_of_sentence: append the end-of-sentence token to each sentence; the released code does this only for SICK.
        tokeniser: tokeniser that is applied to sentences.
    """

    part: Literal["uni", "bi", "combine"] = "combine"
    end_of_sentence: bool = False
    tokeniser: str = "treebank"

    def __post_init__(self) -> None:
        tokeniser(self.tokeniser)


def train(store: TokenStore, parameters: Parameters, run: Run) -> ReleasedSkipThoughtEncoder:
    """Read the files of a released model and return its encoder; nothing is trained.

    Raises:
        SentrepError: a file is missing, is damaged, or does not match the other files.
    """
    from sentrep.networks.released_skip_thought import Network

    parts = ("uni", "bi") if parameters.part == "combine" else (parameters.part,)
    files = _files(run.inputs["model"], parts)
    options = {part: _options(files[f"{_FILES[part][1]}.pkl"]) for part in parts}
    words, rows = _dictionary(files["dictionary.txt"])
    tables = {part: _table(files[_FILES[part][0]], rows, options[part]["dim_word"]) for part in parts}
    units = {part: options[part]["dim"] for part in parts}
    end = words.index(_END) if parameters.end_of_sentence else None
    network = Network(options[parts[0]]["dim_word"], units.get("uni", 0), units.get("bi", 0), end)
    network.tables = tables
    for part in parts:
        path = files[_FILES[part][1]]
        try:
            with np.load(path, allow_pickle=False) as arrays:
                network.load_released(part, arrays, "encoder")
                if part == "bi":
                    network.load_released("bi_reverse", arrays, "encoder_r")
        except ARRAY_ERRORS as error:
            raise SentrepError(
                path,
                expected=f"the weights of an encoder with {units[part]} units",
                found=f"an unusable file ({type(error).__name__}: {error})",
                remedy=_REMEDY,
            ) from None
    return ReleasedSkipThoughtEncoder("released_skip_thought", network, words, parameters.tokeniser, normalise=True)


def _files(manifest: Path, parts: tuple[str, ...]) -> dict[str, Path]:
    """Return a dictionary that maps the names of the files in a manifest to the paths of these files.

    Raises:
        SentrepError: a file that a model in ``parts`` needs is not in the manifest or does not exist.
    """
    files = {Path(entry["path"]).name: Path(entry["path"]) for entry in read_json(manifest)["files"]}
    needed = ["dictionary.txt", *(name for p in parts for name in (*_FILES[p], f"{_FILES[p][1]}.pkl"))]
    missing = [name for name in needed if name not in files or not files[name].exists()]
    if missing:
        folder = next(iter(files.values())).parent if files else manifest
        raise SentrepError(
            folder,
            expected=f"the released skip-thought files {', '.join(needed)}",
            found=f"no files named {', '.join(missing)}",
            remedy="put all released files into one folder under their original names",
        )
    return files


def _options(path: Path) -> dict[str, Any]:
    """Read the training settings of a released model, and check the settings that its encoder needs."""
    with path.open("rb") as stream:
        options = read_pickle(stream, ARRAYS, path)
    wanted = {"dim": int, "dim_word": int, "encoder": str}
    if not isinstance(options, dict) or not all(isinstance(options.get(key), kind) for key, kind in wanted.items()):
        raise SentrepError(
            path,
            expected=f"a dictionary with valid values for the keys {', '.join(wanted)}",
            found=f"an object of type {type(options).__name__} that lacks a valid value for at least one of these keys",
            remedy=_REMEDY,
        )
    if options["encoder"] != "gru":
        raise SentrepError(
            path, expected="a model with encoder 'gru'", found=f"encoder {options['encoder']!r}", remedy=_REMEDY
        )
    return options


def _dictionary(path: Path) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Return the V words of dictionary.txt, starting with the unknown word, and a (V + 1,) int64 array of line numbers.

    The array contains the line number of each word, counted from 0, followed by the total number of lines. A word that
    occurs on several lines has the number of the last of these lines, as in the released code. Words that contain
    whitespace are omitted, because no tokeniser produces them.
    """
    lines = path.read_bytes().removesuffix(b"\n").split(b"\n")
    line_of: dict[str, int] = {}
    for number, line in enumerate(lines):
        try:
            line_of[line.decode().strip()] = number
        except UnicodeDecodeError as error:
            raise SentrepError(
                f"{path} line {number + 1}", expected="UTF-8 text", found=f"invalid bytes ({error})", remedy=_REMEDY
            ) from None
    for word in (_UNKNOWN, _END):
        if word not in line_of:
            raise SentrepError(path, expected=f"a line with the token {word}", found="none", remedy=_REMEDY)
    unknown = line_of.pop(_UNKNOWN)
    words = [word for word in line_of if word.split() == [word]]
    return [_UNKNOWN, *words], np.array([unknown, *(line_of[word] for word in words), len(lines)])


def _table(path: Path, rows: npt.NDArray[np.int64], width: int) -> npt.NDArray[np.float32]:
    """Read the vectors of V words from a word table, and return them as a (V, width) float32 array.

    Args:
        path: .npy file with one vector per line of dictionary.txt.
        rows: line numbers of the words in dictionary.txt, followed by the total number of lines.
        width: expected length of a vector.
    """
    table = read_rows(path)
    if table.shape != (rows[-1], width):
        raise SentrepError(
            path,
            expected=f"{rows[-1]} rows of {width} numbers, one row for each line of dictionary.txt",
            found=f"{table.shape[0]} rows of {table.shape[1]} numbers",
            remedy="use a word table and a dictionary.txt from the same release",
        )
    return table[rows[:-1]]
