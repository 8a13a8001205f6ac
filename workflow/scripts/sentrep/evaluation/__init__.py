"""Score models on sentence pairs and other tasks, and test whether scores differ significantly.

The package also reports the sizes, training times and encoding times of models.
"""
