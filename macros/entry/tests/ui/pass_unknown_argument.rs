//! An argument that does not exist

use terrace_macros::pass;

/// Does nothing
#[pass("idle", anchors("func.func"))]
pub struct Idle;

fn main() {}
