//! The first iteration of loops that add to nothing, by itself: what it adds is what it gives.
//!
//! A tile of registers starts a sum in each of its vectors: so many copies of the one constant, at a time when the stores of the tile
//! before wait in the same queues. A product in place of a first multiply-add needs no start. Exact: a float added to −0.0 stays
//! as it is, and a product that is added to it is rounded once.
//!
//! Loops whose body has regions stay: what an inner loop starts from is not known then.

use terrace_diag::Reported;
use terrace_dialect_arith::{AddF, Constant, MulF};
use terrace_dialect_scf::{For, Yield};
use terrace_dialect_vector::Fma;
use terrace_ir::fold::constant_of;
use terrace_ir::ir::ValueMap;
use terrace_ir::{BlockId, Builder, Ir, OpId, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Fewest sums that are worth a copy of the body
const SUMS: usize = 8;

/// Most ops of a body
const BODY: usize = 256;

/// The first iteration of loops that add vectors to −0.0 moves before them, where that takes no addition
///
/// For loops of two iterations at least, known as constants, with eight sums or more, and no regions in their body.
#[pass("scf-peel-first", stats("loops peeled"))]
pub struct ScfPeelFirst;

impl Pass for ScfPeelFirst {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let loops: Vec<For> = unit.walk().filter_map(|op| For::cast(unit, op)).collect();
        let count = loops.into_iter().filter_map(|each| peel(unit, each)).count() as u64;
        cx.count("loops peeled", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

fn peel(ir: &mut Ir, each: For) -> Option<()> {
    let cx = ir.cx();
    let number = |ir: &Ir, value| constant_of(ir, value)?.as_i64(cx);
    let (lower, step) = (each.lower_bound(ir), each.step(ir));
    let (first, last, by) = (number(ir, lower)?, number(ir, each.upper_bound(ir))?, number(ir, step)?);
    let second = first.checked_add(by)?;
    let body = ir.entry(each.region(ir))?;
    let (inits, args) = (each.inits(ir), ir.block_args(body).to_vec());
    let ops: Vec<OpId> = ir.block_ops(body).collect();
    let plain = ops.iter().all(|op| ir.num_regions(*op) == 0) && each.unsigned(ir).is_none();
    let index = ir.ty(lower) == cx.common().index;
    if by <= 0 || second >= last || !plain || !index || ops.len() > BODY {
        return None;
    }
    let sums = inits
        .iter()
        .zip(args.get(1..)?)
        .filter(|(init, arg)| is_nothing(ir, **init) && added(ir, **arg, body));
    if sums.count() < SUMS {
        return None;
    }
    let mut map = ValueMap::default();
    map.insert(*args.first()?, lower);
    for (arg, init) in args[1..].iter().zip(&inits) {
        map.insert(*arg, *init);
    }
    let mut given = Vec::new();
    for op in ops {
        if Yield::cast(ir, op).is_some() {
            given = ir.operands(op).map(|value| map.get(value).unwrap_or(value)).collect();
            continue;
        }
        let copy = ir.clone_op(None, op, &mut map);
        ir.insert_before(each.0, copy);
        if let Some(value) = without(ir, copy) {
            map.insert(ir.result(op, 0), value);
        }
    }
    let mut b = Builder::before(ir, each.0);
    b.set_loc(b.read().loc(each.0));
    let attr = b.cx().index_attr(second);
    let start = Constant::build(&mut b, attr).result(b.read());
    let head = [start, each.upper_bound(ir), step];
    let operands: Vec<Value> = head.into_iter().chain(given).collect();
    ir.set_operands(each.0, &operands, &[]);
    Some(())
}

/// Is it −0.0 in each lane?
fn is_nothing(ir: &Ir, value: Value) -> bool {
    let (cx, ty) = (ir.cx(), ir.ty(value));
    let elem = ty.scalar(cx);
    let TypeKind::Float(kind) = elem.kind(cx) else { return false };
    let bits = terrace_ir::show::round_to_bits(-0.0, *kind);
    let nothing = bits.and_then(|bits| cx.splat_attr(ty, cx.float_attr(bits, elem)));
    nothing.is_some() && constant_of(ir, value) == nothing
}

/// Is it only used as what a body adds something to?
fn added(ir: &Ir, arg: Value, body: BlockId) -> bool {
    let mut uses = ir.uses(arg);
    let one = uses.next().filter(|_| uses.next().is_none());
    one.is_some_and(|(user, n)| {
        let adds = Fma::cast(ir, user).is_some() && n == 2 || AddF::cast(ir, user).is_some();
        adds && ir.block(user) == Some(body)
    })
}

/// The value of a sum with −0.0, without it; the sum goes
fn without(ir: &mut Ir, op: OpId) -> Option<Value> {
    if let Some(sum) = AddF::cast(ir, op) {
        let (a, b) = (sum.lhs(ir), sum.rhs(ir));
        let other = if is_nothing(ir, a) { b } else { Some(a).filter(|_| is_nothing(ir, b))? };
        ir.erase(op);
        return Some(other);
    }
    let sum = Fma::cast(ir, op).filter(|sum| is_nothing(ir, sum.acc(ir)))?;
    let (a, b) = (sum.lhs(ir), sum.rhs(ir));
    let loc = ir.loc(op);
    let mut builder = Builder::before(ir, op);
    builder.set_loc(loc);
    let product = MulF::build(&mut builder, a, b).result(builder.read());
    ir.erase(op);
    Some(product)
}
