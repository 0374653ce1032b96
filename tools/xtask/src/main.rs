//! Set-up, demo, tests, lint and benchmarks of this repository
fn main() {}
