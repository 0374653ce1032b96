//! What is reported, in twelve lines at most, and the test file.

use crate::Finding;
use crate::bisect::{Culprit, Mistake};
use crate::search::Shown;
use terrace_filetest::{Failure, Kind};
use terrace_interp::RtValue;
use terrace_ir::{Ir, Name, OpId, Value};
use terrace_refine::{Arg, Contents, Place, Seen};
use terrace_text::PrintOptions;

/// Changed lines shown of each side, one of which says how many more there are
const LINES: usize = 3;

/// Text of a module or function
pub fn text(unit: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(unit, &PrintOptions::default(), &mut text);
    text
}

/// Lines that are in one text and not in the other, trimmed
fn only_in<'a>(text: &'a str, other: &str) -> Vec<&'a str> {
    let mut left: Vec<&str> = other.lines().map(str::trim).collect();
    let mut only = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match left.iter().position(|other| *other == line) {
            Some(at) => _ = left.swap_remove(at),
            None => only.push(line),
        }
    }
    only
}

/// A copy in which values have names, so that numbers do not move where one is gone
///
/// Both sides of a change are copies of one module: what did not change has the same handles.
fn named(module: &Ir) -> Box<Ir> {
    let mut copy = module.clone_unit();
    let mut pending: Vec<&mut Ir> = vec![&mut copy];
    while let Some(unit) = pending.pop() {
        let cx = unit.cx_arc().clone();
        let ops: Vec<OpId> = unit.walk().chain([unit.root()]).collect();
        for op in ops {
            let args = unit.regions(op).flat_map(|region| unit.blocks(region));
            let args: Vec<Value> = args.flat_map(|block| unit.block_args(block)).copied().collect();
            let results: Vec<Value> = unit.results(op).collect();
            for value in results.into_iter().chain(args) {
                if unit.value_name(value).is_none() {
                    let name = cx.intern(&format!("v{}", value.index()));
                    unit.set_value_name(value, Name::Str(name));
                }
            }
        }
        pending.extend(unit.children_mut());
    }
    copy
}

/// What an application changed, as lines with `-` and `+`
pub fn changes(culprit: &Culprit) -> Vec<String> {
    let (before, after) = (text(&named(&culprit.right)), text(&named(&culprit.wrong)));
    let mut all = Vec::new();
    for (sign, lines) in [("-", only_in(&before, &after)), ("+", only_in(&after, &before))] {
        let shown = if lines.len() > LINES { LINES - 1 } else { LINES };
        all.extend(lines.iter().take(shown).map(|line| format!("  {sign} {}", shortened(line))));
        if lines.len() > shown {
            all.push(format!("  {sign} … {} more lines", lines.len() - shown));
        }
    }
    all
}

/// Characters of a line
const WIDE: usize = 110;

fn shortened(line: &str) -> String {
    match line.char_indices().nth(WIDE) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.into(),
    }
}

/// All about a mistake but where the test file is
pub struct Report<'a> {
    /// Name of the input
    pub file: &'a str,
    /// How many passes the pipeline has
    pub passes: usize,
    /// The mistake
    pub found: &'a Finding,
}

