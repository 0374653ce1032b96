//! Patterns in several dimensions and other short forms: macros, which stand for patterns of one dimension.
//!
//! Each is written once, in [`expansion`], as what it stands for; types, conditions, the pass `array-expand` and the
//! interpreter all come from there. Nothing behind `array-expand` sees them.

pub(crate) mod expansion;
mod text;

use crate::codes;
use crate::make::{Ops, Types};
use crate::nat_text::{IndexNatAttr, NatAttr, NatsAttr};
use crate::patterns::{ArrayLevelAttr, Yield};
use crate::shape;
use crate::size::Obligation;
use crate::types::AnyArray;
use crate::views::PadAttr;
use expansion::{Properties, expand};
use terrace_diag::Reported;
use terrace_dialect_sched::{OperatorsAttr, OrderAttr};
use terrace_ir::expand::Expand;
use terrace_ir::ir::ValueMap;
use terrace_ir::rules::{AnyAttr, AnyType, DenseI64Array, UnitAttr};
use terrace_ir::{Attr, AttrForm, Builder, Ir, OpId, Type, Value, Verify, VerifyCx, attr_rules};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter, OtherNames};

attr_rules! {
    /// A level for each dimension
    LevelsAttr "list of levels", AttrForm::Full,
        |cx, attr| attr.as_array(cx).is_some_and(|all| {
            all.iter().all(|level| (<ArrayLevelAttr as terrace_ir::rules::AttrRule>::RULE.test)(cx, *level))
        });
}

/// Which macro it is
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Macro {
    ZipNd,
    JoinNd,
    TransposeNd,
    SplitNd,
    SlideNd,
    PadNd,
    CropNd,
    Crop,
    Take,
    Drop,
    MapNd,
    Map2,
    ReduceNd,
    Dot,
    Let,
}

impl Macro {
    /// Has it a function?
    pub fn has_function(self) -> bool {
        matches!(self, Macro::MapNd | Macro::Map2 | Macro::ReduceNd | Macro::Let)
    }
}

macro_rules! macros {
    ($($name:ident)*) => {
        impl Macro {
            /// The op's kind, if it is a macro
            pub fn of(ir: &Ir, op: OpId) -> Option<Macro> {
                let def = ir.def(op);
                $(if std::ptr::eq(def, $name::DEF) {
                    return Some(Macro::$name);
                })*
                None
            }
        }
        $(
            impl CustomAsm for $name {
                fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
                    text::parse(p, Macro::$name)
                }

                fn print(self, p: &mut OpPrinter<'_>) {
                    text::print(p, Macro::$name);
                }
            }

            impl Verify for $name {
                fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
                    verify(v, Macro::$name, self.0)
                }
            }

            impl Expand for $name {
                fn expand(self, ir: &mut Ir) -> Result<(), String> {
                    write_out(ir, Macro::$name, self.0)
                }
            }
        )*
    };
}
macros!(ZipNd JoinNd TransposeNd SplitNd SlideNd PadNd CropNd Crop Take Drop MapNd Map2 ReduceNd Dot Let);

fn yields_of(ir: &Ir, op: OpId) -> Option<(Vec<Value>, Vec<Value>)> {
    let entry = ir.entry(ir.regions(op).next()?)?;
    let end = ir.last_op(entry).filter(|end| Yield::cast(ir, *end).is_some());
    let yields = end.map_or(Vec::new(), |end| ir.operands(end).collect());
    Some((ir.block_args(entry).to_vec(), yields))
}

/// Type of what a macro gives, and the conditions on sizes
pub(crate) fn types(ir: &Ir, which: Macro, op: OpId) -> Result<(Type, Vec<Obligation>), String> {
    let cx = ir.cx();
    let mut m = Types::default();
    let operands: Vec<Type> = ir.operands(op).map(|value| ir.ty(value)).collect();
    let p = Properties { cx, attr: &|name| ir.attr(op, name) };
    let of = |values: &[Value]| values.iter().map(|value| ir.ty(*value)).collect::<Vec<Type>>();
    let function = yields_of(ir, op).map(|(args, yields)| (of(&args), of(&yields)));
    let list = |types: &[Type]| {
        types.iter().map(|ty| terrace_ir::show::type_text(cx, *ty)).collect::<Vec<_>>().join(", ")
    };
    let ty = expand(&mut m, which, &operands, &p, &mut |_, args| match &function {
        Some((have, yields)) if have == args => Ok(yields.clone()),
        Some((have, _)) => {
            Err(format!("TYPE: the function takes ({}), it gets ({})", list(have), list(args)))
        }
        None => Err("TYPE: has no function".into()),
    })?;
    Ok((ty, m.obligations))
}

