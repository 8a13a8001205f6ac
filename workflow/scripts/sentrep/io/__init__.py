"""Read and write CSV files, JSON files, arrays and folders; read YAML files; read pickles from other projects."""
