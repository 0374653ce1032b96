//! Left sides of rules.

pub mod copies;
pub mod fission;
pub mod fuse;
pub mod interchange;
pub mod iterate;
pub mod layout;
pub mod memory;
pub mod reduce;
pub mod simplify;
pub mod tile;
pub mod vector;

use crate::random::{Gen, Left, Ty, Val};

/// Rules with their left sides
pub type Rows = &'static [(&'static str, Left)];

/// An array of a random element type
pub fn any(g: &mut Gen, n: usize) -> Val {
    let elem = g.ty(2);
    g.array(n, &elem)
}

/// No parameters
pub fn plain(root: Val) -> (Val, Vec<String>) {
    (root, Vec::new())
}

/// Numbers as parameters
pub fn with(root: Val, args: &[usize]) -> (Val, Vec<String>) {
    (root, args.iter().map(usize::to_string).collect())
}

/// A factorisation
pub fn product(g: &mut Gen) -> (usize, usize) {
    (g.size(4), g.size(4))
}

/// Rows of rows
pub fn rows(g: &mut Gen) -> Val {
    let (n, m) = product(g);
    let elem = g.ty(1);
    g.array(n, &Ty::array(m, &elem))
}
