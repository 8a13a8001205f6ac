"""Convert the files of a source into sentences and token stores."""
