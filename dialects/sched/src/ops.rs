//! The nine ops; attributes in common: `step L at P`, `per ℓ`.

mod accesses;
mod alloc;
mod contract;
mod copy;
mod kernel;
mod loops;
pub mod operator;
mod rotate;

pub use accesses::{AHEAD, CARRIED, NONTEMPORAL, Read, Write};
pub use alloc::Alloc;
pub use contract::{Contract, ContractSizes};
pub use copy::{By, Copy, CopySpec};
pub use kernel::{JOINS, Kernel};
pub use loops::{Bound, For, LoopInfo, LoopSpec, Yield};
pub use rotate::Rotate;

use crate::combine::Operator;
use terrace_devices::{Level, Mechanism, Per};
use terrace_diag::Reported;
use terrace_ir::{Attr, AttrForm, Context, attr_rules};
use terrace_schedule_model::nest_combine::{Combination, Order, Tail};
use terrace_text::{OpParser, OpPrinter};

fn word<T: std::str::FromStr>(cx: &Context, attr: Attr) -> Option<T> {
    attr.as_str(cx)?.parse().ok()
}

attr_rules! {
    /// A level's word
    LevelAttr "level (seq, unroll, vector, task, thread.x, block.x, …, or @parameter)", AttrForm::Full,
        |cx, attr| word::<Level>(cx, attr).is_some() || attr.as_symbol(cx).is_some_and(|(_, nested)| nested.is_empty());
    /// What is decided later
    HoleAttr "parameter (@name)", AttrForm::Full, |cx, attr| attr.as_symbol(cx).is_some_and(|(_, nested)| nested.is_empty());
    /// `cc`, `pw`, `ps` or `ordered`
    KindAttr "kind of combination (cc, pw, ps, ordered)", AttrForm::Full, |cx, attr| word::<Combination>(cx, attr).is_some();
    /// `source`, `fixed` or `free`
    OrderAttr "order word (source, fused, tree, fixed, free)", AttrForm::Full, |cx, attr| word::<Order>(cx, attr).is_some();
    /// A mechanism
    ViaAttr "mechanism (chain, vector, shuffle, shared, atomic, kernel, partials, auto)", AttrForm::Full,
        |cx, attr| word::<Mechanism>(cx, attr).is_some();
    /// `mask`, `peel` or `pad`
    TailAttr "tail (mask, peel, pad)", AttrForm::Full, |cx, attr| word::<Tail>(cx, attr).is_some();
    /// `warp`, `block`, `cluster` or `task`
    PerAttr "owner (warp, block, cluster, task)", AttrForm::Full,
        |cx, attr| attr.as_str(cx).is_some_and(|text| text.parse::<Per>().is_ok());
    /// An operator
    OperatorAttr "operator (add, mul, min, max, and, or, xor, or @function)", AttrForm::Full,
        |cx, attr| Operator::from_attr(cx, attr).is_some();
    /// Several operators
    OperatorsAttr "array of operators", AttrForm::Full,
        |cx, attr| attr.as_array(cx).is_some_and(|all| all.iter().all(|attr| Operator::from_attr(cx, *attr).is_some()));
    /// Layer and label
    StepAttr "pair of layer and label", AttrForm::Full, |cx, attr| attr.as_dense_array(cx).is_some_and(|pair| pair.len() == 2);
    /// Names
    NamesAttr "array of strings", AttrForm::Full,
        |cx, attr| attr.as_array(cx).is_some_and(|all| all.iter().all(|attr| attr.as_str(cx).is_some()));
    /// Sizes in three axes
    TripleAttr "three sizes (x, y, z)", AttrForm::Full, |cx, attr| attr.as_dense_array(cx).is_some_and(|all| all.len() == 3);
}

/// A word and a parameter, if they come next
fn parse_hole(p: &mut OpParser<'_, '_>, word: &str) -> Result<(), Reported> {
    if p.keyword_opt(word) {
        let attr = p.symbol_ref()?;
        p.set_attr(word, attr);
    }
    Ok(())
}

fn print_hole(p: &mut OpPrinter<'_>, before: &str, hole: Option<Attr>) {
    if let Some(hole) = hole {
        p.text(before);
        p.attr(hole);
    }
}

/// `step L at P` if it comes next
fn parse_step(p: &mut OpParser<'_, '_>) -> Result<Option<Attr>, Reported> {
    if !p.keyword_opt("step") {
        return Ok(None);
    }
    let layer = p.int64()?;
    p.keyword("at")?;
    let label = p.int64()?;
    Ok(Some(p.cx().i64_array(&[layer, label])))
}

