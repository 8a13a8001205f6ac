"""An existing sentence-transformers model, for comparison with the other models of a run.

The input ``model`` is a manifest (see :mod:`sentrep.sources.registry`) that lists the files in the model's folder,
including ``modules.json``. The corpus is not used. Loading and using the model requires the package
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

DETERMINISTIC = True
INPUTS = ("model",)


@dataclass(frozen=True)
class Parameters:
    """An empty class, because a model of this family has no settings."""


def train(store: TokenStore, parameters: Parameters, run: Run) -> SentenceTransformerEncoder:
    """Load the sentence-transformers model, and return it as an encoder, without training it.

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
