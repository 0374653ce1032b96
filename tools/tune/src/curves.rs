//! Logs with names, and the plainest picture of them: how good the best point was after so many tries.
//!
//! Each log is a curve: best rate so far as a part of the best of all logs. Tries that failed count as tries.

use crate::figures::{Axes, Line, lines};
use terrace_search_explore::log::{self, Entry, Header};

/// A log with its name
pub(crate) struct Curve {
    pub name: String,
    pub header: Header,
    pub entries: Vec<Entry>,
}

impl Curve {
    /// Operations of one run, where they are known
    pub(crate) fn flops(&self) -> Option<f64> {
        self.header.flops.map(|flops| flops as f64)
    }
}

/// Read a log; its technique and seed name the curve
pub(crate) fn read(file: &str, text: &str) -> Result<Curve, String> {
    let (header, entries) = log::read(text).map_err(|why| format!("`{file}`: {why}"))?;
    let stem = std::path::Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or(file);
    let Header { technique, seed, .. } = &header;
    Ok(Curve { name: format!("{stem} ({technique}, seed {seed})"), header, entries })
}

/// The least time of all logs
pub(crate) fn fastest(curves: &[Curve]) -> Result<f64, String> {
    let costs = curves.iter().flat_map(|curve| &curve.entries).filter_map(Entry::cost);
    let best = costs.fold(f64::INFINITY, f64::min);
    if best.is_finite() { Ok(best) } else { Err("no point of these logs ran".into()) }
}

/// After each try, the best so far as a part of the best of all
pub(crate) fn steps(entries: &[Entry], best: f64) -> Vec<(f64, f64)> {
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

/// The picture
pub(crate) fn draw(curves: &[Curve]) -> Result<String, String> {
    let best = fastest(curves)?;
    let tries = curves.iter().map(|curve| curve.entries.len()).max().unwrap_or(1).max(1);
    let all: Vec<Line> = curves
        .iter()
        .map(|curve| Line { name: curve.name.clone(), points: steps(&curve.entries, best) })
        .collect();
    let axes = Axes {
        title: "Best point so far",
        x: "points tried",
        y: "speed, best of all = 1",
        wide: tries as f64,
        high: 1.05,
    };
    lines(&axes, &all)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use terrace_search_explore::log::Outcome;

    /// A log of 2 GFLOP programs that hold at least 1 MB: seconds and bytes of each point, a second apart
    pub(crate) fn curve(name: &str, points: &[(Option<f64>, Option<u64>)]) -> Curve {
        let header = Header {
            names: vec!["x".into()],
            technique: "random".into(),
            flops: Some(2_000_000_000),
            least: Some(1_000_000),
            ..Header::default()
        };
        let entry = |(n, (seconds, bytes)): (usize, &(Option<f64>, Option<u64>))| {
            let failed = Outcome::Failed { kind: "wrong".into(), reason: String::new() };
            let outcome = seconds.map_or(failed, |seconds| Outcome::Ran { seconds });
            let (n, at) = (n + 1, (n + 1) as f64);
            Entry { bytes: *bytes, ..Entry::new(n, vec![n.to_string()], outcome, at) }
        };
        Curve { name: name.into(), header, entries: points.iter().enumerate().map(entry).collect() }
    }

    /// Times alone
    pub(crate) fn times(name: &str, seconds: &[Option<f64>]) -> Curve {
        curve(name, &seconds.iter().map(|seconds| (*seconds, None)).collect::<Vec<_>>())
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
        assert!(draw(&[times("none", &[None])]).is_err());
    }
}
