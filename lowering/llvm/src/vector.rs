//! `vector`: access to memory, arranging, combining. Masks and transfers are in `vector_memory`.
//!
//! A vector of several dimensions is its innermost rows; what moves whole rows is no instruction at all.

use crate::check::{Check, any};
use crate::emit::{Emitter, Lowering, Under};
use crate::form::{Elem, VectorForm};
use crate::memory::{self, Access};
use crate::memref::each_one;
use crate::raw::{IntPred, Opcode, V};
use terrace_dialect_vector::{self as vector, CombiningKind};
use terrace_ir::{DYNAMIC, FloatKind, OpId, Value};
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Lowering] = rows! { vector:
    Broadcast any, broadcast;
    Extract any, extract;
    Fma any, fma;
    Insert any, insert;
    Load any, load;
    MaskOp any, mask;
    Reduction any, reduction;
    Store any, store;
    Yield any, |_, _| {};
};

/// Memory of scalars: that of vectors is for `memref.load` and `memref.store`
pub(crate) fn access_check(c: &Check<'_>, op: OpId) -> Checked {
    let base = c.ir.operands(op).find_map(|value| c.mem(value).ok()).ok_or("works on memrefs only")?;
    match *base.elem {
        crate::form::Form::Scalar(_) => Ok(()),
        _ => {
            Err("works on memrefs of scalars; use `memref.load` and `memref.store` for vectors in memory"
                .into())
        }
    }
}

fn load(e: &mut Emitter<'_>, op: OpId) {
    let load = vector::Load(op);
    let (base, vector) = (load.base(e.ir), e.vector_of(load.result(e.ir)));
    if e.of_vectors(base) {
        let parts = crate::memref::read_element(e, op, base, &load.indices(e.ir));
        return e.set_result(op, 0, parts);
    }
    let (mem, parts, indices) = (e.mem_of(base), e.get(base), each_one(e, &load.indices(e.ir)));
    let access = Access::of(e, op, vector.elem);
    let rows = memory::rows(e, &mem, &parts, &vector, &indices, true);
    let read = |at: V| memory::read(e, vector.elem, Some(vector.lanes()), at, access);
    let parts: Vec<V> = rows.into_iter().map(read).collect();
    e.set_result(op, 0, parts);
}

fn store(e: &mut Emitter<'_>, op: OpId) {
    let store = vector::Store(op);
    let (base, value) = (store.base(e.ir), store.value_to_store(e.ir));
    if e.of_vectors(base) {
        return crate::memref::write_element(e, op, value, base, &store.indices(e.ir));
    }
    let vector = e.vector_of(value);
    let (mem, parts, indices) = (e.mem_of(base), e.get(base), each_one(e, &store.indices(e.ir)));
    let access = Access::of(e, op, vector.elem);
    let rows = memory::rows(e, &mem, &parts, &vector, &indices, true);
    for (at, part) in rows.into_iter().zip(e.get(value).iter()) {
        memory::write(e, vector.elem, Some(vector.lanes()), *part, at, access);
    }
}

/// The op inside, emitted under the mask
fn mask(e: &mut Emitter<'_>, op: OpId) {
    let mask = vector::MaskOp(op);
    let values: Vec<Value> = match mask.masked(e.ir) {
        Some(inner) => {
            let (around, through) = (mask.mask(e.ir), mask.passthru(e.ir).map(|value| e.get(value)));
            e.under = Some(Under { form: e.vector_of(around), mask: e.get(around), through });
            e.op(inner);
            e.under = None;
            e.ir.results(inner).collect()
        }
        None => {
            let end = e.ir.entry(mask.region(e.ir)).and_then(|block| e.ir.last_op(block));
            end.map_or(Vec::new(), |end| e.ir.operands(end).collect())
        }
    };
    for (n, value) in values.into_iter().enumerate() {
        let parts = e.get(value);
        e.set_result(op, n, parts);
    }
}

/// As upstream: fused where the processor has an instruction for it
fn fma(e: &mut Emitter<'_>, op: OpId) {
    crate::arith::float_intrinsic(e, op, "llvm.fmuladd");
}

/// Leading coordinates of the n-th row
pub(crate) fn row_point(shape: &[i64], row: usize) -> Vec<i64> {
    let lead = shape.len().saturating_sub(1);
    let mut point = vec![0; lead];
    let mut rest = row as i64;
    for n in (0..lead).rev() {
        point[n] = rest % shape[n];
        rest /= shape[n];
    }
    point
}

