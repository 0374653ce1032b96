//! Where a number stands inside of a value: paths through arrays, vectors and tuples, and the buffers that hold them.
//!
//! An array of tuples is one buffer for each component that is a number; a vector is one more dimension.

use terrace_analysis::nat::Nat;
use terrace_dialect_array::types::split_type;
use terrace_ir::{Context, Type, TypeKind, Value};
use terrace_support::affine::AffineExpr;

/// One step into a value
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Step {
    /// An element of an array or a lane of a vector
    Index(AffineExpr),
    /// A component of a tuple
    Part(usize),
}

/// Steps from a value to one of its parts; the first step is the last of the list
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Path(Vec<Step>);

impl Path {
    /// Of these steps, in order
    pub fn of(steps: impl IntoIterator<Item = Step>) -> Path {
        let mut steps: Vec<Step> = steps.into_iter().collect();
        steps.reverse();
        Path(steps)
    }

    /// One element
    pub fn index(index: AffineExpr) -> Path {
        Path(vec![Step::Index(index)])
    }

    /// Put a step in front
    pub fn push(&mut self, step: Step) {
        self.0.push(step);
    }

    /// Put an index in front
    pub fn push_index(&mut self, index: AffineExpr) {
        self.0.push(Step::Index(index));
    }

    /// Put a path in front
    pub fn push_all(&mut self, first: &Path) {
        self.0.extend_from_slice(&first.0);
    }

    /// Take the first step
    pub fn pop(&mut self) -> Option<Step> {
        self.0.pop()
    }

    /// The first step
    pub fn first(&self) -> Option<&Step> {
        self.0.last()
    }

    /// Steps in order
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.0.iter().rev()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many indices stand in front of all components
    pub fn indices(&self) -> usize {
        self.steps().take_while(|step| matches!(step, Step::Index(_))).count()
    }
}

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

/// All leaves of a type; the error is a size that is no number, or a type that is no number
pub(crate) fn leaves(
    cx: &Context,
    ty: Type,
    number: &dyn Fn(&Nat) -> Result<i64, String>,
) -> Result<Vec<Leaf>, String> {
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
