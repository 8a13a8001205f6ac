"""Pairs of short texts, related or not, for learning word weights (De Boom et al. 2016); see :mod:`.format`."""
