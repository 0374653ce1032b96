//! Rows of non-temporal stores that begin anywhere in memory: each store is a whole line.
//!
//! ```mlir
//! scf.for %j = %c0 to %c4096 step %c16 { …; vector.store %v, %m[%i, %j] {nontemporal = true} }
//! // becomes, where n elements lie between the row's first element and the line before it
//! %rest = scf.for %j = %c0 to %c4096 step %c16 iter_args(%before = %none) -> (vector<16xf32>) {
//!   %r = sched.rotate %v by %n
//!   %line = arith.select %first_n, %before, %r
//!   vector.store %line, %m[%i, %j - %n] {alignment = 64, nontemporal = true}
//!   scf.yield %r
//! }
//! ```
//!
//! Non-temporal stores must be aligned. Rows whose length is no multiple of a line begin anywhere, so that most of their vectors would be
//! written to the cache, and lines read before that. Here the last lanes of a vector wait for the next one. The first store of a row and
//! the n lanes behind its last one are masked.
//!
//! A store moves to the end of its iteration, and a part of it to the next. So nothing else in the loop may use the buffer.
//!
//! A masked store writes a part of a line, so the processor reads that line first. Stores are written in order: at both ends of
//! each row all later ones would wait for memory. These lines are prefetched: the last ones when the row begins, the first one an
//! iteration of the outer loop earlier.

use crate::origin::{Origin, is_buffer, origin};
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_dialect_sched::Rotate;
use terrace_dialect_vector as vector;
use terrace_ir::fold::constant_of;
use terrace_ir::{Attr, BlockId, Builder, Effects, Ir, NewOp, OpId, Type, TypeKind, Value, ValueDef};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Fewest iterations that are worth a masked store before and behind them
const TRIPS: i64 = 4;

/// Bytes that one non-temporal store may write: LLVM divides vectors that are aligned to as many
const PIECE: i64 = 32;

/// Sums in sums that are looked into for a loop's variable
const SUMS: u32 = 4;

/// Bytes of vectors that are a line or half of one
const LINES: [i64; 2] = [32, 64];

/// Non-temporal stores of vectors, to rows that may begin anywhere, become stores of whole lines
///
/// For loops with constant bounds that write each vector of a row in order, to memory that nothing else in the loop uses.
/// What a line lacks comes from the iteration before; the first and the last lanes of a row are masked stores.
#[pass("scf-align-stores", stats("rows aligned"))]
pub struct ScfAlignStores;

