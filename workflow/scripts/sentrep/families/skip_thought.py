"""Skip-thought vectors (Kiros et al., NIPS 2015): a recurrent encoder and its two decoders.

A gated recurrent network reads a sentence, and the last state of the network is the sentence vector. Two decoders are
trained together with this network: one generates the next sentence, and the other generates the previous sentence. Each
decoder generates its sentence word by word, and predicts each word from the sentence vector and the preceding words.

The optional input ``expansion`` is another model with word vectors. After training, words of that model are added to
the vocabulary; see :mod:`sentrep.training.expansion`.
"""

from __future__ import annotations

from typing import Literal

from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.neural import NeuralEncoder
from sentrep.training.parameters import AtLeastThree, Count, CountOrZero, Positive
from sentrep.training.run import Run

OPTIONAL_INPUTS = ("expansion",)


@dataclass(frozen=True)
class Parameters:
    """Settings of skip-thought; the defaults follow the paper where it states a value, except for ``reset``.

    "The released code" is the code that the authors of the paper published.

    Attributes:
        encoder: "uni" (uni-skip, with one recurrent network) or "bi" (bi-skip, with two recurrent networks that read in
            opposite directions and have half the units each).
        units: length of a sentence vector, and number of units in each decoder.
        word_dimension: length of a word vector.
        vocabulary: maximum size of the vocabulary, including the unknown word and the end-of-sentence token, <eos>.
        decoder_context: how the decoders use the sentence vector: as an input at every step ("every_step", as in the
            paper), or as their initial state ("initial_state", as in the released code).
        reset: where the reset gate is applied: to the product of the recurrent weights and the previous state ("after",
            as in the released code, which produced all published vectors), or to the previous state before this product
            is computed ("before", as in the paper's equations).
        end_of_sentence: when the encoder reads <eos> after a sentence: only in training ("training", the default of the
            released code), always ("always", as the authors did for SICK), or never ("never").
        initialisation: "paper" draws orthogonal recurrent matrices, sets biases to zero and draws all other parameters
            from U(-0.1, 0.1); "glorot" is the initialisation of Quick Thoughts, for comparing the objectives of
            skip-thought and Quick Thoughts (Logeswaran and Lee, appendix C).
        batch_size: number of sentences per batch, each with its two neighbours; 64 in the released code.
        epochs: number of training epochs; 0 keeps the untrained network, as a baseline. The paper only states that
            training took two weeks; the released code trains for 5 epochs.
        learning_rate: constant learning rate of Adam. The paper does not state it; the default follows the released
            code.
        adam: "standard" is Adam with the usual bias correction; "released" is Adam with almost no bias correction, as
            in the released code (see :func:`sentrep.training.schedule.released_adam_rates`).
        clip: how gradients are clipped: by the joint norm of all gradients ("global"), by the norm of each parameter's
            gradient ("per_variable"), or not at all ("none").
        largest_norm: maximum norm of gradients; 5 in the released code.
        loss_scale: whether the loss of a batch is the "sum" (as in the released code) or the "mean" of the losses of
            its sentences; the choice affects gradient clipping.
        max_tokens: maximum number of tokens per training sentence; a sentence is skipped if it or one of its two
            neighbours is longer.
        document_boundaries: "ignore" also uses neighbours from other documents, as in the released code; "respect" does
            not.
        precision: data type in which matrix products are computed; "auto" means bfloat16 on a GPU and float32
            elsewhere.
        snapshots_per_epoch: number of snapshots of the model that are saved in each epoch. They are evenly spaced, and
            the last one is saved at the end of the epoch.
    """

    encoder: Literal["uni", "bi"] = "uni"
    units: Count = 2400
    word_dimension: Count = 620
    vocabulary: AtLeastThree = 20_000
    decoder_context: Literal["every_step", "initial_state"] = "every_step"
    reset: Literal["after", "before"] = "after"
    end_of_sentence: Literal["training", "always", "never"] = "training"
    initialisation: Literal["paper", "glorot"] = "paper"
    batch_size: Count = 128
    epochs: CountOrZero = 1
    learning_rate: Positive = 2e-4
    adam: Literal["standard", "released"] = "standard"
    clip: Literal["global", "per_variable", "none"] = "global"
    largest_norm: Positive = 10.0
    loss_scale: Literal["sum", "mean"] = "sum"
    max_tokens: Count = 29
    document_boundaries: Literal["respect", "ignore"] = "respect"
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    snapshots_per_epoch: CountOrZero = 0

    def __post_init__(self) -> None:
        if self.encoder == "bi" and self.units % 2:
            raise ValueError("`units` must be even with `encoder: bi`")


def train(store: TokenStore, parameters: Parameters, run: Run) -> NeuralEncoder:
    """Train skip-thought on a token store and return the encoder.

    Raises:
        SentrepError: the corpus is too small for one batch, the number of processes does not divide the batch size, the
            input ``expansion`` has no word vectors or shares too few words with the network, or training fails (see
            :func:`sentrep.training.loop.fit`).
    """
    from sentrep.networks.recurrent import Network
    from sentrep.training.fit_network import fit_network
    from sentrep.training.neural import Optimisation, seeded
    from sentrep.training.schedule import adam_rates
    from sentrep.training.sentences import Sentences
    from sentrep.training.skip_thought import SkipThought, TripleBatches

    p = parameters
    # Read one token more than the limit, to distinguish sentences that are too long from sentences that just fit.
    sentences = Sentences(store, p.vocabulary - 1, p.max_tokens + 1, run.device)
    batches = TripleBatches(store, sentences, p.batch_size, p.max_tokens, p.document_boundaries, run.seed)

    def build() -> SkipThought:
        read_end = p.end_of_sentence == "always"
        network = Network(sentences.words, p.word_dimension, p.units, p.encoder == "bi", p.reset, read_end)
        return SkipThought(network, p.decoder_context, p.initialisation, p.loss_scale, p.end_of_sentence != "never")

    objective = seeded(run.seed, build)

    def encoder() -> NeuralEncoder:
        tokeniser = store.meta["encoding_tokeniser"]
        return NeuralEncoder("recurrent", objective.network, sentences.vocabulary, tokeniser)

    return fit_network(
        *(
            objective,
            batches,
            Optimisation(p.clip, p.largest_norm, precision=p.precision),
            run,
            "skip_thought",
            encoder,
        ),
        epochs=p.epochs,
        batch_size=p.batch_size,
        rates=adam_rates(p.learning_rate, p.adam == "released"),
        snapshots_per_epoch=p.snapshots_per_epoch,
    )
