//! Interprets assembly formats with upstream's rules for spaces.
//!
//! Those rules are static: whether a blank precedes a piece depends on the pieces before it in the format, also on those
//! of an optional group that is not printed. So a format is made into text and values once per printing.
//!
//! Source: the format printer of MLIR 22's `OpFormatGen`.

use super::kinds::KindInfo;
use super::op::OpPrinter;
use terrace_ir::asm::{Anchor, Asm};
use terrace_ir::defs::ValueSpec;
use terrace_ir::{Arity, Attr, AttrForm, AttrKind, OpDef, OpId, Value};

/// A format made ready: blanks decided, neighbouring text joined
pub(super) enum Step {
    Text(String),
    Newline,
    /// The dictionary with its opening
    Dict(&'static str),
    Group {
        anchor: Anchor,
        then: Box<[Step]>,
        otherwise: Box<[Step]>,
    },
    /// The n-th operand, of an op whose operand fields are single
    OperandAt(usize),
    /// Its type
    OperandTypeAt(usize),
    /// Type of the n-th result, likewise
    ResultTypeAt(usize),
    Var(&'static Asm),
}

#[derive(Clone, Copy)]
struct Spacing {
    space: bool,
    punct: bool,
}

/// Make a format ready
pub(super) fn compile(def: &'static OpDef) -> Box<[Step]> {
    let mut state = Spacing { space: true, punct: false };
    compile_list(def, def.asm, &mut state, None)
}

fn compile_list(
    def: &'static OpDef,
    list: &'static [Asm],
    state: &mut Spacing,
    anchor: Option<Anchor>,
) -> Box<[Step]> {
    let mut steps = Vec::new();
    for item in list {
        compile_piece(def, item, state, anchor, &mut steps);
    }
    steps.into()
}

fn text(steps: &mut Vec<Step>, text: &str) {
    match steps.last_mut() {
        Some(Step::Text(last)) => last.push_str(text),
        _ => steps.push(Step::Text(text.to_string())),
    }
}

fn compile_piece(
    def: &'static OpDef,
    item: &'static Asm,
    state: &mut Spacing,
    anchor: Option<Anchor>,
    steps: &mut Vec<Step>,
) {
    match item {
        Asm::Lit(word) => return literal(word, state, steps),
        Asm::Space(blank) => {
            if blank.contains('\n') {
                steps.push(Step::Newline)
            } else {
                text(steps, blank)
            }
            *state = Spacing { space: false, punct: !blank.starts_with(' ') };
            return;
        }
        Asm::Optional { anchor, then, otherwise } => {
            let then = compile_list(def, then, state, Some(*anchor));
            let otherwise = compile_list(def, otherwise, state, None);
            return steps.push(Step::Group { anchor: *anchor, then, otherwise });
        }
        Asm::AttrDict | Asm::AttrDictWithKeyword => {
            let plain = matches!(item, Asm::AttrDict);
            steps.push(Step::Dict(if plain { " {" } else { " attributes {" }));
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
    if state.space || !state.punct {
        text(steps, " ");
    }
    *state = Spacing { space: true, punct: false };
    // Flags are in angle brackets, whether or not the format says so.
    let flags = matches!(item, Asm::Attr(n) if matches!(def.attrs[*n as usize].attr.form, AttrForm::Enum(list) if list.flags))
        && !matches!(steps.last(), Some(Step::Text(text)) if text.ends_with('<'));
    if flags {
        text(steps, "<");
    }
    let single = |fields: &[ValueSpec]| fields.iter().all(|field| field.arity == Arity::One);
    steps.push(match item {
        Asm::Operand(n) if single(def.operands) => Step::OperandAt(*n as usize),
        Asm::OperandType(n) if single(def.operands) => Step::OperandTypeAt(*n as usize),
        Asm::ResultType(n) if single(def.results) => Step::ResultTypeAt(*n as usize),
        _ => Step::Var(item),
    });
    if flags {
        text(steps, ">");
    }
}

fn literal(word: &str, state: &mut Spacing, steps: &mut Vec<Step>) {
    let first = word.chars().next().unwrap_or(' ');
    let tight = if state.punct { ">)}]," } else { "<>(){}[]," };
    let before = (word.len() != 1 && word != "->") || !tight.contains(first);
    if state.space && before {
        text(steps, " ");
    }
    text(steps, word);
    state.space = word.len() != 1 || !"<({[".contains(first);
    state.punct = first != '_' && !first.is_ascii_alphabetic();
}

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
            match def.interfaces.iter().find_map(|entry| entry.get::<terrace_ir::show::CustomText>()) {
                Some(custom) => (custom.print)(&mut p.w, params),
                None => p.w.params(params),
            }
        }
        _ => p.attr(attr),
    }
}
