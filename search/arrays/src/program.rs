//! An array program with what is open in it.
//!
//! Macros are written out and functions inlined once; sizes that are given or written are put in, and their conditions checked.
//! What is left open are the parameters of a `tune.space` and levels. A point's numbers are put in by `array-bind`; a pipeline
//! of the user's may follow, in which `@NAME` stands for the number, so that strategies are tuned like sizes.

use crate::listed::Listed;
use std::collections::BTreeMap;
use terrace_diag::Diagnostic;
use terrace_dialect_array::size::bound;
use terrace_dialect_array::types::split_type;
use terrace_dialect_array::{Map, substitute};
use terrace_dialect_func::Func;
use terrace_dialect_tune::{Constraint, Space as TuneSpace};
use terrace_ir::{Attr, Ir, OpId, TypeKind};
use terrace_search_mapping::infer::{self, Record};
use terrace_search_mapping::numbers::Choices;
use terrace_search_mapping::{MapLevel, Options, Tree, codes, errors, function};
use terrace_search_solver::{Cmp, Formula, Numbers, Search, Source, Term, Var, minimal_conflict};

/// Which levels are searched
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Levels {
    /// Of maps without one
    #[default]
    Free,
    /// Of all maps, whatever is written
    All,
    /// None: maps without one are sequential
    Written,
}

/// Runs a pipeline on a module and verifies; the error is the first one
pub type Run<'a> = &'a dyn Fn(&mut Ir, &str) -> Result<(), Diagnostic>;

/// What is to be searched
pub struct Setup<'a> {
    /// The file
    pub module: &'a Ir,
    /// The function, if several are public
    pub entry: Option<&'a str>,
    /// The space, if there are several
    pub space: Option<&'a str>,
    /// Numbers for symbols
    pub sizes: BTreeMap<String, i64>,
    /// Values that parameters and maps are to have
    pub fixes: Vec<(String, String)>,
    /// Passes after numbers were put in
    pub then: String,
    /// How mappings are chosen
    pub options: Options,
    /// Which levels are open
    pub levels: Levels,
    /// How passes are run
    pub run: Run<'a>,
}

/// A program ready to be searched
pub struct Program<'a> {
    base: Box<Ir>,
    /// The op that holds the function
    slot: OpId,
    /// Its name
    pub entry: String,
    /// Parameters with their constraints
    pub choices: Choices,
    /// Solutions of the numbers
    pub listed: Listed,
    /// What each constraint says, by number
    pub reasons: Vec<String>,
    /// Levels that maps are to have
    pub fixes: Vec<(String, MapLevel)>,
    /// How mappings are chosen
    pub options: Options,
    levels: Levels,
    then: String,
    run: Run<'a>,
}

fn fail(why: impl Into<String>) -> Diagnostic {
    Diagnostic::error(&errors::SPACE, why.into())
}

fn text(ir: &Ir, attr: Attr) -> String {
    attr.as_str(ir.cx()).unwrap_or("").to_string()
}

/// The name of a function
fn name_of(unit: &Ir) -> String {
    Func::cast(unit, unit.root()).map_or(String::new(), |func| text(unit, func.sym_name(unit)))
}

/// Does a function take or give arrays?
pub fn is_array_function(unit: &Ir) -> bool {
    let Some(func) = Func::cast(unit, unit.root()) else { return false };
    let (inputs, results) = func.types(unit);
    let mut pending: Vec<_> = inputs.iter().chain(results).copied().collect();
    while let Some(ty) = pending.pop() {
        match ty.kind(unit.cx()) {
            TypeKind::Tuple(types) => pending.extend(types.iter().copied()),
            _ if split_type(unit.cx(), ty).is_some() => return true,
            _ => {}
        }
    }
    false
}

/// Is there something for this crate in a module?
pub fn has_arrays(module: &Ir) -> bool {
    module.walk().filter_map(|op| module.child(op)).any(is_array_function)
}

