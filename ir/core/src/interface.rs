//! Interfaces: typed tables that crates above the core attach to an op.
//!
//! The core knows none of them. A crate that wants per-op behaviour (interpreting, custom syntax, canonicalization)
//! defines a table type and a trait whose `ENTRY` is an `Interface`; `#[op(…, interfaces(Trait))]` lists it.

use std::any::{Any, TypeId};

/// One entry: a table found by its type
pub struct Interface {
    id: fn() -> TypeId,
    table: &'static (dyn Any + Send + Sync),
}

impl Interface {
    /// Entry for this table
    pub const fn new<T: Any + Send + Sync>(table: &'static T) -> Self {
        Interface { id: TypeId::of::<T>, table }
    }

    /// The table if it has this type
    pub fn get<T: 'static>(&self) -> Option<&'static T> {
        if (self.id)() == TypeId::of::<T>() { self.table.downcast_ref() } else { None }
    }
}