impl Pass for ScfAlignStores {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let loops: Vec<scf::For> = unit.walk().filter_map(|op| scf::For::cast(unit, op)).collect();
        let mut count = 0;
        for each in loops {
            let Some(body) = Body::of(unit, each) else { continue };
            let rows = body.rows(unit);
            if !rows.is_empty() {
                count += rows.len() as u64;
                align(unit, &body, rows);
            }
        }
        cx.count("rows aligned", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

/// A loop with constant bounds and no loops inside
struct Body {
    each: scf::For,
    block: BlockId,
    iv: Value,
    lower: i64,
    step: i64,
    trips: i64,
}

/// Stores of one row, in order: together they go as far as an iteration
struct Row {
    base: Value,
    /// All indices but the last
    outer: Vec<Value>,
    /// What the first store adds to the loop's variable
    offset: i64,
    stores: Vec<OpId>,
    ty: Type,
    lanes: i64,
    bytes: i64,
}

impl Row {
    fn is_of(&self, other: &Row) -> bool {
        self.base == other.base && self.outer == other.outer && self.ty == other.ty
    }
}

impl Body {
    fn of(ir: &Ir, each: scf::For) -> Option<Body> {
        let cx = ir.cx();
        let number = |value| constant_of(ir, value)?.as_i64(cx);
        let (lower, upper) = (number(each.lower_bound(ir))?, number(each.upper_bound(ir))?);
        let step = number(each.step(ir)).filter(|step| *step > 0)?;
        let trips = upper.checked_sub(lower)?.checked_add(step - 1)? / step;
        let block = ir.entry(each.region(ir))?;
        let iv = *ir.block_args(block).first()?;
        let plain = ir.block_ops(block).all(|op| ir.num_regions(op) == 0) && each.unsigned(ir).is_none();
        let index = ir.ty(iv) == cx.common().index;
        (plain && index && trips >= TRIPS).then_some(Body { each, block, iv, lower, step, trips })
    }

    /// The rows that can be aligned: none where other ops may see which part of them is written
    fn rows(&self, ir: &Ir) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for row in ir.block_ops(self.block).filter_map(|op| self.row(ir, op)) {
            match rows.iter_mut().find(|other| other.is_of(&row)) {
                Some(other) => {
                    other.offset = other.offset.min(row.offset);
                    other.stores.extend(row.stores);
                }
                None => rows.push(row),
            }
        }
        for row in &mut rows {
            row.stores.sort_by_key(|op| self.offset(ir, *op));
        }
        let whole = |row: &Row| {
            let at = |n: usize| row.offset + n as i64 * row.lanes;
            let in_order = row.stores.iter().enumerate().all(|(n, op)| self.offset(ir, *op) == Some(at(n)));
            in_order && row.stores.len() as i64 * row.lanes == self.step && !self.is_aligned(ir, row)
        };
        rows.retain(whole);
        let stores: Vec<OpId> = rows.iter().flat_map(|row| &row.stores).copied().collect();
        let apart = |row: &Row| {
            let others = ir.block_ops(self.block).filter(|op| !stores.contains(op));
            // Rows that are one row are written in the order of their stores: line by line, if their lines are the same.
            let alike = rows
                .iter()
                .all(|other| other.base != row.base || other.offset == row.offset && other.ty == row.ty);
            alike && others.into_iter().all(|op| is_apart(ir, op, row.base))
        };
        let apart: Vec<bool> = rows.iter().map(apart).collect();
        if apart.iter().all(|apart| *apart) { rows } else { Vec::new() }
    }

    /// What a store adds to the loop's variable
    fn offset(&self, ir: &Ir, store: OpId) -> Option<i64> {
        let last = *vector::Store(store).indices(ir).last()?;
        if last == self.iv {
            return Some(0);
        }
        let sum = arith::AddI::cast(ir, ir.defining_op(last)?)?;
        let (a, b) = (sum.lhs(ir), sum.rhs(ir));
        let other = if a == self.iv { b } else { Some(a).filter(|_| b == self.iv)? };
        constant_of(ir, other)?.as_i64(ir.cx())
    }

    /// A non-temporal store of a vector that can be a row
    fn row(&self, ir: &Ir, op: OpId) -> Option<Row> {
        let cx = ir.cx();
        let store = vector::Store::cast(ir, op)?;
        let yes = store.nontemporal(ir).as_int(cx).is_some_and(|(value, _)| value != 0);
        let (base, ty) = (store.base(ir), ir.ty(store.value_to_store(ir)));
        let TypeKind::Vector { shape: lanes, scalable: 0, elem } = ty.kind(cx) else { return None };
        let TypeKind::MemRef { layout: None, elem: stored, shape, .. } = ir.ty(base).kind(cx) else {
            return None;
        };
        let [lanes] = lanes[..] else { return None };
        let bytes = i64::from(elem.bit_width(cx)? / 8);
        let line = LINES.contains(&(lanes * bytes)) && matches!(bytes, 4 | 8);
        let known = shape.iter().all(|size| *size >= 0) && stored == elem && store.alignment(ir).is_none();
        let alone = matches!(origin(ir, base), Origin::Fresh(_) | Origin::Alone(_));
        let mut outer = store.indices(ir).to_vec();
        outer.pop()?;
        let fixed = outer.iter().chain([&base]).all(|value| self.is_outside(ir, *value));
        let offset = self.offset(ir, op)?;
        let row = Row { base, outer, offset, stores: vec![op], ty, lanes, bytes };
        (yes && line && known && alone && fixed).then_some(row)
    }

    fn is_outside(&self, ir: &Ir, value: Value) -> bool {
        match ir.value_def(value) {
            Some(ValueDef::Result(op, _)) => ir.block(op) != Some(self.block),
            Some(ValueDef::Arg(block, _)) => block != self.block,
            None => false,
        }
    }

    /// Does each row begin at a line or in the middle of one if the buffer begins at a line?
    fn is_aligned(&self, ir: &Ir, row: &Row) -> bool {
        let first = self.lower + row.offset;
        let piece = PIECE / row.bytes;
        let mut apart = first % piece;
        for (index, stride) in row.outer.iter().zip(strides(ir, row.base)) {
            apart |= stride.wrapping_mul(multiple(ir, *index)) % piece;
        }
        apart == 0
    }
}

/// A number that divides a value, as far as it is known
fn multiple(ir: &Ir, value: Value) -> i64 {
    if let Some(number) = constant_of(ir, value).and_then(|attr| attr.as_i64(ir.cx())) {
        return number;
    }
    match ir.defining_op(value).and_then(|op| arith::MulI::cast(ir, op)) {
        Some(product) => multiple(ir, product.lhs(ir)).wrapping_mul(multiple(ir, product.rhs(ir))),
        None => 1,
    }
}

/// Elements that a step of each dimension but the last moves by
fn strides(ir: &Ir, base: Value) -> Vec<i64> {
    let shape = ir.ty(base).shape(ir.cx()).unwrap_or(&[]);
    let below = |n: usize| shape[n + 1..].iter().fold(1i64, |all, size| all.wrapping_mul(*size));
    (0..shape.len().saturating_sub(1)).map(below).collect()
}

/// Is an op without effect on a buffer, and the buffer without effect on it?
fn is_apart(ir: &Ir, op: OpId, base: Value) -> bool {
    let effects = ir.effects(op);
    if effects == Effects::NONE || memref::Prefetch::cast(ir, op).is_some() {
        return true;
    }
    let buffers: Vec<Value> = ir.operands(op).filter(|value| is_buffer(ir, ir.ty(*value))).collect();
    let of = origin(ir, base);
    effects != Effects::UNKNOWN
        && !buffers.is_empty()
        && buffers.iter().all(|buffer| origin(ir, *buffer).apart(of))
}

/// A row in the new loop
struct Lines {
    row: Row,
    /// Elements between its first element and the line before
    shift: Value,
    /// The lanes of a line that come from the iteration before, and the others
    early: Value,
    late: Value,
}

fn align(ir: &mut Ir, body: &Body, rows: Vec<Row>) {
    let old = body.each.0;
    rows.iter().for_each(|row| prefetch(ir, body, row));
    let lines: Vec<Lines> = rows.into_iter().map(|row| begin(ir, body, row)).collect();
    let mut b = builder(ir, old);
    let nothing: Vec<Value> = lines.iter().map(|lines| zero(&mut b, lines.row.ty)).collect();
    let operands: Vec<Value> = b.read().operands(old).chain(nothing).collect();
    let kept = b.read().num_results(old);
    let results: Vec<Type> = operands[3..].iter().map(|value| b.read().ty(*value)).collect();
    let kind = b.kind(scf::For::DEF);
    let new = b.insert(&NewOp { operands: &operands, results: &results, regions: 1, ..NewOp::new(kind) });
    let (from, to) = (ir.region(old, 0), ir.region(new, 0));
    ir.move_blocks(from, to);
    let before: Vec<Value> = lines.iter().map(|lines| ir.add_block_arg(body.block, lines.row.ty)).collect();
    write(ir, body, &lines, &before);
    for n in 0..kept {
        let (value, by) = (ir.result(old, n), ir.result(new, n));
        ir.replace_all_uses(value, by);
    }
    let end = body.lower + body.trips * body.step;
    for (n, lines) in lines.iter().enumerate() {
        let rest = ir.result(new, kept + n);
        let mut b = builder(ir, old);
        let end = index(&mut b, end + lines.row.offset);
        let at = lines.at(&mut b, end);
        vector::MaskedStore::build(&mut b, lines.row.base, &at, lines.early, rest);
    }
    ir.erase(old);
}

fn builder(ir: &mut Ir, op: OpId) -> Builder<'_> {
    let loc = ir.loc(op);
    let mut b = Builder::before(ir, op);
    b.set_loc(loc);
    b
}

