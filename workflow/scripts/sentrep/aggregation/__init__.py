"""Represent short texts by weighted sums of word vectors, so that distances separate related from non-related pairs.

This is the method of De Boom et al. (2016). :mod:`~sentrep.aggregation.lexicon` orders words by inverse document
frequency, :mod:`~sentrep.aggregation.representations` computes vectors and distances,
:mod:`~sentrep.aggregation.learning` trains weights, and :mod:`~sentrep.aggregation.metrics` evaluates distances.
"""
