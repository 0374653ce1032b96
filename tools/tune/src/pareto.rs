//! The points of logs that no other beats in time and memory at once, and the best one within a budget of memory (LIFT,
//! GPGPU 2020, §6 and Fig. 6).

use crate::curves::Curve;
use crate::errors::NoReport;
use crate::report::{mb, rate};
use serde_json::{Value, json};
use std::fmt::Write;
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::log::Entry;

/// A point that ran, of which the memory is known
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Candidate<'a> {
    /// Name of its log
    pub log: &'a str,
    pub entry: &'a Entry,
    pub seconds: f64,
    pub bytes: u64,
}

/// All points with a time and a number of bytes, and how many lack the latter
pub(crate) fn candidates(curves: &[Curve]) -> (Vec<Candidate<'_>>, usize) {
    let (mut all, mut unknown) = (Vec::new(), 0);
    for curve in curves {
        for entry in &curve.entries {
            match (entry.cost(), entry.bytes) {
                (Some(seconds), Some(bytes)) => {
                    all.push(Candidate { log: &curve.name, entry, seconds, bytes });
                }
                (Some(_), None) => unknown += 1,
                (None, _) => {}
            }
        }
    }
    (all, unknown)
}

/// Those that no other beats, by memory: each is faster than all that hold less
///
/// Of equal ones the first of the logs stays.
pub(crate) fn front<'a>(all: &[Candidate<'a>]) -> Vec<Candidate<'a>> {
    let mut sorted = all.to_vec();
    sorted.sort_by(|a, b| a.bytes.cmp(&b.bytes).then(a.seconds.total_cmp(&b.seconds)));
    let mut front: Vec<Candidate<'a>> = Vec::new();
    for one in sorted {
        if front.last().is_none_or(|last| one.seconds < last.seconds) {
            front.push(one);
        }
    }
    front
}

/// The fastest that holds no more than this
pub(crate) fn within<'a>(front: &[Candidate<'a>], bytes: u64) -> Option<Candidate<'a>> {
    front.iter().rev().find(|one| one.bytes <= bytes).copied()
}

fn flops(curves: &[Curve], log: &str) -> Option<f64> {
    curves.iter().find(|curve| curve.name == log).and_then(Curve::flops)
}

fn point(curves: &[Curve], one: &Candidate<'_>) -> String {
    let curve = curves.iter().find(|curve| curve.name == one.log);
    curve.map_or(String::new(), |curve| Point::named(&one.entry.point, &curve.header.names, " "))
}

fn line(curves: &[Curve], one: &Candidate<'_>) -> String {
    let Candidate { log, entry, seconds, bytes } = one;
    let log = if curves.len() > 1 { format!(" of {log}") } else { String::new() };
    let time = rate(*seconds, flops(curves, one.log));
    format!("{:>10}  {time}  point {}{log}: {}", mb(*bytes), entry.number, point(curves, one))
}

/// The set, and the best within each budget, in words
pub(crate) fn text(curves: &[Curve], budgets: &[u64]) -> Result<String, NoReport> {
    let (all, unknown) = candidates(curves);
    let front = checked(&all, unknown)?;
    let mut text = String::new();
    let _ =
        writeln!(text, "{} points ran; {} are not beaten in both time and memory:", all.len(), front.len());
    if unknown > 0 {
        let _ = writeln!(text, "({unknown} more ran, but their memory is not known)");
    }
    for one in &front {
        let _ = writeln!(text, "{}", line(curves, one));
    }
    for budget in budgets {
        match within(&front, *budget) {
            Some(one) => {
                let _ = writeln!(text, "best within {}:\n{}", mb(*budget), line(curves, &one));
            }
            None => {
                let least = front.first().map_or(0, |one| one.bytes);
                let _ = writeln!(text, "none within {}: the least is {}", mb(*budget), mb(least));
            }
        }
    }
    Ok(text)
}

