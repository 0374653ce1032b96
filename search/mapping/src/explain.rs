//! What is wrong with a mapping, which constraints contradict each other, and what would be right.

use crate::codes;
use crate::demand::{WHOLE, rules_of};
use crate::errors;
use crate::joint::Broken;
use crate::levels::{self, MapLevel};
use crate::mappings::Mappings;
use crate::problem::Problem;
use crate::rules::{Given, Tag};
use crate::tree::Space as Memory;
use terrace_devices::{Level, Levels};
use terrace_diag::{Code, Diagnostic};
use terrace_ir::Ir;
use terrace_search_solver::{Formula, Uncounted, Var, minimal_conflict};

/// A constraint that does not hold, and what makes it so
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    /// Place in [`Problem::given`]
    pub given: usize,
    /// The maps whose values clash
    pub clash: Vec<usize>,
}

/// The constraints that hold by their tag and do not by these values
pub fn violations(problem: &Problem, values: &[MapLevel]) -> Vec<Violation> {
    let numbers = codes::numbers(values);
    let at = |var: Var| numbers.get(var.index()).copied();
    let mut out = Vec::new();
    for given in problem.model().violated(&numbers) {
        let mut clash = Vec::new();
        culprits(&problem.given[given].formula, true, &at, &mut clash);
        clash.sort_unstable();
        clash.dedup();
        out.push(Violation { given, clash });
    }
    out
}

/// The variables of the parts that make a statement false, or true
fn culprits(formula: &Formula, wanted: bool, at: &dyn Fn(Var) -> Option<i64>, out: &mut Vec<usize>) {
    if formula.eval(at) == Some(wanted) {
        return;
    }
    match formula {
        Formula::Not(inner) => culprits(inner, !wanted, at, out),
        // One wrong part of a conjunction is enough to know.
        Formula::And(all) if wanted => {
            if let Some(part) = all.iter().find(|part| part.eval(at) != Some(true)) {
                culprits(part, true, at, out);
            }
        }
        Formula::Or(all) if !wanted => {
            if let Some(part) = all.iter().find(|part| part.eval(at) != Some(false)) {
                culprits(part, false, at, out);
            }
        }
        Formula::And(all) | Formula::Or(all) => all.iter().for_each(|part| culprits(part, wanted, at, out)),
        // Of a set, those that are in it, if none must be; all if some must be.
        Formula::Any(vars, values) => out.extend(
            vars.iter()
                .filter(|var| wanted || at(**var).is_some_and(|value| values.contains(&value)))
                .map(|var| var.index()),
        ),
        other => out.extend(other.scope().iter().map(|var| var.index())),
    }
}

/// Constraints that contradict each other, minimal; `None` if there is a mapping
pub fn conflict(problem: &Problem) -> Result<Option<Vec<usize>>, Uncounted> {
    let model = problem.model();
    let ids: Vec<usize> = model.constraints.iter().map(|each| each.id).collect();
    let mut failed = None;
    let found = minimal_conflict(&ids, |set| match Mappings::without_joint(&model.only(set)) {
        Ok((space, _)) => !space.is_empty(),
        Err(why) => {
            failed = Some(why);
            true
        }
    });
    match failed {
        Some(why) => Err(why),
        None => Ok(found),
    }
}

/// Rules that contradict each other, those of whole kernels too
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// Places in [`Problem::given`]
    pub given: Vec<usize>,
    /// Rules of whole kernels: HW, GRID, SYNC, CAP
    pub whole: Vec<&'static str>,
}

/// What contradicts each other, minimal; `None` if there is a mapping that fits the device
pub fn conflict_of_all(problem: &Problem) -> Result<Option<Conflict>, Uncounted> {
    if let Some(given) = conflict(problem)? {
        return Ok(Some(Conflict { given, whole: Vec::new() }));
    }
    let model = problem.model();
    let own = problem.given.len();
    let ids: Vec<usize> =
        model.constraints.iter().map(|each| each.id).chain(own..own + WHOLE.len()).collect();
    let mut failed = None;
    let found = minimal_conflict(&ids, |set| {
        let empty = Mappings::without_joint(&model.only(set)).and_then(|(space, _)| {
            let rules = rules_of(set.iter().filter_map(|id| id.checked_sub(own)));
            Ok(problem.fitting(&space, rules)?.is_empty())
        });
        match empty {
            Ok(empty) => !empty,
            Err(why) => {
                failed = Some(why);
                true
            }
        }
    });
    match (failed, found) {
        (Some(why), _) => Err(why),
        (None, found) => Ok(found.map(|ids| Conflict {
            given: ids.iter().copied().filter(|id| *id < own).collect(),
            whole: ids.iter().filter_map(|id| WHOLE.get(id.checked_sub(own)?).copied()).collect(),
        })),
    }
}

/// The fewest changes that make a mapping satisfy everything: maps with new values
///
/// Of mappings that fit the device as a whole; where branches add up in too many ways to know these, of all that satisfy the
/// constraints of single paths.
pub fn relaxation(problem: &Problem, values: &[MapLevel]) -> Option<Vec<(usize, MapLevel)>> {
    let (space, valid) = problem.spaces().ok()?;
    let (nearest, _) = valid.unwrap_or(space).nearest(values)?;
    let changes = nearest.iter().zip(values).enumerate().filter(|(_, (new, old))| new != old);
    Some(changes.map(|(n, (new, _))| (n, *new)).collect())
}