fn index(b: &mut Builder<'_>, value: i64) -> Value {
    let attr = b.cx().index_attr(value);
    arith::Constant::build(b, attr).result(b.read())
}

fn splat(b: &mut Builder<'_>, ty: Type, elem: Attr) -> Value {
    let attr = b.cx().splat_attr(ty, elem).unwrap_or(elem);
    arith::Constant::build(b, attr).result(b.read())
}

fn zero(b: &mut Builder<'_>, ty: Type) -> Value {
    let elem = ty.scalar(b.cx());
    let zero = if elem.is_float(b.cx()) { b.cx().float_attr(0, elem) } else { b.cx().int_attr(0, elem) };
    splat(b, ty, zero)
}

/// Before the loop: the lines that a row ends with, and the one that its successor in the loop around begins with
fn prefetch(ir: &mut Ir, body: &Body, row: &Row) {
    let end = body.lower + body.trips * body.step + row.offset;
    let last = ir.ty(row.base).shape(ir.cx()).and_then(|shape| shape.last()).map_or(end, |size| size - 1);
    let next = next_row(ir, body, row);
    let mut b = builder(ir, body.each.0);
    let mut lines: Vec<Vec<Value>> = Vec::new();
    let ends = [end, last].into_iter().filter(|at| (end..end + 2 * row.lanes).contains(at));
    for at in ends {
        let at = index(&mut b, at);
        lines.push(row.outer.iter().copied().chain([at]).collect());
    }
    if let Some(steps) = next {
        let first = index(&mut b, body.lower + row.offset);
        let moved = row.outer.iter().zip(steps).map(|(at, step)| {
            let step = index(&mut b, step);
            arith::AddI::build(&mut b, *at, step).result(b.read())
        });
        let outer: Vec<Value> = moved.collect();
        lines.push(outer.into_iter().chain([first]).collect());
    }
    let (yes, i32) = (b.cx().bool_attr(true), b.cx().common().i32);
    let near = b.cx().int_attr(3, i32);
    for at in lines {
        memref::Prefetch::build(&mut b, row.base, &at, yes, near, yes);
    }
}

