"""Implement the subcommands that have many options."""
