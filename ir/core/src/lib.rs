//! The IR: units, ops, blocks, regions, values, types, attributes, definition tables, verifier.
//!
//! An **op** has operands (values it uses), results (values it defines), attributes (constants: those its definition names
//! live in *property slots*, others in a *discardable* dictionary), regions (what is inside it), successors (blocks it may
//! branch to) and a location. A **region** is a list of blocks, a **block** a list of ops with arguments. Everything an op
//! *is* stands in its [`defs::OpDef`], a table that `#[op]` emits and that parser, printer and verifier interpret.
//!
//! A **unit** ([`Ir`]) is an arena. Modules and functions are units: they own their ops, nothing but symbols crosses, and
//! so passes run on units in parallel without locks. Handles (`OpId`, `Value`, …) are numbers in one unit's tables.
//!
//! Types and attributes are interned in a [`Context`] shared by all units; equal means same handle. No order may be taken
//! from handles: they depend on which thread came first.
//!
//! This crate knows no dialect, no text (but for `show`, which spells types and attributes) and no system library.

pub mod asm;
pub mod build;
pub mod cases;
pub mod codes;
pub mod dom;
pub mod expand;
mod handles;
pub mod hooks;
pub mod infer;
pub mod interface;
pub mod ir;
pub mod loc;
pub mod make;
pub mod references;
pub mod registration;
pub mod resources;
pub mod rules;
pub mod show;
pub mod steps;
pub mod traits;
pub mod valid;
pub mod verify;
pub mod wide;

pub use attrs::{AttrKind, DenseData, LocKind};
pub use context::Common;
pub use defs::{Arity, AttrConstraint, AttrForm, AttrSpec, EnumDef, OpDef, Slot, TypeConstraint, TypeRel};
pub use fold::{FoldCx, FoldResult, Folded};
pub use handles::{Attr, OpKind, Str, Type};
pub use hooks::{EffectsOf, Fold, Infer, Verify};
pub use ir::{
    BlockId, Builder, Context, Dialect, InsertPoint, Ir, Loc, LocView, Name, NewOp, OpId, OpTrait, OwnTrait,
    Parts, RegionId, Value, ValueDef,
};
pub use ir::{attrs, context, defs, fold, symbols, types};
pub use traits::{Effects, Traits};
pub use types::{DYNAMIC, FloatKind, Sign, TypeKind};
pub use verify::VerifyCx;
