//! A dialect: the list of what a context registers under one prefix.

use super::builder::Builder;
use super::defs::{AttrDef, EnumDef, OpDef, TypeDef};
use super::verify_cx::VerifyCx;
use super::{Loc, OpId};
use crate::handles::{Attr, Type};
use crate::interface::Interface;
use terrace_diag::{Code, Reported};

/// A dialect: the list of everything it registers
pub struct Dialect {
    /// Prefix of names
    pub name: &'static str,
    /// Documentation
    pub docs: &'static str,
    /// Ops in alphabetical order
    pub ops: &'static [&'static OpDef],
    /// Types
    pub types: &'static [&'static TypeDef],
    /// Attributes
    pub attrs: &'static [&'static AttrDef],
    /// Enumerations that are attributes
    pub enums: &'static [&'static EnumDef],
    /// Codes of diagnostics, for `--explain`
    pub codes: &'static [Code],
    /// Tables of interfaces (rules that no op brings along, for example)
    pub interfaces: &'static [Interface],
    /// Make the op that holds a constant of this type; how folding writes its results
    pub materialize: Option<fn(&mut Builder<'_>, Attr, Type, Loc) -> Option<OpId>>,
    /// Checks a discardable attribute whose name starts with this dialect's prefix
    pub verify_attr: Option<fn(&VerifyCx<'_>, OpId, &str, Attr) -> Result<(), Reported>>,
}

impl Dialect {
    /// The interface table of this type
    pub fn interface<T: 'static>(&self) -> Option<&'static T> {
        self.interfaces.iter().find_map(Interface::get::<T>)
    }
}

super::defs::by_address!(Dialect);