fn code_of(given: &Given) -> Code {
    use terrace_dialect_sched::codes as sched;
    match (given.tag, given.rule) {
        (Tag::Heuristic, _) => &errors::ADVICE,
        (Tag::User | Tag::Type, _) => &errors::USER,
        (Tag::Beyond, "NEST") => &sched::NEST,
        (Tag::Beyond, "MEM") => &sched::MEM,
        (Tag::Beyond, "HOME") => &sched::HOME,
        (Tag::Beyond, "VEC") => &sched::VEC,
        (Tag::Beyond, "HW") => &sched::HW,
        (Tag::Beyond, "CAP") => &sched::CAP,
        (Tag::Beyond, "RACE") => &sched::RACE,
        (Tag::Beyond, "GRID") => &sched::GRID,
        (Tag::Beyond, "SYNC") => &sched::SYNC,
        (Tag::Beyond, "INLINED") => &errors::INLINED,
        (Tag::Beyond, _) => &errors::FUSED,
        (Tag::Printed, _) => &errors::PRINTED,
    }
}

/// `A=global.y, B=global.x`
pub fn mapping_text(problem: &Problem, maps: &[usize], values: &[MapLevel]) -> String {
    let each = |n: &usize| format!("{}={}", problem.tree.loops[*n].name, values[*n]);
    let mut maps = maps.to_vec();
    maps.sort_by_key(|n| problem.tree.loops[*n].number);
    maps.iter().map(each).collect::<Vec<_>>().join(", ")
}

/// What a rule's value means where the rule itself does not say it
fn because(given: &Given, values: &[MapLevel], clash: &[usize]) -> &'static str {
    if given.rule != "MEM" {
        return "";
    }
    match clash.first().and_then(|n| values[*n].level()) {
        Some(Level::Global(_)) => "; threads of the whole grid cannot wait for each other inside of a kernel",
        Some(Level::Block(_)) => "; another block's memory is out of scope",
        _ => "",
    }
}

/// Why a map without one around is not fused
pub fn outermost(name: &str) -> String {
    format!("{name} is an outermost map: there is none around to be one with")
}

/// Levels that maps cannot have, whatever the others have: constraints say nothing of them
fn outside(ir: &Ir, problem: &Problem, values: &[MapLevel]) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for (n, each) in problem.tree.loops.iter().enumerate() {
        let domain = problem.domain(n);
        if domain.contains(values[n]) {
            continue;
        }
        let (name, word) = (&each.name, values[n]);
        let error = match values[n] {
            MapLevel::Fused if problem.options.levels.fused => Diagnostic::error(
                &errors::FUSED,
                format!("FUSED [beyond]: {}", outermost(name)),
            ),
            _ if each.inlined => Diagnostic::error(
                &errors::INLINED,
                format!(
                    "INLINED [beyond]: {name} has no loop: its elements are computed where they are read, since they are in no memory"
                ),
            )
            .help(format!("give its result a place, so that it has a loop: `array.place`; or leave out {name}={word}")),
            _ => {
                let words: Vec<String> = domain.iter().map(|value| value.to_string()).collect();
                Diagnostic::error(&errors::MAPPING, format!("{name} cannot be at {word}: the device has no such level"))
                    .help(format!("there are {}", words.join(", ")))
            }
        };
        out.push(error.at(ir.span(each.op)));
    }
    out
}

/// All that there is to say about a mapping: an error for each violated constraint, with the fix on the last one; or remarks
pub fn report(ir: &Ir, problem: &Problem, values: &[MapLevel]) -> Vec<Diagnostic> {
    let outside = outside(ir, problem, values);
    if !outside.is_empty() {
        return outside;
    }
    let all = violations(problem, values);
    let mut out = Vec::new();
    for violation in &all {
        let given = &problem.given[violation.given];
        let first = violation.clash.first().or(given.about.first()).copied();
        let tag = given.tag.word();
        let at = mapping_text(problem, &violation.clash, values);
        let message = format!(
            "{} [{tag}]: {}{} ({at})",
            rule_name(given),
            given.reason,
            because(given, values, &violation.clash)
        );
        let mut error = Diagnostic::error(code_of(given), message);
        if let Some(first) = first {
            error = error.at(ir.span(problem.tree.loops[first].op));
        }
        for other in violation.clash.iter().filter(|n| Some(**n) != first) {
            let each = &problem.tree.loops[*other];
            error = error.note_at(ir.span(each.op), format!("{} is at {}", each.name, values[*other]));
        }
        out.push(error);
    }
    if all.is_empty() {
        // Only of mappings that satisfy the rest: what they mean together.
        for broken in problem.broken(values) {
            out.push(of_broken(ir, problem, values, &broken));
        }
        if let Some(last) = out.pop() {
            out.push(last.help(changes_text(problem, values)));
        }
        return if out.is_empty() { remarks(ir, problem, values) } else { out };
    }
    let help = changes_text(problem, values);
    if let Some(last) = out.pop() {
        out.push(last.help(help));
    }
    out
}

