"""What a run was made from and with: checksums, code digests, versions, verification."""
