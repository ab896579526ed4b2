"""Training of the small networks on simulated pictures; needs the extra `train`, never used at run time."""