/// A rule that a whole mapping breaks, with what each map has to do with it
fn of_broken(ir: &Ir, problem: &Problem, values: &[MapLevel], broken: &Broken) -> Diagnostic {
    use terrace_dialect_sched::codes as sched;
    let code: Code = match broken.rule {
        "CAP" => &sched::CAP,
        "GRID" => &sched::GRID,
        "SYNC" => &sched::SYNC,
        _ => &sched::HW,
    };
    let at = mapping_text(problem, &broken.about, values);
    let mut error = Diagnostic::error(code, format!("{} [beyond]: {} ({at})", broken.rule, broken.reason));
    for (n, about) in broken.about.iter().enumerate() {
        let each = &problem.tree.loops[*about];
        let trip = problem.sizes.as_ref().map_or(0, |sizes| sizes.trip(&problem.tree, *about, values));
        error = match n {
            0 => error.at(ir.span(each.op)),
            _ => error.note_at(
                ir.span(each.op),
                format!("{} has {trip} iterations at {}", each.name, values[*about]),
            ),
        };
    }
    error
}

fn changes_text(problem: &Problem, values: &[MapLevel]) -> String {
    let Some(changes) = relaxation(problem, values) else {
        return "no mapping satisfies all constraints".to_string();
    };
    let each = |(n, value): &(usize, MapLevel)| {
        let name = &problem.tree.loops[*n].name;
        format!("{name} from {} to {value}", values[*n])
    };
    let list: Vec<String> = changes.iter().map(each).collect();
    format!("the fewest changes that satisfy all: {}", list.join(", "))
}

fn rule_name(given: &Given) -> String {
    match given.tag {
        Tag::Printed | Tag::Heuristic => format!("rule ({}), {}", given.rule, given.kind),
        _ => given.rule.to_string(),
    }
}

/// What is worth knowing of a valid mapping
fn remarks(ir: &Ir, problem: &Problem, values: &[MapLevel]) -> Vec<Diagnostic> {
    let tree = &problem.tree;
    let at = |n: usize| ir.span(tree.loops[n].op);
    let all: Vec<usize> = (0..tree.loops.len()).filter(|n| !tree.loops[*n].inlined).collect();
    let text = mapping_text(problem, &all, values);
    let word = if problem.is_whole() { "valid" } else { "no rule that is asked refuses it" };
    let mut out =
        vec![Diagnostic::remark(None, format!("{word}: {text}")).at(all.first().and_then(|n| at(*n)))];
    for buffer in tree.buffers.iter().filter(|buffer| buffer.space == Memory::Local) {
        let around: Vec<usize> =
            buffer.owner.into_iter().flat_map(|n| std::iter::once(n).chain(tree.outer(n))).collect();
        let threads = around.iter().find(|n| values[**n].is_at(levels::SPREAD));
        if let Some(n) = threads {
            let why = format!(
                "local memory of each thread of {}: it is expanded, one buffer for each thread of a block",
                tree.loops[*n].name
            );
            out.push(Diagnostic::remark(None, why).at(ir.span(buffer.op)).note_at(at(*n), "the owner"));
        }
    }
    let parallel: Vec<usize> =
        all.iter().copied().filter(|n| values[*n].is_at(levels::IN_PARALLEL)).collect();
    let names =
        |maps: &[usize]| maps.iter().map(|n| tree.loops[*n].name.as_str()).collect::<Vec<_>>().join(", ");
    for chain in tree.chains() {
        let own: Vec<usize> = chain.iter().copied().filter(|n| parallel.contains(n)).collect();
        if own.len() <= 1 && chain.len() > 1 {
            let sizes: Vec<String> = own.iter().map(|n| tree.loops[*n].size.to_string()).collect();
            let many = if own.is_empty() { "1".to_string() } else { sizes.join(" * ") };
            let why = format!("few threads: {many} at once on the chain {}", names(&chain));
            out.push(Diagnostic::remark(None, why).at(chain.last().and_then(|n| at(*n))));
            break;
        }
    }
    for join in &problem.joins {
        let threads = |n: usize| values[n].is_at(Levels::THREAD);
        let (writers, readers): (Vec<usize>, Vec<usize>) = (
            join.writer.iter().copied().filter(|n| threads(*n)).collect(),
            join.reader.iter().copied().filter(|n| threads(*n)).collect(),
        );
        // The same thread on both sides: a pair of loops at one level that walk the same elements.
        let same =
            |w: &usize| readers.iter().any(|r| values[*r] == values[*w] && join.equal.contains(&(*w, *r)));
        if (!writers.is_empty() || !readers.is_empty())
            && (writers.len() != readers.len() || !writers.iter().all(same))
        {
            let why = format!(
                "a barrier: what threads of {} write, other threads of {} read",
                names(&writers),
                names(&readers)
            );
            out.push(Diagnostic::remark(None, why).at(ir.span(tree.buffers[join.buffer].op)));
        }
    }
    out
}
