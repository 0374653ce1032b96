//! Loops with bounds that are numbers, and which of them are one nest.

use terrace_dialect_arith as arith;
use terrace_dialect_builtin::marks::UNROLL;
use terrace_dialect_func as func;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::fold::constant_of;
use terrace_ir::{BlockId, Ir, OpId, Traits, Value};

/// A loop whose bounds are numbers
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub iv: Value,
    pub body: BlockId,
    pub first: i64,
    pub step: i64,
    pub trips: i64,
}

impl Bounds {
    pub fn of(ir: &Ir, op: OpId) -> Option<Bounds> {
        let one = scf::For::cast(ir, op)?;
        let number = |value: Value| constant_of(ir, value)?.as_i64(ir.cx());
        let (first, end, step) =
            (number(one.lower_bound(ir))?, number(one.upper_bound(ir))?, number(one.step(ir))?);
        let body = ir.single_block(one.region(ir))?;
        let iv = *ir.block_args(body).first()?;
        Some(Bounds { iv, body, first, step, trips: trips(first, end, step)? })
    }
}

/// Iterations from one number to below another; none if they are more than 2^40, which no hardware comes to the end of
pub(crate) fn trips(first: i64, end: i64, step: i64) -> Option<i64> {
    let span = end.checked_sub(first).filter(|_| step > 0)?;
    let trips = if span <= 0 { 0 } else { (span - 1) / step + 1 };
    (trips <= 1 << 40).then_some(trips)
}

/// Is it a loop that is no copy of hardware?
pub(crate) fn repeats(ir: &Ir, op: OpId) -> bool {
    ir.is_any(op, &[scf::For::DEF, scf::Parallel::DEF, scf::While::DEF])
        && ir.discardable(op, UNROLL).is_none()
}

/// Does an op repeat something, or call it?
pub(crate) fn holds_loops(ir: &Ir, op: OpId) -> bool {
    let one = |op: OpId| repeats(ir, op) || func::Call::cast(ir, op).is_some();
    one(op) || ir.walk_below(op).any(one)
}

/// Can the op be computed wherever its result is needed?
pub(crate) fn is_free(ir: &Ir, op: OpId) -> bool {
    let division = ir.is_any(op, &[arith::DivUI::DEF, arith::RemUI::DEF]);
    let pure = ir.has(op, Traits::Pure) || ir.has(op, Traits::ConstantLike) || division;
    ir.num_regions(op) == 0 && pure && ir.num_results(op) == 1
}

/// Makes an op an array?
pub(crate) fn makes_array(ir: &Ir, op: OpId) -> bool {
    ir.is_any(op, &[memref::Alloca::DEF, memref::Alloc::DEF])
}

/// Loops around each other with nothing else between them, outermost first, if the innermost has no loop but copies. Values pass through all of
/// them or through none
pub(crate) fn nest(ir: &Ir, op: OpId) -> Option<Vec<Bounds>> {
    let mut nest: Vec<Bounds> = Vec::new();
    let mut around = op;
    loop {
        let one = scf::For::cast(ir, around)?;
        if let Some(outer) = nest.last() {
            let passed = &ir.block_args(outer.body)[1..];
            let given: Vec<Value> = ir.last_op(outer.body).map(|end| ir.operands(end).collect())?;
            if one.inits(ir) != passed || !ir.results(around).eq(given) {
                return None;
            }
        }
        let bounds = Bounds::of(ir, one.id())?;
        nest.push(bounds);
        let end = ir.last_op(bounds.body);
        let inside: Vec<OpId> = ir.block_ops(bounds.body).filter(|op| Some(*op) != end).collect();
        let Some(inner) = inside.iter().find(|op| holds_loops(ir, **op)) else { return Some(nest) };
        let alone = inside.iter().all(|op| op == inner || is_free(ir, *op));
        around = Some(*inner).filter(|inner| alone && repeats(ir, *inner))?;
    }
}
