//! Each op of tier 1 is refused in each way that its table refuses it: an operand, a result or a property of its example
//! that is not what the table wants. No op's verifier panics at that. What its own rules refuse is in `test-files/dialects`.

use crate::common;

use common::{definition, example, tier1};
use terrace_diag::Diags;
use terrace_ir::attrs::Attr;
use terrace_ir::verify::verify;
use terrace_ir::{Context, FloatKind, Ir, OpDef, OpId, Type, TypeKind, Value};
use terrace_text::ParseOptions;

/// The first op of a definition, with the child ops on the way to its unit
fn find(ir: &Ir, def: &'static OpDef) -> Option<(Vec<OpId>, OpId)> {
    let mut pending: Vec<(Vec<OpId>, &Ir)> = vec![(Vec::new(), ir)];
    while let Some((path, unit)) = pending.pop() {
        for op in std::iter::once(unit.root()).chain(unit.walk()) {
            if unit.is(op, def) {
                return Some((path, op));
            }
            if let Some(child) = unit.child(op) {
                let mut path = path.clone();
                path.push(op);
                pending.push((path, child));
            }
        }
    }
    None
}

fn unit_at<'a>(ir: &'a mut Ir, path: &[OpId]) -> &'a mut Ir {
    path.iter().fold(ir, |unit, slot| unit.child_mut(*slot).expect("it was there"))
}

/// Types of every kind
fn types(cx: &Context) -> Vec<Type> {
    let (i7, f32) = (cx.int(7), cx.common().f32);
    let common = cx.common();
    vec![
        i7,
        common.i1,
        common.i32,
        common.index,
        f32,
        cx.ty(TypeKind::Float(FloatKind::F80)),
        cx.vector(&[3], i7),
        cx.vector(&[3, 5], f32),
        cx.memref(&[3], i7),
        cx.memref(&[3, 5, 7], f32),
        cx.tensor(&[3], f32),
        cx.function(&[], &[]),
        common.none,
    ]
}

/// The message for an example after a change
fn said(cx: &std::sync::Arc<Context>, name: &str, change: impl FnOnce(&mut Ir, OpId)) -> Vec<String> {
    let source = cx.sources().add(name, example(name));
    let mut diags = Diags::default();
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let parsed = terrace_opt::language::read(cx, source, None, &[], &options, &mut diags);
    let shown = terrace_diag::render_all(diags.iter(), cx.sources(), false);
    let mut ir = parsed.unwrap_or_else(|| panic!("{name}: {shown}"));
    let (path, op) = find(&ir, definition(name)).expect("an example shows its op");
    change(unit_at(&mut ir, &path), op);
    verify(&ir, 1).iter().map(|diagnostic| diagnostic.message.clone()).collect()
}

#[test]
fn operands_results_and_properties() {
    let cx = Context::new(&terrace_opt::all_dialects());
    let (mut missing, mut count) = (Vec::new(), 0);
    let first = tier1();
    // All others too, which must not make the verifier panic.
    for name in
        terrace_opt::all_dialects().iter().flat_map(|dialect| dialect.ops).map(|op| op.name.to_string())
    {
        let def = definition(&name);
        let wanted_of = first.contains(&name);
        let mut fields: Vec<(bool, usize)> = Vec::new();
        fields.extend((0..def.operands.len()).map(|n| (true, n)));
        fields.extend((0..def.results.len()).map(|n| (false, n)));
        for (operand, n) in fields {
            let (spec, what) =
                if operand { (&def.operands[n], "operand") } else { (&def.results[n], "result") };
            let Some(wrong) = types(&cx).into_iter().find(|ty| !(spec.ty.test)(&cx, *ty)) else { continue };
            let mut changed = false;
            let messages = said(&cx, &name, |ir, op| {
                let range = if operand { ir.operand_range(op, n) } else { ir.result_range(op, n) };
                let value: Option<Value> =
                    range.clone().next().map(|n| if operand { ir.operand(op, n) } else { ir.result(op, n) });
                if let Some(value) = value {
                    ir.set_type(value, wrong);
                    changed = true;
                }
            });
            let wanted = format!("'{name}' op {what} #");
            count += usize::from(changed && wanted_of);
            // An example without the optional operand shows nothing of it.
            if changed && wanted_of && !messages.iter().any(|message| message.contains(&wanted)) {
                missing.push(format!("{name}: {what} `{}` may be anything: {messages:?}", spec.name));
            }
        }
        for (n, spec) in def.attrs.iter().enumerate() {
            let unit: Attr = cx.common().unit;
            let candidates = [unit, cx.str_attr("no such thing"), cx.int_attr(-1, cx.int(7))];
            let wrong = candidates.into_iter().find(|attr| !(spec.attr.test)(&cx, *attr));
            let wrongs =
                wrong.map(Some).into_iter().chain((!spec.optional && spec.default.is_none()).then_some(None));
            for wrong in wrongs {
                let messages = said(&cx, &name, |ir, op| ir.set_slot(op, n, wrong));
                count += usize::from(wanted_of);
                let found =
                    messages.iter().any(|message| message.contains(spec.name) && message.contains(&*name));
                if wanted_of && !found {
                    let how = if wrong.is_some() { "may be anything" } else { "may be left out" };
                    missing.push(format!("{name}: property `{}` {how}: {messages:?}", spec.name));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{} of {count}\n{}", missing.len(), missing.join("\n"));
    assert!(count > 500, "only {count} refusals");
}
