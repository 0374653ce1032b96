//! The functions and buffers of a module that text may name.

use crate::buffer::Space;
use crate::language::Lang;
use crate::linker::is_plain;
use crate::names::declared_by_headers;
use crate::types::Scalar;
use std::collections::BTreeMap;
use terrace_ir::{Context, Type, TypeKind};

/// The functions that text may call, by symbol
#[derive(Default)]
pub(crate) struct Functions {
    pub by_symbol: BTreeMap<String, Callee>,
    /// Buffers of the module
    pub globals: BTreeMap<String, Global>,
}

impl Functions {
    pub fn get(&self, symbol: &str) -> Option<&Callee> {
        self.by_symbol.get(symbol)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        let functions = self.by_symbol.values().map(|callee| callee.name.as_str());
        functions.chain(self.globals.values().map(|global| global.name.as_str()))
    }
}

/// A function that text calls
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Callee {
    /// Its name in the text
    pub name: String,
    pub inputs: Vec<Type>,
    pub results: Vec<Type>,
    /// Numbers of the inputs that are arrays with their dimensions
    pub arrays: Vec<usize>,
    /// Defined elsewhere
    pub external: bool,
    /// Its symbol, where that is no name in C
    pub label: Option<String>,
}

impl Callee {
    /// Does it give its only result as a value?
    pub fn returns_value(&self, cx: &Context) -> bool {
        matches!(&self.results[..], [one] if Scalar::of(cx, *one).is_some())
    }

    /// Is it called through descriptors?
    pub fn by_descriptor(&self, cx: &Context) -> bool {
        let buffer = |ty: &Type| matches!(ty.kind(cx), TypeKind::MemRef { .. });
        self.external && (self.results.len() > 1 || self.inputs.iter().chain(&self.results).any(buffer))
    }
}

/// A buffer of the module
#[derive(Clone, Debug)]
pub(crate) struct Global {
    pub name: String,
    /// Its definition; empty if the language has none for it
    pub text: String,
    pub space: Space,
    pub constant: bool,
}

/// Does what the linker calls so need another name in the text?
pub(crate) fn labelled(name: &str, lang: Lang) -> bool {
    !is_plain(name) || lang.is_host() && declared_by_headers(name)
}