/// The row at these leading coordinates
pub(crate) fn row_at(shape: &[i64], point: &[i64]) -> usize {
    point.iter().zip(shape).fold(0, |row, (at, size)| row * size + at) as usize
}

fn broadcast(e: &mut Emitter<'_>, op: OpId) {
    let op_ = vector::Broadcast(op);
    let source = op_.source(e.ir);
    let (from, to) = (e.vector_of(source), e.vector_of(op_.vector(e.ir)));
    let is_vector = e.is_vector(source);
    let parts = e.get(source);
    let wide = to.lanes();
    if !is_vector {
        let row = e.ll.splat(parts[0], wide);
        return e.set_result(op, 0, vec![row; to.parts()]);
    }
    let stretch = from.lanes() == 1 && wide != 1;
    let stretched: Vec<V> =
        parts.iter().map(|part| if stretch { e.ll.splat(lane(e, *part, 0), wide) } else { *part }).collect();
    let skip = to.shape.len() - from.shape.len();
    let row_of = |row: usize| {
        let point = row_point(&to.shape, row);
        let lead = from.shape.len().saturating_sub(1);
        let own: Vec<i64> = (0..lead).map(|n| if from.shape[n] == 1 { 0 } else { point[skip + n] }).collect();
        stretched[row_at(&from.shape, &own)]
    };
    let parts: Vec<V> = (0..to.parts()).map(row_of).collect();
    e.set_result(op, 0, parts);
}

/// A lane by its number
pub(crate) fn lane(e: &Emitter<'_>, row: V, n: i64) -> V {
    e.ll.extract_element(row, e.ll.const_i64(n))
}

/// One coordinate of a position
#[derive(Clone, Copy)]
enum At {
    Fixed(i64),
    Value(V),
}

fn position(e: &Emitter<'_>, fixed: &[i64], dynamic: &[Value]) -> Vec<At> {
    let mut dynamic = dynamic.iter();
    let each = |at: &i64| match *at {
        DYNAMIC => dynamic.next().map_or(At::Fixed(-1), |value| {
            let value = e.one(*value);
            e.ll.as_const(value).map_or(At::Value(value), At::Fixed)
        }),
        at => At::Fixed(at),
    };
    fixed.iter().map(each).collect()
}

/// Is a coordinate known to lie outside, so that the result is poison?
fn is_outside(at: &[At], shape: &[i64]) -> bool {
    at.iter().zip(shape).any(|(at, size)| matches!(at, At::Fixed(n) if !(0..*size).contains(n)))
}

/// Every choice of leading coordinates that a position may mean, with the condition of its being meant
fn choices(e: &Emitter<'_>, shape: &[i64], at: &[At]) -> Vec<(Vec<i64>, Option<V>)> {
    let mut all = vec![(Vec::new(), None)];
    for (n, at) in at.iter().enumerate() {
        all = match *at {
            At::Fixed(k) => all.into_iter().map(|(point, c)| ([&point[..], &[k]].concat(), c)).collect(),
            At::Value(value) => {
                let each = |k: i64| (k, e.ll.icmp(IntPred::LLVMIntEQ, value, e.ll.const_i64(k)));
                let here: Vec<(i64, V)> = (0..shape[n]).map(each).collect();
                let with = |(point, before): &(Vec<i64>, Option<V>), (k, now): (i64, V)| {
                    let both = before.map_or(now, |before| e.ll.bin(Opcode::LLVMAnd, before, now));
                    ([&point[..], &[k]].concat(), Some(both))
                };
                all.iter().flat_map(|one| here.iter().map(move |k| with(one, *k))).collect()
            }
        };
    }
    all
}

