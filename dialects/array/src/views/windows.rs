//! Parts that overlap, elements outside, and parts cut out: `slide`, `pad`, `slice`.

use crate::interp::{bounds, filled, make};
use crate::layout::{
    Evaluation, Guard, Indexing, Layout, LayoutText, Next, Parsed, Path, Source, Stop, Typing, Written,
    print_operands,
};
use crate::misfit::Misfit;
use crate::names;
use crate::nat_text::NatAttr;
use crate::size::Relation;
use crate::syntax::{print_nat, print_value, set_nat, value};
use crate::types::{AnyArray, array_of, is_splat, split_type};
use crate::{layout_ops, layout_texts};
use terrace_analysis::nat::Nat;
use terrace_diag::Reported;
use terrace_interp::{Interpret, RtValue, Trap};
use terrace_ir::rules::{AnyType, UnitAttr};
use terrace_ir::{AttrForm, Ir, Type, attr_rules};
use terrace_macros::op;
use terrace_support::affine::AffineExpr;
use terrace_text::{CustomAsm, OpParser, OpPrinter, OtherNames};

attr_rules! {
    /// How an array goes on outside
    PadAttr "padding (value, clamp, wrap, mirror)", AttrForm::Full,
        |cx, attr| attr.as_str(cx).is_some_and(|word| PADS.contains(&word));
}

/// Words of paddings
pub const PADS: &[&str] = &["value", "clamp", "wrap", "mirror"];

/// What is outside is dropped
fn keep(cx: &dyn Indexing, index: AffineExpr, size: i64, guards: &mut Vec<Guard>) {
    if cx.inside(&index, size) != Some(true) {
        guards.push(Guard { index, size, padded: size, other: None });
    }
}

layout_ops!(Slide Pad Slice);
layout_texts!(Slide Pad Slice);

/// Windows of a size, a step apart; what is left at the end is dropped, `strict` says that nothing is
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>) -> !array.of<@n - 2 x 3 x f32> {
///   %y = array.slide 3 by 1 %x
///   return %y : !array.of<@n - 2 x 3 x f32>
/// }
/// ```
#[op("array.slide", traits(Pure), interfaces(CustomAsm, OtherNames, Interpret, Layout), hooks(verify))]
pub struct Slide {
    x: AnyArray,
    #[attr]
    size: NatAttr,
    #[attr]
    step: NatAttr,
    #[attr(optional)]
    strict: UnitAttr,
    #[result]
    result: AnyType,
}

impl Layout for Slide {
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let one = Nat::from(1);
        let ((n, elem), size, step) = (t.array(0)?, t.nat("size")?, t.nat("step")?);
        t.must(Relation::AtMost, &one, &step, "step");
        t.must(Relation::AtMost, &size, &n, "window");
        let remainder = n.minus(&size)?;
        let steps = if t.has("strict") {
            t.must(Relation::Divides, &step, &remainder, "step");
            remainder.exact_div(&step)
        } else {
            remainder.floor_div(&step)
        };
        let count = steps.and_then(|steps| steps.plus(&one))?;
        Ok(vec![array_of(t.cx, &count, array_of(t.cx, &size, elem))])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        let (all, width, step) = (e.list(0)?, e.size("size")?, e.size("step")?.max(1));
        let last = all.len().checked_sub(width).ok_or_else(|| bounds("a window larger than its array"))?;
        crate::layout::size((last / step + 1).saturating_mul(width.max(1)) as i64)?;
        let windows = (0..=last).step_by(step).map(|at| make(all[at..at + width].to_vec()));
        Ok(vec![make(windows.collect())])
    }

    fn reaches(path: &Path) -> bool {
        path.indices() >= 2
    }

    fn read(self, cx: &mut dyn Indexing, _: usize, path: &mut Path) -> Result<Next, Stop> {
        let step = cx.property(self.0, "step")?;
        let (w, e) = (cx.index(path)?, cx.index(path)?);
        path.push_index(w * step.into() + e);
        Ok(Next::At(self.x(cx.ir())))
    }

    fn written(self, _: &mut dyn Indexing, _: usize) -> Written {
        Ok(Err("windows share elements"))
    }
}

impl LayoutText for Slide {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        if p.keyword_opt("strict") || names::strict(p) {
            let unit = p.cx().common().unit;
            p.set_attr("strict", unit);
        }
        set_nat(p, "size")?;
        p.keyword("by")?;
        set_nat(p, "step")?;
        Ok(vec![value(p)?].into())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        p.text(if self.strict(p.ir()).is_some() { " strict" } else { "" });
        print_nat(p, "size");
        p.text(" by");
        print_nat(p, "step");
        print_operands(p);
    }
}

