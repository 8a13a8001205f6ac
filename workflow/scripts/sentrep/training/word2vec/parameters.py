"""Define the settings of word2vec."""

from __future__ import annotations

from typing import Literal

from pydantic.dataclasses import dataclass

from sentrep.training.parameters import Count, Positive, Share


@dataclass(frozen=True)
class Parameters:
    """Settings of word2vec. Context windows do not cross sentence boundaries.

    Attributes:
        architecture: "skipgram" or "cbow".
        dimension: length of a word vector (Kenter et al.: 300; default of the original tool: 100).
        window: maximum number of context words on each side of a word. The limit that applies to an individual word is
            drawn uniformly from 1 to this maximum.
        sample: threshold for subsampling frequent words; 0 disables subsampling (Kenter et al.: 1e-5; default of the
            original tool: 1e-3).
        negatives: number of noise words per prediction.
        ns_exponent: exponent of the word counts; the probability that a word is drawn as a noise word is proportional
            to count ** ns_exponent.
        epochs: number of training epochs. The default, 5, is that of the original tool, because the replicated papers
            do not state a number for word2vec.
        learning_rate: initial learning rate, which falls linearly to 1e-4 times this value; null means the default of
            the original tool, which is 0.025 for skip-gram and 0.05 for CBOW.
        backend: "compiled" trains word by word on a CPU; "torch" trains in batches on a CPU or a GPU. "auto" selects
            "compiled" on a CPU and "torch" on a GPU.
        oov: how the encoder treats unknown words; see :class:`sentrep.encoders.base.AveragingEncoder`.
        batch_words: number of centre words (words around which windows are placed) per batch, for the backend "torch"
            only. All updates of a batch are computed from the vectors as they were before the batch, and are then
            applied together. On novels, batches of 4,096 words work as well as batches of 512 words. On a small corpus
            or with a learning rate far above the default, the loss may diverge if batches are large; training then ends
            with an error.
    """

    architecture: Literal["skipgram", "cbow"] = "skipgram"
    dimension: Count = 300
    window: Count = 5
    sample: Share = 1e-5
    negatives: Count = 5
    ns_exponent: float = 0.75
    epochs: Count = 5
    learning_rate: Positive | None = None
    backend: Literal["auto", "compiled", "torch"] = "auto"
    oov: Literal["omit", "random"] = "omit"
    batch_words: Count = 512

    @property
    def initial_learning_rate(self) -> float:
        """The value of ``learning_rate`` or, if it is None, the original tool's default for the architecture."""
        if self.learning_rate is not None:
            return self.learning_rate
        return {"skipgram": 0.025, "cbow": 0.05}[self.architecture]
