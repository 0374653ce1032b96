//! How well the model puts the schedules of a log in order.

use std::path::Path;

use terrace_devices::Device;
use terrace_diag::{Diags, render_all};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_ir::{Context, Ir};
use terrace_pass::{Instrument, Pipeline, Registry};
use terrace_schedule_cost::{Computed, Estimate};
use terrace_schedule_model::OpenSchedule;
use terrace_schedule_model::apply::Extras;
use terrace_search_explore::{log, rank};
use terrace_search_schedules::{OfSchedules, ScheduleSpace};

use super::rows::{DEVICE, Row};
use crate::Done;

/// Schedules that take so many times as long as the best of a log are left out: no chooser decides among them, and a few of them
/// would make any model look good
const SLOWEST: f64 = 50.0;

/// Times that differ by less are not distinguished: the median ratio of the times of schedules without tasks that stand in the logs of one
/// program for one thread and for two, where both are the same code (13 pairs of the programs for fitting, 1.00 to 1.11)
const NOISE: f64 = 1.042;

const REGISTRY: Registry = Registry { passes: &[terrace_passes_mdh::PASSES], pipelines: &[] };

/// A schedule of a log, estimated and measured
pub struct Point {
    /// As text
    pub schedule: String,
    /// What the model says
    pub estimate: Estimate,
    /// What was measured
    pub seconds: f64,
}

/// All schedules of a log that ran and are not left out
pub struct Judged {
    /// In the order of the log
    pub points: Vec<Point>,
    /// Left out as too slow
    pub slow: usize,
}

impl Judged {
    fn pairs(&self) -> Vec<(f64, f64)> {
        self.points.iter().map(|point| (point.estimate.total, point.seconds)).collect()
    }

    /// Kendall's τ-b; 0 where the order says nothing
    pub fn kendall(&self) -> f64 {
        rank::kendall(&self.pairs()).unwrap_or(0.0)
    }

    /// Kendall's τ of the pairs whose times are distinguished (`NOISE`): those in order less all others, divided by their number. Equal
    /// estimates are not in order; 0 where the order says nothing
    pub fn beyond_noise(&self) -> f64 {
        let pairs = self.pairs();
        let couples = pairs.iter().enumerate().flat_map(|(n, a)| pairs[..n].iter().map(move |b| (a, b)));
        let apart = couples.filter(|(a, b)| a.1.max(b.1) >= NOISE * a.1.min(b.1));
        let (mut right, mut all) = (0, 0);
        for (a, b) in apart {
            all += 1;
            right += usize::from((a.0 - b.0) * (a.1 - b.1) > 0.0);
        }
        let says = pairs.len() >= rank::FEWEST && all > 0;
        if says { (2 * right) as f64 / all as f64 - 1.0 } else { 0.0 }
    }

    /// Spearman's correlation; 0 where the order says nothing
    pub fn spearman(&self) -> f64 {
        rank::spearman(&self.pairs()).unwrap_or(0.0)
    }

    /// Pairs in order, and all whose times differ by a tenth
    pub fn in_order(&self) -> (usize, usize) {
        rank::in_order(&self.pairs())
    }

    /// Time of the model's first choice divided by the best
    pub fn regret(&self) -> f64 {
        let pairs = self.pairs();
        let first = pairs.iter().min_by(|a, b| a.0.total_cmp(&b.0)).map_or(1.0, |first| first.1);
        let best = pairs.iter().map(|(_, seconds)| *seconds).fold(f64::INFINITY, f64::min);
        first / best.min(first)
    }
}

