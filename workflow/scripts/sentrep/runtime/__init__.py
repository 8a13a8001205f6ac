"""Set up and run a process: the wrapper for workflow jobs, devices, threads, and progress displays."""
