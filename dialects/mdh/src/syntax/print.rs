//! Printing a computation.

use super::expr;
use crate::compute::Compute;
use crate::operator::{Accumulator, COMPENSATED, Operator};
use crate::view::{CombineKind, Condition, Order, Other, View};
use terrace_ir::show::value_of_bits;
use terrace_ir::{Attr, AttrKind, TypeKind, Value};
use terrace_support::affine::{AffineExpr, AffineMap};
use terrace_text::OpPrinter;

/// Everything behind the mnemonic; of an op whose properties do not fit, nothing
pub fn compute(op: Compute, p: &mut OpPrinter<'_>) {
    let ir = p.ir();
    let Ok(view) = View::read(ir, op) else { return };
    if let Some(name) = &view.name {
        p.text(" ");
        p.string(name);
    }
    let names = view.names();
    p.text(" (");
    for (n, dim) in view.dims.iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        p.text(&dim.name);
        p.text(" in ");
        p.int(dim.size.into());
        kind(p, &dim.kind);
    }
    p.text(")");
    let extents = extents(p, &view);
    for (n, condition) in view.conditions.iter().enumerate() {
        p.text(if n > 0 { ", " } else { " where " });
        p.text(&condition_text(condition, &names, &extents));
    }
    inputs(p, op, &view, &names);
    p.text(") outs(");
    for (n, out) in view.outputs.iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        for (m, map) in out.maps.iter().enumerate() {
            p.text(if m > 0 { " | " } else { "" });
            indices(p, map, &names);
        }
        if let Some((value, own)) = &out.init {
            p.text(" into ");
            p.operand(*value);
            if let Some(own) = own {
                indices(p, own, &names);
            }
        }
    }
    p.text(")");
    p.attr_dict_with_keyword(&[
        "name",
        "sizes",
        "combine",
        "maps",
        "outs",
        "intos",
        "elses",
        "guards",
        "where",
        "most",
        "dim_names",
    ]);
    p.text(" ");
    p.region(op.body(ir), false, true);
    p.text(" : ");
    p.functional_type();
}

fn inputs(p: &mut OpPrinter<'_>, op: Compute, view: &View, names: &[String]) {
    let ir = p.ir();
    let entry = ir.entry(op.body(ir));
    let args: Vec<Value> = entry.map_or(Vec::new(), |entry| ir.block_args(entry).to_vec());
    p.text(" ins(");
    for (n, (input, arg)) in view.inputs.iter().zip(args).enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        p.operand(arg);
        p.text(" = ");
        p.operand(input.value);
        if let Some(map) = &input.map {
            indices(p, map, names);
        }
        match input.other {
            None => {}
            Some(Other::Constant(attr)) => {
                p.text(" else ");
                constant(p, attr);
            }
            Some(Other::Value(value)) => {
                p.text(" else ");
                p.operand(value);
            }
        }
        if let Some(guard) = &input.guard {
            p.text(" if ");
            p.text(&expr::text(guard, names));
            p.text(" = 0");
        }
    }
}

fn kind(p: &mut OpPrinter<'_>, kind: &CombineKind) {
    let (word, ops, order) = match kind {
        CombineKind::Cc => return,
        CombineKind::Pw(ops, order) => (" pw ", ops, *order),
        CombineKind::Ps(ops) => (" ps ", ops, Order::Fixed),
    };
    p.text(word);
    p.text(if ops.len() > 1 { "(" } else { "" });
    for (n, op) in ops.iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        match op {
            Operator::Builtin(op) => p.text(&op.to_string()),
            Operator::Func(name) => p.symbol(*name),
            Operator::Accumulated(Accumulator { builtin, ty, compensated }) => {
                p.text(&builtin.to_string());
                if let Some(ty) = ty {
                    p.text(" acc ");
                    p.ty(*ty);
                }
                if *compensated {
                    p.text(" ");
                    p.text(COMPENSATED);
                }
            }
        }
    }
    p.text(if ops.len() > 1 { ")" } else { "" });
    if order != Order::Fixed {
        p.text(" ");
        p.text(&order.to_string());
    }
}

/// Numbers that are known at run time, and what they are called
fn extents(p: &mut OpPrinter<'_>, view: &View) -> Vec<String> {
    for (n, extent) in view.extents.iter().enumerate() {
        p.text(if n > 0 { ", " } else { " extents(" });
        p.operand(extent.value);
        p.text(" <= ");
        p.int(extent.most.into());
    }
    p.text(if view.extents.is_empty() { "" } else { ")" });
    view.extents.iter().map(|extent| p.name_of(extent.value)).collect()
}

fn condition_text(condition: &Condition, names: &[String], extents: &[String]) -> String {
    let text = |e: &AffineExpr| expr::text_over(e, names, extents);
    let Condition { low, expr, high } = condition;
    match low {
        Some(low) if AffineExpr::add(low.clone(), 1.into()) == *high => {
            format!("{} = {}", text(expr), text(low))
        }
        Some(low) => format!("{} <= {} < {}", text(low), text(expr), text(high)),
        None => format!("{} < {}", text(expr), text(high)),
    }
}

fn indices(p: &mut OpPrinter<'_>, map: &AffineMap, names: &[String]) {
    p.text("[");
    for (n, e) in map.results.iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        p.text(&expr::text(e, names));
    }
    p.text("]");
}

/// Without its type where reading gives the same again
fn constant(p: &mut OpPrinter<'_>, attr: Attr) {
    let cx = p.cx();
    let plain = match attr.kind(cx) {
        AttrKind::Float { bits, ty } => match ty.kind(cx) {
            TypeKind::Float(kind) => value_of_bits(*bits, *kind).is_some_and(f64::is_finite),
            _ => false,
        },
        AttrKind::Int { ty, .. } => *ty != cx.common().i1,
        _ => false,
    };
    if plain { p.attr_value(attr) } else { p.attr(attr) }
}
