"""Training loops and their compiled kernels."""
