//! Ops without a function: layout of arrays, tuples, vectors, places. All are values; what they compute is in `interp`,
//! their types in `shape`, their text in `syntax`.

use crate::interp::views as run;
use crate::nat_text::{IndexNatAttr, NatAttr};
use crate::patterns::ArrayLevelAttr;
use crate::types::AnyArray;
use crate::{shape, syntax};
use terrace_diag::Reported;
use terrace_interp::{Interpret, Machine, Step};
use terrace_ir::rules::{AnyAttr, AnyType, Index, UnitAttr};
use terrace_ir::{AttrForm, Verify, VerifyCx, attr_rules};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter, OtherNames};

attr_rules! {
    /// How an array goes on outside
    PadAttr "padding (value, clamp, wrap, mirror)", AttrForm::Full,
        |cx, attr| attr.as_str(cx).is_some_and(|word| PADS.contains(&word));
}

attr_rules! {
    /// Who writes each dimension of a buffer
    ByAttr "list of levels, or `vector` and a number of lanes", AttrForm::Full,
        |cx, attr| attr.as_array(cx).is_some_and(|all| all.iter().all(|word| writes(cx, *word)));
}

fn writes(cx: &terrace_ir::Context, attr: terrace_ir::Attr) -> bool {
    let lanes = attr.as_str(cx).and_then(|word| word.strip_prefix("vector "));
    match lanes {
        Some(lanes) => lanes.parse::<u32>().is_ok_and(|lanes| lanes > 0),
        None => (<ArrayLevelAttr as terrace_ir::rules::AttrRule>::RULE.test)(cx, attr),
    }
}

/// Words of paddings
pub const PADS: &[&str] = &["value", "clamp", "wrap", "mirror"];

/// Memory of one thread, where `array.let` puts values
pub fn private(cx: &terrace_ir::Context) -> terrace_ir::Attr {
    terrace_dialect_gpu::AddressSpace::Private.attr(cx)
}

/// Which op it is
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum View {
    Split,
    Join,
    Transpose,
    Slide,
    Pad,
    Slice,
    Reorder,
    Gather,
    Scatter,
    Zip,
    Unzip,
    Concat,
    At,
    Single,
    Tuple,
    Get,
    AsVector,
    AsScalar,
    Place,
    Cast,
}

macro_rules! views {
    ($($name:ident)*) => {
        impl View {
            /// The op's kind, if it is one of these
            pub fn of(ir: &terrace_ir::Ir, op: terrace_ir::OpId) -> Option<View> {
                View::of_def(ir.def(op))
            }

            /// The kind of this definition, if it is one of these
            pub fn of_def(def: &'static terrace_ir::OpDef) -> Option<View> {
                $(if std::ptr::eq(def, $name::DEF) {
                    return Some(View::$name);
                })*
                None
            }

            /// Its definition
            pub fn def(self) -> &'static terrace_ir::OpDef {
                match self {
                    $(View::$name => $name::DEF,)*
                }
            }
        }
        $(
            impl CustomAsm for $name {
                fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
                    syntax::parse(p, View::$name)
                }

                fn print(self, p: &mut OpPrinter<'_>) {
                    syntax::print(p, View::$name);
                }
            }

            impl Verify for $name {
                fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
                    shape::verify(v, View::$name, self.0)
                }
            }

            impl Interpret for $name {
                fn interpret(self, m: &mut Machine<'_>) -> Step {
                    run::run(m, View::$name).into()
                }
            }
        )*
    };
}
views!(Split Join Transpose Slide Pad Slice Reorder Gather Scatter Zip Unzip Concat At Single Tuple Get AsVector AsScalar Place Cast);

/// Parts of `m` elements; `m` divides the size
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>) -> !array.of<@n / @m x @m x f32> {
///   %y = array.split @m %x
///   return %y : !array.of<@n / @m x @m x f32>
/// }
/// ```
#[op("array.split", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct Split {
    #[operand]
    x: AnyArray,
    #[attr]
    size: NatAttr,
    #[result]
    result: AnyType,
}

/// The elements of arrays in an array, in order
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x 4 x f32>) -> !array.of<4 * @n x f32> {
///   %y = array.join %x
///   return %y : !array.of<4 * @n x f32>
/// }
/// ```
#[op("array.join", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct Join {
    #[operand]
    x: AnyArray,
    #[result]
    result: AnyType,
}

/// The two outermost dimensions exchanged
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x 4 x f32>) -> !array.of<4 x @n x f32> {
///   %y = array.transpose %x
///   return %y : !array.of<4 x @n x f32>
/// }
/// ```
#[op("array.transpose", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct Transpose {
    #[operand]
    x: AnyArray,
    #[result]
    result: AnyType,
}

/// Windows of a size, a step apart; what is left at the end is dropped, `strict` says that nothing is
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>) -> !array.of<@n - 2 x 3 x f32> {
///   %y = array.slide 3 by 1 %x
///   return %y : !array.of<@n - 2 x 3 x f32>
/// }
/// ```
#[op("array.slide", traits(Pure), interfaces(CustomAsm, OtherNames, Interpret), hooks(verify))]
pub struct Slide {
    #[operand]
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
#[op("array.pad", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct Pad {
    #[operand]
    x: AnyArray,
    #[operand]
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

/// So many elements from an offset on
///
/// ```mlir
/// func.func @f(%x: !array.of<@n + 4 x f32>) -> !array.of<@n x f32> {
///   %y = array.slice 2, @n %x
///   return %y : !array.of<@n x f32>
/// }
/// ```
#[op("array.slice", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct Slice {
    #[operand]
    x: AnyArray,
    #[attr]
    offset: NatAttr,
    #[attr]
    size: NatAttr,
    #[result]
    result: AnyType,
}

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
#[op("array.reorder", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct Reorder {
    #[operand]
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
#[op("array.gather", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct Gather {
    #[operand]
    x: AnyArray,
    #[operand]
    indices: Optional<AnyArray>,
    #[attr(optional)]
    index: NatAttr,
    #[attr(optional)]
    size: NatAttr,
    #[result]
    result: AnyType,
}

