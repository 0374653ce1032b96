//! The problem of each function, with the constraints and the mapping that the user gives.

use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_array::macros;
use terrace_dialect_func::Func;
use terrace_ir::symbols::ScopeId;
use terrace_ir::{Ir, OpId};
use terrace_pass::PassCx;
use terrace_search_mapping::numbers::{Unread, of_user};
use terrace_search_mapping::rules::Given;
use terrace_search_mapping::{
    MapLevel, Mappings, Options, Problem, Tree, codes, demand, errors, explain, function, levels,
};

/// Do something for each function with the constraints that the user has for it; a pass in a function sees that one alone
pub(crate) fn each_function(
    cx: &mut PassCx<'_>,
    unit: &mut Ir,
    mut run: impl FnMut(
        &mut PassCx<'_>,
        &mut Ir,
        ScopeId,
        &dyn Fn(&Problem) -> Result<Vec<Given>, Unread>,
    ) -> Result<(), Reported>,
) -> Result<(), Reported> {
    if Func::cast(unit, unit.root()).is_some() {
        let scope = cx.scope;
        return run(cx, unit, scope, &|_| Ok(Vec::new()));
    }
    let functions: Vec<OpId> = unit.walk().filter(|op| unit.child(*op).is_some()).collect();
    for op in functions {
        let Some(function) = unit.child(op) else { continue };
        let Some(func) = Func::cast(function, function.root()) else { continue };
        let name = func.sym_name(function).as_str(function.cx()).unwrap_or("").to_string();
        let scope = cx.symbols.child_scope(cx.scope, function);
        // A copy, so that the function and its spaces can be had at once.
        let mut copy = function.clone_unit();
        run(cx, &mut copy, scope, &|problem| of_user(unit, &name, problem))?;
        if let Some(function) = unit.child_mut(op) {
            *function = *copy;
        }
    }
    Ok(())
}

/// The problem of a function with the user's constraints, for a mapping that is named: what it says of a map holds in place of a
/// level that the program has; lanes and unrolled loops, which are chosen after mapping, may be selected by name
pub(crate) fn asked(
    cx: &mut PassCx<'_>,
    unit: &Ir,
    scope: ScopeId,
    mut options: Options,
    mapping: &[String],
    user: &dyn Fn(&Problem) -> Result<Vec<Given>, Unread>,
) -> Result<Option<Problem>, Reported> {
    expanded(cx, unit)?;
    let tree = Tree::of(unit);
    let mut open = unit.clone_unit();
    for (name, word) in mapping.iter().filter_map(|item| item.split_once('=')) {
        let Some(value) = codes::parse(word.trim()) else { continue };
        if !value.is_at(levels::IN_PARALLEL) {
            options.levels = options.levels.with(value);
        }
        let Some(n) = tree.find(name.trim()) else { continue };
        if function::decided(unit, &tree, n).is_some_and(|own| own != value) {
            open.set_attr(tree.loops[n].op, "level", None);
        }
    }
    let (mut problem, missing) = function::problem(&open, cx.symbols, scope, options);
    if problem.tree.loops.is_empty() {
        return Ok(None);
    }
    match user(&problem) {
        Ok(given) => problem.given.extend(given),
        Err(why) => return cx.fail(unit, unit.root(), &errors::USER, why.to_string()),
    }
    schedule(cx, missing)?;
    Ok(Some(problem))
}

/// Macros are several maps each: they get levels once they are written out
pub(crate) fn expanded(cx: &mut PassCx<'_>, unit: &Ir) -> Result<(), Reported> {
    let Some(op) = unit.walk().find(|op| macros::is_macro(unit, *op)) else { return Ok(()) };
    let text = "is a macro: only what it is written out as has loops and levels";
    let error = terrace_ir::verify::op_error(unit, op, &errors::MAPPING, text);
    Err(cx.emit(error.help("write macros out first: `array-expand`")))
}

/// A program whose sizes are open has no schedule yet: some rules were not asked. One that has none for another reason has no
/// mapping that would lower
pub(crate) fn schedule(cx: &mut PassCx<'_>, missing: Option<Diagnostic>) -> Result<(), Reported> {
    let Some(why) = missing else { return Ok(()) };
    if why.code.is_none_or(|code| code.id != terrace_lowering_array::codes::OPEN.id) {
        return Err(
            cx.emit(why.note("a mapping gives levels to the loops of a schedule, and there is none yet"))
        );
    }
    let text = format!("only rules of the maps are asked, since there is no schedule: {}", why.message);
    let mut warning = Diagnostic::warning(None, text);
    if let Some(span) = why.span {
        warning = warning.at(span);
    }
    let _ = cx.emit(warning);
    Ok(())
}

/// An error if there is no mapping at all, with constraints that contradict each other
pub(crate) fn is_empty(cx: &mut PassCx<'_>, unit: &Ir, problem: &Problem) -> Result<(), Reported> {
    match explain::conflict_of_all(problem) {
        Ok(Some(found)) => Err(contradiction(cx, unit, problem, &found)),
        _ => cx.fail(unit, unit.root(), &errors::NO_MAPPING, "no mapping satisfies all constraints"),
    }
}

fn contradiction(cx: &mut PassCx<'_>, unit: &Ir, problem: &Problem, found: &explain::Conflict) -> Reported {
    let mut about: Vec<usize> = Vec::new();
    for given in found.given.iter().map(|given| &problem.given[*given]) {
        about.extend(given.formula.scope().iter().map(|var| var.index()).chain(given.about.iter().copied()));
    }
    if !found.whole.is_empty() {
        about.extend(0..problem.tree.loops.len());
    }
    about.sort_unstable();
    about.dedup();
    about.retain(|n| problem.decided[*n].is_some());
    let all = found.given.len() + found.whole.len();
    let message = match (all, about.is_empty()) {
        (1, true) => "no mapping satisfies all constraints; this one cannot hold".to_string(),
        (_, true) => format!("no mapping satisfies all constraints; these {all} contradict each other"),
        _ => "no mapping satisfies all constraints with the levels that the program says; these contradict each other".into(),
    };
    let mut error = Diagnostic::error(&errors::NO_MAPPING, message).at(unit.span(unit.root()));
    for given in found.given.iter().map(|given| &problem.given[*given]) {
        let at = given.about.first().and_then(|n| unit.span(problem.tree.loops[*n].op));
        error = error.note_at(at, format!("{} [{}]: {}", given.rule, given.tag.word(), given.reason));
    }
    for rule in &found.whole {
        error = error.note(format!("{rule} [beyond]: {}", demand::about_whole(rule)));
    }
    for n in about {
        let each = &problem.tree.loops[n];
        let level = problem.decided[n].unwrap_or(MapLevel::SEQ);
        error =
            error.note_at(unit.span(each.op), format!("the program says that {} is at {level}", each.name));
    }
    cx.emit(error)
}

/// How many mappings satisfy the constraints of single paths, and how many of them fit the device
pub(crate) fn count(cx: &mut PassCx<'_>, problem: &Problem, space: &Mappings, valid: Option<&Mappings>) {
    cx.count("mappings", u64::try_from(space.count()).unwrap_or(u64::MAX));
    if let Some(valid) = valid.filter(|_| problem.is_whole()) {
        cx.count("fit the device", u64::try_from(valid.count()).unwrap_or(u64::MAX));
    }
}
