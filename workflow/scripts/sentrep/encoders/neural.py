"""Encode sentences with a torch network, in batches of sentences of similar length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from sentrep import networks
from sentrep.encoders.base import WordEncoder
from sentrep.encoders.model_folder import read_model, reading

_TOKENS_PER_BATCH = 16_384  # maximum in a batch of several sentences, including padding; limits memory use


class NeuralEncoder(WordEncoder):
    """An encoder that applies a trained network to the words of a sentence.

    Words outside the vocabulary are replaced by the unknown-word token, which is the first entry of the vocabulary.

    Args:
        network_name: name of a module in :mod:`sentrep.networks`.
        network: trained instance of the class ``Network`` in that module.
        vocabulary: words in the order of their ids; row k of each table of word vectors in the network belongs to
            the word with id k.
        tokeniser_name: name of the tokeniser that is applied to sentences.
        normalise: whether to scale each part of a sentence vector (see :mod:`sentrep.networks`) to length one.
        max_tokens: maximum number of tokens per sentence; longer sentences are truncated. None means no limit.
        meta: the model's provenance, which is written to ``meta.json``.

    Raises:
        SentrepError: the vocabulary or tokeniser is invalid (see :class:`sentrep.encoders.base.WordEncoder`).
    """

    RESERVED = 1  # row 0 belongs to the unknown-word token

    def __init__(
        self,
        network_name: str,
        network: Any,
        vocabulary: list[str],
        tokeniser_name: str,
        normalise: bool = True,
        max_tokens: int | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(vocabulary, tokeniser_name, meta)
        del self.row_of[vocabulary[0]]  # the string "<unk>" in a sentence does not count as a known word
        self.network_name, self.normalise, self.max_tokens = network_name, normalise, max_tokens
        self.network = network.eval()

    @property
    def dimension(self) -> int:
        """Number of components of a sentence vector."""
        return sum(self.network.parts)

    @property
    def part_widths(self) -> tuple[int, ...]:
        """Number of components in each part of a sentence vector; see :attr:`Encoder.part_widths`."""
        return tuple(self.network.parts)

    def use(self, device: str) -> None:
        """Move the network to a torch device."""
        self.network.to(device)

    def _encode(self, sentences: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return the sentence vectors, (n, dimension) float32; the vector of a sentence without tokens is zero."""
        import torch

        device = next(self.network.parameters()).device
        rows = [[self.row_of.get(word, 0) for word in words][: self.max_tokens] for words in self.tokens(sentences)]
        vectors = np.zeros((len(rows), self.dimension), dtype=np.float32)
        waiting = sorted((i for i, row in enumerate(rows) if row), key=lambda i: (len(rows[i]), i))
        end = len(waiting)
        while end:
            longest = len(rows[waiting[end - 1]])
            begin = max(0, end - max(1, _TOKENS_PER_BATCH // longest))
            batch, end = waiting[begin:end], begin
            ids = np.zeros((len(batch), longest), dtype=np.int64)
            for k, i in enumerate(batch):
                ids[k, : len(rows[i])] = rows[i]
            lengths = torch.tensor([len(rows[i]) for i in batch], device=device)
            # Without this setting, cuDNN would compute in TF32 instead of float32 on a GPU.
            with torch.inference_mode(), torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
                encoded = self.network.embed(torch.from_numpy(ids).to(device), lengths)
                if self.normalise:
                    parts = encoded.split(self.network.parts, dim=1)
                    encoded = torch.cat([torch.nn.functional.normalize(part, dim=1) for part in parts], dim=1)
            vectors[batch] = encoded.float().cpu().numpy()
        return vectors

    def write(self, directory: str | Path) -> None:
        """Write ``network.safetensors``, ``vocabulary.txt`` and ``meta.json``."""
        tensors = {name: tensor.detach().cpu().numpy() for name, tensor in self.network.state_dict().items()}
        how = {"normalise": self.normalise, "max_tokens": self.max_tokens}
        network = {"network": self.network_name, "settings": self.network.settings}
        self._write(directory, "network", tensors, **how, **network)

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Load an encoder from a folder written by :meth:`save`; see :meth:`Encoder.load`."""
        import torch

        files = read_model(directory, "network")
        with reading(directory):
            name = files.settings["network"]
            network = networks.build(name, files.settings["settings"])
            network.load_state_dict({key: torch.from_numpy(values) for key, values in files.tensors.items()})
            how = [files.settings[key] for key in ("tokeniser", "normalise", "max_tokens")]
        return cls(name, network, files.vocabulary, *how, meta=files.meta)
