"""Compare how fast sentrep and torch train CBOS on one processor core.

As in the CBOS paper, training uses vectors of 100 dimensions, batches of ten examples, two negative examples and one
neighbouring sentence on each side.

The measured time includes neither the drawing of the examples nor their conversion into index tensors for torch. The
torch implementation sums word vectors with ``EmbeddingBag``, and uses autograd with sparse gradients and SGD. Because
it is slower, it trains on only the first fifth of the batches.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from common import Contestant, Work, at_least
from inputs import Settings
from siamese_cbow import RATE, TorchLoop, first_batches, index_tensors

from sentrep.families.cbos import Parameters
from sentrep.training.averaging.autograd import softmax_context
from sentrep.training.averaging.cpu import CpuTrainer
from sentrep.training.averaging.objective import cbos
from sentrep.training.batches import Sampler, TokenReader
from sentrep.training.initialisation import normal_vectors


def works(settings: Settings) -> Iterator[Work]:
    """Yield the task that ``run.py`` measures: training CBOS."""
    p = Parameters()
    store = settings.store
    sampler = Sampler(store, p.batch_size, p.negatives, seed=0, context=p.context)
    n = min(settings.size(3000, 100), sampler.batches_per_epoch)
    chunk = TokenReader(store, p.longest_sentence, "clean", 32).read(sampler.sentences(0, 0, n))
    initial = normal_vectors(store.vocabulary_size, p.dimension, p.sigma, 0)
    trainer = CpuTrainer(initial, "sgd", 1, cbos(p.context, p.context_vector))
    few = max(1, n // 5)
    batches = list(index_tensors(first_batches(chunk, few)))
    loss = partial(softmax_context, context=p.context, context_vector=p.context_vector)
    loop = TorchLoop(initial, (*chunk.starts.shape[1:], p.dimension), True, loss, "sum")
    contestants = [
        Contestant("sentrep", lambda: trainer.step(chunk, np.full(n, RATE)), n * p.batch_size),
        Contestant("torch, sparse gradient", lambda: loop.train(batches), few * p.batch_size, at_least(5)),
    ]
    yield Work(f"CBOS, d={p.dimension}, batch {p.batch_size}, {p.negatives} negatives", "examples/s", contestants)