fn verify(v: &VerifyCx<'_>, which: Macro, op: OpId) -> Result<(), Reported> {
    let fail = |why: &str| {
        let code = if why.starts_with("SIZE") { &codes::SIZE } else { &codes::TYPE };
        v.fail(op, code, why)
    };
    let (ty, obligations) = match types(v.ir, which, op) {
        Ok(found) => found,
        Err(why) => return fail(&why),
    };
    shape::check(v, op, &obligations)?;
    if which == Macro::ReduceNd {
        crate::patterns::verify_operators(v, op)?;
    }
    let declared = v.ir.ty(v.ir.result(op, 0));
    if declared == ty {
        Ok(())
    } else {
        fail(&format!("TYPE: gives {}, declared {}", v.show(ty), v.show(declared)))
    }
}

/// The macro's patterns in its place
fn write_out(ir: &mut Ir, which: Macro, op: OpId) -> Result<(), String> {
    let cx = ir.cx_arc().clone();
    let specs = ir.def(op).attrs.iter().enumerate();
    let attrs: Vec<(&str, Attr)> =
        specs.filter_map(|(slot, spec)| Some((spec.name, ir.slot_or_default(op, slot)?))).collect();
    let operands: Vec<Value> = ir.operands(op).collect();
    let result = ir.result(op, 0);
    let inside: Vec<OpId> = match ir.regions(op).next().and_then(|region| ir.entry(region)) {
        Some(entry) => ir.block_ops(entry).collect(),
        None => Vec::new(),
    };
    let function = yields_of(ir, op);
    let attr = |name: &str| attrs.iter().find(|(other, _)| *other == name).map(|(_, attr)| *attr);
    let p = Properties { cx: &cx, attr: &attr };
    let mut b = Builder::before(ir, op);
    let mut m = Ops { b: &mut b };
    let new = expand(&mut m, which, &operands, &p, &mut |m, args| {
        let Some((names, yields)) = &function else { return Err("TYPE: has no function".into()) };
        if names.len() != args.len() {
            return Err("TYPE: the function has other arguments".into());
        }
        let mut map = ValueMap::default();
        for (name, arg) in names.iter().zip(args) {
            map.insert(*name, *arg);
            let name = m.b.read().value_name(*name).map(|name| m.b.cx().intern(name));
            if let (Some(name), None) = (name, m.b.read().value_name(*arg)) {
                m.b.ir().set_value_name(*arg, terrace_ir::Name::Str(name));
            }
        }
        for inner in &inside[..inside.len().saturating_sub(1)] {
            let copy = m.b.ir().clone_op(None, *inner, &mut map);
            m.b.place(copy);
        }
        Ok(yields.iter().map(|value| map.get(*value).unwrap_or(*value)).collect())
    })?;
    let name = ir.value_name(result).map(|name| cx.intern(name));
    if let (Some(name), None) = (name, ir.value_name(new)) {
        ir.set_value_name(new, terrace_ir::Name::Str(name));
    }
    ir.replace_all_uses(result, new);
    ir.erase(op);
    Ok(())
}

