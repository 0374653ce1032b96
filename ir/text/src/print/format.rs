//! Interprets assembly formats with upstream's rules for spaces.
//!
//! Those rules are static: whether a blank precedes a piece depends on the pieces before it in the format, also on those
//! of an optional group that is not printed. So absent groups are walked too, without output.
//!
//! Source: the format printer of MLIR 22's `OpFormatGen`.

use super::op::OpPrinter;
use terrace_ir::asm::{Anchor, Asm};
use terrace_ir::{Attr, AttrForm, AttrKind, OpDef, OpId, Value};

#[derive(Clone, Copy)]
struct Spacing {
    space: bool,
    punct: bool,
}

/// Print what follows the mnemonic
pub(super) fn print(p: &mut OpPrinter<'_>, def: &'static OpDef) {
    let mut state = Spacing { space: true, punct: false };
    pieces(p, def, def.asm, &mut state, true, None);
}

fn pieces(
    p: &mut OpPrinter<'_>,
    def: &'static OpDef,
    list: &'static [Asm],
    state: &mut Spacing,
    on: bool,
    anchor: Option<Anchor>,
) {
    for item in list {
        piece(p, def, item, state, on, anchor);
    }
}

fn piece(
    p: &mut OpPrinter<'_>,
    def: &'static OpDef,
    item: &'static Asm,
    state: &mut Spacing,
    on: bool,
    anchor: Option<Anchor>,
) {
    let op = p.op;
    match item {
        Asm::Lit(text) => return literal(p, text, state, on),
        Asm::Space(text) => {
            if on {
                if text.contains('\n') { p.newline() } else { p.text(text) }
            }
            (state.space, state.punct) = (false, !text.starts_with(' '));
            return;
        }
        Asm::Optional { anchor, then, otherwise } => {
            let present = on && is_present(p, def, *anchor);
            pieces(p, def, then, state, present, Some(*anchor));
            return pieces(p, def, otherwise, state, on && !present, None);
        }
        Asm::AttrDict | Asm::AttrDictWithKeyword => {
            if on {
                let open = if matches!(item, Asm::AttrDict) { " {" } else { " attributes {" };
                let shown = p.info(op).shown;
                p.dict_of(&[], shown, open);
            }
            state.punct = false;
            return;
        }
        // A unit attribute that decides about its group is said by the group.
        Asm::Attr(n)
            if anchor == Some(Anchor::Attr(*n))
                && matches!(def.attrs[*n as usize].attr.form, AttrForm::Unit) =>
        {
            return;
        }
        _ => {}
    }
    let blank = state.space || !state.punct;
    *state = Spacing { space: true, punct: false };
    if !on {
        return;
    }
    if blank {
        p.text(" ");
    }
    variable(p, def, item, op);
}

fn variable(p: &mut OpPrinter<'_>, def: &'static OpDef, item: &'static Asm, op: OpId) {
    let ir = p.ir;
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
        Asm::OperandTypes => p.types(ir.operands(op).map(|value: Value| ir.ty(value))),
        Asm::ResultType(n) => {
            let range = ir.result_range(op, *n as usize);
            p.types(range.map(|n| ir.ty(ir.result(op, n))));
        }
        Asm::ResultTypes => p.result_types(),
        Asm::FunctionalType => p.functional_type(),
        Asm::Attr(n) => {
            let slot = *n as usize;
            if let Some(attr) = ir.slot_or_default(op, slot) {
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

fn literal(p: &mut OpPrinter<'_>, text: &str, state: &mut Spacing, on: bool) {
    let first = text.chars().next().unwrap_or(' ');
    let tight = if state.punct { ">)}]," } else { "<>(){}[]," };
    let before = (text.len() != 1 && text != "->") || !tight.contains(first);
    if on {
        if state.space && before {
            p.text(" ");
        }
        p.text(text);
    }
    state.space = text.len() != 1 || !"<({[".contains(first);
    state.punct = first != '_' && !first.is_ascii_alphabetic();
}

fn is_present(p: &OpPrinter<'_>, def: &'static OpDef, anchor: Anchor) -> bool {
    let (ir, op) = (p.ir, p.op);
    match anchor {
        Anchor::Operand(n) => !ir.operand_range(op, n as usize).is_empty(),
        Anchor::Result(n) => !ir.result_range(op, n as usize).is_empty(),
        Anchor::Attr(n) => {
            let default = def.attrs[n as usize].default.map(|make| make(ir.cx()));
            ir.slot(op, n as usize).is_some_and(|attr| Some(attr) != default)
        }
        Anchor::Region(n) => {
            (n as usize) < ir.num_regions(op) && ir.entry(ir.region(op, n as usize)).is_some()
        }
        Anchor::Successor(n) => ir.num_successors(op) > n as usize,
    }
}

/// An attribute in the form that its place in the format gives it
fn attribute(p: &mut OpPrinter<'_>, attr: Attr, form: AttrForm) {
    let cx = p.cx();
    match (form, cx.attr_kind(attr)) {
        (AttrForm::Bare(_), _) => p.attr_value(attr),
        (AttrForm::Enum(def), AttrKind::Enum { value, .. }) => {
            if def.flags {
                p.text("<");
            }
            p.text(&def.text(*value));
            if def.flags {
                p.text(">");
            }
        }
        (AttrForm::IntEnum(def, _), AttrKind::Int { value, .. }) => {
            match u64::try_from(*value).ok().filter(|value| def.flags || def.name_of(*value).is_some()) {
                Some(value) => p.text(&def.text(value)),
                None => p.attr(attr),
            }
        }
        (AttrForm::SymbolName, AttrKind::Str { text, .. }) => p.symbol(*text),
        (AttrForm::Stripped(def), AttrKind::Dialect { def: other, params }) if def == *other => {
            match def.interfaces.iter().find_map(|entry| entry.get::<terrace_ir::show::CustomText>()) {
                Some(custom) => (custom.print)(&mut p.w, params),
                None => p.w.params(params),
            }
        }
        _ => p.attr(attr),
    }
}
