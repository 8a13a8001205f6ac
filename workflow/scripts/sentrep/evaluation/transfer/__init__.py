"""Transfer tasks, in which sentence vectors are the features of a classifier (Logeswaran and Lee 2018, section 4.4)."""
