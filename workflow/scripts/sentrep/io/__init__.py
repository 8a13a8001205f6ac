"""Read and write CSV files, JSON files, arrays and folders, and read YAML files and pickles from other projects."""
