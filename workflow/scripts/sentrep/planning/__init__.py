"""From the configuration to the list of what is to be trained, scored and shown."""
