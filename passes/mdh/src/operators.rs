//! The pass `mdh-operators`: which functions that combine values have a form on lanes.
//!
//! What combines tuples is a function. Where it is a few ops on single values it can be put in the place of its calls, and
//! lanes can take it; other functions see one value at a time. A schedule is chosen for another function than the one that
//! combines, so this is an attribute of the operator's declaration, `mdh.lanes`.

use terrace_diag::Reported;
use terrace_dialect_func::Return;
use terrace_dialect_mdh::Merging;
use terrace_dialect_mdh::operator::{DECLARED, LANES, Operator, declared};
use terrace_dialect_mdh::view::View;
use terrace_dialect_sched::of_values;
use terrace_ir::attrs::dict_get;
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::{Context, Ir, Str, Traits};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_schedule_cost::Operations;

/// Note which operators have a form on lanes
///
/// A function with `sched.operator` whose ops are all on single values gets `mdh.lanes`: schedules may then combine tuples in
/// lanes.
#[pass("mdh-operators", anchor = "func.func", stats("operators on lanes"))]
pub struct Operators;

impl Pass for Operators {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let root = unit.root();
        let found = unit.discardable(root, DECLARED).is_some()
            && unit.discardable(root, LANES).is_none()
            && plain(unit);
        if found {
            let does = unit.cx().i64_array(&instructions(unit));
            unit.set_discardable(root, LANES, Some(does));
            cx.count("operators on lanes", 1);
        }
        cx.set_changed(found);
        Ok(())
    }
}

/// Numbers of simple instructions, divisions and calls
fn instructions(ir: &Ir) -> [i64; 3] {
    let mut all = Operations::default();
    for op in ir.walk() {
        all.add(&of_values(ir, op));
    }
    [all.simple, all.divisions, all.calls].map(i64::from)
}

/// One block of ops on single values
fn plain(ir: &Ir) -> bool {
    let Some(body) = ir.regions(ir.root()).next() else { return false };
    let Some(entry) = ir.entry(body).filter(|_| ir.blocks(body).count() == 1) else { return false };
    ir.block_ops(entry).all(|op| {
        let single = ir.has(op, Traits::Elementwise) && ir.num_regions(op) == 0;
        single || ir.has(op, Traits::ConstantLike) || ir.is(op, Return::DEF)
    })
}

/// Does an operator's function say that it has a form on lanes, and what it starts from?
pub(crate) fn on_lanes(cx: &Context, symbols: &Symbols, scope: ScopeId, name: Str) -> bool {
    let dict = symbols.lookup(scope, name, &[]).and_then(|def| def.dict);
    let lanes = dict.and_then(|dict| dict.as_dict(cx)).is_some_and(|all| {
        let mut names = all.iter().map(|(name, _)| cx.str(*name));
        names.any(|name| name == LANES)
    });
    lanes && declared(cx, dict).is_some_and(|declared| declared.identity.is_some())
}

/// What estimates need of an operator's function that has a form on lanes
pub(crate) fn merging(cx: &Context, symbols: &Symbols, scope: ScopeId, name: Str) -> Option<Merging> {
    let dict = symbols.lookup(scope, name, &[]).and_then(|def| def.dict)?;
    let does = dict_get(cx, dict.as_dict(cx)?, LANES)?.as_dense_array(cx)?;
    let &[simple, divisions, calls] = does else { return None };
    let number = |count: i64| u32::try_from(count).ok();
    let operations = Operations {
        simple: number(simple)?,
        divisions: number(divisions)?,
        calls: number(calls)?,
        ..Operations::default()
    };
    declared(cx, Some(dict)).map(|said| Merging { operations, commutative: said.commutative })
}

/// May all contributions of a computation be taken in any order?
pub(crate) fn commute(cx: &PassCx<'_>, unit: &Ir, view: &View) -> bool {
    let in_any_order = |operator: &Operator| match operator {
        Operator::Builtin(_) | Operator::Accumulated(_) => true,
        Operator::Func(name) => in_any_order(unit.cx(), cx.symbols, cx.scope, *name),
    };
    view.dims.iter().flat_map(|dim| dim.kind.operators()).all(in_any_order)
}

/// Are all operators of a computation functions that say that no bracketing shows?
pub(crate) fn exact(cx: &PassCx<'_>, unit: &Ir, view: &View) -> bool {
    let exact = |operator: &Operator| match operator {
        Operator::Builtin(_) | Operator::Accumulated(_) => false,
        Operator::Func(name) => {
            let dict = cx.symbols.lookup(cx.scope, *name, &[]).and_then(|def| def.dict);
            declared(unit.cx(), dict).is_some_and(|declared| declared.exact)
        }
    };
    let mut all = view.dims.iter().flat_map(|dim| dim.kind.operators()).peekable();
    all.peek().is_some() && all.all(exact)
}

/// Does an operator's function say that contributions may be taken in any order?
pub(crate) fn in_any_order(cx: &Context, symbols: &Symbols, scope: ScopeId, name: Str) -> bool {
    let dict = symbols.lookup(scope, name, &[]).and_then(|def| def.dict);
    declared(cx, dict).is_some_and(|declared| declared.commutative) && in_parts(cx, symbols, scope, name)
}

/// Does an operator's function say that parts of the contributions may be taken for themselves, and what they start from?
pub(crate) fn in_parts(cx: &Context, symbols: &Symbols, scope: ScopeId, name: Str) -> bool {
    let dict = symbols.lookup(scope, name, &[]).and_then(|def| def.dict);
    declared(cx, dict).is_some_and(|declared| declared.associative && declared.identity.is_some())
}
