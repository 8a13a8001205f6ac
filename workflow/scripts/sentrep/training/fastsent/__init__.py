"""Train FastSent (Hill et al. 2016) with compiled code on the CPU."""
