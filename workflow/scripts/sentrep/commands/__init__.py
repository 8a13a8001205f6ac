"""Implement the subcommands ``train`` and ``evaluate`` of ``sentrep``, and the parser of command-line arguments."""
