"""The environment of a process: the wrapper of workflow scripts, devices, progress and threads."""
