//! A function in progress, in parts that own what they need.
//!
//! | part | owns | used by |
//! |---|---|---|
//! | [`Emitter`] | the unit, the insertion point, the location | everything that makes ops |
//! | [`Bindings`] | scopes, arrays, loop variables; the file's declarations | analyses, which see no code |
//! | [`Reach`] | sizes of bare pointers | subscripts |
//! | [`Overlaps`] | pairs of arrays that must be disjoint | computations, reordered loops, threads |
//! | [`Calls`] | calls in progress | [`crate::inline`] |
//! | [`FunctionState`], [`Enclosing`], [`NestState`] | facts of the function, around a statement, of a nest | statements and nests |
//! | [`Body`] | inputs and updates of one computation | [`crate::body`], [`crate::outputs`] |
//!
//! Analyses borrow [`Bindings`], C's arithmetic borrows [`Emitter`]; only statements, expressions and nests take the whole.

use crate::ast::{Elem, Expr, File};
use crate::bindings::Bindings;
use crate::computation::{Body, Joint};
use crate::emitter::Emitter;
use crate::overlaps::Overlaps;
use crate::reach::Reach;
use std::collections::{BTreeMap, BTreeSet};
use terrace_diag::{Diags, Span};
use terrace_ir::{Attr, BlockId, Ir, Loc, Value};

/// A function in progress
pub struct Lowering<'a> {
    pub emit: Emitter<'a>,
    pub names: Bindings<'a>,
    pub diags: &'a mut Diags,
    pub function: FunctionState,
    pub enclosing: Enclosing,
    pub nest: NestState,
    /// The computation in progress
    pub body: Option<Body>,
    pub reach: Reach,
    pub overlaps: Overlaps,
    pub calls: Calls,
    /// Operators over an extreme and what belongs to it
    pub joints: Vec<Joint>,
}

/// What holds for the whole function
#[derive(Default)]
pub struct FunctionState {
    /// Type of its result
    pub result: Option<Elem>,
    pub returned: bool,
    /// Buffers to be freed at the end of the block in progress
    pub frees: Vec<Value>,
    /// Arguments that are bytes, with what they hold
    pub records: Vec<(usize, Attr)>,
    /// Arguments that are declared `restrict`
    pub alone: Vec<usize>,
    /// Names that it declares more than once
    pub twice: BTreeSet<String>,
    /// Arrays that were made in place of numbers
    pub made: usize,
}

/// What is around the statement in progress
#[derive(Default)]
pub struct Enclosing {
    /// All nests stay in order
    pub ordered: bool,
    /// Conditions around it
    pub branches: usize,
    /// Code of the reported reason why the loops around it stay in order
    pub reported: Option<&'static str>,
    /// Names whose content is read behind it
    pub live: BTreeSet<String>,
}

/// The nest in progress
#[derive(Default)]
pub struct NestState {
    /// Arrays that it may read at places that depend on data
    pub gather: Vec<String>,
    /// Loops whose bounds follow from the loops around them
    pub cut: Vec<(usize, Span)>,
    /// Variables of the loops in order around it
    pub around: Vec<String>,
    /// It is refused as one nest, but what is set between its loops may be set by nests in front of it
    pub split: bool,
    /// Sizes that are known at run time, with the greatest that they may be
    pub most: Vec<(String, i64)>,
    /// Loops that end at one: variable, size and the greatest that it may be
    pub ends: Vec<(usize, Expr, i64)>,
}

/// Calls that are replaced by what they compute
#[derive(Default)]
pub struct Calls {
    /// Functions in progress, against recursion
    pub within: Vec<String>,
    /// Calls so far
    pub made: usize,
}

impl<'a> Lowering<'a> {
    pub fn new(
        ir: &'a mut Ir,
        block: BlockId,
        at: Span,
        file: &'a File,
        sets: &'a BTreeMap<String, i64>,
        diags: &'a mut Diags,
    ) -> Lowering<'a> {
        Lowering {
            emit: Emitter { ir, block, loc: Loc::offset(at.start) },
            names: Bindings { file, sets, scopes: vec![Vec::new()], arrays: Vec::new(), ivs: Vec::new() },
            diags,
            function: FunctionState::default(),
            enclosing: Enclosing::default(),
            nest: NestState::default(),
            body: None,
            reach: Reach::default(),
            overlaps: Overlaps::default(),
            calls: Calls::default(),
            joints: Vec::new(),
        }
    }
}
