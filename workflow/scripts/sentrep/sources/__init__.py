"""Sources of data: the list of sources, downloads, archives and mirror folders."""
