//! Tuples and single elements: `zip`, `unzip`, `at`, `single`, `tuple`, `get`.

use super::blocks::columns;
use crate::interp::{bounds, list, make, unbound};
use crate::layout::{
    Evaluation, Frame, Guard, Indexing, Layout, LayoutText, Next, Parsed, Path, Source, Step, Stop, Typing,
    Written, index, print_operands, values,
};
use crate::misfit::Misfit;
use crate::nat_text::IndexNatAttr;
use crate::size::Relation;
use crate::syntax::{print_nat, print_value, set_nat, value};
use crate::types::{AnyArray, array_of};
use crate::{layout_ops, layout_texts};
use std::sync::Arc;
use terrace_analysis::nat::Nat;
use terrace_diag::Reported;
use terrace_interp::{Interpret, RtValue, Trap};
use terrace_ir::rules::{AnyType, Index};
use terrace_ir::show::type_text;
use terrace_ir::{Type, TypeKind};
use terrace_macros::op;
use terrace_support::affine::AffineExpr;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

layout_ops!(Zip Unzip At Single Tuple Get);
layout_texts!(Zip Unzip At Single Tuple Get);

/// Arrays of equal size as one of tuples
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>, %y: !array.of<@n x index>) -> !array.of<@n x tuple<f32, index>> {
///   %z = array.zip %x, %y
///   return %z : !array.of<@n x tuple<f32, index>>
/// }
/// ```
#[op("array.zip", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Zip {
    xs: Variadic<AnyArray>,
    #[result]
    result: AnyType,
}

impl Layout for Zip {
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let (first, _) = t.array(0)?;
        let mut elems = Vec::new();
        for n in 0..t.types.len() {
            let (size, elem) = t.array(n)?;
            if n > 0 {
                t.must(Relation::Equal, &first, &size, "sizes of zipped arrays");
            }
            elems.push(elem);
        }
        if elems.len() < 2 {
            return Err(Misfit::ty("needs two arrays or more"));
        }
        Ok(vec![array_of(t.cx, &first, t.cx.ty(TypeKind::Tuple(elems.into())))])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        let lists: Vec<Arc<[RtValue]>> = e.values.iter().map(list).collect::<Result<_, _>>()?;
        let count = lists.first().map_or(0, |list| list.len());
        if lists.iter().any(|list| list.len() != count) {
            return Err(unbound("zipped arrays have different sizes"));
        }
        let tuple = |n: usize| make(lists.iter().map(|list| list[n].clone()).collect());
        Ok(vec![make((0..count).map(tuple).collect())])
    }

    fn reaches(path: &Path) -> bool {
        path.indices() >= 1 && path.steps().nth(1).is_some()
    }

    fn read(self, cx: &mut dyn Indexing, _: usize, path: &mut Path) -> Result<Next, Stop> {
        let i = cx.index(path)?;
        let n = cx.component(path)?;
        path.push_index(i);
        Ok(Next::At(cx.ir().operand(self.0, n)))
    }

    fn written(self, cx: &mut dyn Indexing, _: usize) -> Written {
        let count = cx.ir().num_operands(self.0);
        Ok(Ok((0..count).map(|n| Source::whole(n, Some(Frame::Component(n)))).collect()))
    }
}

impl LayoutText for Zip {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        Ok(values(p)?.into())
    }
}

/// An array of tuples as one array for each component
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x tuple<f32, index>>) -> !array.of<@n x index> {
///   %a, %b = array.unzip %x
///   return %b : !array.of<@n x index>
/// }
/// ```
#[op("array.unzip", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Unzip {
    x: AnyArray,
    #[result]
    results: Variadic<AnyArray>,
}

impl Layout for Unzip {
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let (size, elem) = t.array(0)?;
        let TypeKind::Tuple(types) = elem.kind(t.cx) else {
            return Err(Misfit::ty(format!("needs an array of tuples, not of {}", type_text(t.cx, elem))));
        };
        Ok(types.iter().map(|ty| array_of(t.cx, &size, *ty)).collect())
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        columns(&e.list(0)?, e.ir().num_results(self.0))
    }

    fn read(self, cx: &mut dyn Indexing, result: usize, path: &mut Path) -> Result<Next, Stop> {
        let i = cx.index(path)?;
        path.push(Step::Part(result));
        path.push_index(i);
        Ok(Next::At(self.x(cx.ir())))
    }

    fn written(self, _: &mut dyn Indexing, result: usize) -> Written {
        Ok(Ok(vec![Source::whole(0, Some(Frame::Only(result)))]))
    }
}

impl LayoutText for Unzip {}

/// The element at an index, which is inside
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>, %i: index) -> f32 {
///   %y = array.at %x[%i]
///   return %y : f32
/// }
/// ```
#[op("array.at", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct At {
    x: AnyArray,
    index: Index,
    #[result]
    result: AnyType,
}

