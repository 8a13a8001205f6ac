"""Build sentence analogies from pairs of sentences that differ in one word, and solve them by vector arithmetic.

This is the task in appendix A of Logeswaran and Lee (2018), who follow Guu et al. (2017).
"""
