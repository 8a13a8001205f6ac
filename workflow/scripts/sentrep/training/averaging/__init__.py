"""Training of models that average word vectors: Siamese CBOW and CBOS.

Three implementations take the same steps: :mod:`~.cpu` (numba), :mod:`~.gpu` (one triton kernel, Siamese CBOW with
plain gradient descent only) and :mod:`~.autograd` (torch on any device, the reference for the other two).
:class:`~.learner.AveragingLearner` is their interface to the training loop. :mod:`~.objective` defines the training
objectives. Examples are created in ``sentrep/training/batches.py``. CONTRIBUTING.md lists all files involved, from the
Snakemake rule to the kernels.
"""
