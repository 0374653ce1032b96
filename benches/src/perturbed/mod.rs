//! `terrace-benches shapes --perturbed`: does a row of `cpu` owe its speed to its very sizes, layout or processor?
//!
//! Each row runs again with every extent one larger and one smaller, with its operands stored in the reverse order of dimensions, with
//! channels first, and for AVX2. Blocks alternate, and the fastest runs are compared, by operations or bytes. A row that computes does half
//! as much with half of the lanes: that counts as the same rate. Changes follow from the row's program ([`storage`],
//! [`Case::resized`]): no row is written twice.

mod storage;

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::cpu::cases::{self, Case, Work};
use crate::process::{Affinity, Complaint, shown};
use crate::stats::Summary;
use crate::{Done, machine, opt};

/// Least rate, in that of the row itself
const LEAST: f64 = 0.85;

/// Time of a block of one program, in nanoseconds
const BLOCK: f64 = 5e7;

/// How a row is changed
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Larger,
    Smaller,
    Transposed,
    ChannelsFirst,
    Avx2,
}

impl Change {
    const ALL: [Change; 5] =
        [Change::Larger, Change::Smaller, Change::Transposed, Change::ChannelsFirst, Change::Avx2];

    /// The case and its program; none where there is nothing to change
    fn of(self, case: &Case) -> Option<(Case, String)> {
        let text = case.program();
        match self {
            Change::Larger | Change::Smaller => {
                let other = case.resized(if self == Change::Larger { 1 } else { -1 })?;
                let text = other.program();
                Some((other, text))
            }
            Change::Transposed => {
                let reverse = |_: &str, rank: usize| (rank > 1).then(|| (0..rank).rev().collect());
                Some((case.clone(), storage::operands(&text, &reverse)?))
            }
            Change::ChannelsFirst => {
                let images = matches!(case.kind, "conv" | "depthwise");
                let first = [0, 3, 1, 2];
                let image = |name: &str, _: usize| (name == "%A").then(|| first.to_vec());
                let text = images.then(|| storage::operands(&text, &image))??;
                Some((case.clone(), storage::result(&text, &first)?))
            }
            Change::Avx2 => {
                let (signature, body) = text.split_once("func.func @main(")?;
                let (types, body) = body.split_once(" {\n")?;
                let target = "attributes {terrace.target = \"x86-64-v3\"}";
                Some((case.clone(), format!("{signature}func.func @main({types} {target} {{\n{body}")))
            }
        }
    }

    /// What a rate may be at most, in that of the row: half as many lanes do half as many operations
    fn bound(self, case: &Case) -> f64 {
        match (self, case.work) {
            (Change::Avx2, Work::Flops(_)) if has_wide_vectors() => 0.5,
            _ => 1.0,
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Change::Larger => "extents + 1",
            Change::Smaller => "extents − 1",
            Change::Transposed => "operands transposed",
            Change::ChannelsFirst => "channels first",
            Change::Avx2 => "AVX2",
        })
    }
}

fn has_wide_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx512f");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// What is measured, and how
pub struct Settings<'a> {
    /// Rows, or parts of their names
    pub only: &'a [String],
    /// The tool
    pub terrace: &'a str,
    /// Numbers of threads
    pub threads: &'a [usize],
    /// Blocks of each program
    pub blocks: u32,
}

/// One program of a row
struct Contender {
    change: Option<Change>,
    case: Case,
    file: PathBuf,
    /// Rates of its blocks
    rates: Vec<f64>,
}

