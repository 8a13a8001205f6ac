"""Test whether differences between models are significant, and compute bootstrap confidence intervals."""
