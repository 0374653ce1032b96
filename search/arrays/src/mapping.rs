//! Levels of a bound program: which maps are open, and what they may be.

use crate::program::find_map;
use terrace_diag::Diagnostic;
use terrace_dialect_tune::{Domain, Param, Space as TuneSpace, Value};
use terrace_ir::symbols::Symbols;
use terrace_ir::{Ir, OpId};
use terrace_search_mapping::{
    Given, MapLevel, MapLevels, Mapping as Levels, Mappings, Options, Problem, Tag, codes, errors, explain,
    function, numbers,
};
use terrace_search_solver::{Model, Random};

/// Draws until one asks for no more than the device has
const MOST_DRAWS: u32 = 10_000;

/// The mapping problem of a bound program with its solutions
#[derive(Debug)]
pub struct Mapping {
    /// The problem
    pub problem: Problem,
    /// Its model, as constraints that hold
    pub model: Model,
    /// All solutions but for what joins branches
    pub space: Mappings,
    /// Maps that are open, in order of text
    pub open: Vec<usize>,
    /// Their parameters
    pub names: Vec<String>,
}

/// Requested levels: parameter or name of a map, and the level
pub type Fixes = [(String, MapLevel)];

/// Parameters of the maps of a function that have no level
pub fn open_names(function: &Ir) -> Vec<String> {
    let tree = terrace_search_mapping::Tree::of(function);
    let open = |n: &usize| {
        function.attr(tree.loops[*n].op, "level").is_none_or(|level| level.as_str(function.cx()).is_none())
    };
    (0..tree.loops.len()).filter(open).map(|n| function::parameter(&tree, n)).collect()
}

impl Mapping {
    /// The problem of the function at `slot` of a module; memory is given to values that need it first
    ///
    /// The error says why there is no schedule, or which constraints contradict each other.
    pub fn of(module: &mut Ir, slot: OpId, options: &Options, fixes: &Fixes) -> Result<Mapping, Diagnostic> {
        let ask = |module: &Ir| {
            let symbols = Symbols::read(module);
            let unit = module.child(slot).expect("the slot of a function holds one");
            let scope = symbols.child_scope(symbols.root(), unit);
            function::problem(unit, &symbols, scope, options.clone())
        };
        let (mut problem, missing) = ask(module);
        if missing.is_some() {
            let symbols = Symbols::read(module);
            if let Some(unit) = module.child_mut(slot) {
                let scope = symbols.child_scope(symbols.root(), unit);
                terrace_lowering_array::place::place(unit, &symbols, scope);
            }
            let (again, missing) = ask(module);
            if let Some(why) = missing {
                return Err(why);
            }
            problem = again;
        }
        let unit = module.child(slot).expect("the slot of a function holds one");
        let name = terrace_ir::symbols::symbol_name(unit, unit.root());
        let name = name.map_or(String::new(), |name| module.cx().str(name).to_string());
        let fail = |why: String| Diagnostic::error(&errors::MAPPING, why);
        problem.given.extend(numbers::of_user(module, &name, &problem).map_err(|why| fail(why.to_string()))?);
        problem.given.extend(of_params(module, &name, &problem));
        for (name, level) in fixes {
            let at = find_map(&problem.tree, name);
            let Some(at) = at else { continue };
            if !problem.domain(at).contains(*level) {
                let words: Vec<String> = problem.domain(at).iter().map(|level| level.to_string()).collect();
                let why = format!("{name} cannot be {level}; it is one of {}", words.join(", "));
                return Err(fail(why));
            }
            problem.given.push(Given {
                rule: "fix",
                kind: "user",
                tag: Tag::User,
                formula: codes::is_in(at, *level),
                about: vec![at],
                reason: format!("{name} is to be {level}"),
            });
        }
        let model = problem.model();
        let (space, _) = Mappings::without_joint(&model).map_err(|why| fail(why.to_string()))?;
        if space.is_empty() {
            return Err(conflict(unit, &problem));
        }
        let mut open: Vec<usize> =
            (0..problem.tree.loops.len()).filter(|n| problem.decided[*n].is_none()).collect();
        open.sort_by_key(|n| problem.tree.loops[*n].number);
        let names = open.iter().map(|n| function::parameter(&problem.tree, *n)).collect();
        Ok(Mapping { problem, model, space, open, names })
    }

