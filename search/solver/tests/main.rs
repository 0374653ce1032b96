//! Solver and numbers against brute force

mod brute;
mod numbers;
