//! Generators and side-by-side benchmarks
fn main() {}
