"""Significance tests and bootstrap confidence intervals."""
