//! Functions in several versions: which code is made for which processor, and who chooses.
//!
//! `terrace.target = "x86-64-v3"` on a function: its code may use what that level has, and no more. `terrace.versions = [@g, @h]`:
//! `@f` becomes a choice between these and its own body, by `terrace_cpu_level()` of the runtime; the first whose level the
//! processor has is called. Other targets (`openmp`, files of devices) say nothing of a processor. Pass: `func-multi-version`.

use crate::module::{Function, Program};
use crate::raw::{Callee, IntPred, Linkage};
use terrace_dialect_builtin::marks::{TARGET, VERSIONS};
use terrace_dialect_func::Func;
use terrace_ir::{Ir, Str, Type, TypeKind};
use terrace_lowering_table::Refusal;

/// Levels as LLVM names processors, with what `terrace_cpu_level` answers from there on
const LEVELS: [(&str, i64); 3] = [("x86-64-v2", 2), ("x86-64-v3", 3), ("x86-64-v4", 4)];

/// Features that emission uses, by LLVM's names, and the first level that has each
const FEATURES: [(&str, i64); 4] = [("avx2", 3), ("fma", 3), ("avx512f", 4), ("avx512vl", 4)];

fn level(name: &str) -> Option<i64> {
    LEVELS.iter().find(|(level, _)| *level == name).map(|(_, number)| *number)
}

/// May a function's code use a feature? The function's own level decides, or the program's processor
pub(crate) fn has_feature(program: &Program<'_>, function: &Ir, name: &str) -> bool {
    match target(function).and_then(level) {
        Some(own) => FEATURES.iter().any(|(feature, least)| *feature == name && own >= *least),
        None => program.processor.attributes.iter().any(|(key, value)| {
            *key == "target-features" && value.split(',').any(|one| one.strip_prefix('+') == Some(name))
        }),
    }
}

/// The processor that a function's code is for, if it says one
pub(crate) fn target(function: &Ir) -> Option<&str> {
    let text = function.discardable(function.root(), TARGET)?.as_str(function.cx())?;
    level(text).map(|_| text)
}

/// Names of the functions that may stand for this one, best first
pub(crate) fn of(function: &Ir) -> Option<Vec<&str>> {
    let cx = function.cx();
    let all = function.discardable(function.root(), VERSIONS)?.as_array(cx)?;
    all.iter().map(|one| one.as_symbol(cx).map(|(name, _): (Str, _)| cx.str(name))).collect()
}

/// Are a function's versions there, for known levels, and do they take the same?
pub(crate) fn check<'a>(function: &Ir, find: impl Fn(&str) -> Option<&'a Ir>) -> Result<(), Refusal> {
    if function.discardable(function.root(), VERSIONS).is_none() {
        return Ok(());
    }
    let versions = of(function).ok_or_else(|| format!("has a `{VERSIONS}` that is no list of functions"))?;
    if !cfg!(target_arch = "x86_64") {
        return Err("has versions, whose levels are of x86-64: leave `func-multi-version` out here".into());
    }
    let types = |ir: &Ir| Func::cast(ir, ir.root()).map(|func| func.function_type(ir));
    let vector = |ty: &Type| matches!(ty.kind(function.cx()), TypeKind::Vector { .. });
    if let Some(func) = Func::cast(function, function.root()) {
        let (inputs, results) = func.types(function);
        if inputs.iter().chain(results).any(vector) {
            return Err(
                "has versions, but takes or gives a vector, which levels pass in different registers".into(),
            );
        }
    }
    for name in versions {
        let other = find(name).ok_or_else(|| format!("has a version @{name} that is not here"))?;
        if target(other).is_none() {
            let known = LEVELS.map(|(name, _)| name).join(", ");
            return Err(format!("has a version @{name} without a `{TARGET}` of {known}").into());
        }
        if types(other) != types(function) {
            return Err(format!("has a version @{name} of another type").into());
        }
    }
    Ok(())
}

/// Emit the choice as the function itself; gives the function that gets the body
pub(crate) fn dispatch(program: &Program<'_>, function: &Function, versions: &[&str]) -> Callee {
    let ll = program.ll;
    let chooser = function.callee;
    let own = ll.add_function(&format!("{}.base", ll.name_of(chooser.value)), chooser.ty);
    ll.set_linkage(own.value, Linkage::LLVMInternalLinkage);
    program.attribute(chooser, function.cpu.as_deref());
    ll.at_end(ll.append_block(chooser.value, "entry"));
    let ask = ll.declare("terrace_cpu_level", ll.i64(), &[]);
    let here = ll.call(ask, &[]);
    let args: Vec<_> = (0..ll.count_params(chooser.value)).map(|n| ll.param(chooser.value, n)).collect();
    let give = |callee: Callee| {
        let value = ll.call(callee, &args);
        ll.ret((!function.results.is_empty()).then_some(value));
    };
    for version in versions {
        let version = &program.functions[*version];
        let least = version.cpu.as_deref().and_then(level).unwrap_or(i64::MAX);
        let (yes, no) = (ll.append_block(chooser.value, ""), ll.append_block(chooser.value, ""));
        ll.cond_br(ll.icmp(IntPred::LLVMIntSGE, here, ll.const_i64(least)), yes, no);
        ll.at_end(yes);
        give(version.callee);
        ll.at_end(no);
    }
    give(own);
    own
}
