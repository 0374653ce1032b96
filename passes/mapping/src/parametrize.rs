//! `array-parametrize`: parameters for the levels of maps.

use crate::options::{BLOCK, DEVICE, GRID, RULES, STRICT, TAGS, USES, options};
use crate::per_function::{expanded, is_empty, schedule};
use terrace_diag::Reported;
use terrace_dialect_func::Func;
use terrace_ir::{Ir, OpId};
use terrace_pass::{Pass, PassCx, PassInfo, Scope};
use terrace_search_mapping::{Mappings, Options, emit, errors, function};

/// Give maps a parameter as level, and write down their constraints
pub static PARAMETRIZE: PassInfo = PassInfo {
    name: "array-parametrize",
    aliases: &[],
    summary: "Parameters for the levels of maps, with all constraints between them",
    docs: "Every map with something computed below it and no level gets the level `@m.NAME`, a parameter of a new `tune.space` \
           behind the function. Constraints are the paper's rules (1) to (8) with their siblings (`printed`, `heuristic`), and \
           what the verifier of `sched` says of the schedule that the function lowers to (`beyond`).",
    scope: Scope::Tree,
    anchor: None,
    options: &[DEVICE, TAGS, RULES, STRICT, USES, BLOCK, GRID],
    stats: &["levels opened", "constraints"],
    make: |given| {
        let (options, device) = options(&PARAMETRIZE, given)?;
        Ok(Box::new(Parametrize { options, device }))
    },
};

struct Parametrize {
    options: Options,
    device: String,
}

impl Pass for Parametrize {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let functions: Vec<OpId> = unit.walk().filter(|op| unit.child(*op).is_some()).collect();
        for op in functions {
            let Some(function) = unit.child(op).filter(|child| Func::cast(child, child.root()).is_some())
            else {
                continue;
            };
            expanded(cx, function)?;
            let scope = cx.symbols.child_scope(cx.scope, function);
            let (problem, missing) = function::problem(function, cx.symbols, scope, self.options.clone());
            if problem.tree.loops.is_empty() {
                continue;
            }
            schedule(cx, missing)?;
            if Mappings::without_joint(&problem.model()).is_ok_and(|(space, _)| space.is_empty()) {
                return is_empty(cx, function, &problem);
            }
            let name = Func::cast(function, function.root()).map(|func| func.sym_name(function));
            let name = name.and_then(|name| name.as_str(function.cx())).unwrap_or("f").to_string();
            if let Some(function) = unit.child_mut(op) {
                cx.count("levels opened", function::open_levels(function, &problem.tree, false));
                function::say(function, self.options.said);
            }
            cx.count("constraints", problem.model().constraints.len() as u64);
            if let Err(why) = emit::space(unit, op, &problem, &name, &self.device) {
                return cx.fail(unit, op, &errors::MAPPING, why.to_string());
            }
        }
        Ok(())
    }
}