/// Elements before and behind: a value (a number fills arrays), or those of the array at the clamped, wrapped or mirrored index
///
/// Negative numbers of elements crop.
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>, %z: f32) -> !array.of<@n + 3 x f32> {
///   %y = array.pad 1, 2 value %z %x
///   return %y : !array.of<@n + 3 x f32>
/// }
/// ```
#[op("array.pad", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Pad {
    x: AnyArray,
    value: Optional<AnyType>,
    #[attr]
    low: NatAttr,
    #[attr]
    high: NatAttr,
    #[attr]
    mode: PadAttr,
    #[result]
    result: AnyType,
}

/// Index in a padded array, to one of the array; `None` for a padding value
fn padded(mode: &str, i: i64, n: i64) -> Option<i64> {
    match mode {
        "clamp" => Some(i.clamp(0, n - 1)),
        "wrap" => Some(i.rem_euclid(n)),
        // Mirrored at the first and last elements, which are not repeated.
        "mirror" if n > 1 => {
            let i = i.rem_euclid(2 * (n - 1));
            Some(i.min(2 * (n - 1) - i))
        }
        "mirror" => Some(0),
        _ => (0..n).contains(&i).then_some(i),
    }
}

impl Pad {
    fn mode_word(self, ir: &Ir) -> &str {
        ir.attr(self.0, "mode").and_then(|attr| attr.as_str(ir.cx())).unwrap_or("value")
    }
}

impl Layout for Pad {
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let (zero, one) = (Nat::from(0), Nat::from(1));
        let ((n, elem), low, high) = (t.array(0)?, t.nat("low")?, t.nat("high")?);
        let all = n.plus(&low).and_then(|n| n.plus(&high))?;
        t.must(Relation::AtMost, &zero, &all, "size after padding");
        let mode = t.word("mode").map(String::from);
        match (mode.as_deref(), t.types.get(1)) {
            (Some("value"), Some(value)) if is_splat(t.cx, *value, elem) => {}
            (Some("value"), Some(value)) => t.same(elem, *value, "element and value")?,
            (Some("value"), None) => return Err(Misfit::ty("padding by a value needs one")),
            (mode, value) => {
                t.must(Relation::AtMost, &one, &n, "size before padding");
                if mode == Some("mirror") {
                    let last = n.minus(&one)?;
                    t.must(Relation::AtMost, &low, &last, "mirrored elements");
                    t.must(Relation::AtMost, &high, &last, "mirrored elements");
                }
                if value.is_some() {
                    return Err(Misfit::ty("only padding by a value has one"));
                }
            }
        }
        Ok(vec![array_of(t.cx, &all, elem)])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        let (all, low, high) = (e.list(0)?, e.nat("low")?, e.nat("high")?);
        let ir = e.ir();
        let n = all.len() as i64;
        let count = n.checked_add(low).and_then(|n| n.checked_add(high));
        let count = crate::layout::size(count.ok_or_else(|| bounds("a padding too large"))?)?;
        let value = match (split_type(ir.cx(), ir.ty(self.result(ir))), e.values.get(1)) {
            (Some((_, elem)), Some(value)) if ir.ty(ir.operand(self.0, 1)) != elem => {
                filled(e.m, elem, &|_| Some(value.clone()), 0)?
            }
            (_, value) => value.cloned().unwrap_or(RtValue::Poison),
        };
        let mode = self.mode_word(ir);
        let pad = |i: usize| {
            let inside = padded(mode, i as i64 - low, n).and_then(|at| all.get(usize::try_from(at).ok()?));
            inside.unwrap_or(&value).clone()
        };
        Ok(vec![make((0..count).map(pad).collect())])
    }

    fn read(self, cx: &mut dyn Indexing, _: usize, path: &mut Path) -> Result<Next, Stop> {
        let x = self.x(cx.ir());
        let (n, elem) = cx.array(cx.ir().ty(x))?;
        let (low, high) = (cx.property(self.0, "low")?, cx.property(self.0, "high")?);
        let i = cx.index(path)?;
        let k = cx.simple(&(i - low.into()));
        if cx.inside(&k, n) == Some(true) {
            path.push_index(k);
            return Ok(Next::At(x));
        }
        let at = match self.mode_word(cx.ir()) {
            "value" => {
                let value = cx.ir().operand(self.0, 1);
                let inner = if cx.ir().ty(value) == elem { path.clone() } else { Path::default() };
                if cx.inside(&k, n) == Some(false) {
                    *path = inner;
                    return Ok(Next::At(value));
                }
                path.push_index(k.clone());
                let guard = Guard { index: k, size: n, padded: n + low + high, other: Some((value, inner)) };
                return Ok(Next::Guarded(x, guard));
            }
            "wrap" => cx.rem(k, n),
            "clamp" => cx.clamped(k, 0, n - 1)?,
            _ if n == 1 => AffineExpr::Constant(0),
            // Mirrored at the first and last elements, which are not repeated.
            _ => {
                let period = 2 * (n - 1);
                let k = cx.rem(k, period);
                let back = cx.simple(&(AffineExpr::Constant(period) - k.clone()));
                cx.least(k, back, n - 1)?
            }
        };
        path.push_index(at);
        Ok(Next::At(x))
    }

    fn written(self, cx: &mut dyn Indexing, _: usize) -> Written {
        let word = cx.ir().attr(self.0, "mode").and_then(|mode| mode.as_str(cx.ir().cx()));
        Ok(match word {
            Some("value") => Ok(Source::through(self.0)),
            _ => Err("elements are repeated in the padding"),
        })
    }

    fn write(self, cx: &mut dyn Indexing, path: &mut Path, guards: &mut Vec<Guard>) -> Result<(), Stop> {
        let (n, _) = cx.array(cx.ir().ty(self.x(cx.ir())))?;
        let (low, high) = (cx.property(self.0, "low")?, cx.property(self.0, "high")?);
        let i = cx.index(path)?;
        let i = cx.simple(&(i + low.into()));
        keep(cx, i.clone(), n + low + high, guards);
        path.push_index(i);
        Ok(())
    }
}