impl Report<'_> {
    /// The lines, eleven at most
    pub fn lines(&self) -> Vec<String> {
        let Finding { culprit, reduced, size, tried, .. } = self.found;
        let mut lines = vec![self.title()];
        lines.extend(self.place());
        if let Mistake::Meaning(shown) = &reduced.mistake {
            lines.push(format!("  call   {}", shortened(&shown.call.to_string())));
            lines.push(format!("  differs {}", shortened(&shown.how)));
        }
        let (before, after, judged, time) = size;
        let tried = match &culprit.mistake {
            Mistake::Meaning(_) => format!("; {} calls tried before", tried.calls),
            Mistake::Fails(_) => String::new(),
        };
        lines.push(format!(
            "  reduced from {before} ops to {after}: {judged} programs judged in {:.1} s{tried}",
            time.as_secs_f64()
        ));
        lines.extend(changes(reduced));
        lines
    }

    fn title(&self) -> String {
        let Finding { pass, numbers, culprit, .. } = self.found;
        let (names, first, count) = (pass.names.join("`, `"), numbers.start + 1, self.passes);
        let passes = match pass.is_range() {
            true => format!("one of `{names}` (passes {first} to {} of {count})", numbers.end),
            false => format!("`{names}` (pass {first} of {count})"),
        };
        let what = match &culprit.mistake {
            Mistake::Meaning(shown) => format!("changes what @{} does", shown.call.function),
            Mistake::Fails(failure) => {
                format!("fails with {}: {}", failure.code, shortened(&failure.message))
            }
        };
        format!("{}: {passes} {what}", self.file)
    }

    /// The rule and the application, or why they are not known
    fn place(&self) -> Option<String> {
        let Finding { pass, numbers, culprit, between, .. } = self.found;
        if pass.is_range() {
            let why = between.as_deref().unwrap_or("it is not known why");
            let first = pass.names.first()?;
            return Some(format!("  range  the call cannot be run after `{first}`: {}", shortened(why)));
        }
        let Some(one) = &culprit.application else {
            return Some("  unit   not known: the call cannot be run between two applications".into());
        };
        let fails = matches!(culprit.mistake, Mistake::Fails(_));
        let word = if fails { "last application" } else { "application" };
        let (number, unit, count) = (numbers.start + 1, &one.unit, one.count);
        Some(match one.last.filter(|last| last.what != "pass") {
            Some(last) => {
                let (rule, op) = (last.what, last.op);
                let limit = format!("--rewrite-limit={number}:{unit}:{count}");
                format!("  rule   `{rule}` on '{op}', {word} {count} in {unit}: {limit}")
            }
            None => format!("  unit   {unit}; the pass does not count single changes"),
        })
    }
}

/// The `eval:` line that holds before a pass and not after it; the error says why there is none
fn eval(shown: &Shown) -> Result<String, String> {
    let seen = shown.before.end.as_ref().map_err(|trap| format!("the call traps: {}", trap.message))?;
    let result = |(place, seen): &(Place, Seen)| match (place, seen) {
        (Place::Result(_), Seen::Value(_)) => Some(Ok(seen.to_string())),
        (Place::Result(n), _) => Some(Err(format!("`eval:` cannot show the buffer that is result {n}"))),
        _ => None,
    };
    let results: Vec<String> = seen.iter().filter_map(result).collect::<Result<_, _>>()?;
    let buffers: Vec<String> = seen
        .iter()
        .filter_map(|(place, seen)| match (place, seen) {
            (Place::Argument(_), Seen::Buffer(Contents { sizes, elements })) => {
                let elements = elements.iter().map(|one| one.clone().unwrap_or(RtValue::Poison)).collect();
                Some(Arg::Buffer { sizes: sizes.clone(), elements }.to_string())
            }
            _ => None,
        })
        .collect();
    let wanted = match &results[..] {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    };
    let leaving = if buffers.is_empty() { String::new() } else { format!(" leaving {}", buffers.join(", ")) };
    Ok(format!("// eval: {} == {wanted}{leaving}", shown.call))
}

/// A test file that fails as long as the mistake is there; the error says why there is none
pub fn test_file(found: &Finding, rule_is_known: bool, unregistered: bool) -> Result<String, String> {
    let Finding { pass, reduced, module, .. } = found;
    let pipeline = pass.alone.to_text();
    let quote = if pipeline.contains('"') { '\'' } else { '"' };
    let flag = if unregistered { " --allow-unregistered-dialect" } else { "" };
    let mut lines = vec![format!("// test: opt{flag} --pipeline={quote}{pipeline}{quote}")];
    match &reduced.mistake {
        Mistake::Meaning(shown) => {
            let rule = reduced.application.as_ref().and_then(|one| one.last);
            let rule = rule.filter(|last| rule_is_known && last.what != "pass");
            lines.extend(rule.map(|last| format!("// rule: {}", last.what)));
            lines.push(eval(shown)?);
        }
        Mistake::Fails(_) => lines.push("// check: {{.*}}".into()),
    }
    Ok(format!("{}\n{}", lines.join("\n"), text(module)))
}

/// Does a test fail because of the mistake, and not for another reason?
pub fn is_shown_by(mistake: &Mistake, failure: &Failure) -> bool {
    match mistake {
        Mistake::Meaning(_) => failure.kind == Kind::Changed,
        Mistake::Fails(wanted) => failure.kind == Kind::Run && failure.why().contains(wanted.code),
    }
}
