//! The pass `mdh-accumulators`: what partial results are, written out.
//!
//! A sum may be kept in another type than its result (`acc f32`), with its error (`compensated`), or without any rounding (`exact`). Each becomes
//! an ordinary reduction of one or several numbers, between a conversion of terms and a conversion of results. So no level below has
//! accumulators of its own, and every level keeps partial results as it keeps those of other reductions.
//!
//! - [`form`]: which numbers a partial result is;
//! - `convert`: floats and integers in another type;
//! - `compensated`: a sum with its error;
//! - `exact`: terms as integers; `round`: integers as a float; `words`: arithmetic on them;
//! - `replace`: the computations that stand in place of the one as written.

mod compensated;
pub(crate) mod exact;
mod form;
pub(crate) mod replace;
mod round;
mod words;

use crate::codes;
use form::Form;
use std::collections::BTreeMap;
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_func::Func;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::operator::{Builtin, Operator};
use terrace_dialect_mdh::view::{CombineKind, Group, Order, View, kind_attr};
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Attr, Ir, OpId, Str, Traits, Type};
use terrace_macros::pass;
use terrace_pass::{OptionKind, OptionValue, Pass, PassCx};

terrace_support::words! {
    /// Which accumulators sums and products of 16-bit floats have
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Narrow {
        /// Those that are stated
        #[default]
        Stated = "stated",
        /// Those of the type of the result, as in the paper on reductions
        Result = "result",
    }
}

impl OptionValue for Narrow {
    const KIND: OptionKind = OptionKind::Text;
    const DEFAULT: &'static str = Narrow::Stated.word();
    const WANTS: &'static str = "`stated` or `result`";
    fn parse(text: &str) -> Option<Narrow> {
        text.parse().ok()
    }
}

/// Write out the accumulators of reductions
///
/// `pw add acc f32` becomes a reduction in `f32` and a conversion of its result. `pw add compensated` becomes a reduction of pairs, a
/// sum and its error, by an operator of its own. `pw add exact` becomes sums of integers, which any order leaves the same, and
/// one rounding. A remark names sums and products that are kept in 16 bits (E0677).
#[pass("mdh-accumulators", scope = tree, stats("accumulators written"))]
pub struct MdhAccumulators {
    /// accumulators of 16-bit floats: stated, or those of the type of the result
    #[option]
    narrow: Narrow,
}

