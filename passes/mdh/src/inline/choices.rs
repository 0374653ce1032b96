//! Choices in a body by coordinates.
//!
//! Tensor text writes a transposed convolution with `x % S == 0 ? X[x / S] : 0` for every stride `S`. Where the sizes decide
//! the condition, as for a stride of 1, the choice folds.

use super::conditions::{Conditions, Remainder, add};
use super::producer;
use terrace_dialect_arith::Select;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::{Other, View};
use terrace_ir::fold::constant_of;
use terrace_ir::{BlockId, Ir, OpId, Value};
use terrace_rewrite::dead::is_dead;

/// An element of an input, or a constant in its place
pub struct Handed {
    /// Number of the input
    pub input: usize,
    /// The constant, where there is a choice
    pub constant: Option<Other>,
    /// What must be zero for the element to be chosen
    pub remainders: Vec<Remainder>,
    /// Does nothing else use the element?
    pub alone: bool,
}

impl Handed {
    /// A value of a body in this form
    pub fn read(
        ir: &Ir,
        (body, view): (BlockId, &View),
        conditions: &Conditions<'_>,
        value: Value,
    ) -> Option<Handed> {
        let args = ir.block_args(body);
        let argument = |value: Value| args.iter().position(|arg| *arg == value);
        let known = |value: Value| match argument(value) {
            Some(n) => view.inputs[n].map.is_none().then_some(Other::Value(view.inputs[n].value)),
            None => constant_of(ir, value).map(Other::Constant),
        };
        let (mut value, mut constant, mut remainders, mut alone) = (value, None, Vec::new(), true);
        loop {
            if let Some(input) = argument(value) {
                let element = view.inputs[input].map.is_some();
                return element.then_some(Handed { input, constant, remainders, alone });
            }
            let select = Select::cast(ir, ir.defining_op(value)?)?;
            let (condition, yes, no) = (select.condition(ir), select.true_value(ir), select.false_value(ir));
            if let Some(decided) = conditions.decided(condition) {
                value = if decided { yes } else { no };
                alone &= ir.has_one_use(value);
                continue;
            }
            let (next, other, wanted) = match known(no) {
                Some(other) => (yes, other, true),
                None => (no, known(yes)?, false),
            };
            if constant.is_some_and(|constant| constant != other) {
                return None;
            }
            for one in conditions.remainders(condition, wanted)? {
                add(one, &mut remainders);
            }
            // A guard has one for each dimension at most: sums without an end are no guards.
            if remainders.len() > view.dims.len() {
                return None;
            }
            (value, constant) = (next, Some(other));
            alone &= ir.has_one_use(value);
        }
    }
}

/// Writes a body without the choices that sizes decide; `None` if there are none
pub fn settled(ir: &mut Ir, op: Compute) -> Option<()> {
    let body = ir.entry(op.body(ir))?;
    if !ir.block_ops(body).any(|op| ir.is(op, Select::DEF)) {
        return None;
    }
    let view = producer::plain(ir, op)?;
    let conditions = Conditions::of(ir, &view)?;
    let decided = |op: OpId| {
        let select = Select::cast(ir, op)?;
        let chosen = conditions.decided(select.condition(ir))?;
        Some((op, if chosen { select.true_value(ir) } else { select.false_value(ir) }))
    };
    let all: Vec<(OpId, Value)> = ir.block_ops(body).filter_map(decided).collect();
    if all.is_empty() {
        return None;
    }
    // From the last to the first: what one of them chooses may be another one.
    for (select, value) in all.into_iter().rev() {
        ir.replace_all_uses(ir.result(select, 0), value);
        ir.erase(select);
    }
    erase_dead(ir, body);
    Some(())
}

/// Erases what no other op of a body uses
pub fn erase_dead(ir: &mut Ir, body: BlockId) {
    let ops: Vec<OpId> = ir.block_ops(body).collect();
    for op in ops.into_iter().rev() {
        if ir.num_results(op) > 0 && is_dead(ir, op) {
            ir.erase(op);
        }
    }
}
