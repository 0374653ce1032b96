//! Ops with a function as a region: map, reduce, fold, scan, generate, iterate.
//!
//! A function gets the components of a tuple as arguments of their own, and several values that it yields make a tuple. It
//! may use values from outside. Types are in [`typing`], text in [`text`].

mod run;
pub(crate) mod text;
mod typing;

pub use typing::{arguments, result};
pub(crate) use typing::{operators_of, verify_operators};

use crate::interp::BindsSize;
use crate::levels::ArrayLevelAttr;
use crate::nat_text::NatAttr;
use crate::types::AnyArray;
use terrace_diag::Reported;
use terrace_dialect_sched::{OperatorsAttr, OrderAttr};
use terrace_interp::{Interpret, Machine, RtValue, Step};
use terrace_ir::rules::{AnyType, StrAttr, UnitAttr};
use terrace_ir::{Ir, OpId, Value, Verify, VerifyCx};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter, OtherNames};

/// Which op it is
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Pattern {
    Map,
    Reduce,
    Fold,
    Scan,
    Generate,
    Iterate,
}

macro_rules! patterns {
    ($($name:ident)*) => {
        impl Pattern {
            /// Its definition
            pub fn def(self) -> &'static terrace_ir::OpDef {
                match self {
                    $(Pattern::$name => $name::DEF,)*
                }
            }
        }
        $(
        impl CustomAsm for $name {
            fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
                text::parse(p, Pattern::$name)
            }

            fn print(self, p: &mut OpPrinter<'_>) {
                text::print(p, Pattern::$name);
            }
        }

        impl Verify for $name {
            fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
                typing::verify(v, Pattern::$name, self.0)
            }
        }

        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                run::start(m, Pattern::$name).into()
            }

            fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
                run::resume(m, Pattern::$name, values).into()
            }
        }
    )*};
}
patterns!(Map Reduce Fold Scan Generate Iterate);

/// The function of each element
///
/// The level says who runs the iterations; without one that is undecided. The name is for reports.
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>, %y: !array.of<@n x f32>) -> !array.of<@n x f32> {
///   %xy = array.zip %x, %y
///   %z = array.map "A" %xy : global.x as %a, %b {
///     %c = arith.mulf %a, %b : f32
///     array.yield %c
///   }
///   return %z : !array.of<@n x f32>
/// }
/// ```
#[op(
    "array.map",
    traits(SingleBlock, RecursiveEffects, InlinesPureCalls),
    interfaces(CustomAsm, OtherNames, Interpret),
    hooks(verify)
)]
pub struct Map {
    x: AnyArray,
    #[attr(optional)]
    name: StrAttr,
    #[attr(optional)]
    level: ArrayLevelAttr,
    #[result]
    result: AnyType,
    #[region(single_block)]
    body: Region,
}

/// The contributions of all elements combined by an associative operator, behind a start value if there is one
///
/// A built-in operator works on each number in arrays, vectors and tuples; several operators are one for each component of
/// a tuple. A function declares its algebra in `sched.operator`. Without elements the result is the start value, else
/// the operator's identity. `source` is a left fold, `free` any order; else the order is the same in every run.
///
/// ```mlir
/// func.func @dot(%x: !array.of<@n x f32>, %y: !array.of<@n x f32>) -> f32 {
///   %z = arith.constant 0.0 : f32
///   %xy = array.zip %x, %y
///   %d = array.reduce add init %z : seq %xy as %a, %b {
///     %c = arith.mulf %a, %b : f32
///     array.yield %c
///   }
///   return %d : f32
/// }
/// ```
#[op(
    "array.reduce",
    traits(SingleBlock, RecursiveEffects, InlinesPureCalls),
    interfaces(CustomAsm, OtherNames, Interpret),
    hooks(verify)
)]
pub struct Reduce {
    x: AnyArray,
    init: Optional<AnyType>,
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

/// A left fold by any function of what there is and an element
///
/// ```mlir
/// func.func @horner(%x: f32, %c: !array.of<@n x f32>) -> f32 {
///   %z = arith.constant 0.0 : f32
///   %y = array.fold init %z %c as %acc, %a {
///     %0 = arith.mulf %acc, %x : f32
///     %1 = arith.addf %0, %a : f32
///     array.yield %1
///   }
///   return %y : f32
/// }
/// ```
#[op(
    "array.fold",
    traits(SingleBlock, RecursiveEffects, InlinesPureCalls),
    interfaces(CustomAsm, Interpret),
    hooks(verify)
)]
pub struct Fold {
    x: AnyArray,
    init: AnyType,
    #[result]
    result: AnyType,
    #[region(single_block)]
    body: Region,
}

