//! The passes: parameters for levels, what is wrong with a mapping, and levels by a mapping or by number.

use crate::asked::{asked, each_function, expanded, is_empty, parse_mapping, schedule};
use crate::codes;
use crate::errors;
use crate::explain;
use crate::function;
use crate::joint::{Limits, Said};
use crate::problem::{Options, Problem};
use crate::rules::{Given, PAPER, Tag};
use crate::tree::Uses;
use num_bigint::BigUint;
use terrace_devices::Device;
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_upstream::func::Func;
use terrace_ir::symbols::ScopeId;
use terrace_ir::{Ir, OpId};
use terrace_pass::pass::OptionKind;
use terrace_pass::{OptionSpec, Pass, PassCx, PassInfo, PassOptions, Scope};
use terrace_search_solver::{Random, Space};

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] = &[&EXPLAIN, &MAP, &PARAMETRIZE, &crate::infer::SPACE, &crate::solve::SOLVE];

const DEVICE: OptionSpec = OptionSpec {
    name: "device",
    kind: OptionKind::Text,
    default: "opencl",
    docs: "whose levels maps may have: a device of `mdh-schedule`'s, or a file",
};
const TAGS: OptionSpec = OptionSpec {
    name: "tags",
    kind: OptionKind::List,
    default: "printed,heuristic,beyond,type,user",
    docs: "constraints that hold, by where they come from",
};
const RULES: OptionSpec = OptionSpec {
    name: "rules",
    kind: OptionKind::List,
    default: "",
    docs: "only these rules, whatever their tags: `paper` (its eight, on maps as the program has them, where any map may be fused), \
           numbers of single ones, or names such as NEST and SYNC",
};
const STRICT: OptionSpec = OptionSpec {
    name: "strict-local",
    kind: OptionKind::Bool,
    default: "false",
    docs: "local memory is owned by blocks: no buffer for each thread",
};
const USES: OptionSpec = OptionSpec {
    name: "local-uses",
    kind: OptionKind::Text,
    default: "scope",
    docs: "which maps use a buffer: all in its `scope`, or the `leaves`",
};

const BLOCK: OptionSpec = OptionSpec {
    name: "block",
    kind: OptionKind::List,
    default: "",
    docs: "threads of a block along x, y, z where the program has no `array.block`: maps of more iterations go round",
};
const GRID: OptionSpec = OptionSpec {
    name: "grid",
    kind: OptionKind::List,
    default: "",
    docs: "blocks of a grid along x, y, z where the program has no `array.grid`",
};

/// Up to three sizes; 0 where nothing is said
fn three(name: &str, items: &[String]) -> Result<[i64; 3], String> {
    let wrong = || format!("`{name}` takes one to three numbers from 0: {name}=16,8");
    let mut out = [0; 3];
    if items.len() > out.len() {
        return Err(wrong());
    }
    for (own, item) in out.iter_mut().zip(items) {
        *own = item
            .trim()
            .parse()
            .ok()
            .filter(|size| (0..=i64::from(u32::MAX)).contains(size))
            .ok_or_else(wrong)?;
    }
    Ok(out)
}

/// Names of rules, those of the paper for its name
fn rules(words: &[String]) -> Result<Vec<String>, String> {
    let mut out: Vec<String> = Vec::new();
    let beyond = crate::beyond::NAMES.iter().chain(&explain::WHOLE).copied();
    let known: Vec<&str> = PAPER.iter().copied().filter(|rule| *rule != "4,5").chain(beyond).collect();
    for word in words.iter().map(|word| word.trim()) {
        let plain = word.trim_start_matches('(').trim_end_matches(')');
        match known.iter().find(|rule| rule.eq_ignore_ascii_case(plain)) {
            Some(rule) => out.push((*rule).into()),
            None if word == "paper" => out.extend(PAPER.iter().map(|rule| (*rule).to_string())),
            None => {
                return Err(format!(
                    "`{word}` is no rule; there are paper (all of 1 to 8), {}",
                    known.join(", ")
                ));
            }
        }
    }
    if ["4", "5"].iter().all(|rule| out.iter().any(|own| own == rule)) {
        out.push("4,5".into());
    }
    out.sort();
    out.dedup();
    Ok(out)
}

