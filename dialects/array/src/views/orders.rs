//! Elements in another order: `reorder`, `gather`, `scatter`, `concat`.

use super::blocks::joined;
use crate::interp::{bounds, make};
use crate::layout::{
    Evaluation, Frame, Guard, INDEX, Indexing, Layout, LayoutText, Next, Parsed, Path, Source, Stop, Typing,
    Written, index, print_operands, values,
};
use crate::misfit::Misfit;
use crate::nat_text::{NatAttr, nat_of};
use crate::size::{Relation, bound, value_of};
use crate::syntax::{print_nat, print_value, set_nat, value};
use crate::types::{AnyArray, array_of, split_type};
use crate::{layout_ops, layout_texts};
use terrace_analysis::nat::{Facts, Nat};
use terrace_diag::Reported;
use terrace_interp::{Interpret, RtValue, Trap};
use terrace_ir::rules::AnyType;
use terrace_ir::{Ir, Type};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// What is known of the index in a function of it
fn index_below(size: &Nat) -> Facts {
    let mut facts = Facts::default();
    facts.set_below(INDEX, size);
    facts
}

layout_ops!(Reorder Gather Scatter Concat);
layout_texts!(Reorder Gather Scatter Concat);

/// The elements in another order
///
/// `strided s`: every s-th element first, then those after them; element i is that at
/// `i floordiv (n / s) + s * (i mod (n / s))`. `by e inverse e'`: element i is that at `e`, a size over `$i`; the inverse is
/// given, and both are tried at every index when the size is known.
///
/// ```mlir
/// func.func @back(%x: !array.of<@n x f32>) -> !array.of<@n x f32> {
///   %y = array.reorder by @n - 1 - $i inverse @n - 1 - $i %x
///   return %y : !array.of<@n x f32>
/// }
/// ```
///
/// ```mlir
/// func.func @f(%x: !array.of<8 x f32>) -> !array.of<8 x f32> {
///   %y = array.reorder strided 2 %x
///   return %y : !array.of<8 x f32>
/// }
/// ```
#[op("array.reorder", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Reorder {
    x: AnyArray,
    #[attr(optional)]
    stride: NatAttr,
    #[attr(optional)]
    index: NatAttr,
    #[attr(optional)]
    inverse: NatAttr,
    #[result]
    result: AnyType,
}

/// Largest size at which an order is tried element by element
const TRIED: i64 = 65_536;

impl Reorder {
    /// Where an order of known size does not permute the elements, if it does not
    fn wrong_order(self, ir: &Ir) -> Option<String> {
        let cx = ir.cx();
        let nat = |name: &str| ir.attr(self.0, name).and_then(|attr| nat_of(cx, attr));
        let (index, inverse) = (nat("index")?, nat("inverse")?);
        let mut known = bound(ir);
        let (size, _) = split_type(cx, ir.ty(self.x(ir)))?;
        let size = value_of(&size, &known).ok().filter(|size| *size <= TRIED)?;
        for i in 0..size {
            known.insert(INDEX.into(), i);
            let Ok(at) = value_of(&index, &known) else { return None };
            if !(0..size).contains(&at) {
                return Some(format!("index: {index} is {at} at $i = {i}, outside of {size} elements"));
            }
            known.insert(INDEX.into(), at);
            let back = value_of(&inverse, &known).ok()?;
            if back != i {
                return Some(format!("order and its inverse: $i = {i} goes to {at}, which goes to {back}"));
            }
        }
        None
    }
}

/// The functions of the index in `reorder` stay inside of the array and undo each other
fn order_and_inverse(t: &mut Typing<'_>, n: &Nat) -> Result<(), Misfit> {
    let (index, inverse) = (t.nat("index")?, t.nat("inverse")?);
    let facts = index_below(n);
    t.inside(&index, n, &facts)?;
    for (outer, inner) in [(&index, &inverse), (&inverse, &index)] {
        let put = outer.substitute(&|name| (name == INDEX).then(|| inner.clone()));
        let both = put?.simplify(&facts);
        t.must(Relation::Equal, &both, &Nat::bound("i"), "order and its inverse");
    }
    Ok(())
}

