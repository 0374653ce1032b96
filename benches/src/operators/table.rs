//! Rows of the table of `terrace-benches operators`, and what they come to per operator.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{AGAIN, Case, TUNED};
use crate::contest::Timed;
use crate::shapes::table::{duration, factor, json as figures};
use crate::stats::{Summary, geometric_mean};

/// What operations are
pub const COUNTED: &str = "Points: of the main node; Table 3 counts a product with its addition as one operation. Operations: each by itself.\n\
     Loops: independent/folded; Table 3 counts those of all nodes, for GRP and DIL those of the main node.";

/// The peer that runs expressions as they are
const EAGER: &str = "torch";

/// All rows, and those of the paper's table
const WHOLE: &str = "all";
const PRINTED: &str = "Table 3";

/// A row below this is behind
const BEHIND: f64 = 0.95;

/// First lines of the table; `place` says what the third column holds
pub fn header(place: &str, searched: bool) -> String {
    let (more, line) = if searched { (" again | tuned / terrace |", "---:|---:|") } else { ("", "") };
    format!(
        "| operator | sizes | {place} | terrace | G points/s, G operations/s | best peer | torch / terrace | best peer / terrace (min–max) | \
         of the processor's best |{more} others | values |\n|---|---|---:|---:|---:|---|---:|---:|---:|{line}---|---|"
    )
}

fn or_none(text: Option<String>) -> String {
    text.unwrap_or_else(|| "–".to_owned())
}

/// `**1.20** (1.10–1.30)`
fn ranged(ratio: Summary) -> String {
    let [median, least, most] = [ratio.median, ratio.min, ratio.max].map(factor);
    format!("**{median}** ({least}–{most})")
}

/// The middle block of ours
fn median(timed: &Timed) -> Option<f64> {
    (!timed.terrace.is_empty()).then(|| Summary::of(timed.terrace.iter().copied()).median)
}

/// Points and operations per nanosecond
fn rates(case: &Case, timed: &Timed) -> Option<(f64, f64)> {
    let (points, operations) = case.counts.operations?;
    let ns = median(timed)?;
    Some((points as f64 / ns, operations as f64 / ns))
}

/// One line
pub fn line(case: &Case, timed: &Timed) -> String {
    let sizes = case.program.name.split_once(' ').map_or("", |(_, sizes)| sizes);
    let best = timed.best().map(|best| format!("{} {}", best.name, duration(best.median())));
    let others: Vec<String> = timed
        .others()
        .filter(|peer| !peer.ns.is_empty())
        .map(|peer| format!("{} {}", peer.name, duration(peer.median())))
        .collect();
    let mut cells = vec![
        case.operator.clone(),
        sizes.to_owned(),
        timed.place.clone(),
        or_none(median(timed).map(duration)),
        or_none(rates(case, timed).map(|(points, all)| format!("{points:.1}, {all:.1}"))),
        or_none(best),
        or_none(timed.ratio_to(EAGER).map(|ratio| factor(ratio.median))),
        or_none(timed.ratio().map(ranged)),
        or_none(timed.of_limit().map(|part| factor(part.median))),
    ];
    if case.search.is_some() {
        cells.extend([AGAIN, TUNED].map(|name| or_none(timed.ratio_to(name).map(ranged))));
    }
    cells.extend([others.join(", "), timed.values.clone()]);
    format!("| {} |", cells.join(" | "))
}

/// Every figure
pub fn json(case: &Case, timed: &Timed) -> Value {
    let mut all = figures((&case.operator, &case.program.name), timed);
    let further: serde_json::Map<String, Value> =
        timed.further.iter().map(|one| (one.name.clone(), json!(one.ns))).collect();
    all["further_ns"] = further.into();
    all["points"] = json!(case.counts.operations.map(|(points, _)| points));
    all["operations"] = json!(case.counts.operations.map(|(_, all)| all));
    all
}

/// Ratios of an operator
#[derive(Default)]
struct Tally<'a> {
    eager: Vec<f64>,
    best: Vec<(f64, &'a str)>,
    most: Vec<f64>,
    without: usize,
}

impl<'a> Tally<'a> {
    fn add(&mut self, case: &'a Case, timed: &Timed) {
        self.eager.extend(timed.ratio_to(EAGER).map(|ratio| ratio.median));
        self.most.extend(timed.most());
        match timed.ratio() {
            Some(ratio) => self.best.push((ratio.median, &case.program.name)),
            None => self.without += 1,
        }
    }

    fn line(&self, operator: &str, place: &str) -> String {
        let mean = |of: Vec<f64>| or_none(geometric_mean(of).map(factor));
        let below = |bound: f64| self.best.iter().filter(|(ratio, _)| *ratio < bound).count();
        let least = self.best.iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let least = or_none(least.map(|(ratio, name)| format!("{} ({name})", factor(*ratio))));
        let ratios = self.best.iter().map(|(ratio, _)| *ratio).collect();
        let [eager, best, most] = [self.eager.clone(), ratios, self.most.clone()].map(mean);
        let (rows, one, behind, without) = (self.best.len(), below(1.0), below(BEHIND), self.without);
        format!(
            "| {operator} | {place} | {rows} | {eager} | **{best}** | {most} | {one} | {behind} | {least} | {without} |"
        )
    }
}

