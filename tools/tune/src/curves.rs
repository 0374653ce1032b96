//! Logs with names. Each is a curve of a figure; tries that failed count as tries.

use crate::errors::NoReport;
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
pub(crate) fn read(file: &str, text: &str) -> Result<Curve, NoReport> {
    let (header, entries) = log::read(text).map_err(|why| NoReport::Log(file.to_owned(), why))?;
    let stem = std::path::Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or(file);
    let Header { technique, seed, .. } = &header;
    Ok(Curve { name: format!("{stem} ({technique}, seed {seed})"), header, entries })
}

/// The least time of all logs
pub(crate) fn fastest(curves: &[Curve]) -> Result<f64, NoReport> {
    let costs = curves.iter().flat_map(|curve| &curve.entries).filter_map(Entry::cost);
    let best = costs.fold(f64::INFINITY, f64::min);
    if best.is_finite() { Ok(best) } else { Err(NoReport::NothingRan) }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use terrace_schedule_model::{Decision, Point};
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
            Entry {
                bytes: *bytes,
                ..Entry::new(n, Point::from_iter([Decision::Number(n as i64)]), outcome, at)
            }
        };
        Curve { name: name.into(), header, entries: points.iter().enumerate().map(entry).collect() }
    }

    /// Times alone
    pub(crate) fn times(name: &str, seconds: &[Option<f64>]) -> Curve {
        curve(name, &seconds.iter().map(|seconds| (*seconds, None)).collect::<Vec<_>>())
    }
}
