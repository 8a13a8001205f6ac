"""Pairs of short texts, related or not, for training word weights (De Boom et al. 2016); see :mod:`.pair_set`."""
