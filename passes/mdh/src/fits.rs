//! Does a schedule that is given fit its device: layers of cores, regions of memory, blocks that split a reduction?

use terrace_devices::{Device, DeviceKind, Layer, Region};
use terrace_diag::nearest;
use terrace_dialect_mdh::schedule::{Broken, Rule, Schedule};
use terrace_dialect_mdh::view::{self, View};

/// The error names the rule, and what the device has; `in_order`: the computation is one left fold ([`View::in_order`])
pub fn fits(schedule: &Schedule, view: &View, in_order: bool, device: &Device) -> Result<(), Broken> {
    use Layer::{Blk, Cpu, For, Gpu, Thr, Unr, Vec as Lanes, Wrp};
    use Region::{Dev, Dm, Mm, Reg, Rm, Shr, Sm};
    let (layers, own): (&[Layer], &[Region]) = match device.kind {
        DeviceKind::Host => (&[Cpu, Thr, For, Unr, Lanes], &[Mm, Reg]),
        DeviceKind::Grid if device.warp > 1 => {
            (&[Gpu, Blk, Wrp, Thr, For, Unr, Lanes], &[Dm, Dev, Sm, Shr, Rm, Reg])
        }
        DeviceKind::Grid => (&[Gpu, Blk, Thr, For, Unr, Lanes], &[Dm, Dev, Sm, Shr, Rm, Reg]),
    };
    let mut regions = own.to_vec();
    let more = device.memories.iter().map(|memory| memory.region).filter(|region| !own.contains(region));
    regions.extend(more);
    let layer_words: Vec<&str> = layers.iter().map(|layer| layer.word()).collect();
    let region_words: Vec<&str> = regions.iter().map(|region| region.word()).collect();
    let meant = |word: &str, known: &[&str]| {
        nearest(word, known.iter().copied()).map_or(String::new(), |near| format!("; did you mean {near}?"))
    };
    for (n, step) in schedule.steps.iter().enumerate().filter(|(_, step)| step.label > 0) {
        let at = format!("step {}", n + 1);
        if let Some(core) = step.cores.iter().flatten().find(|core| !layers.contains(&core.layer)) {
            let instead = match (core.layer, device.kind) {
                (Blk | Wrp, DeviceKind::Host) => " (no blocks); use THR",
                (Cpu, DeviceKind::Grid) => "; use GPU",
                (Gpu, DeviceKind::Host) => "; use CPU",
                (layer, _) => &meant(layer.word(), &layer_words),
            };
            return Err(Rule::Layer.broken(format!(
                "{} in {at}: {} has {}{instead}",
                core.layer,
                device.name,
                layer_words.join(", ")
            )));
        }
        let mut placed = step.ins.iter().chain(&step.outs).flatten();
        if let Some(place) = placed.find(|place| !regions.contains(&place.region)) {
            return Err(Rule::Region.broken(format!(
                "{} in {at}: {} has {}{}",
                place.region,
                device.name,
                region_words.join(", "),
                meant(place.region.word(), &region_words)
            )));
        }
    }
    let extents: Vec<i64> = view.dims.iter().map(|dim| dim.size).collect();
    let reduced: Vec<bool> =
        view.dims.iter().map(|dim| matches!(dim.kind, view::CombineKind::Pw(..))).collect();
    if in_order {
        schedule.folds_in_order(&extents, &reduced, &view.names())?;
    }
    schedule.blocks_meet(&extents, &reduced)
}
