//! Rows of the tables of `terrace-benches shapes` and `jax`, and what they come to per class.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::contest::Timed;
use crate::stats::{Summary, geometric_mean};

/// First lines of the table; `place` says what the third column holds
pub fn header(place: &str) -> String {
    format!(
        "| class | program | {place} | terrace | best peer | best peer / terrace (min–max) | of the processor's best | others | values |\n\
         |---|---|---:|---:|---:|---:|---:|---|---|"
    )
}

/// A class, and the name of a program in it
pub type Named<'a> = (&'a str, &'a str);

/// One line
pub fn line((class, name): Named<'_>, timed: &Timed) -> String {
    let median = |times: &[f64]| duration(Summary::of(times.iter().copied()).median);
    let ours = if timed.terrace.is_empty() { "–".to_owned() } else { median(&timed.terrace) };
    let best = timed.best().map_or("–".to_owned(), |best| format!("{} {}", best.name, median(&best.ns)));
    let ratio = timed.ratio().map_or("–".to_owned(), |ratio| {
        let [median, least, most] = [ratio.median, ratio.min, ratio.max].map(factor);
        format!("**{median}** ({least}–{most})")
    });
    let timed_others = timed.others().filter(|peer| !peer.ns.is_empty());
    let others: Vec<String> =
        timed_others.map(|peer| format!("{} {}", peer.name, median(&peer.ns))).collect();
    let limit = timed.of_limit().map_or("–".to_owned(), |part| factor(part.median));
    let (place, values, others) = (&timed.place, &timed.values, others.join(", "));
    format!("| {class} | {name} | {place} | {ours} | {best} | {ratio} | {limit} | {others} | {values} |")
}

/// Every figure
pub fn json((class, name): Named<'_>, timed: &Timed) -> Value {
    let peers: serde_json::Map<String, Value> =
        timed.peers.iter().map(|peer| (peer.name.clone(), json!(peer.ns))).collect();
    json!({
        "class": class, "program": name, "place": timed.place, "terrace_ns": timed.terrace,
        "peers_ns": peers, "best": timed.best().map(|best| best.name.clone()),
        "ratio": timed.ratio().map(Summary::json), "values": timed.values,
        "bound_ns": timed.limit, "of_bound": timed.of_limit().map(Summary::json), "most": timed.most(),
    })
}

/// Ratios of a class
#[derive(Default)]
struct Tally {
    ratios: Vec<(f64, String)>,
    /// The most that each ratio could be
    most: Vec<f64>,
    without: usize,
}

impl Tally {
    fn line(&self, class: &str, place: &str) -> String {
        let below = |bound: f64| self.ratios.iter().filter(|(ratio, _)| *ratio < bound).count();
        let least = self.ratios.iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let least = least.map_or("–".to_owned(), |(ratio, name)| format!("{} ({name})", factor(*ratio)));
        let mean = geometric_mean(self.ratios.iter().map(|(ratio, _)| *ratio));
        let mean = mean.map_or("–".to_owned(), |mean| format!("**{}**", factor(mean)));
        let most = geometric_mean(self.most.iter().copied()).map_or("–".to_owned(), factor);
        let (rows, one, less, without) = (self.ratios.len(), below(1.0), below(0.8), self.without);
        format!("| {class} | {place} | {rows} | {mean} | {most} | {one} | {less} | {least} | {without} |")
    }
}

/// Geometric mean, the most that it could be, rows below 1.0 and 0.8, and the least, per class and in all
pub fn summary(programs: &[Named<'_>], rows: &[(usize, Timed)]) -> String {
    let mut tallies: BTreeMap<(&str, bool, &str), Tally> = BTreeMap::new();
    for (number, timed) in rows {
        let Some((class, name)) = programs.get(*number) else { continue };
        for (all, class) in [(false, *class), (true, "all")] {
            let tally = tallies.entry((&timed.place, all, class)).or_default();
            match timed.ratio() {
                Some(ratio) => tally.ratios.push((ratio.median, (*name).to_owned())),
                None => tally.without += 1,
            }
            tally.most.extend(timed.most());
        }
    }
    let head = "| class | on | rows | geometric mean | at most | below 1.0 | below 0.8 | least | without a ratio |\n\
                |---|---:|---:|---:|---:|---:|---:|---|---:|";
    let lines = tallies.iter().map(|((place, _, class), tally)| tally.line(class, place));
    std::iter::once(head.to_owned()).chain(lines).collect::<Vec<_>>().join("\n")
}

/// Two digits, three where two would be one
pub fn factor(ratio: f64) -> String {
    let digits = if ratio < 0.1 { 3 } else { 2 };
    format!("{ratio:.digits$}")
}

/// `12.3 µs`
pub fn duration(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "µs"),
        ns => (ns / 1e6, "ms"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Times;

    fn timed(terrace: &[f64], peer: &[f64]) -> Timed {
        let peers = vec![
            Times { name: "slow".into(), ns: vec![9e9; peer.len()] },
            Times { name: "fast".into(), ns: peer.to_vec() },
        ];
        Timed { terrace: terrace.to_vec(), peers, values: "right".into(), ..Timed::at("1".into()) }
    }

    #[test]
    fn a_row_names_the_fastest_peer() {
        assert_eq!(
            line(("products", "product M=3"), &timed(&[2000.0, 4000.0], &[1000.0, 4000.0])),
            "| products | product M=3 | 1 | 3.00 µs | fast 2.50 µs | **0.75** (0.50–1.00) | – | slow 9000 ms | right |"
        );
    }

    #[test]
    fn classes_come_to_means_and_counts() {
        let programs = [("a", "x"), ("a", "y"), ("b", "z"), ("b", "refused")];
        let rows = vec![
            (0, timed(&[1.0], &[4.0])),
            (1, timed(&[4.0], &[1.0])),
            (2, Timed { limit: vec![5.0], ..timed(&[10.0], &[9.0]) }),
            (3, Timed::at("1".into())),
        ];
        let shown = summary(&programs, &rows);
        let lines: Vec<&str> = shown.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "| a | 1 | 2 | **1.00** | – | 1 | 1 | 0.25 (y) | 0 |",
                "| b | 1 | 1 | **0.90** | 1.80 | 1 | 0 | 0.90 (z) | 1 |",
                "| all | 1 | 3 | **0.97** | 1.80 | 2 | 1 | 0.25 (y) | 1 |",
            ]
        );
    }

    #[test]
    fn times_have_three_digits() {
        assert_eq!(duration(999.4), "999 ns");
        assert_eq!(duration(12_345.0), "12.3 µs");
        assert_eq!(duration(1_234_567.0), "1.23 ms");
        assert_eq!((factor(0.0034), factor(0.5)), ("0.003".to_owned(), "0.50".to_owned()));
    }
}
