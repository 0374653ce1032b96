//! What stands for what while a nest is rewritten, and the small pieces everything is made from.

use crate::state::{Fact, Grid, Joined, Shifted};
use std::sync::Arc;
use terrace_analysis::Range;
use terrace_diag::Code;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_scf as scf;
use terrace_dialect_sched::Algebra;
use terrace_dialect_vector as vector;
use terrace_ir::{
    Attr, BlockId, Builder, Context, InsertPoint, Ir, Loc, Name, NewOp, OpDef, OpId, Type, TypeKind, Value,
};
use terrace_support::HashMap;

/// Why an op cannot be lowered
pub(crate) struct Refusal {
    pub op: OpId,
    pub code: Code,
    pub message: String,
    pub help: &'static str,
}

pub(crate) type Res<T> = Result<T, Refusal>;

/// What stands for a value of the nest
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Val {
    /// The same in every lane
    One(Value),
    /// A vector, one element per lane
    Many(Value),
    /// A loop variable whose value is known
    Const(i64),
    /// The variable of the vector loop: lane times this
    Lane(i64),
}

/// The vector loop around
#[derive(Clone, Copy)]
pub(crate) struct Lanes {
    pub width: i64,
    /// Lanes whose iteration happens, `vector<width x i1>`; all if none
    pub mask: Option<Value>,
}

/// A parallel loop around, of more than one iteration
pub(crate) struct Team {
    pub op: OpId,
    pub merges: bool,
    pub atomic: bool,
}

/// State of a rewrite
pub(crate) struct Emit<'a> {
    pub ir: &'a mut Ir,
    pub cx: Arc<Context>,
    pub at: InsertPoint,
    pub loc: Loc,
    env: HashMap<Value, Val>,
    ranges: HashMap<Value, Range>,
    /// Depth of the loop a new value belongs to: sums start with the outermost
    depths: HashMap<Value, u32>,
    pub depth: u32,
    pub lanes: Option<Lanes>,
    pub teams: Vec<Team>,
    /// Inside of a `source` loop: no reassociation, no contraction
    pub source: bool,
    /// Products and their additions are rounded once
    pub fused: bool,
    /// The next loop is one over devices that kernels are launched on
    pub on_devices: bool,
    /// The next `scf.for` is of copies of hardware
    pub unrolled: bool,
    consts: HashMap<Attr, Value>,
    consts_at: BlockId,
    /// Heap buffers to free, per parallel body and outermost
    pub heap: Vec<Vec<Value>>,
    /// Where heap buffers are made: start of the parallel body, or before the nest
    pub homes: Vec<Home>,
    /// Buffers that hold one for each thread, warp or task: which one is meant here
    pub parts: HashMap<Value, Value>,
    /// Ops that have been written elsewhere
    pub skipped: Vec<OpId>,
    /// What is known besides ranges, of the loops around
    pub facts: Vec<Fact>,
    /// What functions that merge say of themselves
    pub declared: HashMap<Arc<str>, Algebra>,
    /// The kernel around
    pub grid: Option<Grid>,
    /// Reads of the loops around that may be cut out of what the iteration before has read
    pub shifted: Vec<Shifted>,
    /// Values that are the lanes of a vector merged
    pub joined: HashMap<Value, Joined>,
    /// Views outside of nests that others stand for
    pub views: Vec<OpId>,
}

/// Where buffers live that are too large for the stack
#[derive(Clone, Copy)]
pub(crate) enum Home {
    /// After this op
    After(OpId),
    /// At the start of this block
    Body(BlockId),
}

impl<'a> Emit<'a> {
    /// Put new ops before this op; constants go to the start of the function
    pub fn new(ir: &'a mut Ir, top: OpId, consts_at: BlockId) -> Self {
        let (cx, loc) = (ir.cx_arc().clone(), ir.loc(top));
        Emit {
            ir,
            cx,
            at: InsertPoint::Before(top),
            loc,
            env: HashMap::default(),
            ranges: HashMap::default(),
            depths: HashMap::default(),
            depth: 0,
            lanes: None,
            teams: Vec::new(),
            source: false,
            fused: false,
            on_devices: false,
            unrolled: false,
            consts: HashMap::default(),
            consts_at,
            heap: vec![Vec::new()],
            homes: Vec::new(),
            parts: HashMap::default(),
            skipped: Vec::new(),
            facts: Vec::new(),
            declared: HashMap::default(),
            grid: None,
            shifted: Vec::new(),
            joined: HashMap::default(),
            views: Vec::new(),
        }
    }

