"""Represent short texts by weighted sums of word vectors, such that related texts are close to each other.

This is the method of De Boom et al. (2016). :mod:`~sentrep.aggregation.lexicon` orders words by inverse document
frequency, :mod:`~sentrep.aggregation.learning` trains weights, :mod:`~sentrep.aggregation.representations` computes the
similarities of pairs of texts, and :mod:`~sentrep.aggregation.metrics` measures how well these similarities separate
related from non-related pairs.
"""
