"""Run workflow jobs: choose devices, limit threads, show progress and report errors."""