fn object(curves: &[Curve], one: &Candidate<'_>) -> Value {
    let point: Vec<String> = one.entry.point.iter().map(Decision::to_string).collect();
    json!({"log": one.log, "n": one.entry.number, "seconds": one.seconds, "bytes": one.bytes,
           "gflops": flops(curves, one.log).map(|flops| flops / one.seconds / 1e9), "point": point})
}

/// The same as JSON
pub(crate) fn json(curves: &[Curve], budgets: &[u64]) -> Result<String, NoReport> {
    let (all, unknown) = candidates(curves);
    let front = checked(&all, unknown)?;
    let objects: Vec<Value> = front.iter().map(|one| object(curves, one)).collect();
    let best: Vec<Value> = budgets
        .iter()
        .map(|budget| json!({"bytes": budget, "best": within(&front, *budget).map(|one| object(curves, &one))}))
        .collect();
    let whole = json!({"ran": all.len(), "unknown": unknown, "front": objects, "within": best});
    Ok(format!("{whole:#}\n"))
}

/// The set, unless there is nothing to make one of
pub(crate) fn checked<'a>(all: &[Candidate<'a>], unknown: usize) -> Result<Vec<Candidate<'a>>, NoReport> {
    match (all.is_empty(), unknown) {
        (false, _) => Ok(front(all)),
        (true, 0) => Err(NoReport::NothingRan),
        (true, n) => Err(NoReport::NoMemory(n)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::tests::curve;

    #[test]
    fn none_of_the_set_is_beaten_and_all_others_are() {
        let mut rng = terrace_support::Random::new(7);
        for _ in 0..200 {
            let points: Vec<_> = (0..30)
                .map(|_| (Some(1.0 + f64::from(rng.below(11u32))), Some(1 + rng.below(11u64))))
                .collect();
            let curves = [curve("a", &points)];
            let (all, _) = candidates(&curves);
            let set = front(&all);
            let beats = |a: &Candidate<'_>, b: &Candidate<'_>| {
                a.seconds <= b.seconds && a.bytes <= b.bytes && (a.seconds < b.seconds || a.bytes < b.bytes)
            };
            for one in &all {
                let beaten = all.iter().any(|other| beats(other, one));
                let same = |other: &Candidate<'_>| other.seconds == one.seconds && other.bytes == one.bytes;
                assert_eq!(set.iter().any(same), !beaten);
            }
            for budget in 0..13 {
                let fits = all.iter().filter(|one| one.bytes <= budget).map(|one| one.seconds);
                let best = fits.min_by(f64::total_cmp);
                assert_eq!(within(&set, budget).map(|one| one.seconds), best);
            }
        }
    }

    #[test]
    fn budgets_of_the_paper() {
        // Fig. 6: 77 ms in 31 MB, 100 ms in 25 MB.
        let points = [
            (Some(0.100), Some(25_000_000)),
            (Some(0.077), Some(31_000_000)),
            (Some(0.090), Some(40_000_000)),
            (Some(0.050), None),
            (None, Some(1)),
        ];
        let text = text(&[curve("layer2", &points)], &[26_000_000, 31_000_000, 1_000_000]).expect("ran");
        let wanted = "\
3 points ran; 2 are not beaten in both time and memory:
(1 more ran, but their memory is not known)
   25.0 MB  100.000 ms (20.0 GFLOP/s)  point 1: x=1
   31.0 MB  77.000 ms (26.0 GFLOP/s)  point 2: x=2
best within 26.0 MB:
   25.0 MB  100.000 ms (20.0 GFLOP/s)  point 1: x=1
best within 31.0 MB:
   31.0 MB  77.000 ms (26.0 GFLOP/s)  point 2: x=2
none within 1.0 MB: the least is 25.0 MB
";
        assert_eq!(text, wanted);
    }

    #[test]
    fn logs_without_memory_say_so() {
        let error = text(&[curve("a", &[(Some(1.0), None)])], &[]).expect_err("no memory");
        assert_eq!(error, NoReport::NoMemory(1));
        assert_eq!(text(&[curve("a", &[(None, None)])], &[]).expect_err("none"), NoReport::NothingRan);
    }
}
