"""Define the settings of word2vec, which its model family and both implementations share."""

from __future__ import annotations

from typing import Literal

from pydantic.dataclasses import dataclass

from sentrep.training.parameters import Count, Positive, Share


@dataclass(frozen=True)
class Parameters:
    """Settings of word2vec, whose context windows do not cross sentence boundaries.

    Attributes:
        architecture: "skipgram" or "cbow".
        dimension: length of a word vector (Kenter et al.: 300; default of the original tool: 100).
        window: maximum number of context words on each side of a word. The actual number is drawn at random, from 1 to
            this number, for every word.
        sample: threshold t for subsampling frequent words; 0 disables it (Kenter et al.: 1e-5; default of the
            original tool: 1e-3).
        negatives: number of noise words per prediction.
        ns_exponent: exponent of the counts; the probability of a noise word is proportional to count ** ns_exponent.
        epochs: number of training epochs. The default, 5, is that of the original tool; none of the papers states a
            number.
        learning_rate: initial learning rate, which falls linearly to 1e-4 of its value; null means the defaults of the
            original tool, 0.025 for skip-gram and 0.05 for CBOW.
        backend: "compiled" trains word by word on a CPU; "torch" trains in batches. "auto" selects "compiled" on a CPU
            and "torch" on a GPU.
        oov: how the encoder treats unknown words; see :class:`sentrep.encoders.base.AveragingEncoder`.
        batch_words: number of centre words per batch, for the backend "torch" only. All updates of a batch are computed
            from the vectors before the batch and are then added. On novels, 4,096 works as well as 512; small corpora
            and learning rates far above the default need smaller batches. Training ends with an error if the loss
            diverges.
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
        """Initial learning rate."""
        if self.learning_rate is not None:
            return self.learning_rate
        return {"skipgram": 0.025, "cbow": 0.05}[self.architecture]
