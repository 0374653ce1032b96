//! Does a schedule that is given fit its device: layers of cores, regions of memory, blocks that split a reduction?

use terrace_devices::{Device, Kind};
use terrace_diag::nearest;
use terrace_dialect_mdh::schedule::Schedule;
use terrace_dialect_mdh::view::{self, View};

/// The error names the rule, and what the device has; `in_order`: the computation is one left fold ([`View::in_order`])
pub fn fits(schedule: &Schedule, view: &View, in_order: bool, device: &Device) -> Result<(), String> {
    let (layers, own): (&[&str], &[&str]) = match device.kind {
        Kind::Host => (&["CPU", "THR", "FOR", "UNR", "VEC"], &["MM", "REG"]),
        Kind::Grid if device.warp > 1 => {
            (&["GPU", "BLK", "WRP", "THR", "FOR", "UNR", "VEC"], &["DM", "DEV", "SM", "SHR", "RM", "REG"])
        }
        Kind::Grid => (&["GPU", "BLK", "THR", "FOR", "UNR", "VEC"], &["DM", "DEV", "SM", "SHR", "RM", "REG"]),
    };
    let mut regions = own.to_vec();
    for memory in &device.memories {
        if !regions.contains(&memory.region.word()) {
            regions.push(memory.region.word());
        }
    }
    let meant = |word: &str, known: &[&str]| {
        nearest(word, known.iter().copied()).map_or(String::new(), |near| format!("; did you mean {near}?"))
    };
    for (n, step) in schedule.steps.iter().enumerate().filter(|(_, step)| step.label > 0) {
        let at = format!("step {}", n + 1);
        if let Some(core) = step.cores.iter().flatten().find(|core| !layers.contains(&core.layer.as_str())) {
            let instead = match (core.layer.as_str(), device.kind) {
                ("BLK" | "WRP", Kind::Host) => " (no blocks); use THR",
                ("CPU", Kind::Grid) => "; use GPU",
                ("GPU", Kind::Host) => "; use CPU",
                _ => &meant(&core.layer, layers),
            };
            return Err(format!(
                "S-LAYER: {} in {at}: {} has {}{instead}",
                core.layer,
                device.name,
                layers.join(", ")
            ));
        }
        let mut places = step.ins.iter().chain(&step.outs).flatten();
        if let Some(place) = places.find(|place| !regions.contains(&place.region.as_str())) {
            return Err(format!(
                "S-REGION: {} in {at}: {} has {}{}",
                place.region,
                device.name,
                regions.join(", "),
                meant(&place.region, &regions)
            ));
        }
    }
    let extents: Vec<i64> = view.dims.iter().map(|dim| dim.size).collect();
    let reduced: Vec<bool> = view.dims.iter().map(|dim| matches!(dim.kind, view::Kind::Pw(..))).collect();
    if in_order {
        schedule.folds_in_order(&extents, &reduced, &view.names())?;
    }
    schedule.blocks_meet(&extents, &reduced)
}
