//! The largest and smallest of many floats, as those of integers.
//!
//! `maximumf` keeps NaN and orders zeros, which takes a processor six instructions, most of them one after the other. The bits of floats,
//! turned over below the sign where that is set, are integers in the same order ([`FloatOrder`]): two instructions and one to merge.
//! NaN with the sign that loses is found by merging the bits as they are, one instruction more, and by one comparison at the end.
//!
//! Rewritten are reductions of the lanes of a vector with all that is merged before them, and vectors that loops carry. Elements of
//! 64 bits are turned only where lanes are reduced: AVX2 has neither op on them.

mod scalars;

use std::collections::{HashMap, VecDeque};

use terrace_diag::Reported;
use terrace_dialect_arith::{FastMathFlags, FloatOrder, MaximumF, MinimumF};
use terrace_dialect_scf::{For, Yield};
use terrace_dialect_vector::{CombiningKind, ExtractStridedSlice, Reduction};
use terrace_ir::fold::constant_of;
use terrace_ir::{BlockId, Builder, Ir, NewOp, OpDef, OpId, Parts, Type, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Fewest iterations of a loop whose carried vectors are worth the comparison behind it
const ITERATIONS: i64 = 4;

/// Widest elements that are carried as integers
const WIDTH: u32 = 32;

/// The largest and smallest of many floats become those of integers
///
/// Reductions of the lanes of vectors with `maximumf` and `minimumf`, with what is merged before them, and vectors that `scf.for` carries
/// through them. Ops that may ignore NaN stay.
///
/// ```mlir
/// func.func @f(%v: vector<16xf32>, %w: vector<16xf32>) -> f32 {
///   %m = arith.maximumf %v, %w : vector<16xf32>
///   %r = vector.reduction <maximumf>, %m : vector<16xf32> into f32
///   return %r : f32
/// }
/// ```
#[pass("scf-order-floats", stats("reductions of lanes", "carried vectors", "single elements"))]
pub struct ScfOrderFloats;

impl Pass for ScfOrderFloats {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let single = scalars::spread(unit);
        let reductions: Vec<OpId> = unit.walk().filter(|op| Reduction::cast(unit, *op).is_some()).collect();
        let lanes = reductions.into_iter().filter_map(|op| reduction(unit, Reduction(op))).count() as u64;
        let mut carried = 0;
        // From the outermost and first: loops inside of one that carries integers become others with it. Those follow.
        let mut loops: VecDeque<OpId> = unit.walk().filter(|op| For::cast(unit, *op).is_some()).collect();
        while let Some(op) = loops.pop_front() {
            // An op that is gone may have left its number to another one: any loop that is there will do.
            if let Some(each) = For::cast(unit, op).filter(|each| unit.block(each.id()).is_some()) {
                let done = carry(unit, each, &mut loops);
                carried += done;
            }
        }
        cx.count("reductions of lanes", lanes);
        cx.count("carried vectors", carried);
        cx.count("single elements", single);
        cx.set_changed(lanes + carried + single > 0);
        Ok(())
    }
}

/// The lanes of a vector as integers
fn reduction(ir: &mut Ir, op: Reduction) -> Option<()> {
    let (vector, ty) = (op.vector(ir), ir.ty(op.dest(ir)));
    let def = match op.kind(ir) {
        CombiningKind::MaximumF => MaximumF::DEF,
        CombiningKind::MinimumF => MinimumF::DEF,
        _ => return None,
    };
    if op.acc(ir).is_some() || op.fastmath(ir).has(FastMathFlags::NNAN) || !ty.is_float(ir.cx()) {
        return None;
    }
    let mut work = Work::of(ir, def, ty)?;
    let integers = work.whole(ir, vector, op.id());
    let kind = if work.max { CombiningKind::MaxSI } else { CombiningKind::MinSI };
    let mut b = Builder::before(ir, op.id());
    b.set_loc(b.read().loc(op.id()));
    let elem = b.read().ty(integers).scalar(b.cx());
    let one = reduced(&mut b, kind, integers, elem);
    let float = work.order.float_of(&mut b, one, ty);
    let old = op.dest(ir);
    ir.replace_all_uses(old, float);
    ir.erase(op.id());
    Some(())
}

/// All lanes of a vector merged
fn reduced(b: &mut Builder<'_>, kind: CombiningKind, vector: Value, elem: Type) -> Value {
    let (kind, code) = (kind.attr(b.cx()), b.kind(Reduction::DEF));
    let new = NewOp {
        operands: &[vector],
        segments: &[1, 0],
        results: &[elem],
        slots: &[Some(kind), None],
        loc: b.loc(),
        ..NewOp::new(code)
    };
    let made = b.insert(&new);
    b.read().result(made, 0)
}

