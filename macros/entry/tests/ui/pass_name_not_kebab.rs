//! A name that cannot stand in a pipeline

use terrace_macros::pass;

/// Does nothing
#[pass("Do Nothing")]
pub struct Idle;

fn main() {}
