"""From a source's bytes to sentences to a token store."""
