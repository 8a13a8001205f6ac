"""Train averaging models, whose sentence vectors are means or sums of word vectors (Siamese CBOW and CBOS).

Three implementations perform the same training steps: :mod:`~.cpu` (numba), :mod:`~.gpu` (a single Triton kernel, only
for Siamese CBOW with plain gradient descent) and :mod:`~.autograd` (torch on any device, the reference implementation).
:mod:`~.learner` connects them to the training loop. :mod:`~.objective` defines the training objectives, and
:mod:`sentrep.training.batches` creates the examples. CONTRIBUTING.md lists the main files involved in training Siamese
CBOW on the CPU, from the Snakemake rule to the kernels.
"""