/// Vectors that a loop carries, as integers; how many. Loops that became others on the way are added
fn carry(ir: &mut Ir, mut each: For, others: &mut VecDeque<OpId>) -> u64 {
    if few(ir, each) {
        return 0;
    }
    let mut done = 0;
    // Once for each operator and type.
    while let Some(mut work) = carried_floats(ir, each) {
        let all;
        (each, all) = work.carried(ir, each);
        done += all.len() as u64;
        others.extend(work.made.iter().copied().filter(|op| *op != each.id()));
    }
    done
}

/// What there is to do for vectors of floats that a loop carries, where their results are used
fn carried_floats(ir: &Ir, each: For) -> Option<Work> {
    (0..each.inits(ir).len()).find_map(|n| {
        let result = ir.result(each.id(), n);
        let ty = ir.ty(result);
        if !is_vector(ir, ty) || !ir.is_used(result) {
            return None;
        }
        let def = [MaximumF::DEF, MinimumF::DEF].into_iter().find(|def| is_chain(ir, each, n, def))?;
        Work::of(ir, def, ty).filter(|work| work.order.width() <= WIDTH)
    })
}

/// Is it a vector? Tensors of floats are no values of registers
fn is_vector(ir: &Ir, ty: Type) -> bool {
    matches!(ty.kind(ir.cx()), TypeKind::Vector { .. })
}

/// Has a loop fewer iterations than pay?
fn few(ir: &Ir, each: For) -> bool {
    let number = |value| constant_of(ir, value)?.as_i64(ir.cx());
    let bounds = [each.lower_bound(ir), each.upper_bound(ir), each.step(ir)].map(number);
    let [Some(first), Some(last), Some(step)] = bounds else { return false };
    each.unsigned(ir).is_none() && last.saturating_sub(first) <= step.max(1).saturating_mul(ITERATIONS - 1)
}

/// Is what a loop carries only merged, by one operator, until it is carried on?
fn is_chain(ir: &Ir, each: For, n: usize, def: &'static OpDef) -> bool {
    let Some((body, end)) = body_of(ir, each) else { return false };
    let (mut value, mut merged) = (ir.block_args(body)[n + 1], false);
    loop {
        let mut uses = ir.uses(value);
        let Some((user, at)) = uses.next().filter(|_| uses.next().is_none()) else { return false };
        if user == end {
            return at == n && merged;
        }
        if merges(ir, user, def) && ir.block(user) == Some(body) {
            (value, merged) = (ir.result(user, 0), true);
            continue;
        }
        let inner = For::cast(ir, user).filter(|_| at >= 3 && ir.block(user) == Some(body));
        let Some(inner) = inner.filter(|inner| is_chain(ir, *inner, at - 3, def)) else {
            return false;
        };
        (value, merged) = (ir.result(inner.id(), at - 3), true);
    }
}

/// Is it the operator on floats, where NaN counts?
fn merges(ir: &Ir, op: OpId, def: &'static OpDef) -> bool {
    let flags = ir.attr(op, "fastmath").and_then(|attr| FastMathFlags::of(ir.cx(), attr));
    ir.is(op, def) && !flags.is_some_and(|flags| flags.has(FastMathFlags::NNAN))
}

fn body_of(ir: &Ir, each: For) -> Option<(BlockId, OpId)> {
    let body = ir.entry(each.region(ir))?;
    let end = ir.last_op(body).filter(|end| Yield::cast(ir, *end).is_some())?;
    Some((body, end))
}

/// A vector of floats as integers
#[derive(Clone, Copy)]
struct Pair {
    /// Turned bits, in the order of the floats but for NaN of the sign that loses
    turned: Value,
    /// Bits, which show such NaN; `None` where none is left
    bits: Option<Value>,
}

/// One rewrite
struct Work {
    order: FloatOrder,
    max: bool,
    def: &'static OpDef,
    known: HashMap<Value, Pair>,
    /// Loops that took the place of others
    made: Vec<OpId>,
}

impl Work {
    fn of(ir: &Ir, def: &'static OpDef, ty: Type) -> Option<Work> {
        let max = std::ptr::eq(def, MaximumF::DEF);
        Some(Work {
            order: FloatOrder::of(ir.cx(), ty, max)?,
            max,
            def,
            known: HashMap::default(),
            made: Vec::new(),
        })
    }

