//! How a body computes each of its values: where they vary, and with how many operations.

use terrace_dialect_arith as arith;
use terrace_dialect_mdh::view::View;
use terrace_dialect_mdh::{Compute, Index};
use terrace_ir::{Ir, OpId, Traits, Value};
use terrace_support::HashMap;
use terrace_support::affine::AffineExpr;

/// A set of dimensions, or of factors: bit n is number n
pub type Set = u64;

/// The numbers in a set
pub fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..Set::BITS as usize).filter(move |n| set >> n & 1 == 1)
}

/// Operations of a function such as `exp`: a reduction, a polynomial and a scale
const FUNCTION: u128 = 16;

/// Operations of a quotient or a root
const QUOTIENT: u128 = 8;

/// How a value is computed
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computed {
    /// Dimensions in which it may vary
    pub dims: Set,
    /// Operations
    pub work: u128,
    /// Is there one element of each input for each of its points? Not in windows, whose points share elements
    pub per_element: bool,
}

/// The values of a body; `None` for one with regions, of which that is not known
pub fn values(ir: &Ir, op: Compute, view: &View) -> Option<HashMap<Value, Computed>> {
    let body = ir.entry(op.body(ir))?;
    let mut all: HashMap<Value, Computed> = HashMap::default();
    for (arg, input) in ir.block_args(body).iter().zip(&view.inputs) {
        let places = input.map.iter().flat_map(|map| &map.results);
        let exprs = places.clone().chain(&input.guard);
        let uses = |n: &usize| exprs.clone().any(|expr| expr.uses_dim(*n as u32));
        let dims = (0..view.dims.len()).filter(uses).map(|n| 1 << n).sum();
        let of_one =
            |expr: &AffineExpr| (0..view.dims.len() as u32).filter(|n| expr.uses_dim(*n)).count() <= 1;
        all.insert(*arg, Computed { dims, work: 0, per_element: places.clone().all(of_one) });
    }
    for each in ir.block_ops(body) {
        if ir.num_regions(each) > 0 {
            return None;
        }
        let dims = match Index::cast(ir, each) {
            Some(index) => 1 << index_dim(ir, index)?,
            None => 0,
        };
        let mut computed = Computed { dims, work: operations(ir, each), per_element: true };
        for operand in ir.operands(each) {
            let own = all.get(&operand)?;
            computed.dims |= own.dims;
            computed.work = computed.work.saturating_add(own.work);
            computed.per_element &= own.per_element;
        }
        for n in 0..ir.num_results(each) {
            all.insert(ir.result(each, n), computed);
        }
    }
    Some(all)
}

/// Operations that an op counts as. Conversions to wider types count as none: loads and matrix units do them
fn operations(ir: &Ir, op: OpId) -> u128 {
    let traits = ir.def(op).traits;
    let widens = [arith::ExtF::DEF, arith::ExtSI::DEF, arith::ExtUI::DEF].iter().any(|def| ir.is(op, def));
    let none = widens || traits.has(Traits::ConstantLike) || Index::cast(ir, op).is_some();
    match () {
        () if none => 0,
        () if traits.has(Traits::LibraryCall) => FUNCTION,
        () if traits.has(Traits::Divides) => QUOTIENT,
        () => 1,
    }
}

/// The dimension of an `mdh.index`
pub fn index_dim(ir: &Ir, index: Index) -> Option<usize> {
    index.dim(ir).as_int(ir.cx()).and_then(|(dim, _)| usize::try_from(dim).ok())
}
