//! Parts of a fixed size and back: `split`, `join`, `transpose`, and the same with vectors.

use crate::interp::{bounds, list, make};
use crate::layout::{
    Evaluation, Guard, Indexing, Layout, LayoutText, Next, Parsed, Path, Source, Stop, Typing, Written,
    print_operands,
};
use crate::misfit::Misfit;
use crate::nat_text::NatAttr;
use crate::size::Relation;
use crate::syntax::{print_nat, set_nat, value};
use crate::types::{AnyArray, array_of, is_lane, split_type, split_vector, vector_of};
use crate::{layout_ops, layout_texts};
use std::sync::Arc;
use terrace_analysis::nat::Nat;
use terrace_diag::Reported;
use terrace_interp::{Interpret, RtValue, Trap, codes as traps};
use terrace_ir::rules::AnyType;
use terrace_ir::show::type_text;
use terrace_ir::{OpId, Type};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter, OtherNames};

/// Parts of an array, all of them whole: what an argument has may be other than its type says
fn chunks(all: &[RtValue], part: usize) -> Result<RtValue, Trap> {
    let part = part.max(1);
    match all.len() % part {
        0 => Ok(make(all.chunks(part).map(|part| make(part.to_vec())).collect())),
        _ => Err(bounds(format!("{} elements are no whole number of parts of {part}", all.len()))),
    }
}

/// The elements of several arrays, one array after the other
pub(super) fn joined(all: &[RtValue]) -> Result<RtValue, Trap> {
    let parts: Vec<Arc<[RtValue]>> = all.iter().map(list).collect::<Result<_, _>>()?;
    // Parts may be shared: few values can be many elements.
    let count = parts.iter().fold(0i64, |count, part| count.saturating_add(part.len() as i64));
    let mut joined = Vec::with_capacity(crate::layout::size(count)?);
    for part in &parts {
        joined.extend(part.iter().cloned());
    }
    Ok(make(joined))
}

/// Rows to columns; an array without rows has as many columns as its type states
pub(super) fn columns(all: &[RtValue], columns: usize) -> Result<Vec<RtValue>, Trap> {
    let rows: Vec<Arc<[RtValue]>> = all.iter().map(list).collect::<Result<_, _>>()?;
    let ragged = || bounds("rows of different sizes");
    (0..columns)
        .map(|column| {
            let all: Option<Vec<RtValue>> = rows.iter().map(|row| row.get(column).cloned()).collect();
            all.map(make).ok_or_else(ragged)
        })
        .collect()
}

/// An element of a part becomes one of the whole
fn read_part(cx: &mut dyn Indexing, m: i64, path: &mut Path) -> Result<(), Stop> {
    let (q, r) = (cx.index(path)?, cx.index(path)?);
    path.push_index(q * m.into() + r);
    Ok(())
}

/// An element of the whole becomes one of a part
fn read_whole(cx: &mut dyn Indexing, m: i64, path: &mut Path) -> Result<(), Stop> {
    let f = cx.index(path)?;
    let inner = cx.rem(f.clone(), m);
    path.push_index(inner);
    let outer = cx.div(f, m);
    path.push_index(outer);
    Ok(())
}

/// Size of the parts that are joined
fn part_size(cx: &dyn Indexing, op: OpId) -> Result<i64, Stop> {
    let (_, inner) = cx.array(cx.ir().ty(cx.ir().operand(op, 0)))?;
    Ok(cx.array(inner)?.0)
}

/// The index maps of an op that makes parts, whose size is in a property, and those of one that joins them
macro_rules! parts {
    (makes $size:literal) => {
        fn reaches(path: &Path) -> bool {
            path.indices() >= 2
        }

        fn read(self, cx: &mut dyn Indexing, _: usize, path: &mut Path) -> Result<Next, Stop> {
            let m = cx.property(self.0, $size)?;
            read_part(cx, m, path)?;
            Ok(Next::At(self.x(cx.ir())))
        }

        fn written(self, _: &mut dyn Indexing, _: usize) -> Written {
            Ok(Ok(Source::through(self.0)))
        }

        fn write(self, cx: &mut dyn Indexing, path: &mut Path, _: &mut Vec<Guard>) -> Result<(), Stop> {
            let m = cx.property(self.0, $size)?.max(1);
            read_whole(cx, m, path)
        }
    };
    (joins) => {
        fn read(self, cx: &mut dyn Indexing, _: usize, path: &mut Path) -> Result<Next, Stop> {
            let m = part_size(cx, self.0)?.max(1);
            read_whole(cx, m, path)?;
            Ok(Next::At(self.x(cx.ir())))
        }

        fn written(self, _: &mut dyn Indexing, _: usize) -> Written {
            Ok(Ok(Source::through(self.0)))
        }

        fn write(self, cx: &mut dyn Indexing, path: &mut Path, _: &mut Vec<Guard>) -> Result<(), Stop> {
            let m = part_size(cx, self.0)?;
            read_part(cx, m, path)
        }
    };
}

layout_ops!(Split Join Transpose AsVector AsScalar);
layout_texts!(Split Join Transpose AsVector AsScalar);

/// Parts of `m` elements; `m` divides the size
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>) -> !array.of<@n / @m x @m x f32> {
///   %y = array.split @m %x
///   return %y : !array.of<@n / @m x @m x f32>
/// }
/// ```
#[op("array.split", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Split {
    x: AnyArray,
    #[attr]
    size: NatAttr,
    #[result]
    result: AnyType,
}

