"""Skip-thought vectors (Kiros et al., NIPS 2015): encode a sentence so that its two neighbours can be written from it.

A gated recurrent unit reads the sentence; its last state is the sentence's vector. Two decoders, one for the next and
one for the previous sentence, predict each word from the words before it and from that vector.

An optional input, ``expansion``, is a model whose word vectors extend the vocabulary after training.
"""

from __future__ import annotations

from typing import Literal

from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.neural import NeuralEncoder
from sentrep.training.parameters import AtLeastThree, Count, CountOrZero, Positive
from sentrep.training.run import Run


@dataclass(frozen=True)
class Parameters:
    """Settings; the defaults are the paper's ("Details of training"). "Released" is the authors' published code.

    Attributes:
        encoder: "uni" is uni-skip; "bi" is bi-skip, two recurrent units of half the size, in opposite directions.
        units: length of a sentence vector, and width of the decoders.
        word_dimension: length of a word vector.
        vocabulary: words that are read and predicted, the unknown word and <eos> among them.
        decoder_context: the sentence vector enters the decoders' gates at "every_step" (paper), or is their
            "initial_state" (released).
        reset: "after" multiplies the recurrent product by the reset gate, as in the released code, from which all
            published vectors are; "before" multiplies the state before the product, as in the paper's equations.
        end_of_sentence: where the encoder sees <eos> after a sentence: in "training" only (the released code's
            default), "always" (the authors did so for one task, SICK), or "never".
        initialisation: "paper" draws recurrent matrices orthogonal and all else from U(-0.1, 0.1); "glorot" begins
            as the encoders of Quick Thoughts do, for comparing the two objectives (Logeswaran and Lee, appendix C).
        batch_size: sentences per step, each with two neighbours; released: 64.
        epochs: passes over the corpus. The paper gives two weeks instead; released: 5.
        learning_rate: of Adam, constant; the paper names none, this is the released code's.
        adam: "released" is Adam as in that code, in effect without correction of its first steps, see
            :func:`sentrep.training.schedule.released_adam_rates`.
        clip: whose norm is limited: of all gradients together ("global"), of each matrix's ("per_variable"), "none".
        largest_norm: the limit; released: 5.
        loss_scale: "sum" over the sentences of a batch (released), or their "mean"; matters for clipping.
        max_tokens: triples with a longer sentence are left out.
        document_boundaries: "ignore" takes neighbours from other documents, as released.
        precision: of matrix products; "auto" is bfloat16 on a GPU, float32 elsewhere.
        snapshots_per_epoch: intermediate models, evenly spaced, the last one at the end of the epoch.
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
    epochs: Count = 1
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
            raise ValueError("units must be even for encoder bi")


def train(store: TokenStore, parameters: Parameters, run: Run) -> NeuralEncoder:
    """Train on a store.

    Raises:
        SentrepError: the corpus is too small, the input does not fit, or the loss is not finite.
    """
    from sentrep.networks.recurrent import Network
    from sentrep.training.fit_network import fit_network
    from sentrep.training.neural import Optimisation, seeded
    from sentrep.training.schedule import adam_rates
    from sentrep.training.sentences import Sentences
    from sentrep.training.skip_thought import SkipThought, TripleBatches

    p = parameters
    # One word more than may be used, to tell sentences that are too long from those that just fit.
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
