"""Training of models that average word vectors: Siamese CBOW and CBOS.

Three implementations take the same steps: :mod:`~.cpu` (numba), :mod:`~.gpu` (one triton kernel, Siamese CBOW with
plain gradient descent only) and :mod:`~.autograd` (torch on any device, the reference for the other two).
:class:`~.learner.AveragingLearner` is their interface to the training loop. :mod:`~.objective` says what is trained.

To follow the training of Siamese CBOW on the CPU from the rule to the compiled code, read

1. ``workflow/rules/training.smk``, the rule ``train``;
2. ``workflow/scripts/train.py``, its script;
3. ``sentrep/train.py``: store, parameters, checkpoints, the model folder;
4. ``sentrep/families/siamese_cbow.py``: the parameters, and what they mean for examples and learning rates;
5. ``sentrep/training/averaging/learner.py``: the choice of an implementation, and one step of training;
6. ``sentrep/training/loop.py``: all steps, with progress, snapshots and checkpoints;
7. ``sentrep/training/averaging/cpu.py``: the matrix in memory, and the calls of the kernels;
8. ``sentrep/training/averaging/cpu_kernels.py``: the kernels. Their parts are in ``cpu_gradients.py``,
   ``cpu_losses.py`` and ``simd.py``.

Which sentences make an example is decided in ``sentrep/training/batches.py``.
"""
