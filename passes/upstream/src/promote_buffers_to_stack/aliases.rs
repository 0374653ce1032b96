//! Values that may be another one's buffer, and how far out each of them gets.

use super::places::Places;
use terrace_dataflow::flow::{self, From};
use terrace_dialect_memref::{Dim, ExtractStridedMetadata, Rank};
use terrace_ir::{Effects, Ir, OpDef, OpId, OpKind, Traits, Type, TypeKind, Value};
use terrace_support::HashMap;

/// What some buffers become, as a graph whose nodes are values
pub(super) struct Aliases {
    nodes: HashMap<Value, usize>,
    /// The least depth of an op that the buffer leaves; zero where it may get anywhere
    leaves: Vec<usize>,
    /// The greatest depth of an op inside of which the buffer is used, and which may run its regions at any time
    later: Vec<usize>,
}

impl Aliases {
    /// Follow buffers forward to all that they may become; linear in uses
    pub fn of(ir: &Ir, places: &Places, buffers: impl Iterator<Item = Value>) -> Aliases {
        let mut values: Vec<Value> = Vec::new();
        let mut nodes: HashMap<Value, usize> = HashMap::default();
        let mut node = |value: Value, values: &mut Vec<Value>| {
            *nodes.entry(value).or_insert_with(|| {
                values.push(value);
                values.len() - 1
            })
        };
        buffers.for_each(|buffer| _ = node(buffer, &mut values));
        let (mut leaves, mut later) = (Vec::new(), Vec::new());
        let mut sources: Vec<Vec<usize>> = Vec::new();
        let mut at = 0;
        while let Some(&value) = values.get(at) {
            let (mut least, mut greatest) = (usize::MAX, 0);
            for (user, operand) in ir.uses(value) {
                greatest = greatest.max(places.later(user));
                let Some(next) = receivers(ir, user, operand) else {
                    least = 0;
                    continue;
                };
                if let Some((around, _)) = leaves_at(ir, user) {
                    least = least.min(places.depth(around));
                }
                for value in next {
                    let to = node(value, &mut values);
                    sources.resize_with(values.len(), Vec::new);
                    sources[to].push(at);
                }
            }
            leaves.push(least);
            later.push(greatest);
            at += 1;
        }
        sources.resize_with(values.len(), Vec::new);
        spread(&mut leaves, &sources, |a, b| a.cmp(b));
        spread(&mut later, &sources, |a, b| b.cmp(a));
        Aliases { nodes, leaves, later }
    }

    /// Is everything that may be this buffer used only while a scope of this depth around it runs?
    pub fn stays_within(&self, buffer: Value, scope: usize) -> bool {
        self.nodes.get(&buffer).is_some_and(|n| self.leaves[*n] > scope && self.later[*n] <= scope)
    }
}

/// Give each node the first of its own label and those of all nodes that it leads to
fn spread(labels: &mut [usize], sources: &[Vec<usize>], order: fn(&usize, &usize) -> std::cmp::Ordering) {
    let mut firsts: Vec<usize> = (0..labels.len()).collect();
    firsts.sort_by(|a, b| order(&labels[*a], &labels[*b]));
    let mut done = vec![false; labels.len()];
    for first in firsts {
        let label = labels[first];
        let mut pending = vec![first];
        while let Some(n) = pending.pop() {
            if !std::mem::replace(&mut done[n], true) {
                labels[n] = label;
                pending.extend(&sources[n]);
            }
        }
    }
}

/// The op that control leaves at this one, which ends a block
fn leaves_at(ir: &Ir, op: OpId) -> Option<(OpId, From)> {
    if !ir.has(op, Traits::Terminator) || ir.num_successors(op) > 0 {
        return None;
    }
    flow::end_of(ir, op)
}

/// What an operand that is a buffer may become; none if it may get anywhere
fn receivers(ir: &Ir, user: OpId, operand: usize) -> Option<Vec<Value>> {
    if matches!(ir.kind(user), OpKind::UNREGISTERED | OpKind::SLOT) {
        return None;
    }
    if ir.num_successors(user) > 0 {
        return successors(ir, user, operand);
    }
    if let Some((around, from)) = leaves_at(ir, user) {
        let found = by_ways(ir, around, from, operand)?;
        return (!found.is_empty()).then_some(found);
    }
    if flow::regions(ir, user).is_some() {
        let found = by_ways(ir, user, From::Op, operand)?;
        if !found.is_empty() || ir.has(user, Traits::RecursiveEffects) {
            return Some(found);
        }
    }
    results(ir, user, operand)
}

fn successors(ir: &Ir, user: OpId, operand: usize) -> Option<Vec<Value>> {
    let mut found = Vec::new();
    for (n, block) in ir.successors(user).enumerate() {
        let given = flow::given(ir, user, n)?;
        if given.contains(&operand) {
            found.push(*ir.block_args(block).get(operand - given.start)?);
        }
    }
    Some(found)
}

fn by_ways(ir: &Ir, around: OpId, from: From, operand: usize) -> Option<Vec<Value>> {
    let ways = (flow::regions(ir, around)?.ways)(ir, around, from, &|_| None);
    let taken = ways.iter().filter_map(|way| Some((way, way.receiver_of(operand)?)));
    taken.map(|(way, n)| flow::receiver(ir, around, way.to, n)).collect()
}

/// Ops whose numbers say how large a buffer is, not where
const SIZES: [&OpDef; 3] = [Dim::DEF, Rank::DEF, ExtractStridedMetadata::DEF];

/// Results of an op that may be its operand; none if the op may free or keep it, or give its address
fn results(ir: &Ir, user: OpId, operand: usize) -> Option<Vec<Value>> {
    let effects = ir.effects(user);
    if effects.has(Effects::FREE) || is_stored(ir, user, operand) {
        return None;
    }
    let entries = ir.regions(user).filter_map(|region| ir.entry(region));
    if entries.flat_map(|entry| ir.block_args(entry)).any(|arg| is_buffer(ir, ir.ty(*arg))) {
        return None;
    }
    // Numbers that were read are what the buffer holds; others may be its address.
    let plain = effects.has(Effects::READ) || ir.is_any(user, &SIZES);
    let buffer = |value: &Value| is_buffer(ir, ir.ty(*value));
    ir.results(user)
        .all(|value| buffer(&value) || plain && is_number(ir, ir.ty(value)))
        .then(|| ir.results(user).filter(buffer).collect())
}

pub(super) fn is_buffer(ir: &Ir, ty: Type) -> bool {
    matches!(ty.kind(ir.cx()), TypeKind::MemRef { .. } | TypeKind::UnrankedMemRef { .. })
}

/// Is it a number, or a vector of numbers?
fn is_number(ir: &Ir, ty: Type) -> bool {
    let cx = ir.cx();
    let elem = match ty.kind(cx) {
        TypeKind::Vector { elem, .. } => *elem,
        _ => ty,
    };
    elem.is_float(cx) || matches!(elem.kind(cx), TypeKind::Int { .. } | TypeKind::Index)
}

/// Is the operand an element of a buffer that the op works on?
fn is_stored(ir: &Ir, user: OpId, operand: usize) -> bool {
    let ty = ir.ty(ir.operand(user, operand));
    let holds = |other: Type| is_buffer(ir, other) && other.element(ir.cx()) == Some(ty);
    ir.operands(user).any(|other| holds(ir.ty(other)))
}