impl Layout for Reorder {
    const BY_INDEX: bool = true;

    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let (n, _) = t.array(0)?;
        if !t.has("stride") {
            order_and_inverse(t, &n)?;
        } else if t.has("index") || t.has("inverse") {
            return Err(Misfit::ty("has a stride or `by` a function of the index, not both"));
        } else {
            let stride = t.nat("stride")?;
            t.must(Relation::AtMost, &Nat::from(1), &stride, "stride");
            t.must(Relation::Divides, &stride, &n, "stride");
        }
        Ok(vec![t.types[0]])
    }

    fn check(self, ir: &Ir) -> Result<(), Misfit> {
        self.wrong_order(ir).map_or(Ok(()), |why| Err(Misfit::size(why)))
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        let all = e.list(0)?;
        if self.stride(e.ir()).is_none() {
            let from = e.indices("index", all.len() as i64, all.len())?;
            let mut seen = vec![false; all.len()];
            if from.iter().any(|at| std::mem::replace(&mut seen[*at], true)) {
                return Err(bounds("an order has an element twice"));
            }
            return Ok(vec![make(from.into_iter().map(|at| all[at].clone()).collect())]);
        }
        let stride = e.size("stride")?.max(1);
        let part = all.len() / stride;
        let from = (0..all.len()).map(|i| i / part + stride * (i % part));
        Ok(vec![make(from.map(|at| all.get(at).cloned().unwrap_or(RtValue::Poison)).collect())])
    }

    fn read(self, cx: &mut dyn Indexing, _: usize, path: &mut Path) -> Result<Next, Stop> {
        let x = self.x(cx.ir());
        let i = cx.index(path)?;
        let at = if self.stride(cx.ir()).is_some() {
            let ((n, _), s) = (cx.array(cx.ir().ty(x))?, cx.property(self.0, "stride")?);
            let part = (n / s.max(1)).max(1);
            cx.div(i.clone(), part) + cx.rem(i, part) * s.into()
        } else {
            cx.function(self.0, "index", &i)?
        };
        path.push_index(at);
        Ok(Next::At(x))
    }

    fn written(self, _: &mut dyn Indexing, _: usize) -> Written {
        Ok(Ok(Source::through(self.0)))
    }

    fn write(self, cx: &mut dyn Indexing, path: &mut Path, _: &mut Vec<Guard>) -> Result<(), Stop> {
        let f = cx.index(path)?;
        let at = if self.stride(cx.ir()).is_some() {
            let (n, _) = cx.array(cx.ir().ty(self.x(cx.ir())))?;
            let s = cx.property(self.0, "stride")?.max(1);
            cx.rem(f.clone(), s) * (n / s).into() + cx.div(f, s)
        } else {
            cx.function(self.0, "inverse", &f)?
        };
        path.push_index(at);
        Ok(())
    }
}

impl LayoutText for Reorder {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        if p.keyword_opt("by") {
            set_nat(p, "index")?;
            p.keyword("inverse")?;
            set_nat(p, "inverse")?;
        } else {
            p.keyword("strided")?;
            set_nat(p, "stride")?;
        }
        Ok(vec![value(p)?].into())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        if self.stride(p.ir()).is_some() {
            p.text(" strided");
            print_nat(p, "stride");
        } else {
            p.text(" by");
            print_nat(p, "index");
            p.text(" inverse");
            print_nat(p, "inverse");
        }
        print_operands(p);
    }
}

/// The elements at these indices, or at a function of the index `$i`
///
/// ```mlir
/// func.func @even(%x: !array.of<2 * @n x f32>) -> !array.of<@n x f32> {
///   %y = array.gather %x by 2 * $i size @n
///   return %y : !array.of<@n x f32>
/// }
/// ```
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>, %i: !array.of<@m x index>) -> !array.of<@m x f32> {
///   %y = array.gather %x at %i
///   return %y : !array.of<@m x f32>
/// }
/// ```
#[op("array.gather", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Gather {
    x: AnyArray,
    indices: Optional<AnyArray>,
    #[attr(optional)]
    index: NatAttr,
    #[attr(optional)]
    size: NatAttr,
    #[result]
    result: AnyType,
}

impl Layout for Gather {
    const MAY_TRAP: bool = true;
    const BY_INDEX: bool = true;

    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let (n, elem) = t.array(0)?;
        let size = match (t.has("index"), t.types.len()) {
            (true, 1) => {
                let index = t.nat("index")?;
                let size = t.nat("size")?;
                t.inside(&index, &n, &index_below(&size))?;
                size
            }
            (false, 2) if !t.has("size") => t.index_array(1)?,
            _ => return Err(Misfit::ty("needs either indices or `by` a function of the index")),
        };
        t.must(Relation::AtMost, &Nat::from(0), &size, "size");
        Ok(vec![array_of(t.cx, &size, elem)])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        let all = e.list(0)?;
        if e.values.len() == 1 {
            let from = e.indices("index", e.nat("size")?, all.len())?;
            return Ok(vec![make(from.into_iter().map(|at| all[at].clone()).collect())]);
        }
        let indices = e.list(1)?;
        let found = indices.iter().map(|at| Ok(all[index(at, all.len())?].clone()));
        Ok(vec![make(found.collect::<Result<_, Trap>>()?)])
    }

    fn read(self, cx: &mut dyn Indexing, _: usize, path: &mut Path) -> Result<Next, Stop> {
        let i = cx.index(path)?;
        let at = if cx.ir().num_operands(self.0) > 1 {
            cx.number_at(cx.ir().operand(self.0, 1), Path::index(i))?
        } else {
            cx.function(self.0, "index", &i)?
        };
        path.push_index(at);
        Ok(Next::At(self.x(cx.ir())))
    }

    fn written(self, _: &mut dyn Indexing, _: usize) -> Written {
        Ok(Err("an element may be gathered several times, or not at all"))
    }
}

