//! Sums of products that a matrix unit computes: three loops of panels that are laid out for it become one op.

use crate::unrolled::Unrolled;
use terrace_devices::{Device, MatrixUnit, Products};
use terrace_schedule_model::nest::{Access, LoopId, Use};
use terrace_support::affine::AffineExpr;

/// The loops around a product of panels, and the cycles of one: the reduction, then rows and columns of a tile inside of it
pub(crate) fn product<'a>(
    nest: &Unrolled<'_>,
    run: &'a [LoopId],
    device: &Device,
) -> Option<(&'a [LoopId], f64)> {
    let products = nest.matrix?;
    let unit = device.unit_for(products)?;
    let merged = |access: &&Access| !access.copy && matches!(access.does, Use::Merge(_));
    let inside = |access: &Access| -> Vec<LoopId> {
        let mut all: Vec<LoopId> = nest.nest().around(access.around.inside).collect();
        all.reverse();
        all
    };
    let own = nest.accesses().filter(merged).map(inside).find(|own| own.starts_with(run))?;
    let (around, &[depth, rows, columns]) = own.split_last_chunk()?;
    if !nest.reduces(depth) || nest.reduces(rows) || nest.reduces(columns) {
        return None;
    }
    let read = |access: &&Access| !access.copy && access.around.inside == Some(columns);
    let mut groups: Vec<i64> =
        nest.accesses().filter(read).filter_map(|access| group(access, depth)).collect();
    groups.sort_unstable();
    let laid_out =
        groups == [MatrixUnit::GROUP_BYTES, MatrixUnit::ROW_BYTES].map(|bytes| bytes / products.bytes());
    let around = run.get(..around.len()).filter(|_| laid_out)?;
    let bytes = nest.trip(depth) * products.bytes() as f64;
    let cycles = match unit.lanes() {
        Some(lanes) => {
            let sums = [nest.trip(rows), nest.trip(columns) / lanes as f64];
            in_lanes(sums, bytes, (unit, products), device)
        }
        None => in_tiles([rows, columns].map(|id| nest.trip(id) / MatrixUnit::SIDE as f64), bytes, device),
    };
    Some((around, cycles))
}

/// Cycles of so many tiles of rows and columns, where sums are so many bytes long
fn in_tiles(tiles: [f64; 2], bytes: f64, device: &Device) -> f64 {
    let [high, wide] = tiles.map(f64::ceil);
    let steps = (bytes / MatrixUnit::ROW_BYTES as f64).ceil();
    let of = &device.costs.matrix;
    // Tiles of two rows and two columns of sums are in registers, so that each operand serves two products.
    let loads = (high * (wide / 2.0).ceil() + wide * (high / 2.0).ceil()) * steps;
    let busy = (high * wide * steps * of.product).max(loads * of.load);
    busy + high * wide * (of.load + of.store)
}

/// Cycles of so many rows and vectors, whose blocks of sums are in registers
fn in_lanes(
    [rows, vectors]: [f64; 2],
    bytes: f64,
    (unit, products): (MatrixUnit, Products),
    device: &Device,
) -> f64 {
    let (vectors, groups) = (vectors.ceil(), (bytes / MatrixUnit::GROUP_BYTES as f64).ceil());
    let block = MatrixUnit::block(rows as i64, unit.registers(products, device.registers));
    let blocks = (rows / block as f64).ceil() * (vectors / MatrixUnit::VECTORS as f64).ceil();
    let of = &device.costs.instructions;
    // A group of each row is a load for all lanes.
    let loads = blocks * (block as f64 + MatrixUnit::VECTORS as f64) * groups;
    let begun = rows * vectors * groups * unit.instructions(products);
    let busy = (begun / of.operations).max(loads / of.loads);
    busy + rows * vectors * (1.0 / of.loads + 1.0 / of.stores)
}

/// How many coordinates of a loop stand next to each other in a read of a panel
fn group(access: &Access, depth: LoopId) -> Option<i64> {
    let (last, dim) = (access.map.results.last()?, access.dim_of(depth)?);
    let depth = AffineExpr::Dim(u32::try_from(dim).ok()?);
    let sizes =
        [MatrixUnit::ROW_BYTES, MatrixUnit::GROUP_BYTES].into_iter().flat_map(|bytes| [bytes, bytes / 2]);
    let mut fits =
        sizes.filter(|size| *last == AffineExpr::modulo(depth.clone(), AffineExpr::Constant(*size)));
    fits.next().filter(|_| access.does == Use::Read)
}
