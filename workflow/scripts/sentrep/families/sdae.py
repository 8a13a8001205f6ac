"""SDAE, the sequential denoising autoencoder (Hill et al., NAACL 2016).

Each training sentence is corrupted: some words are deleted or replaced, and some adjacent words are swapped. A gated
recurrent network reads the corrupted sentence, and the last state of the network is the sentence vector. A second
network reconstructs the original sentence from this vector. Training does not use neighbouring sentences.

The released code lower-cases the text and keeps only alphabetic words. This module uses all tokens of the corpus.

The optional input ``expansion`` is another model with word vectors. After training, words of that model are added to
the vocabulary; see :mod:`sentrep.training.expansion`.
"""

from __future__ import annotations

from typing import Literal

from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.neural import NeuralEncoder
from sentrep.training.parameters import AtLeastThree, Count, CountOrZero, Positive, Probability
from sentrep.training.run import Run

OPTIONAL_INPUTS = ("expansion",)


@dataclass(frozen=True)
class Parameters:
    """Settings of SDAE; the defaults follow the released code, except for ``noise`` and ``adam``.

    "The released code" is the code that the authors of the paper published.

    Attributes:
        units: length of a sentence vector, and number of units in the decoder.
        word_dimension: length of a word vector.
        vocabulary: maximum size of the vocabulary, including the unknown word and the end-of-sentence token, <eos>.
        reset: "after" multiplies the product of the recurrent weights and the state by the reset gate, as in the
            released code; "before" multiplies the state by the reset gate before this product is computed.
        noise: "paper" deletes each word with probability ``deletion``, divides the remaining words into pairs of
            adjacent words, and swaps the words of each pair with probability ``swap``. "released" replaces
            round(``deletion`` x length) words with the unknown word, and then swaps round(``swap`` x length) pairs of
            adjacent words.
        deletion: with noise "paper", the probability of deleting a word; with noise "released", the fraction of words
            to replace. The paper calls this parameter p_o.
        swap: with noise "paper", the probability of swapping the words of a pair; with noise "released", the number of
            swaps as a fraction of the length of the sentence. The paper calls this parameter p_x.
        read_end: append <eos> to each sentence before the trained model encodes it, as in training. The released code
            does not show how sentences were encoded for the evaluation in the paper.
        batch_size: number of sentences per batch.
        epochs: number of training epochs.
        learning_rate: constant learning rate of Adam.
        adam: "standard" is Adam with the usual bias correction; "released" is Adam with almost no bias correction, as
            in the released code (see :func:`sentrep.training.schedule.released_adam_rates`).
        largest_norm: maximum joint norm of all gradients.
        max_tokens: maximum number of tokens per training sentence; longer sentences are skipped.
        normalise: scale sentence vectors to length one.
        precision: data type in which matrix products are computed; "auto" means bfloat16 on a GPU and float32
            elsewhere.
        snapshots_per_epoch: number of snapshots of the model that are saved in each epoch. They are evenly spaced, and
            the last one is saved at the end of the epoch.
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
    """Train SDAE on a token store and return the encoder.

    Raises:
        SentrepError: the corpus is too small for one batch, the number of processes does not divide the batch size, the
            input ``expansion`` has no word vectors or shares too few words with the network, or training fails (see
            :func:`sentrep.training.loop.fit`).
    """
    from sentrep.networks.recurrent import Network
    from sentrep.training.fit_network import fit_network
    from sentrep.training.neural import Optimisation, seeded
    from sentrep.training.schedule import adam_rates
    from sentrep.training.sdae import SDAE, CorruptedBatches
    from sentrep.training.sentences import Sentences

    p = parameters
    # Read one token more than the limit, to distinguish sentences that are too long from sentences that just fit.
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
