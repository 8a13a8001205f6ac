"""Record the provenance of runs (checksums, code digests and library versions), and publish and verify runs."""
