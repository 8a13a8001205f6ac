"""An existing sentence-transformers model, which can be evaluated next to the other models of a run.

The input ``model`` is the manifest (:mod:`sentrep.sources.registry`) of the files in the model's folder. One of these
files must be ``modules.json``. The corpus is not used. Loading and using the model requires the package
sentence-transformers.
"""

from __future__ import annotations

from pathlib import Path

from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.foreign import SentenceTransformerEncoder, sentence_transformer
from sentrep.errors import SentrepError
from sentrep.io.files import read_json
from sentrep.training.run import Run

INPUTS = ("model",)


@dataclass(frozen=True)
class Parameters:
    """An empty class, because a model of this family has no settings."""


def train(store: TokenStore, parameters: Parameters, run: Run) -> SentenceTransformerEncoder:
    """Load the model and return its encoder; nothing is trained.

    Raises:
        SentrepError: the package sentence-transformers is not installed, the manifest does not list ``modules.json``,
            or the package cannot load the model.
    """
    manifest = run.inputs["model"]
    paths = [Path(entry["path"]) for entry in read_json(manifest)["files"]]
    roots = sorted((path.parent for path in paths if path.name == "modules.json"), key=lambda path: len(path.parts))
    if not roots:
        raise SentrepError(
            manifest,
            expected="the files of a sentence-transformers folder, including modules.json",
            found=", ".join(path.name for path in paths[:5]) or "no files",
            remedy="list the folder of the model in `inputs: {model: {files: [...]}}`",
        )
    return sentence_transformer(roots[0], run.device)
