//! Rules that look through the op that makes an operand: an element of an arranged vector is an element of the vector
//! that was arranged.
//!
//! Terminates: the new op stands nearer to where its operand comes from, and is as large or smaller.

use super::slices::{ExtractStridedSlice, FromElements, numbers};
use super::{Broadcast, Extract, Insert, MaskOp, Reduction, ShapeCast, Shuffle, Transpose, vector_shape};
use terrace_ir::{DYNAMIC, Ir, OpDef, OpId, Type, Value};
use terrace_rewrite::{Canonicalize, Miss, OrMiss, Rewriter, Rule};

/// What an op becomes
enum Plan {
    /// A value that is there
    Value(Value),
    /// An element or part of another vector: static numbers, [`DYNAMIC`] for the next value
    Extract(Value, Vec<i64>, Vec<Value>),
    /// A repetition of another value
    Broadcast(Value),
    /// Another order of another vector's dimensions
    Transpose(Value, Vec<i64>),
    /// Another shape of another vector
    ShapeCast(Value),
    /// The same insertion into another vector
    Into(Value),
}

/// A rule: its name, the op it starts from, what it finds
struct Through {
    name: &'static str,
    root: &'static OpDef,
    find: fn(&Ir, OpId) -> Result<Plan, Miss>,
}