fn extract(e: &mut Emitter<'_>, op: OpId) {
    let extract = vector::Extract(op);
    let source = extract.source(e.ir);
    let from = e.vector_of(source);
    let at = position(e, extract.position(e.ir), &extract.dynamic_position(e.ir));
    let result = extract.result(e.ir);
    let types = e.part_types(&e.form_of(result));
    if is_outside(&at, &from.shape) {
        let parts: Vec<V> = types.into_iter().map(|ty| e.ll.poison(ty)).collect();
        return e.set(result, parts);
    }
    let parts = e.get(source);
    let lead = from.shape.len().saturating_sub(1);
    let rows_at = &at[..at.len().min(lead)];
    // Rows that each choice of leading coordinates leaves.
    let count: usize = from.shape[rows_at.len()..lead.max(rows_at.len())].iter().product::<i64>() as usize;
    let mut found: Option<Vec<V>> = None;
    for (point, condition) in choices(e, &from.shape, rows_at) {
        let first = row_at(&from.shape, &point) * count;
        let rows = &parts[first..first + count];
        found = Some(match (found, condition) {
            (Some(other), Some(condition)) => {
                rows.iter().zip(other).map(|(row, other)| e.ll.select(condition, *row, other)).collect()
            }
            _ => rows.to_vec(),
        });
    }
    let mut rows = found.unwrap_or_default();
    if at.len() > lead || from.shape.is_empty() {
        let n = match at.last() {
            Some(At::Value(value)) => *value,
            Some(At::Fixed(n)) => e.ll.const_i64(*n),
            None => e.ll.const_i64(0),
        };
        let one = e.ll.extract_element(rows[0], n);
        rows = vec![if e.is_vector(result) { e.ll.splat(one, 1) } else { one }];
    }
    e.set(result, rows);
}

fn insert(e: &mut Emitter<'_>, op: OpId) {
    let insert = vector::Insert(op);
    let (value, dest) = (insert.value_to_store(e.ir), insert.dest(e.ir));
    let to = e.vector_of(dest);
    let at = position(e, insert.position(e.ir), &insert.dynamic_position(e.ir));
    let mut parts = e.get(dest).to_vec();
    if is_outside(&at, &to.shape) {
        let poison = e.ll.poison(e.part_type(dest));
        parts.fill(poison);
        return e.set_result(op, 0, parts);
    }
    let lead = to.shape.len().saturating_sub(1);
    let rows_at = &at[..at.len().min(lead)];
    let values = e.get(value);
    let scalar = !e.is_vector(value);
    let n = match at.get(lead).or(if scalar { at.last() } else { None }) {
        Some(At::Value(value)) => *value,
        Some(At::Fixed(n)) => e.ll.const_i64(*n),
        None => e.ll.const_i64(0),
    };
    let count: usize = to.shape[rows_at.len()..lead.max(rows_at.len())].iter().product::<i64>() as usize;
    for (point, condition) in choices(e, &to.shape, rows_at) {
        let first = row_at(&to.shape, &point) * count;
        for k in 0..count {
            let old = parts[first + k];
            let new = if scalar { e.ll.insert_element(old, values[0], n) } else { values[k] };
            parts[first + k] = condition.map_or(new, |condition| e.ll.select(condition, new, old));
        }
    }
    e.set_result(op, 0, parts);
}

/// What changes nothing when it is combined, in every lane
pub(crate) fn neutral(e: &Emitter<'_>, name: &str, elem: Elem, lanes: u32) -> V {
    let ty = e.ll.vector(e.elem_type(elem), lanes);
    let sign = 1i128 << (elem.bits().max(1) - 1);
    match (name, is_float(elem)) {
        ("add", true) => e.ll.real_const(ty, -0.0),
        ("mul", true) => e.ll.real_const(ty, 1.0),
        ("minimumf", _) => e.ll.real_const(ty, f64::INFINITY),
        ("maximumf", _) => e.ll.real_const(ty, f64::NEG_INFINITY),
        ("minnumf" | "maxnumf", _) => e.ll.real_const(ty, f64::NAN),
        ("mul", false) => e.ll.int_const(ty, 1),
        ("minui" | "and", _) => e.ll.all_ones(ty),
        ("minsi", _) => e.ll.int_const(ty, sign - 1),
        ("maxsi", _) => e.ll.int_const(ty, sign),
        _ => e.ll.zero(ty),
    }
}

/// A row to be reduced: lanes that a mask around the op has off change nothing
pub(crate) fn under_mask(e: &Emitter<'_>, name: &str, elem: Elem, row: V, n: usize) -> V {
    let Some(under) = &e.under else { return row };
    let lanes = e.ll.lanes(e.ll.type_of(row)).unwrap_or(1);
    e.ll.select(under.mask[n], row, neutral(e, name, elem, lanes))
}

/// How elements are combined: an instruction or intrinsic of two, and one of a whole row
pub(crate) struct Combine {
    pub(crate) two: Two,
    row: &'static str,
    /// Does the intrinsic of a row start with a value?
    starts: bool,
}