impl Layout for Split {
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let ((n, elem), m) = (t.array(0)?, t.nat("size")?);
        t.must(Relation::AtMost, &Nat::from(1), &m, "size of parts");
        t.must(Relation::Divides, &m, &n, "size of parts");
        Ok(vec![array_of(t.cx, &n.exact_div(&m)?, array_of(t.cx, &m, elem))])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        Ok(vec![chunks(&e.list(0)?, e.size("size")?)?])
    }

    parts!(makes "size");
}

impl LayoutText for Split {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        set_nat(p, "size")?;
        Ok(vec![value(p)?].into())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_nat(p, "size");
        print_operands(p);
    }
}

/// The elements of arrays in an array, in order
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x 4 x f32>) -> !array.of<4 * @n x f32> {
///   %y = array.join %x
///   return %y : !array.of<4 * @n x f32>
/// }
/// ```
#[op("array.join", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Join {
    x: AnyArray,
    #[result]
    result: AnyType,
}

impl Layout for Join {
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let (n, m, elem) = t.arrays()?;
        Ok(vec![array_of(t.cx, &n.times(&m)?, elem)])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        Ok(vec![joined(&e.list(0)?)?])
    }

    parts!(joins);
}

impl LayoutText for Join {}

/// The two outermost dimensions exchanged
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x 4 x f32>) -> !array.of<4 x @n x f32> {
///   %y = array.transpose %x
///   return %y : !array.of<4 x @n x f32>
/// }
/// ```
#[op("array.transpose", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Transpose {
    x: AnyArray,
    #[result]
    result: AnyType,
}

fn exchanged(cx: &mut dyn Indexing, path: &mut Path) -> Result<(), Stop> {
    let (i, j) = (cx.index(path)?, cx.index(path)?);
    path.push_index(i);
    path.push_index(j);
    Ok(())
}

impl Layout for Transpose {
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let (n, m, elem) = t.arrays()?;
        Ok(vec![array_of(t.cx, &m, array_of(t.cx, &n, elem))])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        let ir = e.ir();
        let size = split_type(ir.cx(), ir.ty(self.result(ir)));
        let (size, _) = size.ok_or_else(|| Trap::new(&traps::INVALID, "the result is no array"))?;
        let all = e.list(0)?;
        Ok(vec![make(columns(&all, e.count(&size)?)?)])
    }

    fn reaches(path: &Path) -> bool {
        path.indices() >= 2
    }

    fn read(self, cx: &mut dyn Indexing, _: usize, path: &mut Path) -> Result<Next, Stop> {
        exchanged(cx, path)?;
        Ok(Next::At(self.x(cx.ir())))
    }

    fn written(self, _: &mut dyn Indexing, _: usize) -> Written {
        Ok(Ok(Source::through(self.0)))
    }

    fn write(self, cx: &mut dyn Indexing, path: &mut Path, _: &mut Vec<Guard>) -> Result<(), Stop> {
        exchanged(cx, path)
    }
}

impl LayoutText for Transpose {}

/// Elements in vectors of so many lanes
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>) -> !array.of<@n / 4 x vector<4xf32>> {
///   %y = array.as_vector 4 %x
///   return %y : !array.of<@n / 4 x vector<4xf32>>
/// }
/// ```
#[op("array.as_vector", traits(Pure), interfaces(CustomAsm, OtherNames, Interpret, Layout), hooks(verify))]
pub struct AsVector {
    x: AnyArray,
    #[attr]
    lanes: NatAttr,
    #[result]
    result: AnyType,
}

impl Layout for AsVector {
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let ((n, elem), lanes) = (t.array(0)?, t.nat("lanes")?);
        if lanes.as_constant().is_some_and(|count| count < 1) {
            return Err(Misfit::size("a vector has at least one lane"));
        }
        if !is_lane(t.cx, elem) {
            return Err(Misfit::ty(format!("lanes are numbers, not {}", type_text(t.cx, elem))));
        }
        t.must(Relation::AtMost, &Nat::from(1), &lanes, "lanes");
        t.must(Relation::Divides, &lanes, &n, "lanes");
        Ok(vec![array_of(t.cx, &n.exact_div(&lanes)?, vector_of(t.cx, &lanes, elem))])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        Ok(vec![chunks(&e.list(0)?, e.size("lanes")?)?])
    }

    parts!(makes "lanes");
}

impl LayoutText for AsVector {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        set_nat(p, "lanes")?;
        Ok(vec![value(p)?].into())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_nat(p, "lanes");
        print_operands(p);
    }
}

/// The elements of vectors, in order
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x vector<4xf32>>) -> !array.of<4 * @n x f32> {
///   %y = array.as_scalar %x
///   return %y : !array.of<4 * @n x f32>
/// }
/// ```
#[op("array.as_scalar", traits(Pure), interfaces(CustomAsm, OtherNames, Interpret, Layout), hooks(verify))]
pub struct AsScalar {
    x: AnyArray,
    #[result]
    result: AnyType,
}

impl Layout for AsScalar {
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let (n, vector) = t.array(0)?;
        let Some((lanes, elem)) = split_vector(t.cx, vector) else {
            let vector = type_text(t.cx, vector);
            return Err(Misfit::ty(format!("needs vectors of one dimension, not {vector}")));
        };
        Ok(vec![array_of(t.cx, &n.times(&lanes)?, elem)])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        Ok(vec![joined(&e.list(0)?)?])
    }

    parts!(joins);
}

impl LayoutText for AsScalar {}