    /// What the next open map may be after these, ascending
    pub fn after(&self, begin: &[MapLevel]) -> Levels {
        let mut known = self.problem.decided.clone();
        for (n, value) in self.open.iter().zip(begin) {
            known[*n] = Some(*value);
        }
        let Some(next) = self.open.get(begin.len()).copied() else { return Vec::new() };
        let first: Levels = known.iter().map_while(|value| *value).collect();
        let mut values = match first.len() == next && known[next..].iter().all(Option::is_none) {
            true => self.space.after(&first),
            // Loops that stand in another order than their maps.
            false => {
                let mut values: Levels = self.problem.domain(next).iter().collect();
                values.retain(|value| {
                    let wanted = |n: usize| if n == next { Some(*value) } else { known[n] };
                    let wrong =
                        |n: usize, own: MapLevel| usize::from(wanted(n).is_some_and(|wanted| wanted != own));
                    self.space.cheapest(&wrong).is_some_and(|(_, wrong)| wrong == 0)
                });
                values
            }
        };
        // The last choice decides what joins branches.
        if begin.len() + 1 == self.open.len() {
            values.retain(|value| {
                let choices = [begin, &[*value]].concat();
                self.complete(&choices).is_some_and(|all| self.problem.broken(&all).is_empty())
            });
        }
        values
    }

    /// Levels of all maps from those of the open ones; `None` if it is no solution
    pub fn complete(&self, open: &[MapLevel]) -> Option<Levels> {
        let all = self.all(open)?;
        self.model.holds(&codes::numbers(&all)).then_some(all)
    }

    /// Levels of all maps, whether or not they satisfy anything
    pub fn all(&self, open: &[MapLevel]) -> Option<Levels> {
        let mut all = self.problem.decided.clone();
        for (n, value) in self.open.iter().zip(open) {
            all[*n] = Some(*value);
        }
        all.into_iter().collect::<Option<Levels>>().filter(|_| open.len() == self.open.len())
    }

    /// What each open map may be by itself, in the order of Table 2
    pub fn domains(&self) -> Vec<Levels> {
        let own = |n: &usize| {
            let mut values: Levels = self.problem.domain(*n).iter().collect();
            values.sort_unstable();
            values
        };
        self.open.iter().map(own).collect()
    }

    /// Of all maps those that are open
    pub fn choices(&self, all: &[MapLevel]) -> Levels {
        self.open.iter().map(|n| all[*n]).collect()
    }

    /// Levels of all maps, each solution as likely as the others; `None` if none was found that the device has room for
    pub fn sample(&self, random: &mut Random) -> Option<Levels> {
        (0..MOST_DRAWS).find_map(|_| {
            let all = self.space.sample(random)?;
            self.problem.broken(&all).is_empty().then_some(all)
        })
    }
}

/// Levels that parameters of maps in the program's own spaces leave
fn of_params(module: &Ir, function: &str, problem: &Problem) -> Vec<Given> {
    let cx = module.cx();
    let mut out = Vec::new();
    for space in module.walk().filter_map(|op| TuneSpace::cast(module, op)) {
        if space.of(module).is_some_and(|of| of.as_str(cx) != Some(function)) {
            continue;
        }
        let body = module.entry(space.body(module));
        for param in
            body.into_iter().flat_map(|body| module.block_ops(body)).filter_map(|op| Param::cast(module, op))
        {
            let name = param.name(module).as_str(cx).unwrap_or("").to_string();
            let at = (0..problem.tree.loops.len()).find(|n| function::parameter(&problem.tree, *n) == name);
            let (Some(at), Some(Domain::Values(values))) = (at, Domain::from_attr(cx, param.domain(module)))
            else {
                continue;
            };
            let levels = values.iter().filter_map(|value| match value {
                Value::Int(number) => codes::read(*number),
                Value::Word(word) => codes::parse(word),
            });
            let words: Vec<String> = values.iter().map(ToString::to_string).collect();
            out.push(Given {
                rule: "domain",
                kind: "user",
                tag: Tag::User,
                formula: codes::is_in(at, levels.collect::<MapLevels>()),
                about: vec![at],
                reason: format!("@{name} is one of {}", words.join(", ")),
            });
        }
    }
    out
}

/// Why there is no mapping: constraints that contradict each other
fn conflict(unit: &Ir, problem: &Problem) -> Diagnostic {
    let found = match explain::conflict(problem) {
        Ok(found) => found.unwrap_or_default(),
        Err(why) => return Diagnostic::error(&errors::MAPPING, why.to_string()),
    };
    let message =
        format!("no mapping satisfies all constraints; these {} contradict each other", found.len());
    let mut error = Diagnostic::error(&errors::NO_MAPPING, message);
    if let Some(span) = unit.span(unit.root()) {
        error = error.at(span);
    }
    for given in found.iter().map(|given| &problem.given[*given]) {
        let at = given.about.first().and_then(|n| unit.span(problem.tree.loops[*n].op));
        error = error.note_at(at, format!("{} [{}]: {}", given.rule, given.tag.word(), given.reason));
    }
    error
}