fn options(info: &'static PassInfo, given: &PassOptions) -> Result<(Options, String), String> {
    let name = given.text(info, "device");
    let device = Device::find(&name)?;
    let mut tags = Vec::new();
    for word in given.list(info, "tags") {
        let Some(tag) = Tag::from_word(&word) else {
            let near = terrace_diag::nearest(&word, Tag::WORDS.iter().map(|(_, word)| *word));
            return Err(format!("`{word}` is no tag; did you mean `{}`?", near.unwrap_or("printed".into())));
        };
        tags.push(tag);
    }
    let rules = rules(&given.list(info, "rules"))?;
    let uses = match given.text(info, "local-uses").as_str() {
        "scope" => Uses::Scope,
        "leaves" => Uses::Leaves,
        word => return Err(format!("`local-uses` is `scope` or `leaves`, not `{word}`")),
    };
    let levels = codes::of(&device);
    let limits = Limits::of(&device);
    let said = Said {
        block: three("block", &given.list(info, "block"))?,
        grid: three("grid", &given.list(info, "grid"))?,
    };
    let strict_local = given.flag(info, "strict-local");
    Ok((Options { uses, tags, rules, levels, strict_local, limits, said }, name))
}

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
            if Space::without_joint(&problem.model()).is_ok_and(|(space, _)| space.count().bits() == 0) {
                return is_empty(cx, function, &problem);
            }
            let name = Func::cast(function, function.root()).map(|func| func.sym_name(function));
            let name = name.and_then(|name| name.as_str(function.cx())).unwrap_or("f").to_string();
            if let Some(function) = unit.child_mut(op) {
                cx.count("levels opened", function::open_levels(function, &problem.tree, false));
                function::say(function, self.options.said);
            }
            cx.count("constraints", problem.model().constraints.len() as u64);
            if let Err(why) = crate::emit::space(unit, op, &problem, &name, &self.device) {
                return cx.fail(unit, op, &errors::MAPPING, why);
            }
        }
        Ok(())
    }
}

const MAPPING: OptionSpec = OptionSpec {
    name: "mapping",
    kind: OptionKind::List,
    default: "",
    docs: "level of each map: A=block.x,B=L0,C=0; those that are not named are sequential",
};

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
        user: &dyn Fn(&Problem) -> Result<Vec<Given>, String>,
    ) -> Result<(), Reported> {
        let asked = asked(cx, unit, scope, self.options.clone(), &self.mapping, user)?;
        let Some(problem) = asked else { return Ok(()) };
        let values = match parse_mapping(&problem, &self.mapping) {
            Ok(values) => values,
            Err(why) => return cx.fail(unit, unit.root(), &errors::MAPPING, why),
        };
        let (space, valid) = match problem.spaces() {
            Ok(spaces) => spaces,
            Err(why) => return cx.fail(unit, unit.root(), &errors::MAPPING, why),
        };
        if valid.as_ref().unwrap_or(&space).count().bits() == 0 {
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

/// How many mappings satisfy the constraints of single paths, and how many of them fit the device
fn count(cx: &mut PassCx<'_>, problem: &Problem, space: &Space, valid: Option<&Space>) {
    cx.count("mappings", u64::try_from(space.count()).unwrap_or(u64::MAX));
    if let Some(valid) = valid.filter(|_| problem.is_whole()) {
        cx.count("fit the device", u64::try_from(valid.count()).unwrap_or(u64::MAX));
    }
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == terrace_diag::Severity::Error
}

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
        user: &dyn Fn(&Problem) -> Result<Vec<Given>, String>,
    ) -> Result<(), Reported> {
        let asked = asked(cx, unit, scope, self.options.clone(), &self.mapping, user)?;
        let Some(problem) = asked else { return Ok(()) };
        let fail = |cx: &mut PassCx<'_>, why: String| cx.fail(unit, unit.root(), &errors::MAPPING, why);
        let (space, valid) = match problem.spaces() {
            Ok(spaces) => spaces,
            Err(why) => return fail(cx, why),
        };
        if valid.as_ref().unwrap_or(&space).count().bits() == 0 {
            return is_empty(cx, unit, &problem);
        }
        if !self.mapping.is_empty() {
            let values = match parse_mapping(&problem, &self.mapping) {
                Ok(values) => values,
                Err(why) => return fail(cx, why),
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
        let (known, model) = (valid.is_ok(), problem.model());
        let space = valid.unwrap_or(space);
        let mut random = Random::new(self.seed.unwrap_or(0));
        let mut drawn = match self.seed {
            Some(_) => space.sample(&mut random),
            None => space.nth(&self.point),
        };
        // Where branches add up in too many ways, whole mappings are asked: draws that fail are drawn again, which keeps
        // them uniform.
        let fits = |values: &Vec<i64>| known || model.holds(values) && problem.broken(values).is_empty();
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
