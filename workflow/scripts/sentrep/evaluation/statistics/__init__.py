"""Test differences for significance, and compute bootstrap confidence intervals."""