#[derive(Clone, Copy)]
pub(crate) enum Two {
    Op(Opcode),
    Call(&'static str),
}

/// The ways to combine, by name
pub(crate) fn combine(name: &str, float: bool) -> Combine {
    let (two, row) = match (name, float) {
        ("add", true) => (Two::Op(Opcode::LLVMFAdd), "llvm.vector.reduce.fadd"),
        ("mul", true) => (Two::Op(Opcode::LLVMFMul), "llvm.vector.reduce.fmul"),
        ("mul", false) => (Two::Op(Opcode::LLVMMul), "llvm.vector.reduce.mul"),
        ("minui", _) => (Two::Call("llvm.umin"), "llvm.vector.reduce.umin"),
        ("minsi", _) => (Two::Call("llvm.smin"), "llvm.vector.reduce.smin"),
        ("minnumf", _) => (Two::Call("llvm.minnum"), "llvm.vector.reduce.fmin"),
        ("maxui", _) => (Two::Call("llvm.umax"), "llvm.vector.reduce.umax"),
        ("maxsi", _) => (Two::Call("llvm.smax"), "llvm.vector.reduce.smax"),
        ("maxnumf", _) => (Two::Call("llvm.maxnum"), "llvm.vector.reduce.fmax"),
        ("and", _) => (Two::Op(Opcode::LLVMAnd), "llvm.vector.reduce.and"),
        ("or", _) => (Two::Op(Opcode::LLVMOr), "llvm.vector.reduce.or"),
        ("xor", _) => (Two::Op(Opcode::LLVMXor), "llvm.vector.reduce.xor"),
        ("minimumf", _) => (Two::Call("llvm.minimum"), "llvm.vector.reduce.fminimum"),
        ("maximumf", _) => (Two::Call("llvm.maximum"), "llvm.vector.reduce.fmaximum"),
        _ => (Two::Op(Opcode::LLVMAdd), "llvm.vector.reduce.add"),
    };
    Combine { two, row, starts: float && matches!(name, "add" | "mul") }
}

/// Name of the way an op combines
pub(crate) fn kind(e: &Emitter<'_>, op: OpId) -> &'static str {
    let kind = e.ir.attr(op, "kind").and_then(|attr| CombiningKind::of(e.cx(), attr));
    kind.unwrap_or(CombiningKind::Add).word()
}

impl Combine {
    /// Two scalars or rows
    pub(crate) fn two(&self, e: &Emitter<'_>, a: V, b: V, fast: u64) -> V {
        let value = match self.two {
            Two::Op(opcode) => e.ll.bin(opcode, a, b),
            Two::Call(name) => e.ll.intrinsic(name, &[e.ll.type_of(a)], &[a, b]),
        };
        e.ll.set_fast(value, fast)
    }

    /// All lanes of a row, after a value if there is one, from left to right unless `fast` allows to regroup
    pub(crate) fn row(&self, e: &Emitter<'_>, elem: Elem, row: V, first: Option<V>, fast: u64) -> V {
        let ty = e.ll.type_of(row);
        if self.starts {
            let neutral = if self.row.ends_with("fadd") { -0.0 } else { 1.0 };
            let start = first.unwrap_or_else(|| e.ll.const_real(e.elem_type(elem), neutral));
            return e.ll.set_fast(e.ll.intrinsic(self.row, &[ty], &[start, row]), fast);
        }
        let all = e.ll.set_fast(e.ll.intrinsic(self.row, &[ty], &[row]), fast);
        first.map_or(all, |first| self.two(e, first, all, fast))
    }
}

pub(crate) fn is_float(elem: Elem) -> bool {
    matches!(elem, Elem::Float(FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 | FloatKind::F64))
}

fn reduction(e: &mut Emitter<'_>, op: OpId) {
    let reduction = vector::Reduction(op);
    let vector: VectorForm = e.vector_of(reduction.vector(e.ir));
    let how = combine(kind(e, op), is_float(vector.elem));
    let first = reduction.acc(e.ir).map(|acc| e.one(acc));
    let row = under_mask(e, kind(e, op), vector.elem, e.one(reduction.vector(e.ir)), 0);
    let value = how.row(e, vector.elem, row, first, e.fast(op));
    e.set_result(op, 0, vec![value]);
}
