"""Implement the subcommands ``train`` and ``evaluate`` of ``sentrep``, and parse their arguments."""
