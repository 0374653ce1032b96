//! The launch around levels of a grid.

use super::geometry::{Done, Geometry};
use super::loops::{Item, Plan};
use crate::broken::Rule;
use crate::nest::Launch;
use terrace_devices::Level;

/// Threads of a warp where nothing is stated
pub const WARP: i64 = 32;

/// Threads of the widest warp of any device
pub const MOST_LANES: i64 = 128;

impl Geometry<'_> {
    /// Blocks and threads; `warp`: threads of a warp of the device
    pub fn launch(&self, warp: Option<i64>) -> Done<Launch> {
        let (mut grid, mut block) = ([1; 3], [1; 3]);
        let (mut warps, mut lanes) = ([1; 3], [1; 3]);
        for item in &self.plan.items {
            let Item::Loop(one) = item else { continue };
            let trip = Plan::trip(&self.plan.sizes[one.dim], one.layer).max(1);
            let (sizes, axis) = match one.level {
                Level::Block(axis) => (&mut grid, axis),
                Level::Thread(axis) => (&mut block, axis),
                Level::Warp(axis) => (&mut warps, axis),
                Level::Lane(axis) => (&mut lanes, axis),
                _ => continue,
            };
            sizes[axis as usize] = trip.max(sizes[axis as usize]);
        }
        let spread = self.plan.items.iter().any(
            |item| matches!(item, Item::Loop(one) if matches!(one.level, Level::Warp(_) | Level::Lane(_))),
        );
        let mut subgroup = WARP;
        if spread {
            // Threads of the block by their numbers, a warp's one after the other.
            let own: i64 = lanes.iter().product();
            if own > MOST_LANES {
                return Err(
                    Rule::Axis.broken(format!("{own} threads of a warp; the widest has {MOST_LANES}"))
                );
            }
            let least = warp.unwrap_or(WARP);
            subgroup = own.unsigned_abs().next_power_of_two().max(least.unsigned_abs()) as i64;
            block = [warps.iter().fold(subgroup, |all, n| all.saturating_mul(*n)), 1, 1];
        }
        Ok(Launch { inferred: false, grid, block, cluster: [1; 3], subgroup })
    }
}
