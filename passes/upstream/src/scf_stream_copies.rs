//! Copies to memory that no cache holds: rows that follow each other on both sides are one row of whole lines.
//!
//! ```mlir
//! scf.for %i = %c0 to %c15 step %c1 { scf.for %j = %c0 to %c15 step %c1 {
//!   %x = memref.load %from[%i, %j]
//!   memref.store %x, %to[%a, %i, %j] {sched.nontemporal}
//! } }
//! // becomes one loop over both, which begins at the first line that is theirs alone
//! scf.for %p = %head to %end step %c16 {
//!   %v = vector.load %all[%p + …]
//!   vector.store %v, %result[%p + …] {alignment = 64, nontemporal = true}
//! }
//! ```
//!
//! A tile of a result whose rows are no whole lines is put together in a cache for this: written directly, each of its lines would be read
//! first. What lies in front of the first line and behind the last one are masked stores.

use crate::origin::origin;
use crate::scf_transpose_copies::{factor, makers};
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_memref as memref;
use terrace_dialect_scf::{For, Yield};
use terrace_dialect_sched::NONTEMPORAL;
use terrace_dialect_vector as vector;
use terrace_ir::fold::constant_of;
use terrace_ir::ir::ValueMap;
use terrace_ir::{BlockId, Builder, Effects, Ir, OpId, Type, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Bytes of a line
const LINE: i64 = 64;

/// Fewest lines of a row that is worth its ends
const LINES: i64 = 8;

/// Non-temporal copies become rows of whole lines
///
/// For loops with constant bounds around one load and one non-temporal store of elements of 4 or 8 bytes, in memory that certainly differs. Loops are
/// joined as long as rows follow each other on both sides. Addresses that are known at run time only decide where lines begin.
///
/// ```mlir
/// func.func @f(%to: memref<9x15x15xf32> {llvm.noalias}, %from: memref<15x15xf32> {llvm.noalias}, %a: index) {
///   %c0 = arith.constant 0 : index
///   %c1 = arith.constant 1 : index
///   %c15 = arith.constant 15 : index
///   scf.for %i = %c0 to %c15 step %c1 {
///     scf.for %j = %c0 to %c15 step %c1 {
///       %x = memref.load %from[%i, %j] : memref<15x15xf32>
///       memref.store %x, %to[%a, %i, %j] {sched.nontemporal} : memref<9x15x15xf32>
///     }
///   }
///   return
/// }
/// ```
#[pass("scf-stream-copies", stats("rows of whole lines"))]
pub struct ScfStreamCopies;

impl Pass for ScfStreamCopies {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let innermost = |ir: &Ir, op: &OpId| ir.walk_below(*op).all(|inner| For::cast(ir, inner).is_none());
        let loops: Vec<OpId> = unit.walk().filter(|op| For::cast(unit, *op).is_some()).collect();
        let loops: Vec<OpId> = loops.into_iter().filter(|op| innermost(unit, op)).collect();
        let mut count = 0;
        for each in loops {
            if let Some(row) = Row::of(unit, For(each)) {
                row.write(unit);
                count += 1;
            }
        }
        cx.count("rows of whole lines", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

/// A loop with constant bounds
struct Along {
    each: For,
    iv: Value,
    block: BlockId,
    lower: i64,
    step: i64,
    trips: i64,
}

impl Along {
    fn of(ir: &Ir, each: For) -> Option<Along> {
        let number = |value| constant_of(ir, value)?.as_i64(ir.cx());
        let (lower, upper) = (number(each.lower_bound(ir))?, number(each.upper_bound(ir))?);
        let step = number(each.step(ir)).filter(|step| *step > 0)?;
        let length = upper.checked_sub(lower).filter(|length| *length > 0 && length % step == 0)?;
        let block = ir.entry(each.region(ir))?;
        let iv = *ir.block_args(block).first()?;
        let plain = ir.num_results(each.0) == 0 && ir.ty(iv) == ir.cx().common().index;
        (plain && each.unsigned(ir).is_none()).then_some(Along {
            each,
            iv,
            block,
            lower,
            step,
            trips: length / step,
        })
    }

    /// The loop right around it, if there is nothing else inside
    fn around(&self, ir: &Ir) -> Option<Along> {
        let outer = Along::of(ir, For::cast(ir, ir.parent(self.each.0)?)?)?;
        let alone = |op: OpId| op == self.each.0 || is_pure(ir, op) || Yield::cast(ir, op).is_some();
        ir.block_ops(outer.block).all(alone).then_some(outer)
    }
}

fn is_pure(ir: &Ir, op: OpId) -> bool {
    ir.effects(op) == Effects::NONE && ir.num_regions(op) == 0
}

/// One side of a copy: a buffer without a layout, and the place of an element or of the first one of a vector
struct Side {
    memory: Value,
    indices: Vec<Value>,
    strides: Vec<i64>,
    /// Elements of the buffer
    all: i64,
}

impl Side {
    fn of(ir: &Ir, memory: Value, indices: &[Value]) -> Option<Side> {
        let TypeKind::MemRef { shape, layout: None, .. } = ir.ty(memory).kind(ir.cx()) else { return None };
        let mut all = 1i64;
        let mut strides = vec![1; shape.len()];
        for (stride, size) in strides.iter_mut().zip(shape.iter()).rev() {
            *stride = all;
            all = all.checked_mul(*size).filter(|all| *all > 0)?;
        }
        Some(Side { memory, indices: indices.to_vec(), strides, all })
    }

    /// Elements that it moves by with a variable
    fn moves(&self, ir: &Ir, iv: Value) -> Option<i64> {
        let parts = self.indices.iter().zip(&self.strides);
        parts.map(|(index, stride)| factor(ir, *index, iv)?.checked_mul(*stride)).sum()
    }
}

/// A row that is copied, and the loops that go along it
struct Row {
    /// From the inside
    loops: Vec<Along>,
    from: Side,
    to: Side,
    elem: Type,
    bytes: i64,
    /// Elements
    length: i64,
}

impl Row {
    fn of(ir: &Ir, inner: For) -> Option<Row> {
        let cx = ir.cx();
        let inner = Along::of(ir, inner)?;
        let mut within =
            ir.block_ops(inner.block).filter(|op| !is_pure(ir, *op) && Yield::cast(ir, *op).is_none());
        let (load, store) = (within.next()?, within.next().filter(|_| within.next().is_none())?);
        let (value, from) = match (memref::Load::cast(ir, load), vector::Load::cast(ir, load)) {
            (Some(load), _) => (load.result(ir), Side::of(ir, load.memref(ir), &load.indices(ir))?),
            (_, Some(load)) => (load.result(ir), Side::of(ir, load.base(ir), &load.indices(ir))?),
            _ => return None,
        };
        let (stored, past, to) = match (memref::Store::cast(ir, store), vector::Store::cast(ir, store)) {
            (Some(store), _) => {
                let past = ir.discardable(store.0, NONTEMPORAL).is_some();
                (store.value(ir), past, Side::of(ir, store.memref(ir), &store.indices(ir))?)
            }
            (_, Some(store)) => {
                let past = store.nontemporal(ir).as_int(cx).is_some_and(|(value, _)| value != 0);
                (store.value_to_store(ir), past, Side::of(ir, store.base(ir), &store.indices(ir))?)
            }
            _ => return None,
        };
        let lanes = match ir.ty(value).kind(cx) {
            TypeKind::Vector { shape, scalable: 0, .. } if shape.len() == 1 => shape[0],
            TypeKind::Float(_) | TypeKind::Int { .. } => 1,
            _ => return None,
        };
        let elem = ir.ty(value).scalar(cx);
        let bytes =
            elem.bit_width(cx).filter(|width| matches!(width, 32 | 64)).map(|width| i64::from(width / 8))?;
        let same = stored == value && ir.has_one_use(value) && lanes == inner.step;
        let apart = origin(ir, from.memory).apart(origin(ir, to.memory));
        if !same || !past || !apart {
            return None;
        }
        // A view that is made in a loop may be another one in each iteration.
        let stays = |along: &Along| {
            let made =
                [&from, &to].map(|side| ir.value_block(side.memory).and_then(|block| ir.block_parent(block)));
            made.iter().all(|made| made.is_some_and(|made| !ir.is_inside(made, along.each.0)))
        };
        let is_of = |side: &Side| ir.ty(side.memory).scalar(cx) == elem;
        let is_next = |along: &Along, length: i64| {
            if !stays(along) {
                return false;
            }
            let by = |side: &Side| side.moves(ir, along.iv)?.checked_mul(along.step);
            by(&from) == Some(length) && by(&to) == Some(length)
        };
        if !is_of(&from) || !is_of(&to) || !is_next(&inner, lanes) {
            return None;
        }
        let mut length = lanes.checked_mul(inner.trips)?;
        let mut loops = vec![inner];
        while let Some(outer) = loops.last()?.around(ir).filter(|outer| is_next(outer, length)) {
            length = length.checked_mul(outer.trips)?;
            loops.push(outer);
        }
        // One row of vectors is for `scf-align-stores`.
        let several = loops.len() > 1 || lanes == 1;
        (several && length * bytes >= LINES * LINE).then_some(Row { loops, from, to, elem, bytes, length })
    }

    /// One loop in place of all
    fn write(self, ir: &mut Ir) {
        let Some(outer) = self.loops.last().map(|along| along.each.0) else { return };
        let inner = &self.loops[0];
        let lanes = LINE / self.bytes;
        let [from, to] = [self.start(ir, &self.from), self.start(ir, &self.to)];
        let mut b = builder(ir, outer);
        let views = [&self.from, &self.to].map(|side| flat(&mut b, side));
        // Where the first line begins.
        let pointer = memref::ExtractAlignedPointerAsIndex::build(&mut b, self.to.memory);
        let pointer = pointer.aligned_pointer(b.read());
        let [zero, bytes, lines, length, last] =
            [0, self.bytes, lanes, self.length, lanes - 1].map(|value| index(&mut b, value));
        let at = arith::DivUI::build(&mut b, pointer, bytes).result(b.read());
        let at = arith::AddI::build(&mut b, at, to).result(b.read());
        let back = arith::SubI::build(&mut b, zero, at).result(b.read());
        let head = arith::AndI::build(&mut b, back, last).result(b.read());
        let left = arith::SubI::build(&mut b, length, head).result(b.read());
        let tail = arith::AndI::build(&mut b, left, last).result(b.read());
        let end = arith::SubI::build(&mut b, length, tail).result(b.read());
        let ty = b.cx().vector(&[lanes], self.elem);
        let sides = Sides { views, starts: [from, to], ty };
        sides.part(&mut b, zero, head);
        sides.part(&mut b, end, tail);
        // The innermost loop is the one that stays.
        let body: Vec<OpId> = ir.block_ops(inner.block).collect();
        let Some((end_of_body, others)) = body.split_last() else { return };
        others.iter().rev().for_each(|op| ir.erase(*op));
        sides.line(&mut builder(ir, *end_of_body), inner.iv);
        for (n, bound) in [head, end, lines].into_iter().enumerate() {
            ir.set_operand(inner.each.0, n, bound);
        }
        if inner.each.0 != outer {
            ir.detach(inner.each.0);
            ir.insert_before(outer, inner.each.0);
            ir.erase(outer);
        }
    }

    /// The element of a buffer that the row begins at, before the loops
    fn start(&self, ir: &mut Ir, side: &Side) -> Value {
        let Some(outer) = self.loops.last() else { return side.memory };
        let mut map = ValueMap::default();
        for along in &self.loops {
            let lower = index(&mut builder(ir, outer.each.0), along.lower);
            map.insert(along.iv, lower);
        }
        let needed = makers(ir, &side.indices);
        let inside: Vec<OpId> = ir.walk_below(outer.each.0).filter(|op| needed.contains(op)).collect();
        for op in inside {
            let new = ir.clone_op(None, op, &mut map);
            ir.insert_before(outer.each.0, new);
        }
        let mut b = builder(ir, outer.each.0);
        let mut at = index(&mut b, 0);
        for (place, stride) in side.indices.iter().zip(&side.strides) {
            let (place, stride) = (map.get(*place).unwrap_or(*place), index(&mut b, *stride));
            let part = arith::MulI::build(&mut b, place, stride).result(b.read());
            at = arith::AddI::build(&mut b, at, part).result(b.read());
        }
        at
    }
}

/// Both sides of a row as rows of all elements of their buffers, and where it begins in these
struct Sides {
    views: [Value; 2],
    starts: [Value; 2],
    ty: Type,
}

impl Sides {
    fn places(&self, b: &mut Builder<'_>, place: Value) -> [Value; 2] {
        self.starts.map(|start| arith::AddI::build(b, start, place).result(b.read()))
    }

    /// The first elements of a line
    fn part(&self, b: &mut Builder<'_>, place: Value, count: Value) {
        let [from, to] = self.places(b, place);
        let truths = self.ty.with_element(b.cx(), b.cx().common().i1);
        let mask = vector::CreateMask::build(b, &[count], truths).mask(b.read());
        let elem = self.ty.scalar(b.cx());
        let zero = if elem.is_float(b.cx()) { b.cx().float_attr(0, elem) } else { b.cx().int_attr(0, elem) };
        let zero = b.cx().splat_attr(self.ty, zero).unwrap_or(zero);
        let zero = arith::Constant::build(b, zero).result(b.read());
        let value =
            vector::MaskedLoad::build(b, self.views[0], &[from], mask, zero, self.ty).result(b.read());
        vector::MaskedStore::build(b, self.views[1], &[to], mask, value);
    }

    /// A line
    fn line(&self, b: &mut Builder<'_>, place: Value) {
        let [from, to] = self.places(b, place);
        let value = vector::Load::build(b, self.views[0], &[from], self.ty).result(b.read());
        let store = vector::Store::build(b, value, self.views[1], &[to]);
        let (yes, line) = (b.cx().bool_attr(true), b.cx().int_attr(LINE.into(), b.cx().common().i64));
        store.set_nontemporal(b.ir(), yes);
        store.set_alignment(b.ir(), Some(line));
    }
}

/// All elements of a buffer in one row
fn flat(b: &mut Builder<'_>, side: &Side) -> Value {
    let ty = b.read().ty(side.memory);
    let TypeKind::MemRef { elem, space, .. } = ty.kind(b.cx()) else { return side.memory };
    let (elem, space) = (*elem, *space);
    let ty = b.cx().ty(TypeKind::MemRef { shape: [side.all][..].into(), elem, layout: None, space });
    let [at_start, sizes, steps] = [0, side.all, 1].map(|value| b.cx().i64_array(&[value]));
    let view = memref::ReinterpretCast::build(b, side.memory, &[], &[], &[], at_start, sizes, steps, ty);
    view.result(b.read())
}

fn index(b: &mut Builder<'_>, value: i64) -> Value {
    let attr = b.cx().index_attr(value);
    arith::Constant::build(b, attr).result(b.read())
}

fn builder(ir: &mut Ir, op: OpId) -> Builder<'_> {
    let loc = ir.loc(op);
    let mut b = Builder::before(ir, op);
    b.set_loc(loc);
    b
}