/// The function that is meant
fn find(module: &Ir, entry: Option<&str>) -> Result<(OpId, String), Diagnostic> {
    let mut found = Vec::new();
    for op in module.walk() {
        let Some(unit) = module.child(op).filter(|unit| is_array_function(unit)) else { continue };
        let name = name_of(unit);
        let public = unit
            .attr(unit.root(), "sym_visibility")
            .is_none_or(|word| word.as_str(unit.cx()) != Some("private"));
        if entry.map_or(public, |entry| entry.trim_start_matches('@') == name) {
            found.push((op, name));
        }
    }
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(fail(match entry {
            Some(entry) => format!("there is no function @{} on arrays", entry.trim_start_matches('@')),
            None => "there is no public function on arrays".into(),
        })),
        _ => {
            let names: Vec<String> = found.iter().map(|(_, name)| format!("@{name}")).collect();
            Err(fail(format!("which function? Say --entry=@NAME; there are {}", names.join(", "))))
        }
    }
}

/// The space that is meant; none if there is none
fn find_space(module: &Ir, name: Option<&str>, entry: &str) -> Result<Option<TuneSpace>, Diagnostic> {
    let all: Vec<TuneSpace> = module.walk().filter_map(|op| TuneSpace::cast(module, op)).collect();
    let own = |space: &TuneSpace| text(module, space.name(module));
    let list = || all.iter().map(|space| format!("@{}", own(space))).collect::<Vec<_>>().join(", ");
    if let Some(name) = name {
        let name = name.trim_start_matches('@');
        let found = all.iter().find(|space| own(space) == name);
        return match found {
            Some(space) => Ok(Some(*space)),
            None if all.is_empty() => {
                Err(fail(format!("there is no `tune.space @{name}`; the file has none")))
            }
            None => Err(fail(format!("there is no `tune.space @{name}`; there are {}", list()))),
        };
    }
    let mut ours = all.iter().filter(|space| space.of(module).is_none_or(|of| text(module, of) == entry));
    match (ours.next(), ours.next()) {
        (Some(_), Some(_)) => Err(fail(format!("which space? Say --space=@NAME; there are {}", list()))),
        (found, _) => Ok(found.copied()),
    }
}

