//! The same elements elsewhere: `place` in memory, `cast` to other sizes.

use crate::layout::{
    Evaluation, Indexing, Layout, LayoutText, Next, Parsed, Path, Source, Stop, Typing, Written,
    print_operands,
};
use crate::levels::{ArrayLevelAttr, level_attr};
use crate::misfit::Misfit;
use crate::names;
use crate::size::{Obligation, Relation};
use crate::syntax::value;
use crate::types::{flatten, split_vector};
use crate::{layout_ops, layout_texts};
use terrace_analysis::nat::Nat;
use terrace_diag::Reported;
use terrace_dialect_gpu::AddressSpace;
use terrace_interp::{Interpret, RtValue, Trap};
use terrace_ir::rules::{AnyAttr, AnyType, AttrRule};
use terrace_ir::show::type_text;
use terrace_ir::{Attr, AttrForm, Context, Type, TypeKind, attr_rules};
use terrace_macros::op;
use terrace_text::{CustomAsm, Delim, OpParser, OpPrinter, OtherNames};

attr_rules! {
    /// Who writes each dimension of a buffer
    ByAttr "list of levels, or `vector` and a number of lanes", AttrForm::Full,
        |cx, attr| attr.as_array(cx).is_some_and(|all| all.iter().all(|word| writes(cx, *word)));
}

fn writes(cx: &Context, attr: Attr) -> bool {
    let lanes = attr.as_str(cx).and_then(|word| word.strip_prefix("vector "));
    match lanes {
        Some(lanes) => lanes.parse::<u32>().is_ok_and(|lanes| lanes > 0),
        None => (ArrayLevelAttr::RULE.test)(cx, attr),
    }
}

/// Memory of one thread, where `array.let` puts values
pub fn private(cx: &Context) -> Attr {
    AddressSpace::Private.attr(cx)
}

layout_ops!(Place Cast);
layout_texts!(Place Cast);

/// The same value, written to memory of this space here
///
/// `by (thread.x, vector 4)` says who writes each dimension.
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>) -> !array.of<@n x f32> {
///   %y = array.place "local" %x
///   return %y : !array.of<@n x f32>
/// }
/// ```
#[op("array.place", traits(Pure), interfaces(CustomAsm, OtherNames, Interpret, Layout), hooks(verify))]
pub struct Place {
    x: AnyType,
    #[attr]
    space: AnyAttr,
    #[attr(optional)]
    by: ByAttr,
    #[result]
    result: AnyType,
}

impl Layout for Place {
    const IN_MEMORY: bool = true;

    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        Ok(vec![t.types[0]])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        Ok(e.values.clone())
    }

    fn reaches(_: &Path) -> bool {
        true
    }
}

impl LayoutText for Place {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        let space = match names::space(p) {
            Some(space) => space,
            None => p.attr()?,
        };
        p.set_attr("space", space);
        if p.keyword_opt("by") {
            let mut all = Vec::new();
            p.list(Delim::Paren, |p| {
                let level = level_attr(p)?;
                let lanes = if level.as_str(p.cx()) == Some("vector") { p.int_opt()? } else { None };
                all.push(lanes.map_or(level, |lanes| p.cx().str_attr(&format!("vector {lanes}"))));
                Ok(())
            })?;
            let all = p.cx().array_attr(&all);
            p.set_attr("by", all);
        }
        Ok(vec![value(p)?].into())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        if let Some(space) = ir.attr(self.0, "space") {
            p.text(" ");
            p.attr(space);
        }
        let levels = ir.attr(self.0, "by").and_then(|attr| attr.as_array(ir.cx())).unwrap_or(&[]);
        for (n, level) in levels.iter().enumerate() {
            p.text(if n == 0 { " by (" } else { ", " });
            match level.as_str(ir.cx()) {
                Some(word) => p.text(word),
                None => p.attr(*level),
            }
        }
        p.text(if levels.is_empty() { "" } else { ")" });
        print_operands(p);
    }
}

/// The same value by a type whose sizes are equal in another form
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>) -> !array.of<@m x f32> {
///   %y = array.cast %x to !array.of<@m x f32>
///   return %y : !array.of<@m x f32>
/// }
/// ```
#[op("array.cast", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Cast {
    x: AnyType,
    #[result]
    result: AnyType,
}

/// The sizes that must be equal for a cast between two types
pub fn size_pairs(cx: &Context, from: Type, to: Type) -> Result<Vec<Obligation>, Misfit> {
    let mut obligations = Vec::new();
    let mut equal = |a: Nat, b: Nat, what| {
        obligations.push(Obligation { relation: Relation::Equal, a, b, what });
    };
    let mut pairs = vec![(from, to)];
    while let Some((a, b)) = pairs.pop() {
        if a == b {
            continue;
        }
        let ((left, a_elem), (right, b_elem)) = (flatten(cx, a), flatten(cx, b));
        let differ = || {
            let (from, to) = (type_text(cx, from), type_text(cx, to));
            Misfit::ty(format!("{from} and {to} differ in more than sizes"))
        };
        if left.len() != right.len() {
            return Err(differ());
        }
        for (a, b) in left.into_iter().zip(right).filter(|(a, b)| a != b) {
            equal(a, b, "sizes of a cast");
        }
        match (a_elem.kind(cx), b_elem.kind(cx)) {
            _ if a_elem == b_elem => {}
            _ if let (Some((a, left)), Some((b, right))) =
                (split_vector(cx, a_elem), split_vector(cx, b_elem))
                && left == right =>
            {
                equal(a, b, "lanes of a cast");
            }
            (TypeKind::Tuple(a), TypeKind::Tuple(b)) if a.len() == b.len() => {
                pairs.extend(a.iter().copied().zip(b.iter().copied()));
            }
            _ => return Err(differ()),
        }
    }
    Ok(obligations)
}

impl Layout for Cast {
    const MAY_TRAP: bool = true;

    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let Some(to) = t.declared() else { return Ok(Vec::new()) };
        for pair in size_pairs(t.cx, t.types[0], to)? {
            t.must(pair.relation, &pair.a, &pair.b, pair.what);
        }
        Ok(vec![to])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        Ok(e.values.clone())
    }

    fn reaches(_: &Path) -> bool {
        true
    }

    fn read(self, cx: &mut dyn Indexing, _: usize, _: &mut Path) -> Result<Next, Stop> {
        Ok(Next::At(self.x(cx.ir())))
    }

    fn written(self, _: &mut dyn Indexing, _: usize) -> Written {
        Ok(Ok(vec![Source::whole(0, None)]))
    }
}

impl LayoutText for Cast {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        let operands = vec![value(p)?];
        p.keyword("to")?;
        let result = Some(p.ty()?);
        Ok(Parsed { operands, result })
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_operands(p);
        p.text(" to ");
        let ir = p.ir();
        p.ty(ir.ty(self.result(ir)));
    }
}
