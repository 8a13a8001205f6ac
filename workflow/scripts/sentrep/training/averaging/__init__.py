"""Train models that average word vectors (Siamese CBOW and CBOS).

Three implementations perform the same training steps: :mod:`~.cpu` (numba), :mod:`~.gpu` (a single Triton kernel, for
Siamese CBOW with plain gradient descent only) and :mod:`~.autograd` (torch on any device, the reference for the other
two). :class:`~.learner.AveragingLearner` connects them to the training loop. :mod:`~.objective` defines the training
objectives, and :mod:`sentrep.training.batches` creates the examples. CONTRIBUTING.md lists all files involved, from
the Snakemake rule to the kernels.
"""
