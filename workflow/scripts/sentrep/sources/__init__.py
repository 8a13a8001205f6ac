"""Find, download, verify and read data sources, and read the values published in the papers."""