impl<'a> Program<'a> {
    /// Read what is open
    pub fn new(setup: Setup<'a>) -> Result<Program<'a>, Diagnostic> {
        let (slot, entry) = find(setup.module, setup.entry)?;
        let space = find_space(setup.module, setup.space, &entry)?;
        let mut known = setup.module.child(slot).map(bound).unwrap_or_default();
        known.extend(setup.sizes.iter().map(|(name, value)| (name.clone(), *value)));
        let mut choices = match space {
            Some(space) => Choices::of(setup.module, space, &known).map_err(|why| {
                fail(why.to_string()).help("sizes of the program are given by --set=NAME=NUMBER")
            })?,
            None => Choices::default(),
        };
        let mut reasons: Vec<String> =
            choices.constraints.iter().map(|op| constraint_text(setup.module, *op)).collect();
        levels_apart(&mut choices);

        let mut base = setup.module.clone_unit();
        (setup.run)(&mut base, "array-expand,array-inline")?;
        // Sizes are parameters of one value; what they decide is checked here, where it can still be said by name.
        for (param, value) in choices.numbers.params.iter().zip(Search::new(&choices.numbers, None).fixed()) {
            if let Source::Derived(Term::Int(_)) = param.source {
                known.insert(param.name.clone(), *value);
            }
        }
        bind(setup.run, &mut base, &known)?;
        let (slot, _) = find(&base, Some(&entry))?;
        let unit = base.child(slot).ok_or_else(|| fail("the function has gone"))?;
        for name in substitute::names(unit) {
            if choices.var(&name).is_none() {
                let error = fail(format!("@{name} has no number, and is no parameter of a space"));
                return Err(error.help(format!("--set={name}=16, or `tune.param @{name} in 1 to 16`")));
            }
        }
        for record in infer::of_types(unit).map_err(|error| fail(error.to_string()))? {
            choices.ask(&record.statement).map_err(|why| fail(why.to_string()))?;
            let Record { rule, tag, statement, reason, .. } = record;
            reasons.push(format!("{rule} [{}]: {statement}, {reason}", tag.word()));
        }
        let mut fixes = Vec::new();
        for (name, value) in &setup.fixes {
            let name = name.trim_start_matches('@');
            let Some(var) = choices.var(name).filter(|_| !name.starts_with("m.")) else {
                let level = codes::parse(value)
                    .ok_or_else(|| fail(format!("`{value}` is no level, and @{name} no parameter")))?;
                fixes.push((name.to_string(), level));
                continue;
            };
            let number = value.parse().map_err(|_| fail(format!("@{name} is a number, not `{value}`")))?;
            choices.numbers.require(Formula::cmp(Cmp::Eq, Term::Var(var), Term::Int(number)));
            reasons.push(format!("fix [user]: @{name} is to be {number}"));
        }
        let listed = Listed::of(&choices.numbers).map_err(|error| fail(error.to_string()))?;
        if listed.count().bits() == 0 {
            return Err(empty(&choices.numbers, &reasons));
        }
        let mut program = Program {
            base,
            slot,
            entry,
            choices,
            listed,
            reasons,
            fixes,
            options: setup.options,
            levels: setup.levels,
            then: setup.then,
            run: setup.run,
        };
        program.check_fixes()?;
        Ok(program)
    }

    /// Names of levels that are to be fixed are names of open maps
    fn check_fixes(&mut self) -> Result<(), Diagnostic> {
        if self.fixes.is_empty() {
            return Ok(());
        }
        let first = self.listed.spread(0, 1).ok_or_else(|| fail("the space is empty"))?;
        let (module, slot) = self.bind(&first)?;
        let Some(unit) = module.child(slot) else { return Ok(()) };
        let tree = Tree::of(unit);
        for (name, _) in &self.fixes {
            if find_map(&tree, name).is_none() {
                let names = tree.loops.iter().map(|each| each.name.clone());
                let params = self.choice_names().into_iter().map(|name| format!("@{name}"));
                let all: Vec<String> = params.chain(names).collect();
                return Err(fail(format!(
                    "there is no parameter or map `{name}`; there are {}",
                    all.join(", ")
                )));
            }
        }
        Ok(())
    }

    /// Names of the numbers that are chosen, in order
    pub fn choice_names(&self) -> Vec<String> {
        let name = |var: Var| self.choices.numbers.params[var.index()].name.clone();
        self.listed.choices().into_iter().map(name).collect()
    }

    /// All names with their numbers at a point
    pub fn values(&self, choices: &[i64]) -> Option<BTreeMap<String, i64>> {
        let all = self.listed.complete(choices)?;
        Some(
            self.choices
                .numbers
                .params
                .iter()
                .zip(all)
                .map(|(param, value)| (param.name.clone(), value))
                .collect(),
        )
    }

    /// The program with numbers put in, and rewritten; levels that are searched are open in it
    pub fn bind(&self, choices: &[i64]) -> Result<(Box<Ir>, OpId), Diagnostic> {
        let values = self.values(choices).ok_or_else(|| fail("these numbers are no point of the space"))?;
        let mut module = self.base.clone_unit();
        bind(self.run, &mut module, &values)?;
        let then = with_numbers(&self.then, &values);
        if !then.is_empty() {
            (self.run)(&mut module, &then)?;
        }
        let (slot, _) = find(&module, Some(&self.entry))?;
        let Some(unit) = module.child_mut(slot) else { return Ok((module, slot)) };
        self.levels_of_params(unit, &values);
        match self.levels {
            Levels::Free => {}
            Levels::All => {
                let maps: Vec<OpId> = unit.walk().filter(|op| Map::cast(unit, *op).is_some()).collect();
                maps.into_iter().for_each(|map| unit.set_attr(map, "level", None));
            }
            Levels::Written => {
                let tree = Tree::of(unit);
                for (name, level) in &self.fixes {
                    if let Some(n) = find_map(&tree, name) {
                        let word = unit.cx().str_attr(&level.to_string());
                        unit.set_attr(tree.loops[n].op, "level", Some(word));
                    }
                }
            }
        }
        Ok((module, slot))
    }

    /// Levels that are parameters of words of the space: `array.map %x : @unroll`
    fn levels_of_params(&self, unit: &mut Ir, values: &BTreeMap<String, i64>) {
        let maps: Vec<OpId> = unit.walk().filter(|op| Map::cast(unit, *op).is_some()).collect();
        for map in maps {
            let name = unit.attr(map, "level").and_then(|level| level.as_symbol(unit.cx()));
            let Some(name) = name.map(|(name, _)| unit.cx().str(name).to_string()) else { continue };
            let word = self
                .choices
                .var(&name)
                .zip(values.get(&name))
                .and_then(|(var, value)| self.choices.words.get(&(var.0, *value)).cloned());
            if let Some(word) = word {
                let word = unit.cx().str_attr(&word);
                unit.set_attr(map, "level", Some(word));
            }
        }
    }

    /// Are levels searched at all?
    pub fn maps_levels(&self) -> bool {
        self.levels != Levels::Written
    }

    /// The text that a log of this space is of: the program and all that bears on it
    pub fn identity(&self) -> String {
        let levels = match self.levels {
            Levels::Free => "free",
            Levels::All => "all",
            Levels::Written => "written",
        };
        format!(
            "{}\n{}\n{:?}\n{}\n{:?}",
            self.entry,
            self.then,
            self.options,
            levels,
            (&self.choices.numbers, &self.fixes)
        )
    }

    /// The program before numbers are put in
    pub fn base(&self) -> &Ir {
        &self.base
    }

    /// Where the function is
    pub fn slot(&self) -> OpId {
        self.slot
    }
}

/// A map by its name or its parameter
pub(crate) fn find_map(tree: &Tree, name: &str) -> Option<usize> {
    let own = |n: &usize| tree.loops[*n].name == name || function::parameter(tree, *n) == name;
    (0..tree.loops.len()).find(own)
}

/// Numbers for symbols of all functions
fn bind(run: Run<'_>, module: &mut Ir, values: &BTreeMap<String, i64>) -> Result<(), Diagnostic> {
    let word = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let sizes = values.iter().filter(|(name, value)| word(name) && **value >= 0);
    let sizes: Vec<String> = sizes.map(|(name, value)| format!("{name}={value}")).collect();
    run(module, &format!("func.func(array-bind{{sizes={}}})", sizes.join(",")))
}

/// `@NAME` as its number; other names stay
fn with_numbers(text: &str, values: &BTreeMap<String, i64>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 1..];
        let end = tail.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(tail.len());
        match values.get(&tail[..end]) {
            Some(value) => out.push_str(&value.to_string()),
            None => out.push_str(&rest[at..at + 1 + end]),
        }
        rest = &tail[end..];
    }
    out + rest
}