impl Rule for Through {
    fn name(&self) -> &'static str {
        self.name
    }

    fn root(&self) -> Option<&'static OpDef> {
        Some(self.root)
    }

    fn apply(&self, rw: &mut Rewriter<'_>, op: OpId) -> Result<(), Miss> {
        if let Some(extract) = Extract::cast(rw.ir(), op) {
            is_plain(rw.ir(), extract)?;
        }
        let plan = (self.find)(rw.ir(), op)?;
        let ty = rw.ir().ty(rw.ir().result(op, 0));
        let value = match plan {
            Plan::Value(value) => value,
            Plan::Extract(source, position, dynamic) => rw.build_before(op, |b| {
                let position = b.cx().i64_array(&position);
                Extract::build(b, source, &dynamic, position).result(b.read())
            }),
            Plan::Broadcast(source) => {
                rw.build_before(op, |b| Broadcast::build(b, source, ty).vector(b.read()))
            }
            Plan::Transpose(source, order) => rw.build_before(op, |b| {
                let order = b.cx().i64_array(&order);
                Transpose::build(b, source, order, ty).result(b.read())
            }),
            Plan::ShapeCast(source) => {
                rw.build_before(op, |b| ShapeCast::build(b, source, ty).result(b.read()))
            }
            Plan::Into(dest) => {
                rw.set_operand(op, 1, dest);
                return Ok(());
            }
        };
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// Is the result what the position leaves, and not a vector of one element that stands for it?
fn is_plain(ir: &Ir, extract: Extract) -> Result<(), Miss> {
    let left = super::arrange::trailing(ir.cx(), ir.ty(extract.source(ir)), extract.position(ir).len());
    (left == Some(ir.ty(extract.result(ir)))).or_miss("a vector stands for an element")
}

fn shape_of(ir: &Ir, value: Value) -> &[i64] {
    vector_shape(ir.cx(), ir.ty(value)).unwrap_or(&[])
}

/// The op that makes a value, if it is of this kind
fn made_by<T>(ir: &Ir, value: Value, cast: fn(&Ir, OpId) -> Option<T>) -> Result<T, Miss> {
    ir.defining_op(value).and_then(|op| cast(ir, op)).or_miss("the operand is made by another op")
}

/// The position, if all of it is known and inside
fn known(ir: &Ir, extract: Extract) -> Result<&[i64], Miss> {
    let position = extract.position(ir);
    let inside =
        position.iter().zip(shape_of(ir, extract.source(ir))).all(|(at, size)| (0..*size).contains(at));
    inside.or_miss("the position is not known")?;
    Ok(position)
}

/// The position again, where the result is one element
fn element(ir: &Ir, op: OpId) -> Result<(Extract, &[i64]), Miss> {
    let extract = Extract(op);
    let position = known(ir, extract)?;
    let rank = shape_of(ir, extract.source(ir)).len();
    (position.len() == rank).or_miss("the result is not an element")?;
    (vector_shape(ir.cx(), ir.ty(extract.result(ir))).is_none()).or_miss("the result is not an element")?;
    Ok((extract, position))
}

/// extract(extract(x, p), q) = extract(x, p q)
static EXTRACT_EXTRACT: Through = Through {
    name: "extract_of_extract",
    root: Extract::DEF,
    find: |ir, op| {
        let outer = Extract(op);
        let inner = made_by(ir, outer.source(ir), Extract::cast)?;
        is_plain(ir, inner)?;
        let position = [inner.position(ir), outer.position(ir)].concat();
        let dynamic = [inner.dynamic_position(ir), outer.dynamic_position(ir)].concat();
        Ok(Plan::Extract(inner.source(ir), position, dynamic))
    },
};

/// An element of elements is one of them
static EXTRACT_FROM_ELEMENTS: Through = Through {
    name: "extract_of_from_elements",
    root: Extract::DEF,
    find: |ir, op| {
        let (extract, position) = element(ir, op)?;
        let source = extract.source(ir);
        let made = made_by(ir, source, FromElements::cast)?;
        let at = linear(shape_of(ir, source), position).or_miss("the vector is too large")?;
        let value = made.elements(ir).get(usize::try_from(at).unwrap_or(usize::MAX)).copied();
        Ok(Plan::Value(value.or_miss("the position is outside")?))
    },
};

/// A part of a repetition is a repetition, or the part that is repeated
static EXTRACT_BROADCAST: Through = Through {
    name: "extract_of_broadcast",
    root: Extract::DEF,
    find: |ir, op| {
        let extract = Extract(op);
        let position = known(ir, extract)?;
        let broadcast = made_by(ir, extract.source(ir), Broadcast::cast)?;
        let inner = broadcast.source(ir);
        let (from, to) = (shape_of(ir, inner), shape_of(ir, extract.source(ir)));
        let lead = to.len() - from.len();
        if position.len() <= lead && position.len() < to.len() {
            return Ok(Plan::Broadcast(inner));
        }
        let rest = &position[lead..];
        let at: Vec<i64> = rest.iter().zip(from).map(|(at, size)| if *size == 1 { 0 } else { *at }).collect();
        // What is left must not be repeated any more.
        let left = &from[at.len().min(from.len())..];
        (left == &to[position.len().min(to.len())..]).or_miss("the part is repeated itself")?;
        if at.is_empty() && vector_shape(ir.cx(), ir.ty(inner)).is_none() {
            return Ok(Plan::Value(inner));
        }
        Ok(Plan::Extract(inner, at, Vec::new()))
    },
};

/// A part of a shuffle is a part of one of its operands
static EXTRACT_SHUFFLE: Through = Through {
    name: "extract_of_shuffle",
    root: Extract::DEF,
    find: |ir, op| {
        let extract = Extract(op);
        let position = known(ir, extract)?;
        let shuffle = made_by(ir, extract.source(ir), Shuffle::cast)?;
        let (&first, rest) = position.split_first().or_miss("the whole vector is taken")?;
        let at =
            shuffle.places(ir).get(first as usize).copied().filter(|at| *at >= 0).or_miss("it is poison")?;
        let (a, b) = (shuffle.v1(ir), shuffle.v2(ir));
        (!shape_of(ir, a).is_empty() && !shape_of(ir, b).is_empty())
            .or_miss("an operand has no dimension")?;
        let len = shape_of(ir, a)[0];
        let (source, at) = if at < len { (a, at) } else { (b, at - len) };
        Ok(Plan::Extract(source, [&[at], rest].concat(), Vec::new()))
    },
};

/// An element of a transposed vector lies at the position in the old order
static EXTRACT_TRANSPOSE: Through = Through {
    name: "extract_of_transpose",
    root: Extract::DEF,
    find: |ir, op| {
        let extract = Extract(op);
        let position = known(ir, extract)?;
        let transpose = made_by(ir, extract.source(ir), Transpose::cast)?;
        let order = transpose.order(ir);
        // The dimensions that stay must be the last ones, in order.
        let stays = order.iter().enumerate().skip(position.len()).all(|(n, dim)| *dim == n as i64);
        stays.or_miss("the dimensions that are left change their order")?;
        let mut at = vec![0; position.len()];
        for (dim, n) in order.iter().zip(position) {
            *at.get_mut(*dim as usize).or_miss("the dimensions that are left change their order")? = *n;
        }
        Ok(Plan::Extract(transpose.vector(ir), at, Vec::new()))
    },
};

/// Number of a position, row by row
fn linear(shape: &[i64], position: &[i64]) -> Option<i64> {
    shape.iter().zip(position).try_fold(0i64, |at, (size, n)| at.checked_mul(*size)?.checked_add(*n))
}

/// An element of another shape lies as far from the first one
static EXTRACT_SHAPE_CAST: Through = Through {
    name: "extract_of_shape_cast",
    root: Extract::DEF,
    find: |ir, op| {
        let (extract, position) = element(ir, op)?;
        let cast = made_by(ir, extract.source(ir), ShapeCast::cast)?;
        let scalable = super::fold::is_scalable(ir.cx(), ir.ty(extract.source(ir)));
        (!scalable).or_miss("a dimension is scalable")?;
        let mut rest =
            linear(shape_of(ir, extract.source(ir)), position).or_miss("the vector is too large")?;
        let mut at: Vec<i64> = shape_of(ir, cast.source(ir)).to_vec();
        for n in at.iter_mut().rev() {
            let size = *n;
            *n = rest % size;
            rest /= size;
        }
        Ok(Plan::Extract(cast.source(ir), at, Vec::new()))
    },
};

/// What an insertion elsewhere leaves
static EXTRACT_INSERT: Through = Through {
    name: "extract_beside_insert",
    root: Extract::DEF,
    find: |ir, op| {
        let extract = Extract(op);
        let insert = made_by(ir, extract.source(ir), Insert::cast)?;
        let (a, b) = (extract.position(ir), insert.position(ir));
        let apart = |(a, b): (&i64, &i64)| *a >= 0 && *b >= 0 && a != b;
        a.iter().zip(b).any(apart).or_miss("the insertion may change what is taken")?;
        Ok(Plan::Extract(insert.dest(ir), a.to_vec(), extract.dynamic_position(ir)))
    },
};

/// A part of a part
static EXTRACT_SLICE: Through = Through {
    name: "extract_of_strided_slice",
    root: Extract::DEF,
    find: |ir, op| {
        let extract = Extract(op);
        let position = known(ir, extract)?;
        let slice = made_by(ir, extract.source(ir), ExtractStridedSlice::cast)?;
        let offsets = numbers(ir.cx(), slice.offsets(ir));
        let (from, to) = (shape_of(ir, slice.source(ir)), shape_of(ir, extract.source(ir)));
        (from[position.len()..] == to[position.len()..]).or_miss("the part that is left is cut too")?;
        let at = position.iter().enumerate().map(|(n, at)| at + offsets.get(n).unwrap_or(&0)).collect();
        Ok(Plan::Extract(slice.source(ir), at, Vec::new()))
    },
};

/// A repetition of a repetition
static BROADCAST_BROADCAST: Through = Through {
    name: "broadcast_of_broadcast",
    root: Broadcast::DEF,
    find: |ir, op| {
        let inner = made_by(ir, Broadcast(op).source(ir), Broadcast::cast)?;
        Ok(Plan::Broadcast(inner.source(ir)))
    },
};

/// Two changes of order are one
static TRANSPOSE_TRANSPOSE: Through = Through {
    name: "transpose_of_transpose",
    root: Transpose::DEF,
    find: |ir, op| {
        let inner = made_by(ir, Transpose(op).vector(ir), Transpose::cast)?;
        let first = inner.order(ir);
        let order = Transpose(op).order(ir).iter().map(|dim| first.get(*dim as usize).copied());
        let order: Option<Vec<i64>> = order.collect();
        Ok(Plan::Transpose(inner.vector(ir), order.or_miss("the order is not valid")?))
    },
};

/// One number in any order
static TRANSPOSE_SPLAT: Through = Through {
    name: "transpose_of_scalar_broadcast",
    root: Transpose::DEF,
    find: |ir, op| {
        let inner = made_by(ir, Transpose(op).vector(ir), Broadcast::cast)?;
        let count = ir.ty(inner.source(ir)).num_elements(ir.cx());
        let scalar = vector_shape(ir.cx(), ir.ty(inner.source(ir))).is_none();
        (scalar || count == Some(1) && shape_of(ir, inner.source(ir)).len() <= 1)
            .or_miss("several elements are repeated")?;
        Ok(Plan::Broadcast(inner.source(ir)))
    },
};

/// Two changes of shape are one
static CAST_CAST: Through = Through {
    name: "shape_cast_of_shape_cast",
    root: ShapeCast::DEF,
    find: |ir, op| {
        let inner = made_by(ir, ShapeCast(op).source(ir), ShapeCast::cast)?;
        Ok(Plan::ShapeCast(inner.source(ir)))
    },
};

/// One number in any shape
static CAST_SPLAT: Through = Through {
    name: "shape_cast_of_scalar_broadcast",
    root: ShapeCast::DEF,
    find: |ir, op| {
        let inner = made_by(ir, ShapeCast(op).source(ir), Broadcast::cast)?;
        vector_shape(ir.cx(), ir.ty(inner.source(ir))).is_none().or_miss("several elements are repeated")?;
        Ok(Plan::Broadcast(inner.source(ir)))
    },
};

/// What is overwritten need not be written
static INSERT_INSERT: Through = Through {
    name: "insert_over_insert",
    root: Insert::DEF,
    find: |ir, op| {
        let outer = Insert(op);
        let inner = made_by(ir, outer.dest(ir), Insert::cast)?;
        let (a, b) = (outer.position(ir), inner.position(ir));
        let covered = b.starts_with(a) && !a.contains(&DYNAMIC) && !a.contains(&-1) && !b.contains(&-1);
        // A dynamic position outside of the vector makes all of it poison.
        (covered && !b.contains(&DYNAMIC)).or_miss("the insertion before is not overwritten")?;
        Ok(Plan::Into(inner.dest(ir)))
    },
};

/// Elements that are all the same value
static ELEMENTS_SPLAT: Through = Through {
    name: "from_elements_of_one_value",
    root: FromElements::DEF,
    find: |ir, op| {
        let values = FromElements(op).elements(ir);
        let first = *values.first().or_miss("there are no elements")?;
        values.iter().all(|value| *value == first).or_miss("the elements differ")?;
        Ok(Plan::Broadcast(first))
    },
};

/// The sum of one is itself
static REDUCTION_ONE: Through = Through {
    name: "reduction_of_one_element",
    root: Reduction::DEF,
    find: |ir, op| {
        let reduction = Reduction(op);
        // Under a mask the element may be off.
        let masked = ir.parent(op).and_then(|around| MaskOp::cast(ir, around)).is_some();
        (!masked).or_miss("the op stands under a mask")?;
        let ty: Type = ir.ty(reduction.vector(ir));
        let one = ty.num_elements(ir.cx()) == Some(1) && !super::fold::is_scalable(ir.cx(), ty);
        (one && reduction.acc(ir).is_none()).or_miss("there is something to combine")?;
        let rank = shape_of(ir, reduction.vector(ir)).len();
        Ok(Plan::Extract(reduction.vector(ir), vec![0; rank], Vec::new()))
    },
};

impl Canonicalize for Extract {
    const RULES: &'static [&'static dyn Rule] = &[
        &EXTRACT_EXTRACT,
        &EXTRACT_FROM_ELEMENTS,
        &EXTRACT_BROADCAST,
        &EXTRACT_SHUFFLE,
        &EXTRACT_TRANSPOSE,
        &EXTRACT_SHAPE_CAST,
        &EXTRACT_INSERT,
        &EXTRACT_SLICE,
    ];
}

impl Canonicalize for Broadcast {
    const RULES: &'static [&'static dyn Rule] = &[&BROADCAST_BROADCAST];
}

impl Canonicalize for Transpose {
    const RULES: &'static [&'static dyn Rule] = &[&TRANSPOSE_TRANSPOSE, &TRANSPOSE_SPLAT];
}

impl Canonicalize for ShapeCast {
    const RULES: &'static [&'static dyn Rule] = &[&CAST_CAST, &CAST_SPLAT];
}

impl Canonicalize for Insert {
    const RULES: &'static [&'static dyn Rule] = &[&INSERT_INSERT];
}

impl Canonicalize for FromElements {
    const RULES: &'static [&'static dyn Rule] = &[&ELEMENTS_SPLAT];
}

impl Canonicalize for Reduction {
    const RULES: &'static [&'static dyn Rule] = &[&REDUCTION_ONE];
}
