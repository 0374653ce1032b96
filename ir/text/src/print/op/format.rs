//! Prints an op by its assembly format, which `steps` has made ready.

use super::OpPrinter;
use crate::print::kinds::KindInfo;
use crate::print::steps::Step;
use terrace_ir::asm::{Anchor, Asm};
use terrace_ir::defs::TypeDef;
use terrace_ir::{Attr, AttrForm, AttrKind, OpId, Type, TypeKind, Value};

/// Print what follows the mnemonic
pub(super) fn print(p: &mut OpPrinter<'_>, info: &KindInfo) {
    run(p, info, &info.format);
}

fn run(p: &mut OpPrinter<'_>, info: &KindInfo, steps: &[Step]) {
    let (ir, op) = (p.ir, p.op);
    for step in steps {
        match step {
            Step::Text(text) => p.text(text),
            Step::OperandAt(n) if *n < ir.num_operands(op) => p.operand(ir.operand(op, *n)),
            Step::OperandTypeAt(n) if *n < ir.num_operands(op) => p.ty(ir.ty(ir.operand(op, *n))),
            Step::ResultTypeAt(n) if *n < ir.num_results(op) => p.ty(ir.ty(ir.result(op, *n))),
            Step::OperandAt(_) | Step::OperandTypeAt(_) | Step::ResultTypeAt(_) => {}
            Step::Newline => p.newline(),
            Step::Dict(open) => p.dict_of(&[], info.shown, open),
            Step::Group { anchor, then, otherwise } => {
                let present = is_present(p, info, *anchor);
                run(p, info, if present { then } else { otherwise });
            }
            Step::Var(item) => variable(p, info, item, op),
        }
    }
}

fn variable(p: &mut OpPrinter<'_>, info: &KindInfo, item: &'static Asm, op: OpId) {
    let (ir, def) = (p.ir, info.def);
    match item {
        Asm::Operand(n) => {
            let range = ir.operand_range(op, *n as usize);
            p.operands(range.map(|n| ir.operand(op, n)));
        }
        Asm::Operands => p.operands(ir.operands(op)),
        Asm::OperandType(n) => {
            let range = ir.operand_range(op, *n as usize);
            p.types(range.map(|n| ir.ty(ir.operand(op, n))));
        }
        Asm::OperandParams(n, def) => {
            let range = ir.operand_range(op, *n as usize);
            range.for_each(|n| type_of_def(p, ir.ty(ir.operand(op, n)), def));
        }
        Asm::ResultParams(n, def) => {
            let range = ir.result_range(op, *n as usize);
            range.for_each(|n| type_of_def(p, ir.ty(ir.result(op, n)), def));
        }
        Asm::OperandTypes => p.types(ir.operands(op).map(|value: Value| ir.ty(value))),
        Asm::ResultType(n) => {
            let range = ir.result_range(op, *n as usize);
            p.types(range.map(|n| ir.ty(ir.result(op, n))));
        }
        Asm::ResultTypes => p.result_types(),
        Asm::FunctionalType => p.functional_type(),
        Asm::Attr(n) => {
            let slot = *n as usize;
            if let Some(attr) = ir.slot(op, slot).or(info.defaults[slot]) {
                attribute(p, attr, def.attrs[slot].attr.form);
            }
        }
        Asm::Region(n) => {
            let n = *n as usize;
            let variadic = def.regions.get(n).is_some_and(|spec| spec.variadic);
            let end = if variadic { ir.num_regions(op) } else { (n + 1).min(ir.num_regions(op)) };
            for (index, region) in (n..end).map(|n| ir.region(op, n)).enumerate() {
                if index > 0 {
                    p.text(", ");
                }
                let terminator = ir.entry(region).and_then(|entry| ir.last_op(entry));
                let implied = def.implicit_terminator.is_some_and(|name| {
                    terminator.is_some_and(|op| {
                        ir.op_name(op) == name
                            && ir.num_operands(op) == 0
                            && ir.num_results(op) == 0
                            && ir.dict(op).is_none()
                            && (0..ir.def(op).attrs.len()).all(|slot| ir.slot(op, slot).is_none())
                    })
                });
                p.region(region, true, !implied);
            }
        }
        Asm::Successor(n) => {
            let n = *n as usize;
            let variadic = def.successors.get(n).is_some_and(|spec| spec.variadic);
            let count = if variadic { usize::MAX } else { 1 };
            for (index, block) in ir.successors(op).skip(n).take(count).enumerate() {
                if index > 0 {
                    p.text(", ");
                }
                p.successor(block);
            }
        }
        Asm::Lit(_) | Asm::Space(_) | Asm::Optional { .. } | Asm::AttrDict | Asm::AttrDictWithKeyword => {}
    }
}

fn is_present(p: &OpPrinter<'_>, info: &KindInfo, anchor: Anchor) -> bool {
    let (ir, op) = (p.ir, p.op);
    match anchor {
        Anchor::Operand(n) => !ir.operand_range(op, n as usize).is_empty(),
        Anchor::Result(n) => !ir.result_range(op, n as usize).is_empty(),
        Anchor::Attr(n) => {
            ir.slot(op, n as usize).is_some_and(|attr| Some(attr) != info.defaults[n as usize])
        }
        Anchor::Region(n) => {
            (n as usize) < ir.num_regions(op) && ir.entry(ir.region(op, n as usize)).is_some()
        }
        Anchor::Successor(n) => ir.num_successors(op) > n as usize,
    }
}

/// A type without its name, if it is one of this definition
fn type_of_def(p: &mut OpPrinter<'_>, ty: Type, def: &'static TypeDef) {
    let cx = p.cx();
    match cx.type_kind(ty) {
        TypeKind::Dialect { def: other, params } if *other == def && !params.is_empty() => {
            p.w.params_of(def.interfaces, def.params, params);
        }
        _ => p.ty(ty),
    }
}

/// An attribute in the form that its place in the format gives it
fn attribute(p: &mut OpPrinter<'_>, attr: Attr, form: AttrForm) {
    let cx = p.cx();
    match (form, cx.attr_kind(attr)) {
        (AttrForm::Bare(_) | AttrForm::List(_), _) => p.attr_value(attr),
        (AttrForm::Enum(def), AttrKind::Enum { value, .. }) => {
            p.text(&def.text(*value));
        }
        (AttrForm::IntEnum(def, _), AttrKind::Int { value, .. }) => {
            match u64::try_from(*value).ok().filter(|value| def.flags || def.name_of(*value).is_some()) {
                Some(value) => p.text(&def.text(value)),
                None => p.attr(attr),
            }
        }
        (AttrForm::SymbolName, AttrKind::Str { text, .. }) => p.symbol(*text),
        (AttrForm::Stripped(def), AttrKind::Dialect { def: other, params }) if def == *other => {
            p.w.params_of(def.interfaces, def.params, params);
        }
        _ => p.attr(attr),
    }
}
