//! Which elements of a thread are one request: adjacent ones, aligned, in code without a loop between them.
//!
//! Compilers know how a block's memory is aligned. Of the device's they do not: there lanes of a schedule say it.

use super::kernel::{COUNTED, Kernel, Place, Side};
use super::requests::Lanes;
use terrace_devices::Level;
use terrace_schedule_model::nest::{Access, LoopId};

/// Bytes of the widest request of a lane
pub const WIDEST: i64 = 16;

/// One combination of loops that are copies and of a copy's own variables, and the byte that it touches
struct Element {
    address: i64,
    loops: Vec<(LoopId, i64)>,
    domain: Vec<i64>,
}

/// Requests of one iteration of the loops that run: bytes of a lane, addresses of the first one, how many
pub(super) fn requests(
    kernel: &Kernel<'_>,
    access: &Access,
    side: Side,
    place: &Place,
) -> Vec<(i64, Lanes, f64)> {
    let own = kernel.nest.buffer_of(access).bytes;
    let elements = elements(kernel, access, &place.flat);
    let lanes_of = |element: &Element| {
        let fixed =
            |id: LoopId| element.loops.iter().find(|(other, _)| *other == id).map(|(_, value)| *value);
        kernel.lanes(access, &|_| Some(element.domain.clone()), &|id| {
            fixed(id).or_else(|| place.run.contains(&id).then_some(0))
        })
    };
    let most = match side {
        Side::Shared => WIDEST,
        Side::Device => stated(kernel, access, own, &place.flat),
    };
    let aligned = alignment(kernel, access, place);
    let mut found: Vec<(i64, Lanes, f64)> = Vec::new();
    let mut n = 0;
    while n < elements.len() {
        let fits = |bytes: i64| {
            let count = (bytes / own) as usize;
            let group = elements.get(n..n + count);
            let first = elements[n].address;
            let adjacent = |group: &[Element]| {
                group.iter().enumerate().all(|(n, element)| element.address == first + n as i64 * own)
            };
            first % bytes == 0 && aligned % bytes == 0 && group.is_some_and(adjacent)
        };
        let bytes = [16, 8].into_iter().find(|bytes| *bytes <= most && *bytes > own && fits(*bytes));
        let bytes = bytes.unwrap_or(own);
        match found.iter_mut().find(|(known, ..)| *known == bytes) {
            Some((_, _, count)) => *count += 1.0,
            None => found.push((bytes, lanes_of(&elements[n]), 1.0)),
        }
        n += (bytes / own).max(1) as usize;
    }
    found
}

/// Distinct elements of a thread's copies of a body, by address
fn elements(kernel: &Kernel<'_>, access: &Access, flat: &[LoopId]) -> Vec<Element> {
    let moves: Vec<LoopId> = flat.iter().copied().filter(|id| access.follows(*id)).collect();
    let trips = moves.iter().map(|id| kernel.nest.trip(*id).max(1));
    let sizes: Vec<i64> = trips.chain(access.domain.iter().map(|size| (*size).max(1))).collect();
    let all = sizes.iter().fold(1i64, |all, size| all.saturating_mul(*size));
    let mut found = Vec::new();
    for number in 0..all.min(COUNTED) {
        let mut number = number;
        let mut parts = vec![0; sizes.len()];
        for (part, size) in parts.iter_mut().zip(&sizes).rev() {
            *part = number % size;
            number /= size;
        }
        let value = |(n, id): (usize, &LoopId)| (*id, parts[n] * kernel.nest.run(*id).tile);
        let loops: Vec<(LoopId, i64)> = moves.iter().enumerate().map(value).collect();
        let domain = parts[moves.len()..].to_vec();
        let at =
            |id: LoopId| Some(loops.iter().find(|(other, _)| *other == id).map_or(0, |(_, value)| *value));
        if let Some(address) = kernel.address(access, &domain, &at) {
            found.push(Element { address, loops, domain });
        }
    }
    found.sort_by_key(|element| element.address);
    found.dedup_by_key(|element| element.address);
    found
}

/// Bytes of a request whose lanes the schedule states
fn stated(kernel: &Kernel<'_>, access: &Access, own: i64, flat: &[LoopId]) -> i64 {
    let lanes = flat.iter().filter(|id| kernel.nest.level(**id) == Level::Vector && access.follows(**id));
    let of_loops = lanes.map(|id| kernel.nest.trip(*id)).product::<i64>();
    let of_copy = kernel.bodies.lanes.get(&access.place).copied().unwrap_or(1);
    (own * of_loops.max(of_copy)).min(WIDEST)
}

/// What all other loops move the access by is a multiple of so many bytes
fn alignment(kernel: &Kernel<'_>, access: &Access, place: &Place) -> i64 {
    let others = access.over.iter().filter_map(|index| index.as_loop());
    let others = others.filter(|id| !place.flat.contains(id) && kernel.nest.trip(*id) > 1);
    let first = kernel.address(access, &[], &|_| Some(0)).unwrap_or(1);
    others.fold(WIDEST, |aligned, id| {
        let next = |other: LoopId| Some(if other == id { kernel.nest.run(id).tile } else { 0 });
        let moved = kernel.address(access, &[], &next).unwrap_or(first + 1) - first;
        gcd(aligned, moved.abs())
    })
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
