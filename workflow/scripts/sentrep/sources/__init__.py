"""Where data come from: the list of sources, downloads, archives, mirror folders."""