/// Parameters of maps are no numbers: their constraints, and those of what follows from them, belong to the mapping problem
fn levels_apart(choices: &mut Choices) {
    let numbers = &mut choices.numbers;
    let mut levels: Vec<bool> = Vec::new();
    for param in &numbers.params {
        let of = |term: &&Term| Formula::cmp(Cmp::Eq, (*term).clone(), 0).scope();
        let follows =
            param.source.terms().iter().flat_map(of).any(|var| levels.get(var.index()) == Some(&true));
        levels.push(follows || param.name.starts_with("m."));
    }
    for each in &mut numbers.constraints {
        // Numbers of constraints are places in the list, so that it stays whole.
        if each.formula.scope().iter().any(|var| levels[var.index()]) {
            each.formula = Formula::Known(true);
        }
    }
    for (param, level) in numbers.params.iter_mut().zip(levels) {
        if level {
            param.source = Source::Derived(Term::Int(0));
        }
    }
}

fn constraint_text(ir: &Ir, op: OpId) -> String {
    Constraint::cast(ir, op).map_or(String::new(), |constraint| {
        let reason = constraint.reason(ir).map(|reason| format!(": {}", text(ir, reason)));
        let (rule, tag) = (text(ir, constraint.rule(ir)), text(ir, constraint.tag(ir)));
        format!("{rule} [{tag}]{}", reason.unwrap_or_default())
    })
}

/// Why there is no point
fn empty(numbers: &Numbers, reasons: &[String]) -> Diagnostic {
    let ids: Vec<usize> = numbers.constraints.iter().map(|each| each.id).collect();
    let found = minimal_conflict(&ids, |set| {
        let kept = numbers.constraints.iter().filter(|each| set.contains(&each.id)).cloned().collect();
        let part = Numbers { params: numbers.params.clone(), constraints: kept };
        let search = Search::new(&part, None);
        // One solution of each group is enough.
        search.solutions().next().is_some()
    });
    let found = found.unwrap_or_default();
    let mut error =
        fail(format!("no point satisfies all constraints; these {} contradict each other", found.len()));
    for id in found {
        error = error.note(reasons.get(id).cloned().unwrap_or_default());
    }
    error
}
