"""Read and write CSV files, JSON files and arrays; write folders; read YAML files; read pickles from other projects."""