fn print_step(p: &mut OpPrinter<'_>, step: Option<Attr>) {
    let cx = p.cx();
    if let Some([layer, label]) = step.and_then(|step| step.as_dense_array(cx)) {
        p.text(" step ");
        p.int((*layer).into());
        p.text(" at ");
        p.int((*label).into());
    }
}

/// `per ℓ` if it comes next
fn parse_per(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    if p.keyword_opt("per") {
        let n = p.one_of(Per::WORDS)?;
        let word = p.cx().str_attr(Per::WORDS[n]);
        p.set_attr("per", word);
    }
    Ok(())
}

fn print_word(p: &mut OpPrinter<'_>, before: &str, attr: Option<Attr>) {
    let cx = p.cx();
    if let Some(text) = attr.and_then(|attr| attr.as_str(cx)) {
        p.text(before);
        p.text(text);
    }
}

/// `add` or `@f`
fn parse_operator(p: &mut OpParser<'_, '_>) -> Result<Attr, Reported> {
    if p.at_punct("@") {
        return p.symbol_ref();
    }
    let n = p.one_of(crate::combine::Builtin::WORDS)?;
    Ok(p.cx().str_attr(crate::combine::Builtin::WORDS[n]))
}

fn print_operator(p: &mut OpPrinter<'_>, attr: Attr) {
    let cx = p.cx();
    if let Some(operator) = Operator::from_attr(cx, attr) {
        p.text(&operator.to_string());
    }
}

/// `combine f` if it comes next
fn parse_combine(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    if p.keyword_opt("combine") {
        let operator = parse_operator(p)?;
        p.set_attr("combine", operator);
    }
    Ok(())
}

/// `clip` if it comes next
fn parse_clip(p: &mut OpParser<'_, '_>) {
    if p.keyword_opt("clip") {
        let unit = p.cx().common().unit;
        p.set_attr("clip", unit);
    }
}

/// Is the operator's function there, from two tuples of these types to one?
fn check_function(
    v: &terrace_ir::VerifyCx<'_>,
    op: terrace_ir::OpId,
    operator: &Operator,
    types: &[terrace_ir::Type],
) -> Result<(), Reported> {
    let cx = v.ir.cx();
    let Operator::Function(name) = operator else { return Ok(()) };
    let Some(def) = v.lookup(cx.symbol_attr(name)) else {
        return v.fail(
            op,
            &terrace_ir::codes::OP_RULE,
            format!("names the operator @{name}, which is not defined"),
        );
    };
    let wanted = cx.function(&[types, types].concat(), types);
    if def.ty.and_then(|ty| ty.as_type(cx)) != Some(wanted) {
        let message = format!("needs @{name} to be a function of type '{}'", v.show(wanted));
        return v.fail(op, &terrace_ir::codes::OP_RULE, message);
    }
    Ok(())
}

/// Does no op of the dialect hold this one?
pub(crate) fn is_outermost(ir: &terrace_ir::Ir, op: terrace_ir::OpId) -> bool {
    let mut around = ir.parent(op);
    while let Some(outer) = around {
        if For::cast(ir, outer).is_some() || Kernel::cast(ir, outer).is_some() {
            return false;
        }
        around = ir.parent(outer);
    }
    true
}

/// What is known of an operator where an op stands
pub fn algebra(
    v: &terrace_ir::VerifyCx<'_>,
    operator: &Operator,
    ty: terrace_ir::Type,
) -> Option<crate::Algebra> {
    let cx = v.ir.cx();
    match operator {
        Operator::Builtin(builtin) => Some(builtin.algebra(cx, ty)),
        Operator::Function(name) => {
            let dict = v.lookup(cx.symbol_attr(name))?.dict?;
            operator::of_dict(cx, dict)
        }
    }
}

/// Does the operator exist for this type?
fn check_operator(
    v: &terrace_ir::VerifyCx<'_>,
    op: terrace_ir::OpId,
    operator: &Operator,
    ty: terrace_ir::Type,
) -> Result<(), Reported> {
    match operator {
        Operator::Builtin(builtin) if !builtin.allows(v.ir.cx(), ty) => {
            let message = format!("has the operator '{builtin}', which does not exist for '{}'", v.show(ty));
            v.fail(op, &terrace_ir::codes::OP_RULE, message)
        }
        _ => check_function(v, op, operator, &[ty]),
    }
}
