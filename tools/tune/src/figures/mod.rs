//! Pictures of searches, from logs alone: how good the best point was after so many tries or so much time, where the time
//! went (LIFT, CC 2022, Fig. 5), how good it is to be expected after so many candidates (Fig. 6), and time against memory
//! (GPGPU 2020, Fig. 6).
//!
//! Same logs, same bytes: what is drawn at random is drawn from a fixed seed.

pub(crate) mod chart;
pub(crate) mod scale;

use crate::curves::{Curve, fastest};
use crate::errors::NoReport;
use crate::pareto;
use chart::{Axes, Drawn, Line, Parts, Place, bars, chart, picture};
use scale::Axis;
use terrace_search_explore::log::{Entry, Stages};

/// Times that candidates are drawn in another order
const DRAWS: usize = 100;

/// Curves in one picture
pub(crate) fn lines(axes: &Axes<'_>, all: &[Line]) -> Result<String, NoReport> {
    picture((900, 520), |area| chart(area, axes, Drawn { curves: all, ..Drawn::default() }))
}

/// Rates in GFLOP/s where all logs say their operations, else parts of the best
struct Rates {
    best: Option<f64>,
}

impl Rates {
    fn of(curves: &[Curve]) -> Result<Rates, NoReport> {
        let best = fastest(curves)?;
        let known = curves.iter().all(|curve| curve.header.flops.is_some());
        Ok(Rates { best: (!known).then_some(best) })
    }

    fn rate(&self, curve: &Curve, seconds: f64) -> f64 {
        match (self.best, curve.flops()) {
            (None, Some(flops)) => flops / seconds / 1e9,
            (best, _) => best.unwrap_or(seconds) / seconds,
        }
    }

    fn word(&self) -> &'static str {
        if self.best.is_some() { "speed, best of all = 1" } else { "GFLOP/s" }
    }
}

fn top(curves: &[Line]) -> f64 {
    curves.iter().flat_map(|line| &line.points).map(|(_, y)| *y).fold(0.0, f64::max) * 1.08
}

/// Best rate so far by time, a step where a point is better
fn over_time(curve: &Curve, rates: &Rates) -> Vec<(f64, f64)> {
    let mut points = vec![(0.0, 0.0)];
    let mut best: f64 = 0.0;
    for entry in &curve.entries {
        let now = entry.cost().map_or(best, |seconds| best.max(rates.rate(curve, seconds)));
        points.extend([(entry.at, best), (entry.at, now)]);
        best = now;
    }
    points
}

