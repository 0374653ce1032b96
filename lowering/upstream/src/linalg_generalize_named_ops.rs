//! Ops of `linalg` with a name as `linalg.generic`: their maps and iterators written out, their body as it is.

use terrace_diag::Reported;
use terrace_dialect_linalg::form::is_structured;
use terrace_dialect_linalg::{Form, Generic, IteratorType};
use terrace_ir::{Attr, Builder, Ir, NewOp, OpId, Type, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Named ops of `linalg` become `linalg.generic`
///
/// ```mlir
/// %r = linalg.vecmat ins(%a, %b : tensor<6xf32>, tensor<6x4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
/// ```
/// gets the maps `(d0, d1) -> (d1)`, `(d1, d0)`, `(d0)` and the iterators parallel, reduction.
#[pass("linalg-generalize-named-ops", stats("ops written out"))]
pub struct LinalgGeneralizeNamedOps;

impl Pass for LinalgGeneralizeNamedOps {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let found: Vec<OpId> = unit.walk().filter(|op| is_named(unit, *op)).collect();
        let mut count = 0;
        for op in found {
            // Verified ops have a form.
            if let Ok(form) = Form::of(unit, op) {
                write_out(unit, op, &form);
                count += 1;
            }
        }
        cx.count("ops written out", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

fn is_named(ir: &Ir, op: OpId) -> bool {
    !ir.is(op, Generic::DEF) && is_structured(ir.def(op))
}

fn write_out(ir: &mut Ir, op: OpId, form: &Form) {
    let cx = ir.cx();
    let maps: Vec<Attr> = form.operands.iter().map(|(_, map)| cx.map_attr(map.clone())).collect();
    let iterators: Vec<Attr> =
        form.reduces.iter().map(|reduces| IteratorType::of_reduction(*reduces).attr(cx)).collect();
    let (maps, iterators) = (cx.array_attr(&maps), cx.array_attr(&iterators));
    let operands: Vec<Value> = form.operands.iter().map(|(value, _)| *value).collect();
    let results: Vec<Type> = ir.results(op).map(|value| ir.ty(value)).collect();
    let segments = [form.inputs as u32, (operands.len() - form.inputs) as u32];
    let slots: Vec<Option<Attr>> = Generic::DEF
        .attrs
        .iter()
        .map(|spec| match spec.name {
            "indexing_maps" => Some(maps),
            "iterator_types" => Some(iterators),
            _ => None,
        })
        .collect();
    let loc = ir.loc(op);
    let mut b = Builder::before(ir, op);
    b.set_loc(loc);
    let kind = b.kind(Generic::DEF);
    let new = NewOp {
        operands: &operands,
        segments: &segments,
        results: &results,
        slots: &slots,
        regions: 1,
        ..NewOp::new(kind)
    };
    let made = b.insert(&new);
    let (from, to) = (ir.region(op, 0), ir.region(made, 0));
    ir.move_blocks(from, to);
    for n in 0..results.len() {
        let (old, new) = (ir.result(op, n), ir.result(made, n));
        ir.copy_value_name(old, new);
        ir.replace_all_uses(old, new);
    }
    ir.erase(op);
}