impl Pass for MdhAccumulators {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut count = 0;
        let mut pending: Vec<&mut Ir> = vec![unit];
        while let Some(table) = pending.pop() {
            if table.has(table.root(), Traits::SymbolTable) {
                count += all(cx, table, self.narrow)?;
            }
            pending.extend(table.children_mut());
        }
        cx.count("accumulators written", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

/// Those of all functions of a table of symbols
fn all(cx: &mut PassCx<'_>, table: &mut Ir, narrow: Narrow) -> Result<u64, Reported> {
    let is_func = |child: &Ir| Func::cast(child, child.root()).is_some();
    let slots: Vec<OpId> = table.walk().filter(|op| table.child(*op).is_some_and(is_func)).collect();
    let mut operators = Operators { made: BTreeMap::new() };
    let mut count = 0;
    for slot in slots {
        let Some(mut function) = table.take_child(slot) else { continue };
        let found = one_function(cx, (table, slot), &mut function, &mut operators, narrow);
        table.put_child(slot, function);
        count += found?;
    }
    Ok(count)
}

fn one_function(
    cx: &mut PassCx<'_>,
    (table, slot): (&mut Ir, OpId),
    ir: &mut Ir,
    operators: &mut Operators,
    narrow: Narrow,
) -> Result<u64, Reported> {
    let mut count = 0;
    for op in ir.walk().filter_map(|op| Compute::cast(ir, op)).collect::<Vec<_>>() {
        if narrow == Narrow::Result {
            count += u64::from(as_results(ir, op));
        }
        let Ok(view) = View::read(ir, op) else { continue };
        if let Some(said) = in_16_bits(ir, op, &view) {
            let _ = cx.emit(Diagnostic::remark(&codes::NARROW, said).at(ir.span(op.id())));
        }
        if !view.has_accumulators() {
            continue;
        }
        if view.order(Order::Exact).is_some() {
            crate::bits::promise(ir);
            if let Err(why) = crate::bits::expand_functions(ir, op) {
                return cx.fail(ir, op.id(), &codes::BITS, why);
            }
        }
        if has_any_order(ir, op, &view) {
            count += 1;
            continue;
        }
        let mut joint = |ty: Type| operators.two_sum(table, slot, ty);
        let forms = Form::of(ir, op, &view, &mut joint);
        let done = forms
            .ok_or("its operators are not known")
            .and_then(|forms| replace::replace(ir, op, &view, &forms));
        if let Err(why) = done {
            let why = format!("accumulators cannot be written out: {why}");
            return cx.fail(ir, op.id(), &codes::BITS, why);
        }
        count += 1;
    }
    Ok(count)
}

/// State that functions of which no order shows may have any: their tuples are their own accumulators. Are there no others?
fn has_any_order(ir: &mut Ir, op: Compute, view: &View) -> bool {
    let function = |group: &Group| matches!(group.operator, Operator::Func(_));
    if !view.groups().is_some_and(|groups| groups.iter().all(function)) {
        return false;
    }
    let kinds = view.dims.iter().map(|dim| match &dim.kind {
        CombineKind::Pw(operators, Order::Exact) => CombineKind::Pw(operators.clone(), Order::Fixed),
        other => other.clone(),
    });
    let kinds: Vec<Attr> = kinds.map(|kind| kind_attr(ir.cx(), &kind)).collect();
    let kinds = ir.cx().array_attr(&kinds);
    op.set_combine(ir, kinds);
    true
}

/// Functions that the pass makes, by the type of their numbers
struct Operators {
    made: BTreeMap<String, Str>,
}

impl Operators {
    /// The operator on sums and their errors, in front of the function that uses it
    fn two_sum(&mut self, table: &mut Ir, before: OpId, ty: Type) -> Str {
        let cx = table.cx_arc().clone();
        let word = terrace_ir::show::type_text(&cx, ty);
        if let Some(name) = self.made.get(&word) {
            return *name;
        }
        let taken =
            |name: &str| table.walk().any(|op| symbol_name(table, op).is_some_and(|own| cx.str(own) == name));
        let mut name = format!("two_sum_{word}");
        while taken(&name) {
            name.push('_');
        }
        let function = compensated::function(&cx, &name, ty);
        let slot = table.adopt(Box::new(function));
        table.insert_before(before, slot);
        let name = cx.intern(&name);
        self.made.insert(word, name);
        name
    }
}

/// Accumulators of 16-bit results get the type of the results, where terms have it; was there one?
fn as_results(ir: &mut Ir, op: Compute) -> bool {
    let Ok(mut view) = View::read(ir, op) else { return false };
    let Some(end) = ir.entry(op.body(ir)).and_then(|body| ir.last_op(body)) else { return false };
    let results: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value).scalar(ir.cx())).collect();
    let terms: Vec<Type> = ir.operands(end).map(|value| ir.ty(value)).collect();
    let mut changed = false;
    for dim in &mut view.dims {
        let (CombineKind::Pw(operators, _) | CombineKind::Ps(operators)) = &mut dim.kind else { continue };
        for (operator, result) in operators.iter_mut().zip(&results) {
            if let Operator::Accumulated(own) = *operator
                && !own.compensated
                && result.bit_width(ir.cx()) == Some(16)
                && terms == results
            {
                *operator = Operator::Builtin(own.builtin);
                changed = true;
            }
        }
    }
    let kinds: Vec<Attr> = view.dims.iter().map(|dim| kind_attr(ir.cx(), &dim.kind)).collect();
    let kinds = ir.cx().array_attr(&kinds);
    if changed {
        op.set_combine(ir, kinds);
    }
    changed
}

/// What is to be said of a sum or product that is kept in 16 bits
fn in_16_bits(ir: &Ir, op: Compute, view: &View) -> Option<String> {
    let cx = ir.cx();
    let group =
        view.groups()?.into_iter().find(|group| kept_in(ir, op, group.first, group.operator).is_some())?;
    let ty = kept_in(ir, op, group.first, group.operator)?;
    let (most, digits) =
        if ty == cx.common().f16 { ("65504 are infinite", 11) } else { ("3.4e38 are infinite", 8) };
    let word = terrace_ir::show::type_text(cx, ty);
    Some(format!(
        "partial results are {word}: {digits} binary digits, and those beyond {most}; `acc f32` keeps them in f32 and rounds once"
    ))
}

/// The type of 16 bits that a sum or product is kept in
fn kept_in(ir: &Ir, op: Compute, output: usize, operator: Operator) -> Option<Type> {
    let cx = ir.cx();
    let result = ir.ty(ir.result(op.id(), output)).scalar(cx);
    let (builtin, ty) = match operator {
        Operator::Builtin(builtin) => (builtin, result),
        Operator::Accumulated(own) if !own.compensated => (own.builtin, own.ty.unwrap_or(result)),
        _ => return None,
    };
    let rounds =
        matches!(builtin, Builtin::Add | Builtin::Mul) && [cx.common().f16, cx.common().bf16].contains(&ty);
    let exact = View::read(ir, op).is_ok_and(|view| view.order(Order::Exact).is_some());
    (rounds && !exact).then_some(ty)
}
