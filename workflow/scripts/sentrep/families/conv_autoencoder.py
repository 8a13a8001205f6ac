"""The convolutional encoder of Gan et al. (EMNLP 2017), trained together with LSTMs that predict sentences.

A convolutional network encodes a sentence as a vector. From this vector, an LSTM predicts the sentence itself or the
next sentence, word by word. The composite model predicts both sentences, with two LSTMs. In the hierarchical model,
another LSTM reads the vectors of the sentences in a paragraph, and its state after each sentence is used to predict the
next sentence. The authors' combine-CNN, which concatenates the vectors of a composite and a hierarchical model, can be
built with the family ``concatenation``.

The optional input ``expansion`` is a model with word vectors. After training, the vocabulary is extended with words of
this model; see :mod:`sentrep.training.expansion`.
"""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.neural import NeuralEncoder
from sentrep.training.parameters import AtLeastThree, AtLeastTwo, Count, CountOrZero, Positive
from sentrep.training.run import Run

OPTIONAL_INPUTS = ("expansion",)


@dataclass(frozen=True)
class Parameters:
    """Settings of the convolutional encoder; the defaults follow the paper.

    "The released code" is the code that the authors of the paper published; it contains only the autoencoder.

    Attributes:
        objective: whether to predict the sentence itself ("autoencoder"), the next sentence ("future"), both
            ("composite"), or each sentence of a paragraph, except the first, from all sentences before it
            ("hierarchical").
        word_dimension: length of a word vector.
        vocabulary: maximum size of the vocabulary, including the unknown word and the end-of-sentence token.
        widths: widths of the filters, in words.
        feature_maps: number of filters of each width. The released code uses 200.
        units: number of units in each LSTM.
        paragraph: number of sentences per paragraph; used only with the hierarchical objective.
        max_tokens: maximum number of tokens per sentence; longer sentences are skipped in training and truncated when
            they are encoded. In the released code, sentences have fewer than 40 tokens, including the
            end-of-sentence token.
        batch_size: number of examples per step. Depending on ``objective``, an example is a sentence, a pair of
            consecutive sentences, or a paragraph.
        epochs: number of training epochs; 0 keeps the untrained network, as a baseline. The released code trains
            for 8 epochs on a million sentences.
        learning_rate: constant learning rate of Adam.
        adam: "standard" is Adam with the usual bias correction; "released" is Adam with almost no bias correction, as
            in the released code (see :func:`sentrep.training.schedule.released_adam_rates`).
        clip: "global" limits the joint norm of all gradients to ``largest_norm``; "rescale" scales the gradients to
            this norm even if their norm is smaller, as in the released code, whose condition for clipping is always
            true; "none" leaves the gradients unchanged.
        largest_norm: maximum joint norm of all gradients; with "rescale", the norm to which they are scaled.
        precision: data type of matrix products; "auto" means bfloat16 on a GPU and float32 elsewhere.
    """

    objective: Literal["autoencoder", "future", "composite", "hierarchical"] = "autoencoder"
    word_dimension: Count = 300
    vocabulary: AtLeastThree = 22_154
    widths: Annotated[list[Count], Field(min_length=1)] = field(default_factory=lambda: [3, 4, 5])
    feature_maps: Count = 800
    units: Count = 600
    paragraph: AtLeastTwo = 8
    max_tokens: Count = 38
    batch_size: Count = 64
    epochs: CountOrZero = 8
    learning_rate: Positive = 2e-4
    adam: Literal["standard", "released"] = "standard"
    clip: Literal["global", "rescale", "none"] = "global"
    largest_norm: Positive = 5.0
    precision: Literal["auto", "float32", "bfloat16"] = "auto"


def train(store: TokenStore, parameters: Parameters, run: Run) -> NeuralEncoder:
    """Train a convolutional encoder on a token store, and return the encoder.

    Raises:
        SentrepError: the corpus is too small for one batch, the number of processes does not divide the batch size, the
            input ``expansion`` has no word vectors or shares too few words with the network, or training fails (see
            :func:`sentrep.training.loop.fit`).
    """
    from sentrep.networks.convolutional import Network
    from sentrep.training.conv_autoencoder import Examples, SentenceLoss
    from sentrep.training.fit_network import fit_network
    from sentrep.training.neural import Optimisation, seeded
    from sentrep.training.schedule import adam_rates
    from sentrep.training.sentences import Sentences

    p = parameters
    # Read one token more than the limit, to distinguish sentences that are too long from sentences that just fit.
    sentences = Sentences(store, p.vocabulary - 1, p.max_tokens + 1, run.device)

    def build() -> SentenceLoss:
        network = Network(sentences.words, p.word_dimension, p.widths, p.feature_maps)
        return SentenceLoss(network, p.objective, p.units, p.paragraph)

    objective = seeded(run.seed, build)
    paragraphs = p.objective == "hierarchical"
    batches = Examples(store, sentences, objective.span, paragraphs, p.max_tokens, p.batch_size, run.seed)
    optimisation = Optimisation(p.clip, p.largest_norm, precision=p.precision)

    def encoder() -> NeuralEncoder:
        how = store.meta["encoding_tokeniser"], False, p.max_tokens
        return NeuralEncoder("convolutional", objective.network, sentences.vocabulary, *how)

    return fit_network(
        *(objective, batches, optimisation, run, f"conv_autoencoder, {p.objective}", encoder),
        epochs=p.epochs,
        batch_size=p.batch_size * (p.paragraph if paragraphs else 1),
        rates=adam_rates(p.learning_rate, p.adam == "released"),
    )
