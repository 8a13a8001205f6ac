"""Read and write files and folders; the formats include CSV, JSON, YAML, arrays and pickles from other projects."""