/// Seconds of each stage, and what is left of the whole
pub(crate) fn breakdown(entries: &[Entry]) -> Option<Vec<(&'static str, f64)>> {
    let known: Vec<&Stages> = entries.iter().filter_map(|entry| entry.stages.as_ref()).collect();
    let mut sums: Vec<(&'static str, f64)> = known.first()?.words().map(|(word, _)| (word, 0.0)).to_vec();
    for stages in &known {
        for (sum, (_, seconds)) in sums.iter_mut().zip(stages.words()) {
            sum.1 += seconds;
        }
    }
    let whole = entries.iter().map(|entry| entry.at).fold(0.0, f64::max);
    let rest = whole - sums.iter().map(|(_, seconds)| seconds).sum::<f64>();
    sums.push(("other", rest.max(0.0)));
    Some(sums)
}

/// Fig. 5: best so far by time, with the number of candidates at the end of each curve, and a bar of stages for each log
pub(crate) fn time(curves: &[Curve]) -> Result<String, NoReport> {
    let rates = Rates::of(curves)?;
    let all: Vec<Line> = curves
        .iter()
        .map(|curve| Line { name: curve.name.clone(), points: over_time(curve, &rates) })
        .collect();
    let wide = all.iter().flat_map(|line| &line.points).map(|(x, _)| *x).fold(0.0, f64::max).max(1e-9);
    let high = top(&all);
    let marks: Vec<_> = curves
        .iter()
        .zip(&all)
        .filter_map(|(curve, line)| {
            let refused: u64 = curve.entries.iter().map(|entry| entry.rejected).sum();
            let refused = if refused > 0 { format!(", {refused} refused") } else { String::new() };
            Some((*line.points.last()?, format!("{}{refused}", curve.entries.len())))
        })
        .collect();
    let stages: Vec<(&str, Parts<'_>)> =
        curves.iter().filter_map(|curve| Some((curve.name.as_str(), breakdown(&curve.entries)?))).collect();
    let below = if stages.is_empty() { 0 } else { 90 + 34 * stages.len() as u32 };
    let axes = Axes {
        title: "Best point so far",
        x: ("seconds of search", Axis::to(wide * 1.2)),
        y: (rates.word(), Axis::to(high)),
    };
    picture((900, 520 + below), |area| {
        let (upper, lower) = area.split_vertically(520);
        chart(&upper, &axes, Drawn { curves: &all, marks: &marks, ..Drawn::default() })?;
        if stages.is_empty() {
            Ok(())
        } else {
            bars(&lower, "Where the time went", &stages, Place { left: 260, wide: 600, strength: 0.8 })
        }
    })
}

/// The best of the first n candidates, the median of a hundred random orders; rates of what failed are 0
pub(crate) fn expectancy(rates: &[f64], rng: &mut terrace_support::Random) -> Vec<f64> {
    let mut best = vec![Vec::with_capacity(DRAWS); rates.len()];
    let mut order = rates.to_vec();
    for _ in 0..DRAWS {
        rng.shuffle(&mut order);
        let mut so_far: f64 = 0.0;
        for (rate, all) in order.iter().zip(&mut best) {
            so_far = so_far.max(*rate);
            all.push(so_far);
        }
    }
    best.into_iter()
        .map(|mut all| {
            all.sort_by(f64::total_cmp);
            // Even: between the two in the middle.
            (all[DRAWS / 2 - 1] + all[DRAWS / 2]) / 2.0
        })
        .collect()
}

/// Fig. 6: the best rate to be expected after so many candidates of each log
pub(crate) fn expected(curves: &[Curve]) -> Result<String, NoReport> {
    let rates = Rates::of(curves)?;
    let mut wide = 1.0_f64;
    let all: Vec<Line> = curves
        .iter()
        .map(|curve| {
            let of = |entry: &Entry| entry.cost().map_or(0.0, |seconds| rates.rate(curve, seconds));
            let values: Vec<f64> = curve.entries.iter().map(of).collect();
            // Each log by itself: another one beside it changes nothing.
            let found = expectancy(&values, &mut terrace_support::Random::new(1));
            wide = wide.max(found.len() as f64);
            let points = found.into_iter().enumerate().map(|(n, rate)| ((n + 1) as f64, rate)).collect();
            Line { name: curve.name.clone(), points }
        })
        .collect();
    let (title, x) = ("Best point to be expected", "candidates, of the log's own in random order");
    let axes = Axes { title, x: (x, Axis::to(wide)), y: (rates.word(), Axis::to(top(&all))) };
    lines(&axes, &all)
}

/// Time against memory: all points, and the line of those that no other beats; budgets with the best within them
pub(crate) fn front(curves: &[Curve], budgets: &[u64]) -> Result<String, NoReport> {
    let (all, unknown) = pareto::candidates(curves);
    let set = pareto::checked(&all, unknown)?;
    let at = |one: &pareto::Candidate<'_>| (one.bytes as f64 / 1e6, one.seconds * 1e3);
    let wide = all.iter().map(|one| at(one).0).fold(0.0, f64::max) * 1.08;
    // What is much slower than the set is out of sight.
    let slowest = set.first().map_or(1.0, |one| at(one).1) * 2.0;
    let high = all.iter().map(|one| at(one).1).fold(0.0, f64::max).min(slowest) * 1.08;
    let mut points = Vec::new();
    for one in &set {
        let (x, y) = at(one);
        let before = points.last().map_or(high, |(_, y)| *y);
        points.extend([(x, before), (x, y)]);
    }
    points.extend(points.last().map(|(_, y)| (wide, *y)));
    let seen = all.iter().map(at).filter(|(_, y)| *y <= high);
    let mut marks: Vec<_> = seen.map(|at| (at, String::new())).collect();
    // Budgets with the same point share a word.
    for one in &set {
        let its = |budget: &&u64| pareto::within(&set, **budget) == Some(*one);
        let its: Vec<String> =
            budgets.iter().filter(its).map(|budget| format!("{:.1}", *budget as f64 / 1e6)).collect();
        if !its.is_empty() {
            let (x, y) = at(one);
            marks.push(((x, y), format!("≤ {} MB: {y:.2} ms in {x:.1} MB", its.join(", "))));
        }
    }
    let axes = Axes { title: "Time and memory", x: ("MB", Axis::to(wide)), y: ("ms", Axis::to(high)) };
    let curves = [Line { name: "not beaten in both".to_string(), points }];
    let drawn = Drawn { curves: &curves, marks: &marks, ..Drawn::default() };
    picture((900, 520), |area| chart(area, &axes, drawn))
}

/// After each try, the best so far as a part of the best of all
fn steps(entries: &[Entry], best: f64) -> Vec<(f64, f64)> {
    let mut so_far = f64::INFINITY;
    let mut points = vec![(0.0, 0.0)];
    for (n, entry) in entries.iter().enumerate() {
        let before = if so_far.is_finite() { best / so_far } else { 0.0 };
        so_far = so_far.min(entry.cost().unwrap_or(f64::INFINITY));
        let now = if so_far.is_finite() { best / so_far } else { 0.0 };
        let x = (n + 1) as f64;
        points.extend([(x, before), (x, now)]);
    }
    points
}

/// The best rate so far by the number of tries, as a part of the best of all logs
pub(crate) fn tries(curves: &[Curve]) -> Result<String, NoReport> {
    let best = fastest(curves)?;
    let tries = curves.iter().map(|curve| curve.entries.len()).max().unwrap_or(1).max(1);
    let all: Vec<Line> = curves
        .iter()
        .map(|curve| Line { name: curve.name.clone(), points: steps(&curve.entries, best) })
        .collect();
    let axes = Axes {
        title: "Best point so far",
        x: ("points tried", Axis::to(tries as f64)),
        y: ("speed, best of all = 1", Axis::to(1.05)),
    };
    lines(&axes, &all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::tests::{curve, times};

    #[test]
    fn the_best_so_far_by_time() {
        let curve = times("a", &[None, Some(2.0), Some(4.0), Some(1.0)]);
        let rates = Rates::of(std::slice::from_ref(&curve)).expect("ran");
        // 2 GFLOP, a point a second.
        let ends: Vec<_> = over_time(&curve, &rates).into_iter().skip(2).step_by(2).collect();
        assert_eq!(ends, [(1.0, 0.0), (2.0, 1.0), (3.0, 1.0), (4.0, 2.0)]);
    }

    #[test]
    fn parts_of_the_time_add_up_to_all_of_it() {
        let mut log = times("a", &[Some(2.0), None, Some(1.0)]);
        let stages =
            Stages { rewriting: 0.125, solving: 0.25, lowering: 0.0, compiling: 0.25, running: 0.25 };
        log.entries[0].stages = Some(stages);
        log.entries[2].stages = Some(stages);
        let parts = breakdown(&log.entries).expect("known");
        assert_eq!(parts[1], ("solving", 0.5));
        assert_eq!(parts[5], ("other", 3.0 - 1.75));
        assert_eq!(breakdown(&times("a", &[None]).entries), None);
    }

    #[test]
    fn expectancy_is_the_median_of_the_best_of_n() {
        let rates: Vec<f64> = (1..=101).map(f64::from).collect();
        let found = expectancy(&rates, &mut terrace_support::Random::new(1));
        // Of one candidate the median of all, of all the best; it never falls.
        assert!((found[0] - 51.0).abs() < 12.0, "{}", found[0]);
        assert_eq!(found[100], 101.0);
        assert!(found.is_sorted());
        // The best of n is at most r with chance (r / 101) ^ n, nearly: the median is where that is a half.
        for n in [2_usize, 5, 10, 20] {
            let median = 101.0 * 0.5_f64.powf(1.0 / n as f64);
            assert!((found[n - 1] - median).abs() < 8.0, "{n}: {} for {median}", found[n - 1]);
        }
    }

    #[test]
    fn pictures_are_the_same_every_time_and_name_what_they_show() {
        let mut solver = curve("solver", &[(Some(0.5), Some(3_000_000)), (Some(0.25), Some(5_000_000))]);
        solver.entries[1].stages = Some(Stages { solving: 1.0, ..Stages::default() });
        let mut random = curve("random", &[(None, None), (Some(1.0), Some(2_000_000))]);
        random.entries[1].rejected = 49_000;
        let both = [solver, random];
        for (draw, words) in [
            (
                time(&both),
                vec!["solver", "random", "2, 49000 refused", "Where the time went", "solving", "GFLOP/s"],
            ),
            (expected(&both), vec!["solver", "random", "expected"]),
            (front(&both, &[4_000_000]), vec!["not beaten in both", "≤ 4.0 MB: 500.00 ms in 3.0 MB"]),
        ] {
            let picture = draw.expect("ran");
            assert!(picture.starts_with("<svg"));
            for word in words {
                assert!(picture.contains(word), "no `{word}`");
            }
        }
        assert_eq!(expected(&both), expected(&both));
    }

    #[test]
    fn a_curve_rises_where_a_point_is_better() {
        let found = steps(&times("a", &[None, Some(4.0), Some(8.0), Some(2.0)]).entries, 2.0);
        let wanted = [
            (0.0, 0.0),
            (1.0, 0.0),
            (1.0, 0.0),
            (2.0, 0.0),
            (2.0, 0.5),
            (3.0, 0.5),
            (3.0, 0.5),
            (4.0, 0.5),
            (4.0, 1.0),
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn logs_without_a_run_have_no_picture() {
        assert!(tries(&[times("none", &[None])]).is_err());
    }
}
