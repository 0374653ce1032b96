//! `array-map`: levels by a mapping, by number, or drawn.

use crate::explain::is_error;
use crate::options::{BLOCK, DEVICE, GRID, MAPPING, RULES, STRICT, TAGS, USES, options};
use crate::per_function::{asked, count, each_function, is_empty};
use num_bigint::BigUint;
use terrace_diag::{Diagnostic, Reported};
use terrace_ir::Ir;
use terrace_ir::symbols::ScopeId;
use terrace_pass::{OptionKind, OptionSpec, Pass, PassCx, PassInfo, Scope};
use terrace_search_mapping::numbers::Unread;
use terrace_search_mapping::rules::Given;
use terrace_search_mapping::text::parse_mapping;
use terrace_search_mapping::{Mapping, Options, Problem, errors, explain, function};
use terrace_search_solver::Random;

/// Give maps levels
pub static MAP: PassInfo = PassInfo {
    name: "array-map",
    aliases: &[],
    summary: "Give maps the levels of a mapping: one that is named, or a valid one by number or by lot",
    docs: "With `mapping` the levels named there, checked. Else the solution with number `point`, or with `seed` one that is \
           drawn: each solution is as likely as the others. Solutions are numbered in order of maps and levels.",
    scope: Scope::Tree,
    anchor: None,
    options: &[
        DEVICE,
        TAGS,
        RULES,
        STRICT,
        USES,
        BLOCK,
        GRID,
        MAPPING,
        OptionSpec { name: "point", kind: OptionKind::Text, default: "0", docs: "number of the solution" },
        OptionSpec {
            name: "seed",
            kind: OptionKind::Int,
            default: "-1",
            docs: "draw a solution with this seed",
        },
    ],
    stats: &["mappings", "fit the device"],
    make: |given| {
        let (options, _) = options(&MAP, given)?;
        let point = given.text(&MAP, "point");
        let point =
            point.parse::<BigUint>().map_err(|_| format!("`point` is a number from 0, not `{point}`"))?;
        let seed = u64::try_from(given.int(&MAP, "seed")).ok();
        Ok(Box::new(Mapped { options, mapping: given.list(&MAP, "mapping"), point, seed }))
    },
};

/// Most draws until one asks for no more than the device has
const MOST_DRAWS: u32 = 100_000;

struct Mapped {
    options: Options,
    mapping: Vec<String>,
    point: BigUint,
    seed: Option<u64>,
}

impl Pass for Mapped {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        each_function(cx, unit, |cx, unit, scope, user| self.map(cx, unit, scope, user))
    }
}

impl Mapped {
    fn map(
        &self,
        cx: &mut PassCx<'_>,
        unit: &mut Ir,
        scope: ScopeId,
        user: &dyn Fn(&Problem) -> Result<Vec<Given>, Unread>,
    ) -> Result<(), Reported> {
        let asked = asked(cx, unit, scope, self.options.clone(), &self.mapping, user)?;
        let Some(problem) = asked else { return Ok(()) };
        let fail = |cx: &mut PassCx<'_>, why: String| cx.fail(unit, unit.root(), &errors::MAPPING, why);
        let (space, valid) = match problem.spaces() {
            Ok(spaces) => spaces,
            Err(why) => return fail(cx, why.to_string()),
        };
        if valid.as_ref().unwrap_or(&space).is_empty() {
            return is_empty(cx, unit, &problem);
        }
        if !self.mapping.is_empty() {
            let values = match parse_mapping(&problem, &self.mapping) {
                Ok(values) => values,
                Err(why) => return fail(cx, why.to_string()),
            };
            let wrong = explain::report(unit, &problem, &values).into_iter().filter(is_error);
            if let Some(reported) = wrong.map(|error| cx.emit(error)).last() {
                return Err(reported);
            }
            function::apply(unit, &problem.tree, &values);
            function::say(unit, self.options.said);
            return Ok(());
        }
        count(cx, &problem, &space, valid.as_ref().ok());
        let known = valid.is_ok();
        let space = valid.unwrap_or(space);
        let mut random = Random::new(self.seed.unwrap_or(0));
        let mut drawn = match self.seed {
            Some(_) => space.sample(&mut random),
            None => space.nth(&self.point),
        };
        // Where branches add up in too many ways, whole mappings are asked: draws that fail are drawn again, which keeps
        // them uniform.
        let fits = |values: &Mapping| known || problem.holds(values) && problem.broken(values).is_empty();
        let mut tries = 0;
        while self.seed.is_some() && tries < MOST_DRAWS && drawn.as_ref().is_some_and(|values| !fits(values))
        {
            drawn = space.sample(&mut random);
            tries += 1;
        }
        let Some(values) = drawn else {
            return fail(
                cx,
                format!("there are {} mappings, and none has number {}", space.count(), self.point),
            );
        };
        if !fits(&values) {
            let which = match self.seed {
                Some(_) => format!("none of {MOST_DRAWS} mappings that were drawn fits the device"),
                None => format!("mapping {} does not fit the device", self.point),
            };
            let error = Diagnostic::error(&errors::MAPPING, which).at(unit.span(unit.root()));
            return Err(cx.emit(error.help("which ones do is not known before each is asked: draw with `seed`, or name levels with `mapping`")));
        }
        function::apply(unit, &problem.tree, &values);
        function::say(unit, self.options.said);
        Ok(())
    }
}
