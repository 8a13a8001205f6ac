"""Record the provenance of a run (checksums, code digests and versions), and publish and verify runs."""
