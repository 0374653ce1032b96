//! Handles of what a [`Context`](crate::Context) holds: interned types, attributes and strings, and the kinds of ops.
//!
//! Numbers only. What they stand for is in [`types`](crate::types), [`attrs`](crate::attrs) and [`defs`](crate::defs).

terrace_support::handle! {
    /// Handle of an interned type
    pub struct Type, "type"
}

terrace_support::handle! {
    /// Handle of an interned attribute
    pub struct Attr, "attr"
}

terrace_support::handle! {
    /// Handle of an interned string
    pub struct Str, "str"
}

/// Dense number of a registered op in one context; see `OpKind::UNREGISTERED` and `OpKind::SLOT`
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OpKind(pub u16);

impl OpKind {
    /// An op of no registered dialect; its name is kept with it
    pub const UNREGISTERED: OpKind = OpKind(0);
    /// Place of a child unit in its parent's block
    pub const SLOT: OpKind = OpKind(1);
}