impl Layout for At {
    const MAY_TRAP: bool = true;

    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        Ok(vec![t.array(0)?.1])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        let all = e.list(0)?;
        Ok(vec![all[index(&e.values[1], all.len())?].clone()])
    }

    fn reaches(_: &Path) -> bool {
        true
    }

    fn read(self, cx: &mut dyn Indexing, _: usize, path: &mut Path) -> Result<Next, Stop> {
        let index = cx.index_of(self.index(cx.ir()))?;
        path.push_index(index);
        Ok(Next::At(self.x(cx.ir())))
    }

    fn written(self, cx: &mut dyn Indexing, _: usize) -> Written {
        let part = Path::index(cx.index_of(self.index(cx.ir()))?);
        Ok(Ok(vec![Source { operand: 0, part, frame: None }]))
    }
}

impl LayoutText for At {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        let x = value(p)?;
        p.punct("[")?;
        let index = value(p)?;
        p.punct("]")?;
        Ok(vec![x, index].into())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        print_value(p, self.x(ir));
        p.text("[");
        print_value(p, self.index(ir));
        p.text("]");
    }
}

/// The array of one element
///
/// ```mlir
/// func.func @f(%x: f32) -> !array.of<1 x f32> {
///   %y = array.single %x
///   return %y : !array.of<1 x f32>
/// }
/// ```
#[op("array.single", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Single {
    x: AnyType,
    #[result]
    result: AnyType,
}

impl Layout for Single {
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        Ok(vec![array_of(t.cx, &Nat::from(1), t.types[0])])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        Ok(vec![make(e.values.clone())])
    }

    fn read(self, cx: &mut dyn Indexing, _: usize, path: &mut Path) -> Result<Next, Stop> {
        cx.index(path)?;
        Ok(Next::At(self.x(cx.ir())))
    }

    fn written(self, _: &mut dyn Indexing, _: usize) -> Written {
        Ok(Ok(Source::through(self.0)))
    }

    fn write(self, _: &mut dyn Indexing, path: &mut Path, _: &mut Vec<Guard>) -> Result<(), Stop> {
        path.push_index(AffineExpr::Constant(0));
        Ok(())
    }
}

impl LayoutText for Single {}

/// Values together
///
/// ```mlir
/// func.func @f(%x: f32, %y: index) -> tuple<f32, index> {
///   %z = array.tuple %x, %y
///   return %z : tuple<f32, index>
/// }
/// ```
#[op("array.tuple", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Tuple {
    xs: Variadic<AnyType>,
    #[result]
    result: AnyType,
}

impl Layout for Tuple {
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        if t.types.len() < 2 {
            return Err(Misfit::ty("needs two values or more"));
        }
        Ok(vec![t.cx.ty(TypeKind::Tuple(t.types.into()))])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        Ok(vec![make(e.values.clone())])
    }

    fn reaches(path: &Path) -> bool {
        matches!(path.first(), Some(Step::Part(_)))
    }

    fn read(self, cx: &mut dyn Indexing, _: usize, path: &mut Path) -> Result<Next, Stop> {
        let n = cx.component(path)?;
        Ok(Next::At(cx.ir().operand(self.0, n)))
    }

    fn written(self, cx: &mut dyn Indexing, _: usize) -> Written {
        let count = cx.ir().num_operands(self.0);
        let inside = |n: usize| Frame::Inside(Path::of([Step::Part(n)]));
        Ok(Ok((0..count).map(|n| Source::whole(n, Some(inside(n)))).collect()))
    }
}

impl LayoutText for Tuple {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        Ok(values(p)?.into())
    }
}

/// Component of a tuple, counted from 0
///
/// ```mlir
/// func.func @f(%x: tuple<f32, index>) -> index {
///   %y = array.get 1 %x
///   return %y : index
/// }
/// ```
#[op("array.get", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Get {
    x: AnyType,
    #[attr]
    component: IndexNatAttr,
    #[result]
    result: AnyType,
}

impl Layout for Get {
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let n = t.nat("component")?.as_constant().and_then(|n| usize::try_from(n).ok());
        let TypeKind::Tuple(tuple) = t.types[0].kind(t.cx) else {
            return Err(Misfit::ty(format!("needs a tuple, not {}", type_text(t.cx, t.types[0]))));
        };
        let found = n.and_then(|n| tuple.get(n)).copied();
        let count = tuple.len();
        let found =
            found.ok_or_else(|| Misfit::ty(format!("the tuple has {count} components, counted from 0")))?;
        Ok(vec![found])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        let (all, n) = (e.list(0)?, e.size("component")?);
        Ok(vec![all.get(n).cloned().ok_or_else(|| bounds("no such component"))?])
    }

    fn reaches(_: &Path) -> bool {
        true
    }

    fn read(self, cx: &mut dyn Indexing, _: usize, path: &mut Path) -> Result<Next, Stop> {
        let n = cx.property(self.0, "component")?;
        path.push(Step::Part(n as usize));
        Ok(Next::At(self.x(cx.ir())))
    }

    fn written(self, cx: &mut dyn Indexing, _: usize) -> Written {
        let n = cx.property(self.0, "component")?;
        Ok(Ok(vec![Source { operand: 0, part: Path::of([Step::Part(n as usize)]), frame: None }]))
    }
}

impl LayoutText for Get {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        set_nat(p, "component")?;
        Ok(vec![value(p)?].into())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_nat(p, "component");
        print_operands(p);
    }
}
