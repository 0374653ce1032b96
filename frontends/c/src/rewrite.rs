//! From a tree to a simpler tree: without `static` variables, jumps, calls of what computes more than a number, and pointers.

mod calls;
pub mod jumps;
mod pointers;
mod statics;

use crate::ast::File;

/// All rewrites in their order; jumps twice, since functions put in place of calls have jumps of their own
pub fn simplify(file: &mut File) {
    statics::lifted(file);
    jumps::plain(file, 0);
    calls::replaced(file);
    pointers::gone(file);
    jumps::plain(file, 1);
}