impl LayoutText for Pad {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        set_nat(p, "low")?;
        p.punct(",")?;
        set_nat(p, "high")?;
        let mode = p.one_of(PADS)?;
        let word = p.cx().str_attr(PADS[mode]);
        p.set_attr("mode", word);
        let padding = if mode == 0 { Some(value(p)?) } else { None };
        let x = value(p)?;
        Ok([x].into_iter().chain(padding).collect::<Vec<_>>().into())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_nat(p, "low");
        p.text(",");
        print_nat(p, "high");
        p.text(" ");
        p.text(ir.attr(self.0, "mode").and_then(|attr| attr.as_str(ir.cx())).unwrap_or(""));
        if ir.num_operands(self.0) > 1 {
            p.text(" ");
            print_value(p, ir.operand(self.0, 1));
        }
        p.text(" ");
        print_value(p, self.x(ir));
    }
}

/// So many elements from an offset on
///
/// ```mlir
/// func.func @f(%x: !array.of<@n + 4 x f32>) -> !array.of<@n x f32> {
///   %y = array.slice 2, @n %x
///   return %y : !array.of<@n x f32>
/// }
/// ```
#[op("array.slice", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Slice {
    x: AnyArray,
    #[attr]
    offset: NatAttr,
    #[attr]
    size: NatAttr,
    #[result]
    result: AnyType,
}

impl Layout for Slice {
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let zero = Nat::from(0);
        let ((n, elem), offset, size) = (t.array(0)?, t.nat("offset")?, t.nat("size")?);
        t.must(Relation::AtMost, &zero, &offset, "offset");
        t.must(Relation::AtMost, &zero, &size, "size of the slice");
        t.must(Relation::AtMost, &offset.plus(&size)?, &n, "end of the slice");
        Ok(vec![array_of(t.cx, &size, elem)])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        let (all, offset, count) = (e.list(0)?, e.size("offset")?, e.size("size")?);
        let part = all.get(offset..offset + count).ok_or_else(|| bounds("a slice leaves its array"))?;
        Ok(vec![make(part.to_vec())])
    }

    fn read(self, cx: &mut dyn Indexing, _: usize, path: &mut Path) -> Result<Next, Stop> {
        let offset = cx.property(self.0, "offset")?;
        let i = cx.index(path)?;
        path.push_index(i + offset.into());
        Ok(Next::At(self.x(cx.ir())))
    }

    fn written(self, _: &mut dyn Indexing, _: usize) -> Written {
        Ok(Ok(Source::through(self.0)))
    }

    fn write(self, cx: &mut dyn Indexing, path: &mut Path, guards: &mut Vec<Guard>) -> Result<(), Stop> {
        let (offset, size) = (cx.property(self.0, "offset")?, cx.property(self.0, "size")?);
        let i = cx.index(path)?;
        let i = cx.simple(&(i - offset.into()));
        keep(cx, i.clone(), size, guards);
        path.push_index(i);
        Ok(())
    }
}

impl LayoutText for Slice {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        set_nat(p, "offset")?;
        p.punct(",")?;
        set_nat(p, "size")?;
        Ok(vec![value(p)?].into())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_nat(p, "offset");
        p.text(",");
        print_nat(p, "size");
        print_operands(p);
    }
}
