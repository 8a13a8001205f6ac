"""Files: atomic writing, CSV, tensors, pickles of other projects."""
