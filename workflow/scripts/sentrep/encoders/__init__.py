"""Encoders: trained models that turn sentences into vectors, and functions that save, load and export them."""
