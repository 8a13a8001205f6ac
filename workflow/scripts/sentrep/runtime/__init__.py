"""The environment of a process: the wrapper for workflow jobs, devices, progress and threads."""
