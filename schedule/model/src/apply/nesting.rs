//! Which loops stand inside of which: devices outside, each axis once, lanes inside, prefixes in order.

use super::loops::{Item, Loop, Plan};
use crate::broken::{Broken, Rule};
use crate::computation::{Computation, DimKind};
use crate::values::Tail;
use terrace_devices::{Layer, Level};

/// Loops over devices stand outermost, and what they compute does not meet; items up to the last of them
pub(super) fn devices(plan: &Plan, c: &Computation) -> Result<usize, Broken> {
    let mut last = 0;
    let mut inside = false;
    for (n, item) in plan.items.iter().enumerate() {
        match item {
            Item::Loop(one) if !plan.is_loop(one) => {}
            Item::Loop(Loop { dim, layer, level: Level::Device(_), .. }) => {
                let at = format!("dimension {} in step {layer}", dim + 1);
                if inside {
                    return Err(Rule::Nest.broken(format!(
                        "{at} is spread over devices inside of other loops; label its step first"
                    )));
                }
                if !c.dims[*dim].kind.is_kept() {
                    return Err(Rule::Reduce.broken(format!(
                        "{at} is reduced; results of several devices meet nowhere; spread it over blocks"
                    )));
                }
                if plan.tails[*dim][*layer] == Some(Tail::Peel) {
                    return Err(Rule::Div
                        .broken(format!("`~peel` of {at}, which is spread over devices; `~limit` may be")));
                }
                last = n + 1;
            }
            _ => inside = true,
        }
    }
    Ok(last)
}

impl Plan {
    /// Lanes are the innermost loop of their dimension, alone, and without buffers inside
    pub(super) fn lanes(&self) -> Result<(), Broken> {
        let mut lanes = None;
        for item in &self.items {
            match item {
                Item::Loop(one) if lanes == Some(one.dim) && self.is_loop(one) => {
                    return Err(Rule::Vec.broken(format!(
                        "lanes of dimension {} stand around another loop of it; label VEC last",
                        one.dim + 1
                    )));
                }
                Item::Loop(one) if one.level == Level::Vector && self.is_loop(one) => {
                    if lanes.is_some() {
                        return Err(Rule::Nest
                            .broken("lanes inside of lanes; one dimension is on VEC, others on UNR"));
                    }
                    lanes = Some(one.dim);
                }
                Item::Owner(layer) if lanes.is_some() => {
                    return Err(Rule::Region
                        .broken(format!("buffers of step {layer} inside of lanes; say them a step before")));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Levels of a grid have each axis once
    pub(super) fn axes(&self) -> Result<(), Broken> {
        let mut seen: Vec<&Loop> = Vec::new();
        for item in &self.items {
            let Item::Loop(one) = item else { continue };
            if !matches!(one.level, Level::Block(_) | Level::Thread(_) | Level::Warp(_) | Level::Lane(_))
                || Plan::trip(&self.sizes[one.dim], one.layer) <= 1
            {
                continue;
            }
            if let Some(other) = seen.iter().find(|other| other.level == one.level) {
                let [(a, m), (b, n)] = [other, &one].map(|one| (one.dim + 1, one.layer));
                return Err(Rule::Nest.broken(format!(
                    "{} twice with more than one iteration: dimension {a} in step {m} and dimension {b} in step {n}; use \
                     another axis, or FOR for one of them",
                    spoken(one.level)
                )));
            }
            seen.push(one);
        }
        Ok(())
    }

    /// The rest of a peeled dimension is a copy of what is inside, and there is one grid
    pub(super) fn peeled_blocks(&self) -> Result<(), Broken> {
        for item in &self.items {
            let Item::Loop(one @ Loop { level: Level::Block(_), .. }) = item else { continue };
            let (sizes, tails) = (&self.sizes[one.dim], &self.tails[one.dim]);
            let peeled = (1..=one.layer)
                .find(|layer| tails[*layer] == Some(Tail::Peel) && sizes[0] % sizes[*layer].max(1) != 0);
            if let Some(layer) = peeled.filter(|_| Plan::trip(sizes, one.layer) > 1) {
                return Err(Rule::Div.broken(format!(
                    "`~peel` of dimension {} in step {layer}, of which {} in step {} is part: all blocks run one program; \
                     `~limit` may be",
                    one.dim + 1,
                    spoken(one.level),
                    one.layer
                )));
            }
        }
        Ok(())
    }

    /// Prefixes run in order
    pub(super) fn prefixes(&self, c: &Computation) -> Result<(), Broken> {
        for item in &self.items {
            let Item::Loop(one) = item else { continue };
            let apart = !matches!(one.level, Level::Seq | Level::Unroll);
            if matches!(c.dims[one.dim].kind, DimKind::Prefixes) && apart && self.is_loop(one) {
                return Err(Rule::Order.broken(format!(
                    "dimension {} ({}) in step {} is a prefix sum, whose parts follow each other; use FOR or UNR",
                    one.dim + 1,
                    c.dims[one.dim].name,
                    one.layer
                )));
            }
        }
        Ok(())
    }
}

/// A level as schedules say it
fn spoken(level: Level) -> String {
    let (layer, axis) = match level {
        Level::Block(axis) => (Layer::Blk, axis),
        Level::Thread(axis) | Level::Lane(axis) => (Layer::Thr, axis),
        Level::Warp(axis) => (Layer::Wrp, axis),
        _ => return level.to_string(),
    };
    format!("{layer}.{}", axis.name())
}