/// What each index of a row grows by with the next iteration of the loop around
fn next_row(ir: &Ir, body: &Body, row: &Row) -> Option<Vec<i64>> {
    let around = scf::For::cast(ir, ir.parent(body.each.0)?)?;
    let step = constant_of(ir, around.step(ir))?.as_i64(ir.cx())?;
    let iv = *ir.block_args(ir.entry(around.region(ir))?).first()?;
    let steps: Vec<i64> =
        row.outer.iter().map(|index| times(ir, *index, iv, SUMS).wrapping_mul(step)).collect();
    steps.iter().any(|step| *step != 0).then_some(steps)
}

/// How often a sum of sums has a term, as far as these nest
fn times(ir: &Ir, sum: Value, term: Value, nested: u32) -> i64 {
    if sum == term {
        return 1;
    }
    let parts = ir.defining_op(sum).and_then(|op| arith::AddI::cast(ir, op)).filter(|_| nested > 0);
    let times = |part: Value| times(ir, part, term, nested - 1);
    parts.map_or(0, |parts| times(parts.lhs(ir)) + times(parts.rhs(ir)))
}

/// Before the loop: where in a line a row begins, and which lanes of its lines that makes early
fn begin(ir: &mut Ir, body: &Body, row: Row) -> Lines {
    let strides = strides(ir, row.base);
    let mut b = builder(ir, body.each.0);
    let pointer = memref::ExtractAlignedPointerAsIndex::build(&mut b, row.base).aligned_pointer(b.read());
    let bytes = index(&mut b, row.bytes);
    let mut at = arith::DivUI::build(&mut b, pointer, bytes).result(b.read());
    let first = index(&mut b, body.lower + row.offset);
    at = arith::AddI::build(&mut b, at, first).result(b.read());
    for (outer, stride) in row.outer.iter().zip(strides) {
        let stride = index(&mut b, stride);
        let part = arith::MulI::build(&mut b, *outer, stride).result(b.read());
        at = arith::AddI::build(&mut b, at, part).result(b.read());
    }
    let last = index(&mut b, row.lanes - 1);
    let shift = arith::AndI::build(&mut b, at, last).result(b.read());
    let i1 = b.cx().common().i1;
    let mask = b.cx().vector(&[row.lanes], i1);
    let early = vector::CreateMask::build(&mut b, &[shift], mask).mask(b.read());
    let yes = b.cx().bool_attr(true);
    let all = splat(&mut b, mask, yes);
    let late = arith::XOrI::build(&mut b, early, all).result(b.read());
    Lines { row, shift, early, late }
}