/// The contributions combined up to each element, or up to the one before with `exclusive`
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
///   %s = array.scan add %x as %a {
///     array.yield %a
///   }
///   return %s : !array.of<@n x i32>
/// }
/// ```
#[op(
    "array.scan",
    traits(SingleBlock, RecursiveEffects, InlinesPureCalls),
    interfaces(CustomAsm, OtherNames, Interpret),
    hooks(verify)
)]
pub struct Scan {
    x: AnyArray,
    init: Optional<AnyType>,
    #[attr]
    operators: OperatorsAttr,
    #[attr(optional)]
    exclusive: UnitAttr,
    #[result]
    result: AnyType,
    #[region(single_block)]
    body: Region,
}

/// The array of a function of the index
///
/// ```mlir
/// func.func @f() -> !array.of<@n x index> {
///   %x = array.generate @n as %i {
///     array.yield %i
///   }
///   return %x : !array.of<@n x index>
/// }
/// ```
#[op(
    "array.generate",
    traits(SingleBlock, RecursiveEffects, InlinesPureCalls),
    interfaces(CustomAsm, Interpret),
    hooks(verify)
)]
pub struct Generate {
    #[attr]
    size: NatAttr,
    #[attr(optional)]
    level: ArrayLevelAttr,
    #[result]
    result: AnyType,
    #[region(single_block)]
    body: Region,
}

/// A function of arrays of any size `$l`, so many times
///
/// ```mlir
/// func.func @sum_of_pairs(%x: !array.of<8 * @n x i32>) -> !array.of<@n x i32> {
///   %y = array.iterate 3 init %x as ($l) %v {
///     %0 = array.split 2 %v
///     %1 = array.map %0 as %pair {
///       %2 = array.reduce add %pair as %a {
///         array.yield %a
///       }
///       array.yield %2
///     }
///     array.yield %1
///   }
///   return %y : !array.of<@n x i32>
/// }
/// ```
#[op(
    "array.iterate",
    traits(SingleBlock, RecursiveEffects, InlinesPureCalls),
    interfaces(CustomAsm, Interpret, BindsSize),
    hooks(verify)
)]
pub struct Iterate {
    x: AnyArray,
    #[attr]
    times: NatAttr,
    #[attr]
    bound: StrAttr,
    #[result]
    result: AnyType,
    #[region(single_block)]
    body: Region,
}

impl BindsSize for Iterate {
    fn bound(ir: &Ir, op: OpId) -> Option<(&str, Value)> {
        let iterate = Iterate::cast(ir, op)?;
        let arg = ir.entry(iterate.body(ir)).and_then(|entry| ir.block_args(entry).first().copied());
        Some((iterate.bound(ir).as_str(ir.cx())?, arg?))
    }
}

/// Ends a function: several values make a tuple
///
/// ```mlir
/// func.func @f(%x: !array.of<@n x f32>) -> !array.of<@n x tuple<f32, f32>> {
///   %y = array.map %x as %a {
///     array.yield %a, %a
///   }
///   return %y : !array.of<@n x tuple<f32, f32>>
/// }
/// ```
#[op(
    "array.yield",
    traits(Pure, Terminator, ReturnLike),
    parents(
        "array.map",
        "array.reduce",
        "array.fold",
        "array.scan",
        "array.generate",
        "array.iterate",
        "array.map_nd",
        "array.map2",
        "array.reduce_nd",
        "array.let"
    ),
    interfaces(CustomAsm, Interpret)
)]
pub struct Yield {
    values: Variadic<AnyType>,
}

impl CustomAsm for Yield {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let mut values = vec![crate::syntax::value(p)?];
        while p.punct_opt(",") {
            values.push(crate::syntax::value(p)?);
        }
        p.attr_dict()?;
        for (value, ty) in &values {
            p.resolve(value, *ty)?;
        }
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        p.text(" ");
        let values = self.values(p.ir());
        crate::syntax::print_values(p, &values);
        p.attr_dict(&[]);
    }
}

impl Interpret for Yield {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Yield(m.operands())
    }
}
