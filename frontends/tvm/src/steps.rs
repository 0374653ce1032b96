//! Loops and buffers as steps.
//!
//! Neighbouring loops of one kind and of different dimensions are one step; a buffer ends its step. Labels are the order of
//! code; the order of text is such that sizes of each dimension decrease.

use crate::nest::{Core, Event, Item, Loop, Nest};
use crate::{Computation, ScriptError};
use terrace_devices::{Axis, Layer};
use terrace_dialect_mdh::schedule::{self, Placement, Schedule, Size, Step, Tail};

/// What becomes a step
#[derive(Default)]
struct Group {
    loops: Vec<Loop>,
    events: Vec<Event>,
}

pub(crate) fn of(nest: Nest, of: &Computation) -> Result<Schedule, ScriptError> {
    let groups = grouped(&nest.items, true);
    let (groups, order) = match order(&groups) {
        Some(order) => (groups, order),
        // One loop per step can always be ordered.
        None => {
            let groups = grouped(&nest.items, false);
            let order = order(&groups).unwrap_or_else(|| (0..groups.len()).collect());
            (groups, order)
        }
    };
    let front = usize::from(nest.block.is_some());
    let mut sizes: Vec<i64> = of.dims.iter().map(|dim| dim.size.max(1)).collect();
    let empty = |label: usize| Step {
        label,
        sizes: vec![Size { value: None, tail: None }; of.dims.len()],
        ins: vec![None; of.ins.len()],
        outs: vec![None; of.outs.len()],
        cores: vec![None; of.dims.len()],
    };
    let mut steps = Vec::new();
    if let Some(dim) = nest.block {
        let mut step = empty(1);
        step.cores[dim] = Some(schedule::Core::along(Layer::Blk, Axis::X));
        steps.push(step);
    }
    for n in order {
        let group = &groups[n];
        let mut step = empty(n + 1 + front);
        for (number, one) in group.loops.iter().enumerate() {
            let above = sizes[one.dim];
            let tail = match one.core {
                _ if one.peel => Some(Tail::Peel),
                _ if one.pad => Some(Tail::Pad),
                _ if one.mask => Some(Tail::Mask),
                _ if above % one.stride == 0 => None,
                Core::Vector => Some(Tail::Mask),
                _ => Some(Tail::Limit),
            };
            step.sizes[one.dim] = Size { value: Some(one.stride), tail };
            sizes[one.dim] = one.stride;
            step.cores[one.dim] = Some(match one.core {
                Core::Seq | Core::Virtual { unroll: false } => {
                    schedule::Core::numbered(Layer::For, number + 1)
                }
                Core::Unroll | Core::Virtual { unroll: true } => {
                    schedule::Core::numbered(Layer::Unr, number + 1)
                }
                Core::Vector => schedule::Core::along(Layer::Vec, Axis::X),
                Core::Block(axis) => met(Layer::Blk, axis, one),
                Core::Thread(axis) => met(Layer::Thr, axis, one),
            });
        }
        for event in &group.events {
            let place =
                Some(Placement { region: event.region, layout: event.layout.clone(), words: event.words });
            match event.out {
                true => step.outs.fill(place),
                false => step.ins[event.buffer] = place,
            }
        }
        steps.push(step);
    }
    if steps.is_empty() {
        steps.push(empty(1));
    }
    Ok(Schedule { steps })
}

fn met(layer: Layer, axis: Axis, one: &Loop) -> schedule::Core {
    schedule::Core { mechanism: one.via, ..schedule::Core::along(layer, axis) }
}

fn grouped(items: &[Item], wide: bool) -> Vec<Group> {
    let mut all: Vec<Group> = Vec::new();
    for item in items {
        match item {
            Item::Loop(one) => {
                let joins = all.last().is_some_and(|group| {
                    wide && group.events.is_empty()
                        && group.loops.iter().all(|other| {
                            other.dim != one.dim
                                && other.core.class() == one.core.class()
                                && other.core != Core::Vector
                        })
                        && virtually(group) == one.core.is_virtual()
                });
                match all.last_mut().filter(|_| joins) {
                    Some(group) => group.loops.push(one.clone()),
                    None => all.push(Group { loops: vec![one.clone()], events: Vec::new() }),
                }
            }
            Item::Event(event) => {
                let clash = |group: &Group| {
                    group.events.iter().any(|other| (other.out, other.buffer) == (event.out, event.buffer))
                };
                if all.last().is_none_or(clash) {
                    all.push(Group::default());
                }
                if let Some(group) = all.last_mut() {
                    group.events.push(event.clone());
                }
            }
        }
    }
    all
}

fn virtually(group: &Group) -> bool {
    group.loops.iter().any(|one| one.core.is_virtual())
}

/// An order of text: as in code, but each dimension from coarse to fine; `None` if there is none
fn order(groups: &[Group]) -> Option<Vec<usize>> {
    let before = |n: usize| -> Vec<usize> {
        let coarser = |m: usize| {
            groups[n].loops.iter().any(|one| {
                groups[m].loops.iter().any(|other| other.dim == one.dim && other.stride > one.stride)
            })
        };
        (0..groups.len()).filter(|m| *m != n && coarser(*m)).collect()
    };
    let mut done: Vec<usize> = Vec::new();
    for n in 0..groups.len() {
        let mut open = vec![n];
        while let Some(top) = open.last().copied() {
            if done.contains(&top) {
                open.pop();
                continue;
            }
            match before(top).into_iter().find(|m| !done.contains(m)) {
                Some(first) if open.contains(&first) => return None,
                Some(first) => open.push(first),
                None => {
                    done.push(top);
                    open.pop();
                }
            }
        }
    }
    Some(done)
}