/// Measures and prints
pub fn run(settings: &Settings<'_>) -> Done {
    let cases: Vec<Case> = cases::all().into_iter().filter(|case| case.named_by(settings.only)).collect();
    if cases.is_empty() {
        return Err(format!("no case is named by `{}`", settings.only.join(",")).into());
    }
    let tool = opt::find(settings.terrace).ok_or_else(|| format!("`{}` was not found", settings.terrace))?;
    let folder = std::env::temp_dir().join(format!("terrace-perturbed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut facts = machine::Facts::gather();
    facts.add("terrace", machine::version(&tool));
    let changes = Change::ALL.map(|change| change.to_string()).join(" | ");
    say!(
        "{}\n| row | threads | rate | {changes} |\n|---|---:|---:|---:|---:|---:|---:|---:|",
        facts.markdown()
    );
    let done = rows(settings, &cases, &tool, &folder);
    std::fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    done
}

fn rows(settings: &Settings<'_>, cases: &[Case], tool: &Path, folder: &Path) -> Done {
    let mut low: Vec<(f64, String)> = Vec::new();
    let mut compared = 0;
    for &threads in settings.threads {
        let _limit = Affinity::limit(threads);
        for case in cases {
            let mut all = contenders(case, folder)?;
            let failure = alternate(settings, (tool, threads), &mut all);
            let Some((row, others)) = all.split_first() else { continue };
            let best = |contender: &Contender| Summary::of(contender.rates.iter().copied()).max;
            let ratio = |other: &Contender| {
                let bound = other.change.map_or(1.0, |change| change.bound(case));
                best(other) / best(row) / bound
            };
            let cell = |change: &Change| match others.iter().find(|other| other.change == Some(*change)) {
                Some(other) if !other.rates.is_empty() => format!("{:.2}", ratio(other)),
                Some(_) => "failed".to_owned(),
                None => "–".to_owned(),
            };
            let cells = Change::ALL.iter().map(cell).collect::<Vec<_>>().join(" | ");
            let rate = best(row);
            say!("| {} | {threads} | {rate:.1} {} | {cells} |", case.name, case.work.unit());
            failure.iter().for_each(|why| eprintln!("{}: {why}", case.name));
            for other in others.iter().filter(|other| !other.rates.is_empty()) {
                compared += 1;
                let change = other.change.map_or(String::new(), |change| change.to_string());
                low.push((ratio(other), format!("{}, {threads} threads, {change}", case.name)));
            }
        }
    }
    low.retain(|(ratio, _)| *ratio < LEAST);
    low.sort_by(|one, two| one.0.total_cmp(&two.0));
    say!("\n{} of {compared} below {LEAST}", low.len());
    low.iter().for_each(|(ratio, what)| say!("- {ratio:.2} {what}"));
    Ok(())
}

/// The row and its changes, as files
fn contenders(case: &Case, folder: &Path) -> Done<Vec<Contender>> {
    let changed = Change::ALL.iter().filter_map(|change| Some((Some(*change), change.of(case)?)));
    let all = [(None, (case.clone(), case.program()))].into_iter().chain(changed).enumerate();
    let written = all.map(|(number, (change, (case, text)))| {
        let file = folder.join(format!("{number}.mlir"));
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok(Contender { change, case, file, rates: vec![] })
    });
    written.collect()
}

/// Blocks of all; what failed takes no further part
fn alternate(settings: &Settings<'_>, tool: (&Path, usize), all: &mut [Contender]) -> Vec<Complaint> {
    let mut failures = Vec::new();
    let mut runs = vec![Some(1); all.len()];
    for block in 0..=settings.blocks {
        for (contender, runs) in all.iter_mut().zip(&mut runs) {
            let Some(number) = *runs else { continue };
            match time(tool, contender, number) {
                // The first block says how many runs the others have.
                Ok(ns) if block == 0 => *runs = Some(((BLOCK / ns) as u32).clamp(1, 100)),
                Ok(ns) => contender.rates.push(contender.case.work.rate(ns)),
                Err(why) => {
                    failures.push(why);
                    contender.rates.clear();
                    *runs = None;
                }
            }
        }
    }
    failures
}

/// The shortest time of a run, in nanoseconds
fn time((tool, threads): (&Path, usize), contender: &Contender, runs: u32) -> Result<f64, Complaint> {
    let mut command = Command::new(tool);
    command.arg(&contender.file).args(["--entry=@main", "--on=host", &format!("--bench={runs}")]);
    command.arg(format!("--threads={threads}"));
    command.args((0..contender.case.inputs()).map(|n| format!("--in={n}=random:{}", n + 1)));
    let output = command.stdin(Stdio::null()).output().map_err(|error| Complaint(error.to_string()))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Complaint(format!("`{}` failed: {}", shown(&command), text.trim())));
    }
    let missing = || Complaint(format!("`{}` printed no `min_ns`", shown(&command)));
    shortest_in(&String::from_utf8_lossy(&output.stdout)).ok_or_else(missing)
}

/// The last shortest time that a tool printed
fn shortest_in(text: &str) -> Option<f64> {
    text.lines().rev().find_map(|line| serde_json::from_str::<Value>(line).ok()?["min_ns"].as_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_ir::Context;
    use terrace_text::ParseOptions;

    /// Small sizes of every kind would do; the rows' own are as good to read
    #[test]
    fn changed_programs_are_programs() {
        let cx = Context::new(
            &[terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL, terrace_dialect_mdh::ALL].concat(),
        );
        let mut changed = 0;
        for case in cases::all() {
            for change in Change::ALL {
                let Some((_, text)) = change.of(&case) else { continue };
                assert_ne!(text, case.program(), "{}: {change}", case.name);
                let mut diags = terrace_diag::Diags::default();
                let source = cx.sources().add("program", text.as_str());
                let ir = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags);
                let valid = ir.is_some_and(|ir| terrace_dialect_test::values::verify(&ir).is_ok());
                assert!(valid, "{}: {change}: {:?}\n{text}", case.name, diags.into_vec());
                changed += 1;
            }
        }
        assert!(changed > 4 * cases::all().len() - 10, "{changed}");
    }

    #[test]
    fn extents_that_follow_from_others_follow() {
        let all = cases::all();
        let find = |name: &str| all.iter().find(|case| case.name.starts_with(name)).expect("a row");
        let size = |case: &Case, wanted: &str| {
            case.sizes.iter().find(|(name, _)| name == wanted).map(|(_, size)| size.clone()).expect("a size")
        };
        let conv = find("ResNet-50 256×56").resized(1).expect("it can be larger");
        assert_eq!(
            [size(&conv, "H"), size(&conv, "O"), size(&conv, "C"), size(&conv, "R")],
            ["57", "29", "257", "1"]
        );
        let stencil = find("Jacobi 2D").resized(-1).expect("it can be smaller");
        assert_eq!([size(&stencil, "H"), size(&stencil, "O")], ["4097", "4095"]);
        let tensors = find("CCSD(T) abcdef-gdab-efgc").resized(1).expect("it can be larger");
        assert_eq!([size(&tensors, "a"), size(&tensors, "YS")], ["25", "25x17x25x17"]);
        assert_ne!(tensors.work, find("CCSD(T) abcdef-gdab-efgc").work);
    }
}
