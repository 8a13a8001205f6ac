"""Evaluate models: score them on sentence pairs and other tasks, test significance, and measure times."""