/// Arrays in several dimensions as one of tuples
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x 4 x f32>, %y: !array.of<@n x 4 x index>) -> !array.of<@n x 4 x tuple<f32, index>> {
///   %z = array.zip_nd 2 %x, %y
///   return %z : !array.of<@n x 4 x tuple<f32, index>>
/// }
/// ```
#[op("array.zip_nd", traits(Pure), interfaces(CustomAsm, OtherNames, Expand), hooks(verify))]
pub struct ZipNd {
    #[operand]
    xs: Variadic<AnyArray>,
    #[attr]
    depth: IndexNatAttr,
    #[result]
    result: AnyType,
}

/// The elements of several dimensions in one
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x @m x 3 x f32>) -> !array.of<3 * @m * @n x f32> {
///   %y = array.join_nd 3 %x
///   return %y : !array.of<3 * @m * @n x f32>
/// }
/// ```
#[op("array.join_nd", traits(Pure), interfaces(CustomAsm, OtherNames, Expand), hooks(verify))]
pub struct JoinNd {
    #[operand]
    x: AnyArray,
    #[attr]
    depth: IndexNatAttr,
    #[result]
    result: AnyType,
}

/// The dimensions in another order: dimension `n` of the result is that of the `n`-th number
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x @m x 3 x f32>) -> !array.of<3 x @n x @m x f32> {
///   %y = array.transpose_nd [2, 0, 1] %x
///   return %y : !array.of<3 x @n x @m x f32>
/// }
/// ```
#[op("array.transpose_nd", traits(Pure), interfaces(CustomAsm, Expand), hooks(verify))]
pub struct TransposeNd {
    #[operand]
    x: AnyArray,
    #[attr]
    permutation: DenseI64Array,
    #[result]
    result: AnyType,
}

/// Tiles: every dimension in parts, first all numbers of parts, then all sizes
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x @m x f32>) -> !array.of<@n / 2 x @m / 4 x 2 x 4 x f32> {
///   %y = array.split_nd [2, 4] %x
///   return %y : !array.of<@n / 2 x @m / 4 x 2 x 4 x f32>
/// }
/// ```
#[op("array.split_nd", traits(Pure), interfaces(CustomAsm, Expand), hooks(verify))]
pub struct SplitNd {
    #[operand]
    x: AnyArray,
    #[attr]
    sizes: NatsAttr,
    #[result]
    result: AnyType,
}

/// Windows in several dimensions
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x @m x f32>) -> !array.of<@n - 2 x @m - 2 x 3 x 3 x f32> {
///   %y = array.slide_nd [3, 3] by [1, 1] %x
///   return %y : !array.of<@n - 2 x @m - 2 x 3 x 3 x f32>
/// }
/// ```
#[op("array.slide_nd", traits(Pure), interfaces(CustomAsm, OtherNames, Expand), hooks(verify))]
pub struct SlideNd {
    #[operand]
    x: AnyArray,
    #[attr]
    sizes: NatsAttr,
    #[attr]
    steps: NatsAttr,
    #[attr(optional)]
    strict: UnitAttr,
    #[result]
    result: AnyType,
}

/// Borders in several dimensions
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x @m x f32>, %z: f32) -> !array.of<@n + 2 x @m + 1 x f32> {
///   %y = array.pad_nd [(1, 1), (0, 1)] value %z %x
///   return %y : !array.of<@n + 2 x @m + 1 x f32>
/// }
/// ```
#[op("array.pad_nd", traits(Pure), interfaces(CustomAsm, OtherNames, Expand), hooks(verify))]
pub struct PadNd {
    #[operand]
    x: AnyArray,
    #[operand]
    value: Optional<AnyType>,
    #[attr]
    lows: NatsAttr,
    #[attr]
    highs: NatsAttr,
    #[attr]
    mode: PadAttr,
    #[result]
    result: AnyType,
}

/// So many elements less before and behind, in several dimensions
///
/// ```mlir
/// func.func @f(%x: !array.of<@n + 2 x @m + 1 x f32>) -> !array.of<@n x @m x f32> {
///   %y = array.crop_nd [(1, 1), (0, 1)] %x
///   return %y : !array.of<@n x @m x f32>
/// }
/// ```
#[op("array.crop_nd", traits(Pure), interfaces(CustomAsm, Expand), hooks(verify))]
pub struct CropNd {
    #[operand]
    x: AnyArray,
    #[attr]
    lows: NatsAttr,
    #[attr]
    highs: NatsAttr,
    #[result]
    result: AnyType,
}

/// So many elements less before and behind
///
/// ```mlir
/// func.func @f(%x: !array.of<@n + 3 x f32>) -> !array.of<@n x f32> {
///   %y = array.crop 1, 2 %x
///   return %y : !array.of<@n x f32>
/// }
/// ```
#[op("array.crop", traits(Pure), interfaces(CustomAsm, Expand), hooks(verify))]
pub struct Crop {
    #[operand]
    x: AnyArray,
    #[attr]
    low: NatAttr,
    #[attr]
    high: NatAttr,
    #[result]
    result: AnyType,
}

/// The first elements
///
/// ```mlir
/// func.func @f(%x: !array.of<@n + 3 x f32>) -> !array.of<3 x f32> {
///   %y = array.take 3 %x
///   return %y : !array.of<3 x f32>
/// }
/// ```
#[op("array.take", traits(Pure), interfaces(CustomAsm, Expand), hooks(verify))]
pub struct Take {
    #[operand]
    x: AnyArray,
    #[attr]
    size: NatAttr,
    #[result]
    result: AnyType,
}

/// All but the first elements
///
/// ```mlir
/// func.func @f(%x: !array.of<@n + 3 x f32>) -> !array.of<@n x f32> {
///   %y = array.drop 3 %x
///   return %y : !array.of<@n x f32>
/// }
/// ```
#[op("array.drop", traits(Pure), interfaces(CustomAsm, Expand), hooks(verify))]
pub struct Drop {
    #[operand]
    x: AnyArray,
    #[attr]
    size: NatAttr,
    #[result]
    result: AnyType,
}

/// The function of each element of several dimensions; a level for each dimension, or none
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x @m x f32>) -> !array.of<@n x @m x f32> {
///   %y = array.map_nd 2 %x : block.x, thread.x as %a {
///     %0 = arith.addf %a, %a : f32
///     array.yield %0
///   }
///   return %y : !array.of<@n x @m x f32>
/// }
/// ```
#[op(
    "array.map_nd",
    traits(SingleBlock, RecursiveEffects),
    interfaces(CustomAsm, OtherNames, Expand),
    hooks(verify)
)]
pub struct MapNd {
    #[operand]
    x: AnyArray,
    #[attr]
    depth: IndexNatAttr,
    #[attr(optional)]
    levels: LevelsAttr,
    #[result]
    result: AnyType,
    #[region(single_block)]
    body: Region,
}

