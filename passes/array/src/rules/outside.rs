//! Elements that are in no program: how arrays get them, and which functions may get them.

use crate::site::{Fun, Site};
use terrace_analysis::nat::Nat;
use terrace_dialect_array::{self as array, Pad, layout};
use terrace_ir::{Ir, OpId, Value};
use terrace_rewrite::Miss;

/// May it trap on elements that do not exist?
pub fn may_trap(ir: &Ir, op: OpId) -> bool {
    let name = ir.op_name(op);
    let arith = ["div", "rem", "shl", "shr"].iter().any(|part| name.contains(part));
    let data = layout::of(ir, op).is_some_and(|view| view.may_trap());
    arith || data || name.starts_with("func.") || name.starts_with("cf.") || name.starts_with("memref.")
}

/// The function traps on no element
pub(crate) fn total(s: &mut Site<'_, '_>, f: Fun) -> Result<(), Miss> {
    let trapping = s.ir().walk_below(f.op).find(|op| may_trap(s.ir(), *op));
    let text = trapping.map_or(String::new(), |op| format!("{} may trap", s.ir().op_name(op)));
    s.require("total", trapping.is_none(), |_| text)
}

/// The array with `r` more elements: of a padding by a value more of that, else the last again
pub(crate) fn extended(s: &mut Site<'_, '_>, x: Value, r: &Nat) -> Result<Value, Miss> {
    let pad = s.ir().defining_op(x).filter(|op| s.ir().is(*op, array::Pad::DEF));
    let by_value = |s: &Site<'_, '_>, pad: &OpId| s.ir().num_operands(*pad) == 2;
    let zero = s.nat_attr(&Nat::from(0));
    if let Some(pad) = pad.filter(|pad| by_value(s, pad)) {
        let high = s.nat(pad, "high")?;
        let high = s.size(high.plus(r))?;
        let (inner, value) = (array::Pad(pad).x(s.ir()), s.ir().operand(pad, 1));
        let (low, mode) = (s.ir().attr(pad, "low"), s.ir().attr(pad, "mode"));
        let high = s.nat_attr(&high);
        return s.view(Pad::DEF, &[inner, value], &[("low", low), ("high", Some(high)), ("mode", mode)]);
    }
    let size = s.len(x)?;
    s.at_most("elements", &Nat::from(1), &size)?;
    let (high, mode) = (s.nat_attr(r), s.cx().str_attr("clamp"));
    s.view(Pad::DEF, &[x], &[("low", Some(zero)), ("high", Some(high)), ("mode", Some(mode))])
}