/// `init` with the elements of `x` at these indices, no two of which are equal
///
/// ```mlir
/// func.func @f(%x: !array.of<@m x f32>, %i: !array.of<@m x index>, %y: !array.of<@n x f32>) -> !array.of<@n x f32> {
///   %z = array.scatter %x at %i into %y
///   return %z : !array.of<@n x f32>
/// }
/// ```
#[op("array.scatter", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct Scatter {
    #[operand]
    x: AnyArray,
    #[operand]
    indices: AnyArray,
    #[operand]
    init: AnyArray,
    #[result]
    result: AnyType,
}

/// Arrays of equal size as one of tuples
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>, %y: !array.of<@n x index>) -> !array.of<@n x tuple<f32, index>> {
///   %z = array.zip %x, %y
///   return %z : !array.of<@n x tuple<f32, index>>
/// }
/// ```
#[op("array.zip", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct Zip {
    #[operand]
    xs: Variadic<AnyArray>,
    #[result]
    result: AnyType,
}

/// An array of tuples as one array for each component
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x tuple<f32, index>>) -> !array.of<@n x index> {
///   %a, %b = array.unzip %x
///   return %b : !array.of<@n x index>
/// }
/// ```
#[op("array.unzip", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct Unzip {
    #[operand]
    x: AnyArray,
    #[result]
    results: Variadic<AnyArray>,
}

/// One array behind the other
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>, %y: !array.of<@m x f32>) -> !array.of<@m + @n x f32> {
///   %z = array.concat %x, %y
///   return %z : !array.of<@m + @n x f32>
/// }
/// ```
#[op("array.concat", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct Concat {
    #[operand]
    x: AnyArray,
    #[operand]
    y: AnyArray,
    #[result]
    result: AnyType,
}

/// The element at an index, which is inside
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>, %i: index) -> f32 {
///   %y = array.at %x[%i]
///   return %y : f32
/// }
/// ```
#[op("array.at", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct At {
    #[operand]
    x: AnyArray,
    #[operand]
    index: Index,
    #[result]
    result: AnyType,
}

/// The array of one element
///
/// ```mlir
/// func.func @f(%x: f32) -> !array.of<1 x f32> {
///   %y = array.single %x
///   return %y : !array.of<1 x f32>
/// }
/// ```
#[op("array.single", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct Single {
    #[operand]
    x: AnyType,
    #[result]
    result: AnyType,
}

/// Values together
///
/// ```mlir
/// func.func @f(%x: f32, %y: index) -> tuple<f32, index> {
///   %z = array.tuple %x, %y
///   return %z : tuple<f32, index>
/// }
/// ```
#[op("array.tuple", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct Tuple {
    #[operand]
    xs: Variadic<AnyType>,
    #[result]
    result: AnyType,
}

/// Component of a tuple, counted from 0
///
/// ```mlir
/// func.func @f(%x: tuple<f32, index>) -> index {
///   %y = array.get 1 %x
///   return %y : index
/// }
/// ```
#[op("array.get", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct Get {
    #[operand]
    x: AnyType,
    #[attr]
    component: IndexNatAttr,
    #[result]
    result: AnyType,
}

/// Elements in vectors of so many lanes
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>) -> !array.of<@n / 4 x vector<4xf32>> {
///   %y = array.as_vector 4 %x
///   return %y : !array.of<@n / 4 x vector<4xf32>>
/// }
/// ```
#[op("array.as_vector", traits(Pure), interfaces(CustomAsm, OtherNames, Interpret), hooks(verify))]
pub struct AsVector {
    #[operand]
    x: AnyArray,
    #[attr]
    lanes: NatAttr,
    #[result]
    result: AnyType,
}

/// The elements of vectors, in order
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x vector<4xf32>>) -> !array.of<4 * @n x f32> {
///   %y = array.as_scalar %x
///   return %y : !array.of<4 * @n x f32>
/// }
/// ```
#[op("array.as_scalar", traits(Pure), interfaces(CustomAsm, OtherNames, Interpret), hooks(verify))]
pub struct AsScalar {
    #[operand]
    x: AnyArray,
    #[result]
    result: AnyType,
}

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
#[op("array.place", traits(Pure), interfaces(CustomAsm, OtherNames, Interpret), hooks(verify))]
pub struct Place {
    #[operand]
    x: AnyType,
    #[attr]
    space: AnyAttr,
    #[attr(optional)]
    by: ByAttr,
    #[result]
    result: AnyType,
}

/// The same value by a type whose sizes are equal in another form
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>) -> !array.of<@m x f32> {
///   %y = array.cast %x to !array.of<@m x f32>
///   return %y : !array.of<@m x f32>
/// }
/// ```
#[op("array.cast", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct Cast {
    #[operand]
    x: AnyType,
    #[result]
    result: AnyType,
}
