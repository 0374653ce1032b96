//! Rules of structured ops: maps, sizes, bodies and yields fit together. Words are upstream's.

use super::{Form, Index, Yield};
use terrace_diag::Reported;
use terrace_ir::codes;
use terrace_ir::hooks::Verify;
use terrace_ir::show::type_text;
use terrace_ir::verify::VerifyCx;
use terrace_ir::{DYNAMIC, Effects, Ir, OpId, Type, TypeKind, Value};
use terrace_support::affine::AffineExpr;

/// Element of a tensor, a scalar itself
fn element(ir: &Ir, ty: Type) -> Type {
    ty.shape(ir.cx()).map_or(ty, |_| ty.scalar(ir.cx()))
}

fn in_memory(ir: &Ir, value: Value) -> bool {
    matches!(ir.ty(value).kind(ir.cx()), TypeKind::MemRef { .. })
}

/// On tensors nothing; in memory the inputs are read, and the outputs read and written
pub fn effects(ir: &Ir, op: OpId) -> Effects {
    match ir.operands(op).any(|value| in_memory(ir, value)) {
        true => Effects::READ.and(Effects::WRITE),
        false => Effects::NONE,
    }
}

pub fn verify(v: &VerifyCx<'_>, op: OpId) -> Result<(), Reported> {
    let ir = v.ir;
    let fail = |message: String| v.fail(op, &codes::OP_RULE, message);
    let form = match Form::of(ir, op) {
        Ok(form) => form,
        Err(why) => return v.fail(op, &codes::OP_RULE, why),
    };
    ranks_and_sizes(v, op, &form)?;
    let memory = ir.operands(op).filter(|value| in_memory(ir, *value)).count();
    let shaped = ir.operands(op).filter(|value| ir.ty(*value).shape(ir.cx()).is_some()).count();
    if memory > 0 && memory < shaped {
        return fail("expected to have pure tensor or buffer semantics".into());
    }
    // What it gives is what its outputs are.
    let results: Vec<Type> = ir.results(op).map(|value| ir.ty(value)).collect();
    let outs = form.outs().iter().map(|(value, _)| *value).filter(|value| !in_memory(ir, *value));
    let outs: Vec<Type> = outs.map(|value| ir.ty(value)).collect();
    if results.len() != outs.len() {
        return fail(format!(
            "expected the number of tensor results ({}) to be equal to the number of output tensors ({})",
            results.len(),
            outs.len()
        ));
    }
    for (result, out) in results.iter().zip(&outs) {
        if result != out {
            return fail(format!(
                "expected type of operand #{} ({}) to match type of corresponding result ({})",
                form.inputs,
                quoted(ir, *out),
                quoted(ir, *result)
            ));
        }
    }
    body(v, op, &form)
}

fn quoted(ir: &Ir, ty: Type) -> String {
    format!("'{}'", type_text(ir.cx(), ty))
}

fn ranks_and_sizes(v: &VerifyCx<'_>, op: OpId, form: &Form) -> Result<(), Reported> {
    let ir = v.ir;
    let fail = |message: String| v.fail(op, &codes::OP_RULE, message);
    for (n, (value, map)) in form.operands.iter().enumerate() {
        let rank = ir.ty(*value).shape(ir.cx()).map_or(0, <[i64]>::len);
        if rank != map.results.len() {
            return fail(format!(
                "expected operand rank ({rank}) to match the result rank of indexing_map #{n} ({})",
                map.results.len()
            ));
        }
    }
    let alone = |n: usize| {
        form.operands.iter().any(|(_, map)| map.results.iter().any(|e| *e == AffineExpr::Dim(n as u32)))
    };
    if (0..form.reduces.len()).any(|n| !alone(n)) {
        return fail("expected the shape-to-loops map to be non-null".into());
    }
    let sizes = form.extents(ir);
    if sizes.contains(&DYNAMIC) {
        return Ok(());
    }
    let last: Vec<i64> = sizes.iter().map(|size| size - 1).collect();
    let first = vec![0; sizes.len()];
    for (n, (value, map)) in form.operands.iter().enumerate() {
        let shape = ir.ty(*value).shape(ir.cx()).unwrap_or(&[]);
        for (at, (e, size)) in map.results.iter().zip(shape).enumerate() {
            if *size == DYNAMIC || sizes.contains(&0) {
                continue;
            }
            let (Some(a), Some(b)) = (e.eval(&first, &[]), e.eval(&last, &[])) else { continue };
            let (low, high) = (a.min(b), a.max(b));
            if low < 0 {
                return fail(format!(
                    "unexpected result less than 0 at expression #{at} in {}",
                    map_text(ir, map)
                ));
            }
            // A plain iterator is as large as the operand; sums must stay inside.
            let exact = matches!(e, AffineExpr::Dim(_)) && high + 1 != *size;
            if exact || high >= *size {
                let what = if exact { "" } else { "greater than or equal to " };
                return fail(format!(
                    "inferred input/output operand #{n} has shape's dimension #{at} to be {what}{}, but found {size}",
                    high + 1
                ));
            }
        }
    }
    Ok(())
}

