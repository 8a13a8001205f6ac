"""Training of models that average word vectors, on CPU, GPU and by autograd."""
