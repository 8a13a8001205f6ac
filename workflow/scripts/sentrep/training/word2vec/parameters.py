"""The settings of word2vec, for its family and both implementations."""

from __future__ import annotations

from typing import Literal

from pydantic.dataclasses import dataclass

from sentrep.training.parameters import Count, Positive, Share


@dataclass(frozen=True)
class Parameters:
    """Settings of word2vec; a sentence of the store is what no window crosses.

    Attributes:
        architecture: "skipgram" or "cbow".
        dimension: length of a word vector (Kenter et al.: 300; the tool's own default is 100).
        window: largest number of words on each side; the radius is drawn from 1 to this for every centre.
        sample: threshold t of frequent-word subsampling, 0 for none (Kenter et al.: 1e-5; the tool's default
            is 1e-3).
        negatives: noise words per positive one.
        ns_exponent: noise words are drawn from count ** ns_exponent.
        epochs: passes over the corpus (the tool's default; no paper states it).
        learning_rate: at the start, from where it falls linearly to 1e-4 of itself; None for the tool's .025
            with skip-gram and .05 with CBOW.
        backend: "auto" is gensim on "cpu" and torch on "cuda".
        oov: what the encoder does with unknown words; see :class:`sentrep.encoders.base.AveragingEncoder`.
        batch_words: centre words per update, torch only. The updates of a batch are summed as they stand
            before it. On novels 4,096 still learn as well as 512; a small corpus or a learning rate far above
            the default needs small batches, and training says so if the sum diverges.
    """

    architecture: Literal["skipgram", "cbow"] = "skipgram"
    dimension: Count = 300
    window: Count = 5
    sample: Share = 1e-5
    negatives: Count = 5
    ns_exponent: float = 0.75
    epochs: Count = 5
    learning_rate: Positive | None = None
    backend: Literal["auto", "gensim", "torch"] = "auto"
    oov: Literal["omit", "random"] = "omit"
    batch_words: Count = 512

    @property
    def initial_learning_rate(self) -> float:
        """The learning rate that training starts from."""
        if self.learning_rate is not None:
            return self.learning_rate
        return {"skipgram": 0.025, "cbow": 0.05}[self.architecture]
