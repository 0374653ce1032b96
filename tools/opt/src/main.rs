//! Parse, verify, transform, print and compile IR files
fn main() {}
