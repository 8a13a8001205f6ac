"""Data sources: the list of sources, downloads, archives, mirror folders and published values."""
