"""Score models on sentence pairs and other tasks, test whether scores differ significantly, and report model costs."""
