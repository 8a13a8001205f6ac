"""Score models on sentence pairs and other tasks, test differences for significance, and report model costs."""
