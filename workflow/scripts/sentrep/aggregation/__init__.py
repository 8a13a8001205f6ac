"""Aggregation of word vectors of short texts, and separation of related from non-related pairs by distance.

De Boom et al. 2016: :mod:`~sentrep.aggregation.lexicon` orders words by inverse document frequency,
:mod:`~sentrep.aggregation.representations` computes vectors and distances, :mod:`~sentrep.aggregation.learning` trains
weights, :mod:`~sentrep.aggregation.metrics` evaluates distances.
"""
