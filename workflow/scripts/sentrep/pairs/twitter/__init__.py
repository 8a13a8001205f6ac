"""Pairs of tweets (De Boom et al. 2016, section 4.2): reading, cleaning, indexing, rules, splits."""
