"""Sentence analogies: pairs of sentences a word apart, and the fourth of a tuple found by vector arithmetic.

Logeswaran and Lee (2018), appendix A, after Guu et al. (2017).
"""
