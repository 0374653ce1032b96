//! Transpositions: inputs whose contiguous dimension is not the output's, nothing reduced.
//!
//! Threads that follow each other along one of the two dimensions would have a sector each along the other. A block copies a square
//! of such an input to shared memory, in the input's order, and reads it in the output's. Each row of the square is rotated against
//! the one before, so that a column of it is spread over all banks.

use super::{blocks, kept, order};
use crate::access::{Access, Accesses};
use crate::steps::Steps;
use terrace_devices::{Device, Layer, Region};
use terrace_schedule_model::{Placement, Schedule, Tail};

/// Threads along the second dimension of a square
const ROWS: i64 = 8;

/// Squares in shared memory
pub fn transposed(a: &Accesses, device: &Device) -> Option<Schedule> {
    let side = device.warp;
    if !a.dims(|dim| a.reduced[dim]).is_empty() || !a.tiles || side < ROWS || a.conditioned.contains(&true) {
        return None;
    }
    let columns = kept(a).into_iter().find(|dim| a.outputs.iter().all(|out| out.strides[*dim] == Some(1)))?;
    let contiguous = |input: &Access| (0..a.sizes.len()).find(|dim| input.strides[*dim] == Some(1));
    let alone = |input: &Access| a.inputs.iter().filter(|other| other.group == input.group).count() == 1;
    let crossed = |input: &&Access| {
        let rows = contiguous(input).filter(|rows| *rows != columns && a.kept[*rows]);
        rows.is_some_and(|rows| a.sizes[rows] >= side)
            && input.plain
            && input.linear()
            && input.uses(columns)
            && alone(input)
    };
    let staged: Vec<&Access> = a.inputs.iter().filter(crossed).collect();
    let rows = contiguous(staged.first()?)?;
    let same = staged.iter().all(|input| contiguous(input) == Some(rows));
    let exact = a.sizes[rows] % side == 0 && a.sizes[columns] % side == 0;
    let threads = side * ROWS <= device.block_threads && a.sizes[columns] >= side;
    let bytes = staged.len() as i64 * side * side * a.widest();
    if !same || !threads || !(exact || a.fills && a.harmless) || bytes > device.bytes(Region::Sm) {
        return None;
    }
    let mut steps = Steps::new(a.sizes.clone(), a.groups.buffers.len(), a.outs);
    let mut tiles = vec![(columns, side, Tail::Pad), (rows, side, Tail::Pad)];
    let others = kept(a).into_iter().filter(|dim| *dim != columns && *dim != rows);
    tiles.extend(others.map(|dim| (dim, 1, Tail::Limit)));
    steps.step(|step| {
        blocks(step, a, &tiles);
        if tiles.iter().all(|(dim, tile, _)| step.size(*dim) == *tile) {
            square(step, &staged);
        }
    });
    let whole = tiles.iter().all(|(dim, tile, _)| steps.size(*dim) == *tile);
    if !whole {
        steps.step(|step| {
            for (dim, tile, tail) in &tiles {
                step.tile(*dim, *tile, Layer::For, Some(*tail));
            }
            square(step, &staged);
        });
    }
    steps.step(|step| {
        step.tile(rows, ROWS, Layer::Unr, None);
    });
    steps.step(|step| {
        step.tile(columns, 1, Layer::Thr, None);
        step.tile(rows, 1, Layer::Thr, None);
    });
    Some(a.groups.merge(steps.finish(&order(a))))
}

/// The square of each of these inputs
fn square(step: &mut crate::steps::StepBuilder, staged: &[&Access]) {
    for input in staged {
        let mut place = Placement::new(Region::Sm, Vec::new());
        place.words.swizzle = Some(1);
        step.input(input.group, place);
    }
}
