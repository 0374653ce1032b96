//! Analyses: dominance, liveness, index arithmetic