/// Estimate every schedule of a row's log that ran
pub fn judge(row: &Row, shapes: &Path, folder: &Path, device: &Device) -> Done<Judged> {
    let path = row.log(folder);
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let (header, entries) = log::read(&text).map_err(|why| format!("{}: {why}", path.display()))?;
    let draft = header.draft.ok_or_else(|| format!("{}: it has no draft", path.display()))?;
    let draft = OpenSchedule::read(&draft).map_err(|why| format!("{}: {why:?}", path.display()))?;
    let computed = scheduled(row, shapes, &draft)?;
    let extents = computed.computation.dims.iter().map(|dim| dim.size).collect();
    let all_are_legal = |_: &_| Ok(());
    let space = ScheduleSpace::new(draft, extents, device, &all_are_legal).map_err(|why| why.to_string())?;
    let device = Device { units: i64::from(row.threads), ..device.clone() };
    let mut points = Vec::new();
    for entry in &entries {
        let Some(seconds) = entry.cost() else { continue };
        let draft = space.fill(&entry.point);
        let schedule = draft.decided().map_err(|why| format!("{}: {why}", path.display()))?;
        let estimate = computed.estimate(&schedule, &Extras::default(), &device);
        let estimate = estimate.map_err(|why| format!("{}: {why:?}", path.display()))?;
        let estimate = estimate.ok_or_else(|| format!("{}: it has no estimate", path.display()))?;
        points.push(Point { schedule: draft.to_string(), estimate, seconds });
    }
    let best = points.iter().map(|point| point.seconds).fold(f64::INFINITY, f64::min);
    let all = points.len();
    points.retain(|point| point.seconds <= SLOWEST * best);
    Ok(Judged { slow: all - points.len(), points })
}

/// The computation of a row's program as it is written
pub fn computed(row: &Row, shapes: &Path) -> Done<Computed> {
    read(row, shapes, |_, module| Ok(found(module)))
}

/// The form of the program's computation that a draft is for: `mdh-schedule` may have made neighboring dimensions one
fn scheduled(row: &Row, shapes: &Path, draft: &OpenSchedule) -> Done<Computed> {
    let dims = draft.steps.first().map_or(0, |step| step.sizes.len());
    let fits = |computed: &Computed| computed.computation.dims.len() == dims;
    read(row, shapes, |cx, module| {
        if let Some(written) = found(module).filter(fits) {
            return Ok(Some(written));
        }
        let mut diags = Diags::default();
        let choose = format!("func.func(mdh-schedule{{target={DEVICE}}})");
        let pipeline = Pipeline::parse(&choose, &REGISTRY, cx.sources(), &mut diags);
        let shown = |diags: &Diags| render_all(diags.iter(), cx.sources(), false);
        let pipeline = pipeline.map_err(|_| shown(&diags))?;
        let (report, result) = terrace_pass::run(module, &pipeline, &Instrument::quiet(|_| String::new()));
        result.map_err(|_| shown(&report.diags))?;
        Ok(found(module).filter(fits))
    })
}

fn read(
    row: &Row,
    shapes: &Path,
    find: impl FnOnce(&Context, &mut Ir) -> Done<Option<Computed>>,
) -> Done<Computed> {
    let file = row.file(shapes);
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let cx = Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL].concat());
    let mut diags = Diags::default();
    let source = cx.sources().add(file.display().to_string(), text);
    let Some(mut module) = terrace_frontend_mdh::tensor::read(&cx, source, &row.sizes, &mut diags) else {
        return Err(render_all(diags.iter(), cx.sources(), false).into());
    };
    find(&cx, &mut module)?
        .ok_or_else(|| format!("{}: not one computation with an estimate", row.name()).into())
}

/// The only computation of a module
fn found(module: &Ir) -> Option<Computed> {
    let mut all = Vec::new();
    let mut pending = vec![module];
    while let Some(unit) = pending.pop() {
        pending.extend(unit.walk().filter_map(|op| unit.child(op)));
        all.extend(unit.walk().filter_map(|op| Some((unit, Compute::cast(unit, op)?))));
    }
    match all.as_slice() {
        [(unit, op)] => View::read(unit, *op).ok()?.computed(unit, *op),
        _ => None,
    }
}
