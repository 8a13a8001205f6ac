"""Set up and run a process, with a wrapper for workflow jobs, devices, threads and progress displays."""
