"""SDAE, the sequential denoising autoencoder (Hill et al., NAACL 2016): repair a sentence from a vector of it.

Words of the sentence are deleted and swapped; a gated recurrent unit reads what is left, and its last state is the
sentence's vector, from which a second unit writes the sentence as it was. No neighbours are needed.

The released code lower-cases the text and knows alphabetic words only; here the words are those of the corpus.
"""

from __future__ import annotations

from typing import Literal

from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.neural import NeuralEncoder
from sentrep.training.parameters import AtLeastThree, Count, CountOrZero, Positive, Probability
from sentrep.training.run import Run


@dataclass(frozen=True)
class Parameters:
    """Settings; the defaults are those of the released code, except for the noise, which the paper describes otherwise.

    Attributes:
        units: length of a sentence vector, and width of the decoder.
        word_dimension: length of a word vector.
        vocabulary: words that are read and predicted, the unknown word and <eos> among them.
        reset: "after" multiplies the recurrent product by the reset gate, as released; "before" the state.
        noise: "paper": each word is deleted, and each of non-overlapping bigrams swapped, with the probabilities
            below; "released": exactly that share of the words becomes unknown, and of the bigrams is swapped.
        deletion: p_o.
        swap: p_x.
        read_end: whether <eos> is read after a sentence that is encoded, as it is in training. Ours: the released
            code does not say how sentences were encoded for the paper's tasks.
        batch_size: sentences per step.
        epochs: passes over the corpus.
        learning_rate: of Adam, constant.
        adam: "released" is Adam as in that code, in effect without correction of its first steps, see
            :func:`sentrep.training.schedule.released_adam_rates`.
        largest_norm: of all gradients together.
        max_tokens: longer sentences are left out.
        normalise: scale sentence vectors to length one.
        precision: of matrix products; "auto" is bfloat16 on a GPU, float32 elsewhere.
        snapshots_per_epoch: intermediate models, evenly spaced, the last one at the end of the epoch.
    """

    units: Count = 2400
    word_dimension: Count = 100
    vocabulary: AtLeastThree = 30_000
    reset: Literal["after", "before"] = "after"
    noise: Literal["paper", "released"] = "paper"
    deletion: Probability = 0.1
    swap: Probability = 0.1
    read_end: bool = True
    batch_size: Count = 16
    epochs: Count = 1
    learning_rate: Positive = 2e-4
    adam: Literal["standard", "released"] = "standard"
    largest_norm: Positive = 2.0
    max_tokens: Count = 99
    normalise: bool = False
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    snapshots_per_epoch: CountOrZero = 0


def train(store: TokenStore, parameters: Parameters, run: Run) -> NeuralEncoder:
    """Train on a store.

    Raises:
        SentrepError: the corpus is too small, or the loss is not finite.
    """
    from sentrep.networks.recurrent import Network
    from sentrep.training.fit_network import fit_network
    from sentrep.training.neural import Optimisation, seeded
    from sentrep.training.schedule import adam_rates
    from sentrep.training.sdae import SDAE, CorruptedBatches
    from sentrep.training.sentences import Sentences

    p = parameters
    # One word more than may be used, to tell sentences that are too long from those that just fit.
    sentences = Sentences(store, p.vocabulary - 1, p.max_tokens + 1, run.device)
    batches = CorruptedBatches(sentences, p.batch_size, p.max_tokens, p.noise, p.deletion, p.swap, run.seed)

    def build() -> SDAE:
        return SDAE(Network(sentences.words, p.word_dimension, p.units, reset=p.reset, read_end=p.read_end))

    objective = seeded(run.seed, build)

    def encoder() -> NeuralEncoder:
        tokeniser = store.meta["encoding_tokeniser"]
        return NeuralEncoder("recurrent", objective.network, sentences.vocabulary, tokeniser, p.normalise)

    return fit_network(
        *(objective, batches, Optimisation("global", p.largest_norm, precision=p.precision), run, "sdae", encoder),
        epochs=p.epochs,
        batch_size=p.batch_size,
        rates=adam_rates(p.learning_rate, p.adam == "released"),
        snapshots_per_epoch=p.snapshots_per_epoch,
    )
