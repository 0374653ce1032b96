//! Schedules for `mdh` computations: (de/re)-composition steps that need not make sense, but often do.
//!
//! Three kinds: of a processor (tasks, loops, lanes), of a device (blocks, threads, warps, loops), and of anything.

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
enum Kind {
    Host,
    Device,
    Any,
}

/// The elements of `mdh.schedule`
pub fn schedule(r: &mut Random, shape: &Shape) -> String {
    let kind =
        r.pick(&[Kind::Host, Kind::Host, Kind::Host, Kind::Device, Kind::Device, Kind::Device, Kind::Any]);
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
                0 if r.below(20) > 0 => "",
                _ => r.pick(&["~limit", "~peel", "~pad", "~mask", "~limit"]),
            };
            let trips = (*left + size - 1) / size.max(1);
            sizes.push(if same && r.coin() { "^".into() } else { format!("{size}{tail}") });
            *left = size;
            cores.push(core(r, kind, n, last, dim, order[dim], (kept, trips), &mut widest));
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
    kind: Kind,
    n: usize,
    last: bool,
    dim: usize,
    order: usize,
    (kept, trips): (bool, i64),
    widest: &mut bool,
) -> String {
    let axis = ["x", "y", "z"][(order - 1).min(2)];
    let inner = |r: &mut Random, widest: &mut bool| {
        if last && !*widest && r.below(3) == 0 {
            *widest = true;
            return format!("VEC.{axis}");
        }
        match r.below(3) {
            0 if trips <= 8 => format!("UNR.{order}"),
            _ => format!("FOR.{order}"),
        }
    };
    let meet = |r: &mut Random, layer: &str, words: &[&str]| {
        let word = if kept || r.coin() { "" } else { r.pick(words) };
        match word {
            "" => format!("{layer}.{axis}"),
            word => format!("{layer}.{axis}({word})"),
        }
    };
    match kind {
        Kind::Host if n == 0 && r.coin() => meet(r, "THR", &["partials", "atomic", "partials"]),
        Kind::Host => inner(r, widest),
        Kind::Device if n == 0 && r.below(4) > 0 => meet(r, "BLK", &["atomic", "kernel"]),
        Kind::Device if n == 1 && r.below(3) > 0 => meet(r, "THR", &["shared", "shuffle"]),
        Kind::Device if n == 1 && r.below(6) == 0 => format!("WRP.{axis}"),
        Kind::Device => inner(r, widest),
        Kind::Any => {
            let layer = r.pick(&["FOR", "THR", "BLK", "UNR", "VEC", "WRP", "FOR", "FOR", "GPU", "CPU"]);
            let at = if matches!(layer, "FOR" | "UNR") { (dim + 1).to_string() } else { axis.into() };
            format!("{layer}.{at}")
        }
    }
}

fn memory(r: &mut Random, kind: Kind, shape: &Shape, n: usize, last: bool) -> String {
    let (of_inputs, of_outputs): (&[&str], &[&str]) = match kind {
        Kind::Host => (&["L2", "L1", "REG"], &["REG", "L1", "L2"]),
        Kind::Device => (&["SM", "SM", "RM"], &["RM", "RM", "SM"]),
        Kind::Any => (&["L2", "SM", "RM", "MM", "DM"], &["REG", "SM", "RM", "DM"]),
    };
    let mut entry = |region: &[&str], rank: usize, input: bool| {
        if last || r.below(5) > 1 {
            return "^".to_owned();
        }
        let region = r.pick(region);
        let mut text = region.to_owned();
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
                (true, "SM") => r.pick(&[" stages 2", " swizzle 1", " stages 3", " swizzle 2"]),
                _ if rank < 2 => "",
                (true, _) => " swizzle 1",
                (false, _) => r.pick(&[" nt", " swizzle 1"]),
            };
        } else if input && n > 0 && r.below(12) == 0 {
            return r.pick(&["MM prefetch 1", "MM prefetch 2"]).to_owned();
        }
        text
    };
    let inputs: Vec<String> = shape.inputs.iter().map(|rank| entry(of_inputs, *rank, true)).collect();
    let outputs: Vec<String> = shape.outputs.iter().map(|rank| entry(of_outputs, *rank, false)).collect();
    format!("{} ; {}", inputs.join(","), outputs.join(","))
}
