//! What definitions of one dialect are made from, and memory that they keep for good.

use crate::constraint::Graph;
use terrace_ir::defs::{AttrDef, TypeDef};

pub(crate) fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

pub(crate) fn leak_all<T>(values: Vec<T>) -> &'static [T] {
    Box::leak(values.into_boxed_slice())
}

pub(crate) fn leak_str(text: &str) -> &'static str {
    Box::leak(text.into())
}

/// What definitions of one dialect refer to
pub(crate) struct Made {
    pub graph: &'static Graph,
    pub types: Vec<&'static TypeDef>,
    pub attrs: Vec<&'static AttrDef>,
}
