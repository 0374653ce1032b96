//! Assembly formats made ready, with upstream's rules for spaces.
//!
//! Those rules are static: whether a blank precedes a piece depends on the pieces before it in the format, also on those
//! of an optional group that is not printed. So a format is made into text and values once per printing.
//!
//! Source: the format printer of MLIR 22's `OpFormatGen`.

use terrace_ir::asm::{Anchor, Asm};
use terrace_ir::defs::ValueSpec;
use terrace_ir::{Arity, AttrForm, OpDef};

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
