"""Read and write files: CSV, JSON, YAML, tensors and folders; read pickles from other projects."""
