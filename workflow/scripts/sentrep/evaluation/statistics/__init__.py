"""Significance tests and confidence intervals."""