impl Lines {
    /// Indices of a line: what would begin here, moved back
    fn at(&self, b: &mut Builder<'_>, place: Value) -> Vec<Value> {
        let last = arith::SubI::build(b, place, self.shift).result(b.read());
        self.row.outer.iter().copied().chain([last]).collect()
    }

    /// The lines that an iteration completes with their indices, and what the next one begins with
    fn completed(&self, b: &mut Builder<'_>, iv: Value, before: Value) -> (Vec<(Value, Vec<Value>)>, Value) {
        let mut before = before;
        let mut all = Vec::new();
        for (n, store) in self.row.stores.iter().enumerate() {
            let value = vector::Store(*store).value_to_store(b.read());
            let value = Rotate::build(b, value, self.shift).result(b.read());
            let line = arith::Select::build(b, self.early, before, value).result(b.read());
            let offset = index(b, self.row.offset + n as i64 * self.row.lanes);
            let place = arith::AddI::build(b, iv, offset).result(b.read());
            all.push((line, self.at(b, place)));
            before = value;
        }
        (all, before)
    }

    fn store(&self, b: &mut Builder<'_>, (line, at): &(Value, Vec<Value>)) {
        let store = vector::Store::build(b, *line, self.row.base, at);
        let (yes, i64) = (b.cx().bool_attr(true), b.cx().common().i64);
        let bytes = b.cx().int_attr((self.row.lanes * self.row.bytes).into(), i64);
        store.set_nontemporal(b.ir(), yes);
        store.set_alignment(b.ir(), Some(bytes));
    }
}

/// At the end of the body: the lines that an iteration completes. The first of a row lacks its early lanes
fn write(ir: &mut Ir, body: &Body, lines: &[Lines], before: &[Value]) {
    let Some(end) = ir.last_op(body.block) else { return };
    let mut b = builder(ir, end);
    let mut firsts = Vec::new();
    let mut given: Vec<Value> = b.read().operands(end).collect();
    for (lines, before) in lines.iter().zip(before) {
        let (mut all, next) = lines.completed(&mut b, body.iv, *before);
        firsts.push(all.remove(0));
        all.iter().for_each(|line| lines.store(&mut b, line));
        given.push(next);
    }
    let lower = index(&mut b, body.lower);
    let is_first = arith::CmpI::build(&mut b, body.iv, lower, arith::CmpIPredicate::Eq).result(b.read());
    let kind = b.kind(scf::If::DEF);
    let choice = b.insert(&NewOp { operands: &[is_first], regions: 2, ..NewOp::new(kind) });
    for n in 0..2 {
        let region = ir.region(choice, n);
        let block = ir.append_block(region);
        let mut b = Builder::at_end(ir, block);
        for (lines, first) in lines.iter().zip(&firsts) {
            match n {
                0 => {
                    vector::MaskedStore::build(&mut b, lines.row.base, &first.1, lines.late, first.0);
                }
                _ => lines.store(&mut b, first),
            }
        }
        scf::Yield::build(&mut b, &[]);
    }
    ir.set_operands(end, &given, &[]);
    for store in lines.iter().flat_map(|lines| &lines.row.stores) {
        ir.erase(*store);
    }
}
