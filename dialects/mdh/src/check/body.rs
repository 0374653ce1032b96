//! M-BODY: a pure function of scalars, without loops.

use super::Check;
use crate::codes;
use crate::compute::{Index, Yield};
use crate::operator::Operator;
use terrace_diag::Reported;
use terrace_ir::{Effects, Traits, Type};

pub fn check(c: &Check<'_>) -> Result<(), Reported> {
    let (ir, cx) = (c.v.ir, c.v.ir.cx());
    let Some(entry) = ir.entry(c.op.body(ir)) else {
        return c.fail(&codes::BODY, "M-BODY: the body is empty".into());
    };
    let args = ir.block_args(entry);
    if args.len() != c.view.inputs.len() {
        let message =
            format!("M-BODY: {} inputs, but the body has {} arguments", c.view.inputs.len(), args.len());
        return c.fail(&codes::BODY, message);
    }
    for (input, arg) in c.view.inputs.iter().zip(args) {
        let ty = ir.ty(input.value);
        let wanted = if input.map.is_some() { ty.scalar(cx) } else { ty };
        if ir.ty(*arg) != wanted {
            let message = format!(
                "M-BODY: the body's argument for {} is {}, but an element is {}",
                c.name(input.value, "an input"),
                c.v.show(ir.ty(*arg)),
                c.v.show(wanted)
            );
            return c.fail(&codes::BODY, message);
        }
    }
    for inner in ir.walk_below(c.op.0).collect::<Vec<_>>() {
        let traits = |traits| ir.has(inner, traits);
        let pure = traits(Traits::Pure) || traits(Traits::NoEffect) || traits(Traits::RecursiveEffects);
        let pure = pure || ir.effects(inner) == Effects::NONE && traits(Traits::Terminator);
        let why = if traits(Traits::LoopLike) || ir.op_name(inner) == "mdh.compute" {
            "is a loop; give it a dimension instead"
        } else if !pure {
            "has effects; the body only computes"
        } else {
            continue;
        };
        let message = format!("M-BODY: {why}");
        return c.v.fail(inner, &codes::BODY, message);
    }
    let rank = c.view.dims.len() as i64;
    for op in ir.block_ops(entry) {
        if let Some(index) = Index::cast(ir, op)
            && !index.dim(ir).as_i64(cx).is_some_and(|dim| (0..rank).contains(&dim))
        {
            return c.v.fail(
                op,
                &codes::BODY,
                format!("M-BODY: there are {rank} dimensions, counted from 0"),
            );
        }
    }
    let Some(last) = ir.last_op(entry).and_then(|op| Yield::cast(ir, op)) else {
        return c.fail(&codes::BODY, "M-BODY: the body must end with mdh.yield".into());
    };
    let found: Vec<Type> = last.values(ir).iter().map(|value| ir.ty(*value)).collect();
    let wanted: Vec<Type> = c
        .view
        .outputs
        .iter()
        .enumerate()
        .flat_map(|(n, out)| std::iter::repeat_n(ir.ty(ir.result(c.op.0, n)).scalar(cx), out.maps.len()))
        .collect();
    if !takes(c, &found, &wanted) {
        let list = |types: &[Type]| types.iter().map(|ty| c.v.show(*ty)).collect::<Vec<_>>().join(", ");
        let message =
            format!("M-BODY: yields ({}), but the outputs' accesses take ({})", list(&found), list(&wanted));
        return c.v.fail(last.0, &codes::BODY, message);
    }
    Ok(())
}

/// Do the outputs' accesses take what the body yields? Terms of an accumulator may be of another type of its kind
fn takes(c: &Check<'_>, found: &[Type], wanted: &[Type]) -> bool {
    let cx = c.v.ir.cx();
    let groups = c.view.groups().unwrap_or_default();
    let own = groups.iter().flat_map(|group| {
        let accesses = c.view.outputs[group.first..group.first + group.len].iter().map(|out| out.maps.len());
        std::iter::repeat_n(matches!(group.operator, Operator::Accumulated(_)), accesses.sum())
    });
    let mut own = own.chain(std::iter::repeat(false));
    let kind = |ty: Type| (ty.is_float(cx), ty.is_signless_int(cx));
    let fits = |(found, wanted): (&Type, &Type)| {
        let accumulated = own.next() == Some(true);
        found == wanted || accumulated && kind(*found) == kind(*wanted)
    };
    found.len() == wanted.len() && found.iter().zip(wanted).all(fits)
}
