//! `array-explain-mapping`: the constraints that a mapping violates, and the fewest changes that mend it.

use crate::options::{BLOCK, DEVICE, GRID, MAPPING, RULES, STRICT, TAGS, USES, options};
use crate::per_function::{asked, count, each_function, is_empty};
use terrace_diag::{Diagnostic, Reported};
use terrace_ir::Ir;
use terrace_ir::symbols::ScopeId;
use terrace_pass::{Pass, PassCx, PassInfo, Scope};
use terrace_search_mapping::numbers::Unread;
use terrace_search_mapping::rules::Given;
use terrace_search_mapping::text::parse_mapping;
use terrace_search_mapping::{Options, Problem, errors, explain};

/// Say what is wrong with a mapping
pub static EXPLAIN: PassInfo = PassInfo {
    name: "array-explain-mapping",
    aliases: &[],
    summary: "Say which constraints a mapping violates, with the fewest changes that mend it",
    docs: "Each violated constraint is an error with its rule, the maps and their levels. A valid mapping gets remarks. With no \
           mapping at all the constraints that contradict each other are shown, as few as possible. Nothing changes.",
    scope: Scope::Tree,
    anchor: None,
    options: &[DEVICE, TAGS, RULES, STRICT, USES, BLOCK, GRID, MAPPING],
    stats: &["mappings", "fit the device"],
    make: |given| {
        let (options, _) = options(&EXPLAIN, given)?;
        Ok(Box::new(Explain { options, mapping: given.list(&EXPLAIN, "mapping") }))
    },
};

struct Explain {
    options: Options,
    mapping: Vec<String>,
}

impl Pass for Explain {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        cx.set_changed(false);
        each_function(cx, unit, |cx, unit, scope, user| self.explain(cx, unit, scope, user))
    }
}

impl Explain {
    fn explain(
        &self,
        cx: &mut PassCx<'_>,
        unit: &Ir,
        scope: ScopeId,
        user: &dyn Fn(&Problem) -> Result<Vec<Given>, Unread>,
    ) -> Result<(), Reported> {
        let asked = asked(cx, unit, scope, self.options.clone(), &self.mapping, user)?;
        let Some(problem) = asked else { return Ok(()) };
        let values = match parse_mapping(&problem, &self.mapping) {
            Ok(values) => values,
            Err(why) => return cx.fail(unit, unit.root(), &errors::MAPPING, why.to_string()),
        };
        let (space, valid) = match problem.spaces() {
            Ok(spaces) => spaces,
            Err(why) => return cx.fail(unit, unit.root(), &errors::MAPPING, why.to_string()),
        };
        if valid.as_ref().unwrap_or(&space).is_empty() {
            return is_empty(cx, unit, &problem);
        }
        let mut result = Ok(());
        for diagnostic in explain::report(unit, &problem, &values) {
            let wrong = is_error(&diagnostic);
            let reported = cx.emit(diagnostic);
            if wrong {
                result = Err(reported);
            }
        }
        if result.is_ok() {
            count(cx, &problem, &space, valid.as_ref().ok());
        }
        result
    }
}

pub(crate) fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == terrace_diag::Severity::Error
}
