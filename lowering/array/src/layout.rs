//! Where a number stands inside of a value: paths through arrays, vectors and tuples, and the buffers that hold them.
//!
//! An array of tuples is one buffer for each component that is a number; a vector is one more dimension.

use terrace_analysis::nat::Nat;
pub(crate) use terrace_dialect_array::layout::{Path, Step};
use terrace_dialect_array::types::split_type;
use terrace_ir::{Context, Type, TypeKind, Value};
use terrace_support::affine::AffineExpr;

/// One buffer's worth of a type: its dimensions, its numbers, and the components that lead to it
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub shape: Vec<i64>,
    pub elem: Type,
    /// Per dimension: is it a vector's?
    pub vector: bool,
    /// Components on the way, with the number of dimensions before each
    pub parts: Vec<(usize, usize)>,
}

/// All leaves of a type; the error is that of a size without a number
pub(crate) fn leaves<E>(
    cx: &Context,
    ty: Type,
    number: &dyn Fn(&Nat) -> Result<i64, E>,
) -> Result<Vec<Leaf>, E> {
    let mut done = Vec::new();
    let start = Leaf { shape: Vec::new(), elem: ty, vector: false, parts: Vec::new() };
    let mut pending = vec![start];
    while let Some(mut leaf) = pending.pop() {
        if let Some((size, elem)) = split_type(cx, leaf.elem) {
            leaf.shape.push(number(&size)?);
            pending.push(Leaf { elem, ..leaf });
            continue;
        }
        match leaf.elem.kind(cx) {
            TypeKind::Tuple(types) => {
                for (n, ty) in types.iter().enumerate().rev() {
                    let mut parts = leaf.parts.clone();
                    parts.push((leaf.shape.len(), n));
                    pending.push(Leaf { elem: *ty, parts, ..leaf.clone() });
                }
            }
            TypeKind::Vector { shape, elem, .. } => {
                leaf.shape.extend_from_slice(shape);
                done.push(Leaf { elem: *elem, vector: true, ..leaf });
            }
            _ => done.push(leaf),
        }
    }
    Ok(done)
}

/// Which leaf a full path ends in, and the indices on the way
pub(crate) fn find<'a>(leaves: &'a [Leaf], path: &Path) -> Option<(usize, &'a Leaf, Vec<AffineExpr>)> {
    let mut indices = Vec::new();
    let mut parts = Vec::new();
    for step in path.steps() {
        match step {
            Step::Index(index) => indices.push(index.clone()),
            Step::Part(n) => parts.push((indices.len(), *n)),
        }
    }
    let at = leaves.iter().position(|leaf| leaf.parts == parts)?;
    Some((at, &leaves[at], indices)).filter(|(_, leaf, indices)| leaf.shape.len() == indices.len())
}

/// Buffers that hold a value, one for each leaf of its type
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub leaves: Vec<Leaf>,
    pub buffers: Vec<Value>,
    /// Of the whole program: indices say how loops tile
    pub device: bool,
    /// The iteration whose part of the buffers this is: an index, and how many there are
    pub own: Vec<(AffineExpr, i64)>,
}

impl Memory {
    /// Which buffer holds what a path leads to, as it is, and all indices into it
    pub fn find(&self, path: &Path) -> Option<(usize, Leaf, Vec<AffineExpr>)> {
        let (n, leaf, inside) = find(&self.leaves, path)?;
        let mut leaf = leaf.clone();
        leaf.shape = self.own.iter().map(|(_, size)| *size).chain(leaf.shape).collect();
        let own = self.own.iter().map(|(index, _)| index.clone());
        Some((n, leaf, own.chain(inside).collect()))
    }
}

/// The path of a leaf without dimensions
pub(crate) fn path_of_none(leaf: &Leaf) -> Path {
    Path::of(leaf.parts.iter().map(|(_, n)| Step::Part(*n)))
}

/// The path of a leaf with these indices
pub(crate) fn path_of(leaf: &Leaf, indices: &[AffineExpr]) -> Path {
    let mut steps = Vec::new();
    let mut parts = leaf.parts.iter().peekable();
    for n in 0..=indices.len() {
        while let Some((_, part)) = parts.next_if(|(before, _)| *before == n) {
            steps.push(Step::Part(*part));
        }
        if let Some(index) = indices.get(n) {
            steps.push(Step::Index(index.clone()));
        }
    }
    Path::of(steps)
}