    /// All that is merged in a vector, as one of integers, before an op
    fn whole(&mut self, ir: &mut Ir, vector: Value, before: OpId) -> Value {
        if self.order.width() > WIDTH || !self.divides(ir, vector) {
            let mut b = Builder::before(ir, before);
            b.set_loc(b.read().loc(before));
            return self.order.integer_of(&mut b, vector);
        }
        let pair = self.pair(ir, vector);
        let mut b = Builder::before(ir, before);
        b.set_loc(b.read().loc(before));
        self.settled(&mut b, pair)
    }

    fn settled(&self, b: &mut Builder<'_>, pair: Pair) -> Value {
        pair.bits.map_or(pair.turned, |bits| self.order.settled(b, pair.turned, bits))
    }

    /// Is a vector what others are merged in?
    fn divides(&self, ir: &Ir, vector: Value) -> bool {
        let Some(op) = ir.defining_op(vector) else { return false };
        let mut uses = ir.uses(vector);
        let once = uses.next().is_some() && uses.next().is_none();
        let slices = || ir.uses(vector).all(|(user, _)| ExtractStridedSlice::cast(ir, user).is_some());
        if merges(ir, op, self.def) {
            return once || slices();
        }
        if let Some(each) = For::cast(ir, op) {
            let n = ir.results(op).position(|result| result == vector);
            return once || slices() && n.is_some_and(|n| is_chain(ir, each, n, self.def));
        }
        false
    }

    /// A vector as integers, behind what defines it
    fn pair(&mut self, ir: &mut Ir, value: Value) -> Pair {
        if let Some(pair) = self.known.get(&value) {
            return *pair;
        }
        let pair = stacker::maybe_grow(64 << 10, 1 << 20, || self.found(ir, value));
        // A loop that became another has no such value any more.
        if ir.value_def(value).is_some() {
            self.known.insert(value, pair);
        }
        pair
    }

    fn found(&mut self, ir: &mut Ir, value: Value) -> Pair {
        let Some(op) = ir.defining_op(value) else { return self.leaf(ir, value) };
        let slice = ExtractStridedSlice::cast(ir, op);
        let whole = |of: &Self, source| of.known.contains_key(&source) || of.divides(ir, source);
        if let Some(slice) = slice.filter(|slice| whole(self, slice.source(ir))) {
            // A loop becomes another on the way, so that the source is read afresh.
            self.pair(ir, slice.source(ir));
            let source = slice.source(ir);
            // What follows has fewer lanes: one comparison here is less than two trees.
            let whole = self.settled_behind(ir, source);
            return Pair { turned: sliced(ir, op, whole), bits: None };
        }
        if !self.divides(ir, value) {
            return self.leaf(ir, value);
        }
        if let Some(each) = For::cast(ir, op) {
            let n = ir.results(op).position(|result| result == value);
            let chain = n.filter(|n| is_chain(ir, each, *n, self.def));
            let all = chain.map(|_| self.carried(ir, each).1).unwrap_or_default();
            let own = all.into_iter().find(|(at, _)| Some(*at) == n);
            return own.map_or_else(|| self.leaf(ir, value), |(_, pair)| pair);
        }
        // Loops become others on the way: an operand is read where it is needed.
        let x = self.pair(ir, ir.operand(op, 0));
        let y = self.pair(ir, ir.operand(op, 1));
        let mut b = Builder::before(ir, op);
        b.set_loc(b.read().loc(op));
        let Some((of_x, of_y)) = x.bits.zip(y.bits) else {
            let (x, y) = (self.settled(&mut b, x), self.settled(&mut b, y));
            return Pair { turned: self.order.merge(&mut b, x, y), bits: None };
        };
        let turned = self.order.merge(&mut b, x.turned, y.turned);
        Pair { turned, bits: Some(self.order.merge_bits(&mut b, of_x, of_y)) }
    }

    /// All that is merged in a vector, behind what defines it
    fn settled_behind(&mut self, ir: &mut Ir, value: Value) -> Value {
        let pair = self.pair(ir, value);
        let ops =
            [Some(pair.turned), pair.bits].into_iter().flatten().filter_map(|value| ir.defining_op(value));
        let last = ops.reduce(|x, y| if ir.is_before(x, y) { y } else { x });
        let Some(last) = last else { return pair.turned };
        let mut b = Builder::after(ir, last);
        b.set_loc(b.read().loc(last));
        let turned = self.settled(&mut b, pair);
        self.known.insert(value, Pair { turned, bits: None });
        turned
    }