    /// The next nest of the same function
    pub fn next(&mut self, top: OpId) {
        self.at = InsertPoint::Before(top);
        self.loc = self.ir.loc(top);
        let before = self.ir.prev(top).map(Home::After);
        let start = self.ir.block(top).map(Home::Body);
        self.homes = before.or(start).into_iter().collect();
        self.heap = vec![Vec::new()];
    }

    /// A builder here
    pub fn b(&mut self) -> Builder<'_> {
        let mut b = match self.at {
            InsertPoint::Before(op) => Builder::before(self.ir, op),
            InsertPoint::End(block) => Builder::at_end(self.ir, block),
        };
        b.set_loc(self.loc);
        b
    }

    /// An op with one result, whose fields need no segments
    pub fn value(
        &mut self,
        def: &'static OpDef,
        operands: &[Value],
        ty: Type,
        slots: &[Option<Attr>],
    ) -> Value {
        let mut b = self.b();
        let kind = b.kind(def);
        let op = b.insert(&NewOp { operands, results: &[ty], slots, ..NewOp::new(kind) });
        self.ir.result(op, 0)
    }

    /// A constant, made once per function
    pub fn constant(&mut self, attr: Attr) -> Value {
        if let Some(value) = self.consts.get(&attr) {
            return *value;
        }
        let mut b = Builder::at_start(self.ir, self.consts_at);
        b.set_loc(self.loc);
        let op = arith::Constant::build(&mut b, attr);
        let value = op.result(self.ir);
        self.consts.insert(attr, value);
        value
    }

    /// An index constant
    pub fn index(&mut self, value: i64) -> Value {
        let attr = self.cx.index_attr(value);
        let constant = self.constant(attr);
        self.ranges.insert(constant, Range::one(value));
        constant
    }

    /// The same value in every element
    pub fn splat(&mut self, attr: Attr, width: i64) -> Value {
        let ty = attr.ty(&self.cx).unwrap_or(self.cx.common().index);
        let ty = self.cx.vector(&[width], ty);
        match self.cx.splat_attr(ty, attr) {
            Some(attr) => self.constant(attr),
            None => {
                let one = self.constant(attr);
                self.value(vector::Broadcast::DEF, &[one], ty, &[])
            }
        }
    }

    /// Let `new` stand for `old`, with its name
    pub fn bind(&mut self, old: Value, new: Val) {
        if let Val::One(value) | Val::Many(value) = new {
            self.copy_name(old, value);
        }
        self.env.insert(old, new);
    }

    /// A name for a new value, unless it has one
    pub fn copy_name(&mut self, old: Value, new: Value) {
        if self.ir.value_name(new).is_some() {
            return;
        }
        if let Some(name) = self.ir.value_name(old) {
            let name = Name::Str(self.cx.intern(name));
            self.ir.set_value_name(new, name);
        }
    }

    /// What stands for a value; what is from outside of the nest stands for itself
    pub fn get(&self, old: Value) -> Val {
        self.env.get(&old).copied().unwrap_or(Val::One(old))
    }

    /// As a value that is the same in every lane; `None` if it is not
    pub fn scalar(&mut self, val: Val) -> Option<Value> {
        match val {
            Val::One(value) => Some(value),
            Val::Const(value) => Some(self.index(value)),
            Val::Many(_) | Val::Lane(_) => None,
        }
    }

    /// As a vector of the lanes
    pub fn vector(&mut self, val: Val, width: i64) -> Value {
        match val {
            Val::Many(value) => value,
            Val::Lane(tile) => {
                let ty = self.cx.vector(&[width], self.cx.common().index);
                let step = self.value(vector::Step::DEF, &[], ty, &[]);
                if tile == 1 {
                    return step;
                }
                let tile = self.splat(self.cx.index_attr(tile), width);
                self.value(arith::MulI::DEF, &[step, tile], ty, &[])
            }
            Val::One(value) => {
                let ty = self.cx.vector(&[width], self.ir.ty(value));
                self.value(vector::Broadcast::DEF, &[value], ty, &[])
            }
            Val::Const(value) => self.splat(self.cx.index_attr(value), width),
        }
    }

    /// One lane of a value
    pub fn lane(&mut self, val: Val, lane: i64) -> Value {
        match val {
            Val::Lane(tile) => self.index(lane * tile),
            Val::Many(value) => self.extract(value, lane),
            Val::One(value) => value,
            Val::Const(value) => self.index(value),
        }
    }

    /// An element of a vector
    pub fn extract(&mut self, from: Value, lane: i64) -> Value {
        let elem = self.ir.ty(from).scalar(&self.cx);
        let position = self.cx.i64_array(&[lane]);
        self.value(vector::Extract::DEF, &[from], elem, &[Some(position)])
    }

    /// A vector with one element replaced
    pub fn insert(&mut self, value: Value, into: Value, lane: i64) -> Value {
        let (ty, position) = (self.ir.ty(into), self.cx.i64_array(&[lane]));
        self.value(vector::Insert::DEF, &[value, into], ty, &[Some(position)])
    }

    /// What is known of a new index value
    pub fn range(&self, value: Value) -> Range {
        if let Some(range) = self.ranges.get(&value) {
            return *range;
        }
        let constant = terrace_ir::fold::constant_of(self.ir, value).and_then(|attr| attr.as_i64(&self.cx));
        constant.map_or(Range::ALL, Range::one)
    }

    /// A loop variable of the loop that is being entered
    pub fn declare(&mut self, variable: Value, range: Option<Range>) {
        if let Some(range) = range {
            self.ranges.insert(variable, range);
        }
        self.depths.insert(variable, self.depth);
    }

    /// Depth of a value: 0 for what is from outside
    pub fn depth_of(&self, value: Value) -> u32 {
        self.depths.get(&value).copied().unwrap_or(0)
    }

    /// Comparison of two indices
    pub fn compare(&mut self, predicate: CmpIPredicate, a: Value, b: Value) -> Value {
        let attr = predicate.attr(&self.cx);
        let ty = match self.ir.ty(a).kind(&self.cx) {
            TypeKind::Vector { shape, .. } => self.cx.vector(&shape.clone(), self.cx.common().i1),
            _ => self.cx.common().i1,
        };
        self.value(arith::CmpI::DEF, &[a, b], ty, &[Some(attr)])
    }

    /// Both conditions; an absent one holds
    pub fn both(&mut self, a: Option<Value>, b: Option<Value>) -> Option<Value> {
        match (a, b) {
            (Some(a), Some(b)) => {
                let ty = self.ir.ty(a);
                Some(self.value(arith::AndI::DEF, &[a, b], ty, &[]))
            }
            (one, other) => one.or(other),
        }
    }

    /// `scf.if` with both branches written by closures that give the results
    pub fn choose(
        &mut self,
        condition: Value,
        types: &[Type],
        then: &mut dyn FnMut(&mut Self) -> Res<Vec<Value>>,
        otherwise: &mut dyn FnMut(&mut Self) -> Res<Vec<Value>>,
    ) -> Res<Vec<Value>> {
        let mut b = self.b();
        let kind = b.kind(scf::If::DEF);
        let op = b.insert(&NewOp { operands: &[condition], results: types, regions: 2, ..NewOp::new(kind) });
        let back = self.at;
        let held = self.hold();
        let region = self.ir.region(op, 0);
        self.fill(region, then)?;
        if !types.is_empty() {
            let region = self.ir.region(op, 1);
            self.fill(region, otherwise)?;
        }
        self.release(held);
        self.at = back;
        Ok(self.ir.results(op).collect())
    }

    /// Write the only block of a region and its `scf.yield`
    pub fn fill(
        &mut self,
        region: terrace_ir::RegionId,
        body: &mut dyn FnMut(&mut Self) -> Res<Vec<Value>>,
    ) -> Res<()> {
        let block = self.ir.append_block(region);
        self.at = InsertPoint::End(block);
        let values = body(self)?;
        self.at = InsertPoint::End(block);
        scf::Yield::build(&mut self.b(), &values);
        Ok(())
    }

    /// A refusal
    pub fn refuse<T>(&self, op: OpId, code: Code, message: impl Into<String>, help: &'static str) -> Res<T> {
        Err(Refusal { op, code, message: message.into(), help })
    }
}
