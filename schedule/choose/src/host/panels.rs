//! Panels: copies of what moves with the lanes, laid out as tiles read it.

use crate::access::Accesses;
use crate::loops::ceil;
use terrace_devices::{Device, Region};
use terrace_schedule_model::{Part, Placement};

/// Times a panel must be used for its copy to pay
pub(crate) const PANEL_USES: i64 = 4;

/// Uses of a panel below which its copy costs more than what lies as it is, where that stays in a cache
pub(crate) const SELDOM: i64 = 4096;

/// Uses of a panel below which its copy takes much of the time where it comes from memory
pub(crate) const BRIEF: i64 = 1024;

/// How often each element of an input is used along kept dimensions other than the lanes'
pub(crate) fn uses(a: &Accesses, input: usize, lanes: usize) -> i64 {
    a.dims(|dim| a.kept[dim] && dim != lanes && !a.inputs[input].uses(dim))
        .into_iter()
        .fold(1, |all, dim| all.saturating_mul(a.sizes[dim]))
}

/// The place of an input's panels: lanes innermost; `None` where its index along them is neither a plain dimension nor the last digit of a number
/// of kept ones, as in `48·g + m`
pub(crate) fn panel(
    a: &Accesses,
    input: usize,
    lanes: usize,
    width: i64,
    several: bool,
) -> Option<Placement> {
    let access = &a.inputs[input];
    let alone = a.inputs.iter().filter(|other| other.group == access.group).count() == 1;
    if !alone || !access.plain || !access.linear() {
        return None;
    }
    let at = access.map.results.iter().position(|expr| expr.uses_dim(lanes as u32))?;
    let linear = access.map.results[at].as_linear()?;
    let digit = |dim: usize| match linear.dim(dim) {
        0 => true,
        1 if dim == lanes => true,
        factor => dim != lanes && a.kept[dim] && factor >= a.sizes[lanes],
    };
    let plain = linear.dim(lanes) == 1 && (0..a.sizes.len()).all(digit);
    let once = access.map.results.iter().filter(|expr| expr.uses_dim(lanes as u32)).count() == 1;
    if !plain || !once {
        return None;
    }
    let others = (0..access.map.results.len()).filter(|n| *n != at).map(Part::Whole);
    let layout = if several {
        [Part::Div(at, width)].into_iter().chain(others).chain([Part::Mod(at, width)]).collect()
    } else {
        others.chain([Part::Whole(at)]).collect()
    };
    Some(Placement::new(Region::L2, layout))
}

/// Do the rows of a panel stay in the second cache where they lie, without a copy? They are as far apart as the operand's are, so
/// that they may fall into few of its sets
pub(crate) fn stays(a: &Accesses, device: &Device, input: usize, rows: &[(usize, i64)], width: i64) -> bool {
    let access = &a.inputs[input];
    let (bytes, ways) = (device.bytes(Region::L2), device.ways(Region::L2).max(1));
    let line = device.costs.caches.line as i64;
    let sets = bytes / ways / line;
    let lines = ceil(width * access.bytes, line);
    let count = rows.iter().fold(lines, |all, (_, size)| all.saturating_mul(*size));
    if sets < 1 || count > sets * ways {
        return false;
    }
    let mut starts = vec![0i64];
    for (dim, size) in rows {
        let Some(stride) = access.strides[*dim] else { return false };
        if stride != 0 {
            let along = |start: &i64| {
                let start = *start;
                (0..*size).map(move |n| start.wrapping_add(n.wrapping_mul(stride)))
            };
            starts = starts.iter().flat_map(along).collect();
        }
    }
    let mut used = vec![0i64; sets as usize];
    for start in starts {
        let first = start.wrapping_mul(access.bytes).div_euclid(line);
        for n in 0..lines {
            used[(first + n).rem_euclid(sets) as usize] += 1;
        }
    }
    used.iter().all(|lines| *lines <= ways)
}