/// The function of the elements of two arrays, or more
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>, %y: !array.of<@n x f32>) -> !array.of<@n x f32> {
///   %z = array.map2 %x, %y as %a, %b {
///     %0 = arith.addf %a, %b : f32
///     array.yield %0
///   }
///   return %z : !array.of<@n x f32>
/// }
/// ```
#[op("array.map2", traits(SingleBlock, RecursiveEffects), interfaces(CustomAsm, Expand), hooks(verify))]
pub struct Map2 {
    #[operand]
    xs: Variadic<AnyArray>,
    #[attr(optional)]
    level: ArrayLevelAttr,
    #[result]
    result: AnyType,
    #[region(single_block)]
    body: Region,
}

/// The contributions of all elements of several dimensions combined
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x @m x f32>) -> f32 {
///   %s = array.reduce_nd 2 add %x as %a {
///     array.yield %a
///   }
///   return %s : f32
/// }
/// ```
#[op("array.reduce_nd", traits(SingleBlock, RecursiveEffects), interfaces(CustomAsm, Expand), hooks(verify))]
pub struct ReduceNd {
    #[operand]
    x: AnyArray,
    #[operand]
    init: Optional<AnyType>,
    #[attr]
    depth: IndexNatAttr,
    #[attr]
    operators: OperatorsAttr,
    #[attr(optional)]
    order: OrderAttr,
    #[attr(optional)]
    level: ArrayLevelAttr,
    #[result]
    result: AnyType,
    #[region(single_block)]
    body: Region,
}

/// The sum of products of the elements of two arrays
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>, %y: !array.of<@n x f32>) -> f32 {
///   %z = arith.constant 0.0 : f32
///   %s = array.dot init %z : seq %x, %y
///   return %s : f32
/// }
/// ```
#[op("array.dot", traits(Pure), interfaces(CustomAsm, Expand), hooks(verify))]
pub struct Dot {
    #[operand]
    x: AnyArray,
    #[operand]
    y: AnyArray,
    #[operand]
    init: Optional<AnyType>,
    #[attr(optional)]
    order: OrderAttr,
    #[attr(optional)]
    level: ArrayLevelAttr,
    #[result]
    result: AnyType,
}

/// A value put into memory once and used in a function: private memory unless a space is named
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>, %y: !array.of<@m x f32>) -> !array.of<@n x @m x f32> {
///   %z = array.map %x as %a {
///     %0 = array.let %a as %p {
///       %1 = array.map %y as %b {
///         %2 = arith.mulf %p, %b : f32
///         array.yield %2
///       }
///       array.yield %1
///     }
///     array.yield %0
///   }
///   return %z : !array.of<@n x @m x f32>
/// }
/// ```
#[op("array.let", traits(SingleBlock, RecursiveEffects), interfaces(CustomAsm, Expand), hooks(verify))]
pub struct Let {
    #[operand]
    x: AnyType,
    #[attr(default = crate::views::private)]
    space: AnyAttr,
    #[result]
    result: AnyType,
    #[region(single_block)]
    body: Region,
}