fn map_text(ir: &Ir, map: &terrace_support::affine::AffineMap) -> String {
    terrace_ir::show::attr_text(ir.cx(), ir.cx().map_attr(map.clone()))
}

fn body(v: &VerifyCx<'_>, op: OpId, form: &Form) -> Result<(), Reported> {
    let ir = v.ir;
    let fail = |message: String| v.fail(op, &codes::OP_RULE, message);
    let Some(entry) = ir.entry(ir.region(op, 0)) else { return Ok(()) };
    let args = ir.block_args(entry);
    if args.len() != form.operands.len() {
        return fail(
            "expected as many non-induction variable region arguments as the number of input/output operands"
                .into(),
        );
    }
    for (n, (arg, (value, _))) in args.iter().zip(&form.operands).enumerate() {
        let (is, wanted) = (ir.ty(*arg), element(ir, ir.ty(*value)));
        if is != wanted {
            return fail(format!(
                "expected type of bb argument #{n} ({}) to match element or self type of the corresponding operand ({})",
                quoted(ir, is),
                quoted(ir, wanted)
            ));
        }
    }
    let Some(end) = ir.last_op(entry).and_then(|op| Yield::cast(ir, op)) else {
        return fail("expected a body that ends in 'linalg.yield'".into());
    };
    let (values, outs) = (end.values(ir), form.outs());
    if values.len() != outs.len() {
        let message = format!(
            "expected number of yield values ({}) to match the number of inits / outs operands of the enclosing LinalgOp ({})",
            values.len(),
            outs.len()
        );
        return v.fail(end.0, &codes::OP_RULE, message);
    }
    for (n, (value, (out, _))) in values.iter().zip(outs).enumerate() {
        let (is, wanted) = (ir.ty(*value), element(ir, ir.ty(*out)));
        if is != wanted {
            let message = format!(
                "type of yield operand {} ({}) doesn't match the element type of the enclosing {} op ({})",
                n + 1,
                quoted(ir, is),
                ir.op_name(op),
                quoted(ir, wanted)
            );
            return v.fail(end.0, &codes::OP_RULE, message);
        }
    }
    Ok(())
}

impl Verify for Index {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let form = ir
            .parent(self.0)
            .and_then(|op| super::form::is_structured(ir.def(op)).then(|| Form::of(ir, op).ok()).flatten());
        let Some(form) = form else {
            return v.fail(self.0, &codes::OP_RULE, "expected parent op with LinalgOp interface");
        };
        let loops = form.reduces.len();
        match self.dim(ir).as_i64(ir.cx()) {
            Some(dim) if dim >= 0 && (dim as usize) < loops => Ok(()),
            Some(dim) => {
                let message = format!(
                    "expected dim ({dim}) to be lower than the number of loops ({loops}) of the enclosing LinalgOp"
                );
                v.fail(self.0, &codes::OP_RULE, message)
            }
            None => Ok(()),
        }
    }
}
