"""Configuration and the plan that is made from it."""
