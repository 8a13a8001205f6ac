"""Convert the files of a source to sentences and token stores."""
