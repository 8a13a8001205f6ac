"""Read and write files: atomic writing, CSV, JSON, tensors, and pickles from other projects."""
