//! What the rows of `terrace-benches reductions` come to in each class: with the call, and beyond it.

use std::collections::BTreeMap;

use super::CALL;
use crate::contest::{Timed, Times};
use crate::stats::geometric_mean;

/// Part of an empty call's time by which two of its times may differ: what is less beyond it is not compared
const NOISE: f64 = 0.25;

/// Ratios of a class
#[derive(Default)]
struct Tally {
    /// The best peer's time divided by ours
    ratios: Vec<f64>,
    /// The same of geometric means of blocks, where the one above is of medians
    means: Vec<f64>,
    /// The same of what both have beyond their empty calls
    beyond: Vec<f64>,
    /// The time of a stream divided by ours
    stream: Vec<f64>,
}

/// Times of an empty call, by contender; ours has no name
type Calls = BTreeMap<String, f64>;

fn calls(timed: &Timed) -> Calls {
    let peers = timed.peers.iter().filter(|peer| !peer.ns.is_empty());
    let own = Times { name: String::new(), ns: timed.terrace.clone() };
    peers.map(|peer| (peer.name.clone(), peer.median())).chain([(String::new(), own.median())]).collect()
}

/// The best peer's time beyond its call divided by ours beyond ours; nothing where that is noise
fn beyond(timed: &Timed, empty: &Calls) -> Option<f64> {
    let times = calls(timed);
    let without = |name: &String| {
        let (all, call) = (times.get(name)?, empty.get(name)?);
        Some(all - call).filter(|left| *left > NOISE * call)
    };
    let peers = times.keys().filter(|name| !name.is_empty());
    let best = peers.map(without).collect::<Option<Vec<f64>>>()?.into_iter().min_by(f64::total_cmp)?;
    Some(best / without(&String::new())?)
}

/// The best peer's geometric mean of its blocks divided by ours; with `--blocks=10` it is the figure of the paper on reductions
fn of_means(timed: &Timed) -> Option<f64> {
    let own = geometric_mean(timed.terrace.iter().copied())?;
    let peers = timed.peers.iter().filter_map(|peer| geometric_mean(peer.ns.iter().copied()));
    Some(peers.min_by(f64::total_cmp)? / own)
}

/// The means of each class, and how many rows miss 1.0 and 0.8
pub fn summary(classes: &[&str], rows: &[(usize, Timed)]) -> String {
    let mut empty: BTreeMap<&str, Calls> = BTreeMap::new();
    let mut tallies: BTreeMap<(&str, bool, &str), Tally> = BTreeMap::new();
    let mut lines = Vec::new();
    for (number, timed) in rows {
        let Some(class) = classes.get(*number).copied() else { continue };
        if class == CALL {
            let words = |(name, ns): (&String, &f64)| {
                format!("{} {:.2} µs", if name.is_empty() { "terrace" } else { name }, ns / 1e3)
            };
            let found = calls(timed);
            let all: Vec<String> = found.iter().map(words).collect();
            lines.push(format!("An empty call on {}: {}.", timed.place, all.join(", ")));
            empty.insert(&timed.place, found);
            continue;
        }
        for (whole, class) in [(false, class), (true, "all")] {
            let tally = tallies.entry((&timed.place, whole, class)).or_default();
            tally.ratios.extend(timed.ratio().map(|ratio| ratio.median));
            tally.means.extend(of_means(timed));
            tally.beyond.extend(empty.get(timed.place.as_str()).and_then(|empty| beyond(timed, empty)));
            tally.stream.extend(timed.of_limit().map(|part| part.median));
        }
    }
    lines.push(String::new());
    lines.push(
        "| class | on | rows | geometric mean | by means of blocks | at least 1.0 | below 0.8 | least | beyond the call | rows | of a stream |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
            .to_owned(),
    );
    lines.extend(tallies.iter().map(|((place, _, class), tally)| tally.line(class, place)));
    lines.join("\n")
}

impl Tally {
    fn line(&self, class: &str, place: &str) -> String {
        let mean = |of: &[f64]| {
            geometric_mean(of.iter().copied()).map_or("–".to_owned(), |mean| format!("{mean:.2}"))
        };
        let rows = self.ratios.len();
        let least = self.ratios.iter().copied().min_by(f64::total_cmp);
        let least = least.map_or("–".to_owned(), |least| format!("{least:.2}"));
        let ahead = self.ratios.iter().filter(|ratio| **ratio >= 1.0).count();
        let below = self.ratios.iter().filter(|ratio| **ratio < 0.8).count();
        format!(
            "| {class} | {place} | {rows} | **{}** | {} | {:.0} % | {below} | {least} | {} | {} | {} |",
            mean(&self.ratios),
            mean(&self.means),
            100.0 * ahead as f64 / rows.max(1) as f64,
            mean(&self.beyond),
            self.beyond.len(),
            mean(&self.stream)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(terrace: f64, peers: &[(&str, f64)]) -> Timed {
        let peers = peers.iter().map(|(name, ns)| Times { name: (*name).to_owned(), ns: vec![*ns] });
        Timed { terrace: vec![terrace], peers: peers.collect(), ..Timed::at("1".into()) }
    }

    #[test]
    fn calls_are_counted_apart() {
        let rows = vec![
            (0, timed(100.0, &[("numpy", 2000.0), ("jax", 9000.0)])),
            (1, timed(1100.0, &[("numpy", 4000.0), ("jax", 12000.0)])),
        ];
        let shown = summary(&[CALL, "L1"], &rows);
        assert!(
            shown.starts_with("An empty call on 1: terrace 0.10 µs, jax 9.00 µs, numpy 2.00 µs."),
            "{shown}"
        );
        // 4000 / 1100 with the call; 2000 / 1000 beyond it.
        assert!(
            shown.contains("| L1 | 1 | 1 | **3.64** | 3.64 | 100 % | 0 | 3.64 | 2.00 | 1 | – |"),
            "{shown}"
        );
    }

    #[test]
    fn means_are_of_all_blocks() {
        let peers = vec![Times { name: "numpy".to_owned(), ns: vec![100.0, 100.0, 800.0] }];
        let timed = Timed { terrace: vec![50.0, 50.0, 50.0], peers, ..Timed::at("1".into()) };
        // The median ratio is 2; the geometric mean of 100, 100 and 800 is 200.
        let mean = of_means(&timed).expect("there are blocks");
        assert!((mean - 4.0).abs() < 1e-9, "{mean}");
        assert_eq!(timed.ratio().map(|ratio| ratio.median), Some(2.0));
    }

    #[test]
    fn what_is_within_the_noise_of_a_call_is_not_compared() {
        let empty = calls(&timed(100.0, &[("numpy", 2000.0)]));
        assert_eq!(beyond(&timed(1000.0, &[("numpy", 2100.0)]), &empty), None);
        assert_eq!(beyond(&timed(110.0, &[("numpy", 8000.0)]), &empty), None);
    }
}
