//! Which memory an op touches: arrays on the chip, or anything else.

use terrace_dialect_arith as arith;
use terrace_dialect_builtin::marks::{NOALIAS, PARTITION};
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::fold::constant_of;
use terrace_ir::{Attr, Context, Ir, OpId, Traits, Value, ValueDef};

/// Memory that an op and all in it reads and writes
#[derive(Clone, Default, Debug)]
pub(crate) struct Touched {
    pub reads: Vec<Value>,
    pub writes: Vec<Value>,
}

impl Touched {
    /// By an op; none if something in it is not known to touch only what it loads and stores. Views count as what they are of
    pub fn by(ir: &Ir, op: OpId) -> Option<Touched> {
        let mut all = Touched::default();
        for op in std::iter::once(op).chain(ir.walk_below(op)) {
            if let Some(load) = memref::Load::cast(ir, op) {
                all.reads.push(viewed(ir, load.memref(ir))?);
            } else if let Some(store) = memref::Store::cast(ir, op) {
                all.writes.push(viewed(ir, store.memref(ir))?);
            } else if !is_plain(ir, op) {
                return None;
            }
        }
        Some(all)
    }

    /// Is no memory touched?
    pub fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty()
    }

    /// Does the order of the two matter?
    pub fn conflicts(&self, other: &Touched) -> bool {
        let any = |a: &[Value], b: &[Value]| a.iter().any(|value| b.contains(value));
        any(&self.writes, &other.reads) || any(&self.reads, &other.writes) || any(&self.writes, &other.writes)
    }
}

/// The memory that a value is a view of; none if that is chosen at run time
fn viewed(ir: &Ir, value: Value) -> Option<Value> {
    let memory = memref::root(ir, value);
    let known = match ir.value_def(memory)? {
        ValueDef::Result(op, _) => {
            ir.is_any(op, &[memref::Alloc::DEF, memref::Alloca::DEF, memref::GetGlobal::DEF])
        }
        ValueDef::Arg(block, _) => ir.block_parent(block) == Some(ir.root()),
    };
    known.then_some(memory)
}

/// Arithmetic, loops and conditions
fn is_plain(ir: &Ir, op: OpId) -> bool {
    let structure = [scf::For::DEF, scf::If::DEF, scf::Yield::DEF];
    ir.is_any(op, &structure) || is_free(ir, op)
}

/// Can the op be done anywhere, any number of times?
pub(crate) fn is_free(ir: &Ir, op: OpId) -> bool {
    let pure = ir.has(op, Traits::Pure) || ir.has(op, Traits::ConstantLike) || divides(ir, op);
    ir.num_regions(op) == 0 && pure
}

/// Is it a division by a number that is not zero?
fn divides(ir: &Ir, op: OpId) -> bool {
    let number = || constant_of(ir, ir.operand(op, 1))?.as_i64(ir.cx());
    ir.is_any(op, &[arith::DivUI::DEF, arith::RemUI::DEF]) && number().is_some_and(|number| number != 0)
}

/// Is it an array on the chip?
pub(crate) fn is_array(ir: &Ir, value: Value) -> bool {
    ir.defining_op(value).is_some_and(|op| memref::Alloca::cast(ir, op).is_some() && banks(ir, op).is_some())
}

/// Banks of an array along each dimension, of the op that makes it
pub(crate) fn banks(ir: &Ir, op: OpId) -> Option<Vec<i64>> {
    banks_in(ir, ir.result(op, 0), ir.discardable(op, PARTITION)?)
}

/// Banks of a buffer along each dimension, from the attribute; none if that is of another rank
pub(crate) fn banks_in(ir: &Ir, buffer: Value, attr: Attr) -> Option<Vec<i64>> {
    let banks = attr.as_dense_array(ir.cx())?;
    (ir.ty(buffer).shape(ir.cx())?.len() == banks.len()).then(|| banks.to_vec())
}

/// The attributes of a function's argument
pub(crate) fn of_argument(ir: &Ir, n: usize) -> Option<Attr> {
    ir.attr(ir.root(), "arg_attrs")?.as_array(ir.cx())?.get(n).copied()
}

/// Is what is written through this value reached through it alone?
pub(crate) fn is_alone(ir: &Ir, value: Value) -> bool {
    match ir.value_def(value) {
        Some(ValueDef::Result(op, _)) => {
            memref::Alloc::cast(ir, op).is_some() || memref::Alloca::cast(ir, op).is_some()
        }
        Some(ValueDef::Arg(block, n)) if ir.block_parent(block) == Some(ir.root()) => {
            let own = |cx: &Context, attrs: Attr| attrs.entry(cx, NOALIAS).is_some();
            of_argument(ir, n as usize).is_some_and(|attrs| own(ir.cx(), attrs))
        }
        _ => false,
    }
}
