//! The passes: parameters for levels, what is wrong with a mapping, and levels by a mapping or by number.

use crate::codes;
use crate::errors;
use crate::explain;
use crate::function;
use crate::joint::{Limits, Said};
use crate::numbers::of_user;
use crate::problem::{Options, Problem};
use crate::rules::{Given, Tag};
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
    let uses = match given.text(info, "local-uses").as_str() {
        "scope" => Uses::Scope,
        "leaves" => Uses::Leaves,
        word => return Err(format!("`local-uses` is `scope` or `leaves`, not `{word}`")),
    };
    let levels = device.levels.iter().filter_map(|word| codes::parse(word)).collect();
    let limits = Limits::of(&device);
    let said = Said {
        block: three("block", &given.list(info, "block"))?,
        grid: three("grid", &given.list(info, "grid"))?,
    };
    let strict_local = given.flag(info, "strict-local");
    Ok((Options { uses, tags, levels, strict_local, limits, said }, name))
}

/// `A=31,B=global.x`, for all maps of a problem; a map that is not named is sequential
pub fn parse_mapping(problem: &Problem, items: &[String]) -> Result<Vec<i64>, String> {
    let mut values: Vec<i64> = problem.decided.iter().map(|value| value.unwrap_or(0)).collect();
    for item in items {
        let (name, word) = item.split_once('=').ok_or_else(|| format!("`{item}` is no `MAP=LEVEL`"))?;
        let (name, word) = (name.trim(), word.trim());
        let Some(n) = problem.tree.find(name) else {
            let names: Vec<&str> = problem.tree.loops.iter().map(|each| each.name.as_str()).collect();
            return Err(format!("there is no map `{name}`; there are {}", names.join(", ")));
        };
        values[n] = codes::parse(word).ok_or_else(|| {
            format!("`{word}` is no level: a word as `thread.x`, a number of 0, 1, 10 … 12, 20 … 22, 30 … 32, or S, V, L0, W0, G0")
        })?;
    }
    Ok(values)
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
    options: &[DEVICE, TAGS, STRICT, USES, BLOCK, GRID],
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
            let scope = cx.symbols.child_scope(cx.scope, function);
            let (problem, missing) = function::problem(function, cx.symbols, scope, self.options.clone());
            if problem.tree.loops.is_empty() {
                continue;
            }
            if let Some(why) = missing {
                let _ = cx.emit(without_schedule(why));
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

/// The lowering's error as a warning: some rules were not asked
fn without_schedule(why: Diagnostic) -> Diagnostic {
    let text = format!("only rules of the maps are asked, since there is no schedule: {}", why.message);
    let mut warning = Diagnostic::warning(None, text);
    if let Some(span) = why.span {
        warning = warning.at(span);
    }
    warning
}

const MAPPING: OptionSpec = OptionSpec {
    name: "mapping",
    kind: OptionKind::List,
    default: "",
    docs: "level of each map: A=block.x,B=L0,C=0; those that are not named are sequential",
};

/// Do something for each function with the constraints that the user has for it; a pass in a function sees that one alone
fn each_function(
    cx: &mut PassCx<'_>,
    unit: &mut Ir,
    mut run: impl FnMut(
        &mut PassCx<'_>,
        &mut Ir,
        ScopeId,
        &dyn Fn(&Problem) -> Result<Vec<Given>, String>,
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

/// The problem of a function with the user's constraints
fn asked(
    cx: &mut PassCx<'_>,
    unit: &Ir,
    scope: ScopeId,
    options: Options,
    user: &dyn Fn(&Problem) -> Result<Vec<Given>, String>,
) -> Result<Option<Problem>, Reported> {
    let (mut problem, missing) = function::problem(unit, cx.symbols, scope, options);
    if problem.tree.loops.is_empty() {
        return Ok(None);
    }
    match user(&problem) {
        Ok(given) => problem.given.extend(given),
        Err(why) => return cx.fail(unit, unit.root(), &errors::USER, why),
    }
    if let Some(why) = missing {
        let _ = cx.emit(without_schedule(why));
    }
    Ok(Some(problem))
}

/// Say what is wrong with a mapping
pub static EXPLAIN: PassInfo = PassInfo {
    name: "array-explain-mapping",
    aliases: &[],
    summary: "Say which constraints a mapping violates, with the fewest changes that mend it",
    docs: "Each violated constraint is an error with its rule, the maps and their levels. A valid mapping gets remarks. With no \
           mapping at all the constraints that contradict each other are shown, as few as possible. Nothing changes.",
    scope: Scope::Tree,
    anchor: None,
    options: &[DEVICE, TAGS, STRICT, USES, BLOCK, GRID, MAPPING],
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
        let mut options = self.options.clone();
        // Lanes are chosen after mapping; here they are asked for by name.
        if self.mapping.iter().any(|item| {
            item.split_once('=').and_then(|(_, word)| codes::parse(word.trim())) == Some(codes::VECTOR)
        }) {
            options.levels.push(codes::VECTOR);
        }
        each_function(cx, unit, |cx, unit, scope, user| self.explain(cx, unit, scope, options.clone(), user))
    }
}

impl Explain {
    fn explain(
        &self,
        cx: &mut PassCx<'_>,
        unit: &Ir,
        scope: ScopeId,
        options: Options,
        user: &dyn Fn(&Problem) -> Result<Vec<Given>, String>,
    ) -> Result<(), Reported> {
        let Some(problem) = asked(cx, unit, scope, options, user)? else { return Ok(()) };
        let values = match parse_mapping(&problem, &self.mapping) {
            Ok(values) => values,
            Err(why) => return cx.fail(unit, unit.root(), &errors::MAPPING, why),
        };
        let (space, valid) = match problem.spaces() {
            Ok(spaces) => spaces,
            Err(why) => return cx.fail(unit, unit.root(), &errors::MAPPING, why),
        };
        let some = valid.as_ref().map_or(space.count().bits() > 0, |valid| valid.count().bits() > 0);
        if !some && let Ok(Some(found)) = explain::conflict_of_all(&problem) {
            return Err(contradiction(cx, unit, &problem, &found));
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
            count(cx, &space, valid.as_ref().ok());
        }
        result
    }
}

/// How many mappings satisfy the constraints of single paths, and how many of them fit the device
fn count(cx: &mut PassCx<'_>, space: &Space, valid: Option<&Space>) {
    cx.count("mappings", u64::try_from(space.count()).unwrap_or(u64::MAX));
    if let Some(valid) = valid {
        cx.count("fit the device", u64::try_from(valid.count()).unwrap_or(u64::MAX));
    }
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == terrace_diag::Severity::Error
}

fn contradiction(cx: &mut PassCx<'_>, unit: &Ir, problem: &Problem, found: &explain::Conflict) -> Reported {
    let all = found.given.len() + found.whole.len();
    let message = format!("no mapping satisfies all constraints; these {all} contradict each other");
    let mut error = Diagnostic::error(&errors::NO_MAPPING, message).at(unit.span(unit.root()));
    for given in found.given.iter().map(|given| &problem.given[*given]) {
        let at = given.about.first().and_then(|n| unit.span(problem.tree.loops[*n].op));
        error = error.note_at(at, format!("{} [{}]: {}", given.rule, given.tag.word(), given.reason));
    }
    for rule in &found.whole {
        error = error.note(format!("{rule} [beyond]: {}", explain::about_whole(rule)));
    }
    cx.emit(error)
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
        let Some(problem) = asked(cx, unit, scope, self.options.clone(), user)? else { return Ok(()) };
        let fail = |cx: &mut PassCx<'_>, why: String| cx.fail(unit, unit.root(), &errors::MAPPING, why);
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
        let (space, valid) = match problem.spaces() {
            Ok(spaces) => spaces,
            Err(why) => return fail(cx, why),
        };
        count(cx, &space, valid.as_ref().ok());
        let known = valid.is_ok();
        let space = valid.unwrap_or(space);
        let mut random = Random::new(self.seed.unwrap_or(0));
        let mut drawn = match self.seed {
            Some(_) => space.sample(&mut random),
            None => space.nth(&self.point),
        };
        // Where branches add up in too many ways, whole mappings are asked: draws that fail are drawn again, which keeps
        // them uniform.
        let mut tries = 0;
        while !known
            && self.seed.is_some()
            && tries < MOST_DRAWS
            && drawn.as_ref().is_some_and(|values| !problem.broken(values).is_empty())
        {
            drawn = space.sample(&mut random);
            tries += 1;
        }
        let values = drawn.filter(|values| problem.broken(values).is_empty());
        let Some(values) = values else {
            if let Ok(Some(found)) = explain::conflict_of_all(&problem) {
                return Err(contradiction(cx, unit, &problem, &found));
            }
            return fail(
                cx,
                format!("there are {} mappings, and none has number {}", space.count(), self.point),
            );
        };
        function::apply(unit, &problem.tree, &values);
        function::say(unit, self.options.said);
        Ok(())
    }
}