/// What is added up apart: each place with each operator, with the paper's table and with all, in this order
type Group<'a> = (&'a str, u8, &'a str);

fn groups<'a>(case: &'a Case, timed: &'a Timed) -> impl Iterator<Item = Group<'a>> {
    let printed = case.program.is_printed.then_some((1, PRINTED));
    let all = [(0, case.operator.as_str())].into_iter().chain(printed).chain([(2, WHOLE)]);
    all.map(|(rank, name)| (timed.place.as_str(), rank, name))
}

/// Means, counts and the least per operator and in all, and the rows that are behind
pub fn summary(cases: &[Case], rows: &[(usize, Timed)]) -> String {
    let head = "| operator | on | rows | against torch | against the best | at most | below 1.0 | below 0.95 | least | without a ratio |\n\
                |---|---:|---:|---:|---:|---:|---:|---:|---|---:|";
    let mut all: BTreeMap<Group, Tally> = BTreeMap::new();
    for (number, timed) in rows {
        let Some(case) = cases.get(*number) else { continue };
        groups(case, timed).for_each(|group| all.entry(group).or_default().add(case, timed));
    }
    let lines = all.iter().map(|((place, _, operator), tally)| tally.line(operator, place));
    let mut text: Vec<String> = std::iter::once(head.to_owned()).chain(lines).collect();
    let mut behind: Vec<(f64, String)> = Vec::new();
    for (number, timed) in rows {
        let ratio = timed.ratio().map(|ratio| ratio.median).filter(|ratio| *ratio < BEHIND);
        let (Some(ratio), Some(case), Some(best)) = (ratio, cases.get(*number), timed.best()) else {
            continue;
        };
        let (name, place) = (&case.program.name, &timed.place);
        let (ours, theirs) = (or_none(median(timed).map(duration)), duration(best.median()));
        behind
            .push((ratio, format!("- {} on {place}: {name}, {ours}, {} {theirs}", factor(ratio), best.name)));
    }
    behind.sort_by(|a, b| a.0.total_cmp(&b.0));
    if !behind.is_empty() {
        text.push("\nRows below 0.95 of the best peer, the least first:\n".to_owned());
        text.extend(behind.into_iter().map(|(_, line)| line));
    }
    text.join("\n")
}

/// Chosen next to tuned
#[derive(Default)]
struct Searched {
    shares: Vec<f64>,
    /// How far a program's middle ratio to itself is from 1
    noise: Vec<f64>,
    near: usize,
    /// Those, and what is not further apart than two runs of one program
    alike: usize,
}

impl Searched {
    fn add(&mut self, tuned: Summary, again: Summary) {
        self.shares.push(tuned.median);
        self.noise.push((again.median - 1.0).abs());
        self.near += usize::from(tuned.median >= BEHIND);
        self.alike += usize::from(tuned.median >= 0.98 || 1.0 - tuned.median <= (again.median - 1.0).abs());
    }

    fn line(&self, operator: &str, place: &str) -> String {
        let rows = self.shares.len();
        let mean = or_none(geometric_mean(self.shares.iter().copied()).map(factor));
        let noise = Summary::of(self.noise.iter().copied());
        let percent = |count: usize| format!("{count} ({:.0} %)", 100.0 * count as f64 / rows.max(1) as f64);
        let least = factor(Summary::of(self.shares.iter().copied()).min);
        let [near, alike] = [self.near, self.alike].map(percent);
        let [middle, most] = [noise.median, noise.max].map(|part| format!("{:.1} %", 100.0 * part));
        format!("| {operator} | {place} | {rows} | {mean} | {least} | {near} | {alike} | {middle}, {most} |")
    }
}

/// The chosen schedule's speed as a share of the tuned one's; nothing where nothing was searched
pub fn searched(cases: &[Case], rows: &[(usize, Timed)]) -> Option<String> {
    let mut all: BTreeMap<Group, Searched> = BTreeMap::new();
    for (number, timed) in rows {
        let Some(case) = cases.get(*number) else { continue };
        let (Some(tuned), Some(again)) = (timed.ratio_to(TUNED), timed.ratio_to(AGAIN)) else { continue };
        groups(case, timed).for_each(|group| all.entry(group).or_default().add(tuned, again));
    }
    let head = "The tuned schedule's time divided by the chosen one's; noise: how far the chosen one's is from its own, median and most\n\n\
                | operator | on | rows | mean | least | within 5 % | within 2 % or alike | noise |\n|---|---:|---:|---:|---:|---:|---:|---:|";
    let lines = all.iter().map(|((place, _, operator), one)| one.line(operator, place));
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| format!("{head}\n{}", lines.join("\n")))
}
