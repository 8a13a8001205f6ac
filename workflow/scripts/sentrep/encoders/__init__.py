"""Trained models at inference time: sentences in, vectors out; saving, loading and exporting them."""
