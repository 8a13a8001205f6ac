"""Short texts as aggregated word vectors, and how well their distances tell related pairs from others.

De Boom et al. 2016: :mod:`~sentrep.aggregation.lexicon` orders words by inverse document frequency,
:mod:`~sentrep.aggregation.representations` makes vectors and distances, :mod:`~sentrep.aggregation.learning`
trains weights, :mod:`~sentrep.aggregation.metrics` evaluates distances.
"""