    fn leaf(&mut self, ir: &mut Ir, value: Value) -> Pair {
        let mut b = match (ir.defining_op(value), ir.value_block(value)) {
            (Some(op), _) => {
                let loc = ir.loc(op);
                let mut b = Builder::after(ir, op);
                b.set_loc(loc);
                b
            }
            (None, Some(block)) => Builder::at_start(ir, block),
            // No live value is without a place.
            (None, None) => return Pair { turned: value, bits: None },
        };
        let bits = self.order.bits(&mut b, value);
        Pair { turned: self.order.turned(&mut b, bits), bits: Some(bits) }
    }

    /// Bits of a pair, before an op: turned twice where no NaN is left to show
    fn bits(&self, ir: &mut Ir, pair: Pair, before: OpId) -> Value {
        pair.bits.unwrap_or_else(|| {
            let mut b = Builder::before(ir, before);
            b.set_loc(b.read().loc(before));
            self.order.turned(&mut b, pair.turned)
        })
    }

    /// The float that a loop gave, for all that use it; what need not have it leaves it unused
    fn float_behind(&self, ir: &mut Ir, made: For, n: usize, pair: Pair) -> Value {
        let (old, loc) = (ir.result(made.id(), n), ir.loc(made.id()));
        let ty = ir.ty(old);
        let mut b = Builder::after(ir, made.id());
        b.set_loc(loc);
        let whole = self.settled(&mut b, pair);
        let float = self.order.float_of(&mut b, whole, ty);
        ir.replace_all_uses(old, float);
        float
    }

    /// A loop that carries vectors as integers too, in place of one that does not: what it carried as floats stays what it starts with, until
    /// a pass removes it. The loop, and what is behind it
    ///
    /// All at once: pairs stay valid.
    fn carried(&mut self, ir: &mut Ir, each: For) -> (For, Vec<(usize, Pair)>) {
        let Some((body, end)) = body_of(ir, each) else { return (each, Vec::new()) };
        let op = each.id();
        let which = |ir: &Ir, n: usize| {
            let ty = ir.ty(ir.result(op, n));
            let same = FloatOrder::of(ir.cx(), ty, self.max) == Some(self.order);
            same && is_vector(ir, ty) && is_chain(ir, each, n, self.def)
        };
        let all: Vec<usize> = (0..each.inits(ir).len()).filter(|n| which(ir, *n)).collect();
        let mut starts = Vec::new();
        for n in &all {
            let start = self.pair(ir, each.inits(ir)[*n]);
            starts.extend([start.turned, self.bits(ir, start, op)]);
        }
        let first = each.inits(ir).len();
        let made = with_more(ir, each, &starts);
        self.made.push(made.id());
        for (at, n) in all.iter().enumerate() {
            let [turned, bits] = [0, 1].map(|part| {
                let ty = ir.ty(starts[2 * at + part]);
                ir.add_block_arg(body, ty)
            });
            self.known.insert(ir.block_args(body)[n + 1], Pair { turned, bits: Some(bits) });
        }
        let mut given: Vec<Value> = ir.operands(end).collect();
        for n in &all {
            // Read afresh: loops inside become others.
            let next = self.pair(ir, ir.operand(end, *n));
            given.extend([next.turned, self.bits(ir, next, end)]);
            given[*n] = ir.block_args(body)[n + 1];
        }
        for n in (0..first).filter(|n| !all.contains(n)) {
            given[n] = ir.operand(end, n);
        }
        ir.set_operands(end, &given, &[]);
        let behind = |at: usize| {
            let [turned, bits] = [0, 1].map(|part| ir.result(made.id(), first + 2 * at + part));
            Pair { turned, bits: Some(bits) }
        };
        let pairs: Vec<(usize, Pair)> = all.iter().enumerate().map(|(at, n)| (*n, behind(at))).collect();
        for (n, pair) in &pairs {
            let float = self.float_behind(ir, made, *n, *pair);
            self.known.insert(float, *pair);
        }
        (made, pairs)
    }
}

/// A loop that carries more, in place of one; its body has no arguments for that yet
fn with_more(ir: &mut Ir, each: For, starts: &[Value]) -> For {
    let olds: Vec<Value> = ir.results(each.id()).collect();
    let mut parts = ir.parts(each.id());
    parts.operands.extend(starts);
    parts.results.extend(starts.iter().map(|value| ir.ty(*value)));
    For(ir.remake_for(each.id(), &parts, &olds))
}

/// The same part of another vector
fn sliced(ir: &mut Ir, slice: OpId, of: Value) -> Value {
    let elem = ir.ty(of).scalar(ir.cx());
    let ty = ir.ty(ir.result(slice, 0)).with_element(ir.cx(), elem);
    let parts = Parts { operands: vec![of], results: vec![ty], ..ir.parts(slice) };
    let made = ir.remake(slice, &parts);
    ir.result(made, 0)
}