impl LayoutText for Gather {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        let mut operands = vec![value(p)?];
        if p.keyword_opt("by") {
            set_nat(p, "index")?;
            p.keyword("size")?;
            set_nat(p, "size")?;
        } else {
            p.keyword("at")?;
            operands.push(value(p)?);
        }
        Ok(operands.into())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        print_value(p, self.x(ir));
        if ir.num_operands(self.0) > 1 {
            p.text(" at ");
            print_value(p, ir.operand(self.0, 1));
        } else {
            p.text(" by");
            print_nat(p, "index");
            p.text(" size");
            print_nat(p, "size");
        }
    }
}

/// `init` with the elements of `x` at these indices, no two of which are equal
///
/// ```mlir
/// func.func @f(%x: !array.of<@m x f32>, %i: !array.of<@m x index>, %y: !array.of<@n x f32>) -> !array.of<@n x f32> {
///   %z = array.scatter %x at %i into %y
///   return %z : !array.of<@n x f32>
/// }
/// ```
#[op("array.scatter", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Scatter {
    x: AnyArray,
    indices: AnyArray,
    init: AnyArray,
    #[result]
    result: AnyType,
}

impl Layout for Scatter {
    const IN_MEMORY: bool = true;
    const MAY_TRAP: bool = true;

    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let ((m, elem), indices, (n, into)) = (t.array(0)?, t.index_array(1)?, t.array(2)?);
        t.same(elem, into, "elements of value and target")?;
        t.must(Relation::Equal, &m, &indices, "elements and indices");
        t.must(Relation::AtMost, &m, &n, "elements and places");
        Ok(vec![t.types[2]])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        let (all, indices, mut into) = (e.list(0)?, e.list(1)?, e.list(2)?.to_vec());
        let mut taken = vec![false; into.len()];
        for (value, at) in all.iter().zip(indices.iter()) {
            let at = index(at, into.len())?;
            if std::mem::replace(&mut taken[at], true) {
                return Err(bounds(format!("two elements are scattered to index {at}")));
            }
            into[at] = value.clone();
        }
        Ok(vec![make(into)])
    }
}

impl LayoutText for Scatter {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        let mut operands = vec![value(p)?];
        for word in ["at", "into"] {
            p.keyword(word)?;
            operands.push(value(p)?);
        }
        Ok(operands.into())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        print_value(p, self.x(ir));
        p.text(" at ");
        print_value(p, self.indices(ir));
        p.text(" into ");
        print_value(p, self.init(ir));
    }
}

/// One array behind the other
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>, %y: !array.of<@m x f32>) -> !array.of<@m + @n x f32> {
///   %z = array.concat %x, %y
///   return %z : !array.of<@m + @n x f32>
/// }
/// ```
#[op("array.concat", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Concat {
    x: AnyArray,
    y: AnyArray,
    #[result]
    result: AnyType,
}

impl Layout for Concat {
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let ((n, a), (m, b)) = (t.array(0)?, t.array(1)?);
        t.same(a, b, "elements of both arrays")?;
        Ok(vec![array_of(t.cx, &n.plus(&m)?, a)])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        Ok(vec![joined(&e.values)?])
    }

    fn read(self, cx: &mut dyn Indexing, _: usize, path: &mut Path) -> Result<Next, Stop> {
        let (x, y) = (self.x(cx.ir()), self.y(cx.ir()));
        let i = cx.index(path)?;
        let (n, _) = cx.array(cx.ir().ty(x))?;
        let (mut first, mut second) = (path.clone(), path.clone());
        first.push_index(i.clone());
        second.push_index(i.clone() - n.into());
        Ok(match cx.inside(&i, n) {
            Some(true) => {
                *path = first;
                Next::At(x)
            }
            Some(false) => {
                *path = second;
                Next::At(y)
            }
            None => Next::Either { index: i, below: n, first: (x, first), second: (y, second) },
        })
    }

    fn written(self, cx: &mut dyn Indexing, _: usize) -> Written {
        let (n, _) = cx.array(cx.ir().ty(self.x(cx.ir())))?;
        Ok(Ok(vec![Source::whole(0, None), Source::whole(1, Some(Frame::Shift(n)))]))
    }
}

impl LayoutText for Concat {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        Ok(values(p)?.into())
    }
}
