//! `ub`: poison values and places that are never reached.

use crate::check::any;
use crate::emit::{Emitter, Lowering};
use crate::raw::V;
use terrace_dialect_ub as ub;
use terrace_ir::OpId;
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { ub:
    Poison any, poison;
    Unreachable any, |e, _| e.ll.unreachable();
};

fn poison(e: &mut Emitter<'_>, op: OpId) {
    let form = e.form_of(e.ir.result(op, 0));
    let known = e.static_parts(&form);
    let types = e.part_types(&form);
    let parts: Vec<V> =
        known.into_iter().zip(types).map(|(known, ty)| known.unwrap_or_else(|| e.ll.poison(ty))).collect();
    e.set_result(op, 0, parts);
}
