"""Sentence analogies: pairs of sentences that differ in one word, solved by vector arithmetic.

Logeswaran and Lee (2018), appendix A, after Guu et al. (2017).
"""
