"""A model of the library sentence-transformers, scored in a run next to the others.

The input ``model`` is the manifest of the files of its folder, which has a ``modules.json``. The corpus is not used.
The package sentence-transformers is needed to read and to use the model.
"""

from __future__ import annotations

from pathlib import Path

from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.foreign import SentenceTransformerEncoder, sentence_transformer
from sentrep.errors import SentrepError
from sentrep.io.files import read_json
from sentrep.training.run import Run


@dataclass(frozen=True)
class Parameters:
    """A model has no settings: everything is in its folder."""


def train(store: TokenStore, parameters: Parameters, run: Run) -> SentenceTransformerEncoder:
    """Read the model.

    Raises:
        SentrepError: the package is not installed, or the folder is not a sentence-transformers model.
    """
    manifest = run.inputs["model"]
    paths = [Path(entry["path"]) for entry in read_json(manifest)["files"]]
    roots = sorted((path.parent for path in paths if path.name == "modules.json"), key=lambda path: len(path.parts))
    if not roots:
        raise SentrepError(
            manifest,
            expected="the files of a sentence-transformers folder, with modules.json",
            found=", ".join(path.name for path in paths[:5]) or "nothing",
            remedy="name the folder under `inputs: {model: {files: [...]}}`",
        )
    return sentence_transformer(roots[0], run.device)
