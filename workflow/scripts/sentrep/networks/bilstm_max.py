"""The sentence encoder of InferSent (Conneau et al., EMNLP 2017, section 3.2), a BiLSTM with max pooling.

Two LSTMs read a sentence in opposite directions. Their states at each token are concatenated, and the sentence vector
is the elementwise maximum of these concatenations over all tokens. As in the released code, a begin token and an end
token surround the sentence, words without a vector are omitted, and word vectors are not trained. Unlike the released
training code, this module excludes padding from the maximum, so the vector of a sentence does not depend on the other
sentences in its batch.
"""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Network(nn.Module):
    """A network that consists of fixed word vectors, two LSTMs and max pooling over time.

    Args:
        words: number of rows in the word table; row 0 belongs to the unknown word and is not used.
        dimension: length d of a word vector.
        units: number of units in each LSTM; the length of a sentence vector is 2 * units.
    """

    def __init__(self, words: int, dimension: int, units: int) -> None:
        super().__init__()
        self.settings = {"words": words, "dimension": dimension, "units": units}
        self.parts = [2 * units]
        self.table = nn.Embedding(words, dimension)
        self.ends = nn.Embedding(2, dimension)  # vectors of the begin token and the end token
        for vectors in (self.table, self.ends):
            vectors.weight.requires_grad_(False)
        self.lstm = nn.LSTM(dimension, units, batch_first=True, bidirectional=True)

    def word_tables(self) -> dict[str, torch.Tensor]:
        """Return an empty dictionary, because the word vectors are not trained."""
        return {}

    def embed(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return the sentence vectors, (n, 2 * units), for (n, L) word ids and (n,) sentence lengths of at least 1."""
        vectors, lengths = self.look_up(ids, lengths)
        packed = pack_padded_sequence(vectors, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, padding_value=-math.inf)
        return states.amax(dim=1)

    def look_up(self, ids: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the token vectors of sentences and the number of tokens in each sentence.

        The tokens of a sentence are the begin token, the known words (those whose id is not 0) and the end token.

        Args:
            ids: word ids, (n, L).
            lengths: lengths of the sentences, (n,).

        Returns:
            The token vectors, (n, L + 2, d), and the numbers of tokens, (n,). The vectors after the end token of a
            sentence are arbitrary.
        """
        position = torch.arange(ids.shape[1] + 2, device=ids.device)
        known = (ids != 0) & (position[:-2] < lengths[:, None])
        order = known.logical_not().byte().argsort(dim=1, stable=True)
        words, count = self.table(ids.gather(1, order)), known.sum(dim=1)
        vectors = nn.functional.pad(words, (0, 0, 1, 1))
        begin, end = self.ends.weight
        vectors = torch.where((position == 0)[:, None], begin, vectors)
        return torch.where((position == count[:, None] + 1)[..., None], end, vectors), count + 2
