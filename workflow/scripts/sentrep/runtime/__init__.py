"""The process that work runs in: the wrapper of workflow scripts, devices, progress, threads."""
