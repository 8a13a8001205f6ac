"""Training of word2vec, by gensim on CPU and by torch on GPU."""
