"""Score models on sentence pairs and other tasks, test the significance of differences, and report model costs."""
