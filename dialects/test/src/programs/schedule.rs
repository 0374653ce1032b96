//! Schedules for `mdh` computations: (de/re)-composition steps that need not make sense, but often do.
//!
//! Three kinds: of a processor (tasks, loops, lanes), of a device (blocks, threads, warps, loops), and of anything.

use terrace_devices::{Axis, Layer, Mechanism, Region};
use terrace_schedule_model::{Core, Size, Tail};
use terrace_support::Random;

/// What a schedule is for
#[derive(Clone, Debug)]
pub struct Shape {
    /// Sizes of dimensions, and whether they are kept
    pub dims: Vec<(i64, bool)>,
    /// Number of dimensions of each tensor that is read
    pub inputs: Vec<usize>,
    /// Number of dimensions of each output
    pub outputs: Vec<usize>,
}

/// Whose layers
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LayerKind {
    Host,
    Device,
    Any,
}

/// The elements of `mdh.schedule`
pub fn schedule(r: &mut Random, shape: &Shape) -> String {
    let kind = r.pick(&[
        LayerKind::Host,
        LayerKind::Host,
        LayerKind::Host,
        LayerKind::Device,
        LayerKind::Device,
        LayerKind::Device,
        LayerKind::Any,
    ]);
    let steps = 2 + r.below(3);
    let mut labels: Vec<usize> = (1..=steps).collect();
    for n in (1..steps).rev() {
        if r.below(5) == 0 {
            labels.swap(n, r.below(n + 1));
        }
    }
    let mut left: Vec<i64> = shape.dims.iter().map(|dim| dim.0).collect();
    // Only one step may stop without dividing, in many a schedule.
    let uneven = r.below(3) == 0;
    let mut texts = Vec::new();
    let mut widest = false;
    for (n, label) in labels.iter().enumerate() {
        let last = n + 1 == steps;
        let (mut sizes, mut cores) = (Vec::new(), Vec::new());
        let order = permutation(r, shape.dims.len());
        for (dim, left) in left.iter_mut().enumerate() {
            let kept = shape.dims[dim].1;
            let mut size = if last { 1 } else { 1 + r.below(*left) };
            let same = !last && r.below(4) == 0;
            if same {
                size = *left;
            } else if !uneven || r.coin() {
                size = (1..=size).rev().find(|size| *left % size == 0).unwrap_or(1);
            }
            let tail = match *left % size.max(1) {
                0 if r.below(20) > 0 => None,
                _ => Some(r.pick(&[Tail::Limit, Tail::Peel, Tail::Pad, Tail::Mask, Tail::Limit])),
            };
            let trips = (*left + size - 1) / size.max(1);
            let value = if same && r.coin() { None } else { Some(size) };
            sizes.push(Size { value, tail: tail.filter(|_| value.is_some()) }.to_string());
            *left = size;
            cores.push(core(r, kind, n, last, dim, order[dim], (kept, trips), &mut widest).to_string());
        }
        let memory = memory(r, kind, shape, n, last);
        texts.push(format!("\"{label}: ({}) ({memory}) ({})\"", sizes.join(","), cores.join(",")));
    }
    texts.join(", ")
}

fn permutation(r: &mut Random, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (1..=count).collect();
    for n in (1..count).rev() {
        if r.below(3) == 0 {
            order.swap(n, r.below(n + 1));
        }
    }
    order
}

#[allow(clippy::too_many_arguments)]
fn core(
    r: &mut Random,
    kind: LayerKind,
    n: usize,
    last: bool,
    dim: usize,
    order: usize,
    (kept, trips): (bool, i64),
    widest: &mut bool,
) -> Core {
    let axis = Axis::ALL[(order - 1).min(2)];
    let inner = |r: &mut Random, widest: &mut bool| {
        if last && !*widest && r.below(3) == 0 {
            *widest = true;
            return Core::along(Layer::Vec, axis);
        }
        match r.below(3) {
            0 if trips <= 8 => Core::numbered(Layer::Unr, order),
            _ => Core::numbered(Layer::For, order),
        }
    };
    let meet = |r: &mut Random, layer: Layer, ways: &[Mechanism]| {
        let mechanism = if kept || r.coin() { None } else { Some(r.pick(ways)) };
        Core { mechanism, ..Core::along(layer, axis) }
    };
    use Mechanism::{Atomic, Kernel, Partials, Shared, Shuffle};
    match kind {
        LayerKind::Host if n == 0 && r.coin() => meet(r, Layer::Thr, &[Partials, Atomic, Partials]),
        LayerKind::Host => inner(r, widest),
        LayerKind::Device if n == 0 && r.below(4) > 0 => meet(r, Layer::Blk, &[Atomic, Kernel]),
        LayerKind::Device if n == 1 && r.below(3) > 0 => meet(r, Layer::Thr, &[Shared, Shuffle]),
        LayerKind::Device if n == 1 && r.below(6) == 0 => Core::along(Layer::Wrp, axis),
        LayerKind::Device => inner(r, widest),
        LayerKind::Any => {
            use Layer::{Blk, Cpu, For, Gpu, Thr, Unr, Vec, Wrp};
            match r.pick(&[For, Thr, Blk, Unr, Vec, Wrp, For, For, Gpu, Cpu]) {
                layer if layer.is_sequential() => Core::numbered(layer, dim + 1),
                layer => Core::along(layer, axis),
            }
        }
    }
}

fn memory(r: &mut Random, kind: LayerKind, shape: &Shape, n: usize, last: bool) -> String {
    use Region::{Dm, Mm, Reg, Rm, Sm};
    let (l1, l2) = (Region::L1, Region::L2);
    let (of_inputs, of_outputs): (&[Region], &[Region]) = match kind {
        LayerKind::Host => (&[l2, l1, Reg], &[Reg, l1, l2]),
        LayerKind::Device => (&[Sm, Sm, Rm], &[Rm, Rm, Sm]),
        LayerKind::Any => (&[l2, Sm, Rm, Mm, Dm], &[Reg, Sm, Rm, Dm]),
    };
    let mut entry = |regions: &[Region], rank: usize, input: bool| {
        if last || r.below(5) > 1 {
            return "^".to_owned();
        }
        let region = r.pick(regions);
        let mut text = region.to_string();
        if rank > 1 && r.below(3) == 0 {
            let mut parts: Vec<String> = permutation(r, rank).iter().map(usize::to_string).collect();
            if r.below(3) == 0 {
                let at = r.below(parts.len());
                let (dim, by) = (parts[at].clone(), r.pick(&[2, 4, 8]));
                parts[at] = format!("{dim}/{by}");
                parts.push(format!("{dim}%{by}"));
            }
            text = format!("{text}[{}]", parts.join(","));
        }
        if r.below(4) == 0 {
            text += match (input, region) {
                (true, Sm) => r.pick(&[" stages 2", " swizzle 1", " stages 3", " swizzle 2"]),
                _ if rank < 2 => "",
                (true, _) => " swizzle 1",
                (false, _) => r.pick(&[" nt", " swizzle 1"]),
            };
        } else if input && n > 0 && r.below(12) == 0 {
            return format!("{Mm} prefetch {}", r.pick(&[1, 2]));
        }
        text
    };
    let inputs: Vec<String> = shape.inputs.iter().map(|rank| entry(of_inputs, *rank, true)).collect();
    let outputs: Vec<String> = shape.outputs.iter().map(|rank| entry(of_outputs, *rank, false)).collect();
    format!("{} ; {}", inputs.join(","), outputs.join(","))
}
