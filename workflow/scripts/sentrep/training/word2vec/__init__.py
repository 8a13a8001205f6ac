"""Train word2vec with compiled code on a CPU (:mod:`~.cpu`), or with torch on a GPU or a CPU (:mod:`~.gpu`)."""
