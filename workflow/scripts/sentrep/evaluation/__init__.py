"""Score models on sentence pairs and other tasks, and test whether scores differ significantly.

The package also finds nearest neighbours of words and sentences, lists the words whose vectors have the lowest and
highest norms, and reports the sizes, training times and encoding times of models.
"""
