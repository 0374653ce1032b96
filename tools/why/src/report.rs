//! What is reported, in fifteen lines at most, and the test file.

use crate::bisect::{Culprit, Mistake};
use terrace_interp::RtValue;
use terrace_ir::{Ir, Name, OpId, Value};
use terrace_pass::Pipeline;
use terrace_refine::{Arg, Contents, Observation, Place, Seen};
use terrace_text::PrintOptions;

/// Changed lines shown of each side
const LINES: usize = 3;

/// Text of a module
pub fn text(module: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(module, &PrintOptions::default(), &mut text);
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
        all.extend(lines.iter().take(LINES).map(|line| format!("  {sign} {}", shortened(line))));
        if lines.len() > LINES {
            all.push(format!("  {sign} … {} more lines", lines.len() - LINES));
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
    /// Name and number of the pass, from 1, and how many there are
    pub pass: (&'a str, usize, usize),
    /// The application in the input
    pub culprit: &'a Culprit,
    /// The application in the reduced program
    pub reduced: &'a Culprit,
    /// Ops before and after reduction, programs judged, seconds
    pub size: (usize, usize, u64, f64),
    /// Calls tried, and those that trapped
    pub tried: (u64, u64),
}

impl Report<'_> {
    /// The lines
    pub fn lines(&self) -> Vec<String> {
        let (name, number, count) = self.pass;
        let mut lines = Vec::new();
        let what = match &self.culprit.mistake {
            Mistake::Meaning(shown) => format!("changes what @{} does", shown.call.function),
            Mistake::Fails(failure) => {
                format!("fails with {}: {}", failure.code, shortened(&failure.message))
            }
        };
        lines.push(format!("{}: `{name}` (pass {number} of {count}) {what}", self.file));
        if let Some(one) = &self.culprit.application {
            let word = if matches!(self.culprit.mistake, Mistake::Fails(_)) {
                "last application"
            } else {
                "application"
            };
            let limit = format!("--rewrite-limit={number}:{}:{}", one.unit, one.count);
            match one.last.filter(|last| last.what != "pass") {
                Some(last) => {
                    let (rule, op) = (last.what, last.op);
                    lines.push(format!(
                        "  rule   `{rule}` on '{op}', {word} {} in {}: {limit}",
                        one.count, one.unit
                    ));
                }
                None => lines.push(format!("  unit   {}; the pass does not count single changes", one.unit)),
            }
        }
        if let Mistake::Meaning(shown) = &self.reduced.mistake {
            lines.push(format!("  call   {}", shortened(&shown.call.to_string())));
            let (before, after) = (shown.before.text(), shown.after.text());
            if before.len().max(after.len()) > WIDE {
                lines.push(format!("  differs {}", shortened(&shown.how)));
            } else {
                lines.push(format!("  before {before}"));
                lines.push(format!("  after  {after}"));
            }
            let (calls, trapped) = self.tried;
            lines.push(format!("  policy equal bit for bit, any NaN is a NaN; {calls} calls tried, {trapped} of them trap anyway"));
        }
        let (before, after, judged, seconds) = self.size;
        lines.push(format!(
            "  reduced from {before} ops to {after}: {judged} programs judged in {seconds:.1} s"
        ));
        lines.extend(changes(self.reduced));
        lines
    }
}

/// The `eval:` line that holds before a pass and not after it; `None` where the runner cannot see what differs
fn eval(shown: &crate::search::Shown) -> Option<String> {
    let Observation { end: Ok(seen), .. } = &shown.before else { return None };
    let results: Option<Vec<String>> = seen
        .iter()
        .filter(|(place, _)| matches!(place, Place::Result(_)))
        .map(|(_, seen)| match seen {
            Seen::Value(_) => Some(seen.to_string()),
            _ => None,
        })
        .collect();
    let results = results?;
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
    Some(format!("// eval: {} == {wanted}{leaving}", shown.call))
}

/// A test file that fails as long as the mistake is there
pub fn test_file(module: &Ir, pipeline: &Pipeline, culprit: &Culprit, rule_is_known: bool) -> String {
    let pipeline = pipeline.to_text();
    let quote = if pipeline.contains('"') { '\'' } else { '"' };
    let mut lines = vec![format!("// test: opt --pipeline={quote}{pipeline}{quote}")];
    match &culprit.mistake {
        Mistake::Meaning(shown) => {
            let rule = culprit.application.as_ref().and_then(|one| one.last);
            let rule = rule.filter(|last| rule_is_known && last.what != "pass");
            lines.extend(rule.map(|last| format!("// rule: {}", last.what)));
            lines.extend(eval(shown));
        }
        Mistake::Fails(_) => lines.push("// check: {{.*}}".into()),
    }
    format!("{}\n{}", lines.join("\n"), text(module))
}
