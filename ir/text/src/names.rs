//! Names an op suggests for its results and the arguments of its regions when their author gave none, as upstream's ops do
//! (`%alloc`, `%dim`).

use terrace_ir::interface::Interface;
use terrace_ir::{Ir, OpId, Value};

/// Takes a suggestion
pub type NameSink<'a> = dyn FnMut(Value, &str) + 'a;

/// Table of an op's suggestions
pub struct NameTable {
    /// Suggest names
    pub names: fn(&Ir, OpId, &mut NameSink<'_>),
}

/// An op that suggests names for its results and the arguments of its regions
///
/// Results of ops with the trait `ConstantLike` are named by their value without this.
pub trait SuggestNames: From<OpId> + 'static {
    /// Suggest names without `%`
    fn names(self, ir: &Ir, name: &mut NameSink<'_>);

    /// Entry for the op's interfaces
    const ENTRY: Interface =
        Interface::new(const { &NameTable { names: |ir, op, name| Self::from(op).names(ir, name) } });
}
