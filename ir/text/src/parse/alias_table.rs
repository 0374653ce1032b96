//! What aliases of a file stand for; how they are read is in `aliases`.

use std::sync::Arc;
use terrace_ir::{Attr, Type};
use terrace_support::HashMap;

/// What an alias stands for
#[derive(Clone, Copy)]
pub(crate) enum Meaning {
    Type(Type),
    Attr(Attr),
    /// Being parsed: a use now is a cycle
    Busy,
    /// Wrong, and reported
    Wrong,
}

/// How much a meaning is, written out without aliases
#[derive(Clone, Copy, Default)]
pub(crate) struct Extent {
    /// What is inside each other, counted from its outermost level
    pub depth: u32,
    /// Uses of aliases in it, and in those: each may stand for one more copy
    pub uses: u64,
}

/// The aliases of a file; names with their sigil
#[derive(Default)]
pub(crate) struct Aliases<'a> {
    pub known: HashMap<&'a str, (Meaning, u32)>,
    pub extents: HashMap<&'a str, Extent>,
    /// Of the definition being parsed: the deepest level in it, and the uses so far
    pub open: Option<Extent>,
    /// Where lines define them
    pub lines: Option<Arc<HashMap<&'a str, u32>>>,
}
