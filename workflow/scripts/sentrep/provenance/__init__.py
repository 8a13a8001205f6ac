"""Provenance of a run: checksums, code digests, versions, publication and verification."""
