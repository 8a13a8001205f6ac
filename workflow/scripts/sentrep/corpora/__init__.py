"""Corpus preprocessing: from files of a source to sentences and token stores."""
