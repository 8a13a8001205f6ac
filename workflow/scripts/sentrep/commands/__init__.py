"""Subcommands with many options."""
