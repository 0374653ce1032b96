//! Control flow, calls, tuples and tokens.

use super::types::{
    AnyFuture, AnyHlo, AnyToken, AnyTuple, AnyValue, Carried, I32Tensor, PredTensor, TensorOrToken,
};
use super::{CustomCallApiVersion, StrOrDict};

use terrace_interp::Interpret;
use terrace_ir::rules::{ArrayAttr, BoolAttr, DictAttr, FlatSymbolRef, I32Attr, StrAttr};
use terrace_ir::{Attr, Context};
use terrace_macros::op;
use terrace_text::{CustomAsm, SuggestNames};

fn original(cx: &Context) -> Attr {
    CustomCallApiVersion::Original.attr(cx)
}

fn nothing(cx: &Context) -> Attr {
    cx.array_attr(&[])
}

fn no_entries(cx: &Context) -> Attr {
    cx.dict_attr(Vec::new())
}

fn zero(cx: &Context) -> Attr {
    cx.int_attr(0, cx.common().i32)
}

/// Ends a region of an op of this dialect
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<f32> {
///   %r = "stablehlo.reduce"(%x, %s) <{dimensions = array<i64: 0>}> ({
///   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
///     stablehlo.return %b : tensor<f32>
///   }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
///   return %r : tensor<f32>
/// }
/// ```
#[op("stablehlo.return", traits(Pure, Terminator), interfaces(Interpret))]
#[asm("$results attr-dict (`:` type($results)^)?")]
pub struct Return {
    results: Variadic<Carried>,
}

/// Repeats a body while a condition on what is carried holds
///
/// ```mlir
/// func.func @f(%x: tensor<i32>, %n: tensor<i32>) -> tensor<i32> {
///   %r = stablehlo.while(%iterArg = %x) : tensor<i32>
///   cond {
///     %c = stablehlo.compare LT, %iterArg, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
///     stablehlo.return %c : tensor<i1>
///   } do {
///     %s = stablehlo.add %iterArg, %iterArg : tensor<i32>
///     stablehlo.return %s : tensor<i32>
///   }
///   return %r : tensor<i32>
/// }
/// ```
#[op(
    "stablehlo.while",
    traits(SingleBlock, LoopLike, RecursiveEffects, Sequential),
    hooks(verify),
    interfaces(Interpret, CustomAsm, SuggestNames)
)]
pub struct While {
    operand: Variadic<Carried>,
    #[result]
    results: Variadic<Carried>,
    #[region(single_block)]
    cond: Region,
    #[region(single_block)]
    body: Region,
}

/// One of two regions, by a predicate
///
/// ```mlir
/// func.func @f(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
///   %r = "stablehlo.if"(%p) ({
///     stablehlo.return %x : tensor<4xf32>
///   }, {
///     %n = stablehlo.negate %x : tensor<4xf32>
///     stablehlo.return %n : tensor<4xf32>
///   }) : (tensor<i1>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op(
    "stablehlo.if",
    traits(SingleBlock, RecursiveEffects, RecursivelySpeculatable, Sequential),
    hooks(verify),
    interfaces(Interpret)
)]
pub struct If {
    pred: PredTensor,
    #[result]
    results: Variadic<Carried>,
    #[region(single_block)]
    true_branch: Region,
    #[region(single_block)]
    false_branch: Region,
}

/// One of several regions, by a number; the last one for numbers out of range
///
/// ```mlir
/// func.func @f(%i: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
///   %r = "stablehlo.case"(%i) ({
///     stablehlo.return %x : tensor<4xf32>
///   }, {
///     %n = stablehlo.negate %x : tensor<4xf32>
///     stablehlo.return %n : tensor<4xf32>
///   }) : (tensor<i32>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op(
    "stablehlo.case",
    traits(SingleBlock, RecursiveEffects, RecursivelySpeculatable, Sequential),
    hooks(verify),
    interfaces(Interpret)
)]
pub struct Case {
    index: I32Tensor,
    #[result]
    results: Variadic<Carried>,
    #[region(single_block, variadic)]
    branches: Region,
}

/// A call of something that the program does not have; it is refused by its name where programs are lowered
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
///   %r = stablehlo.custom_call @foo(%x) {api_version = 2 : i32, has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.custom_call", effects(unknown), interfaces(CustomAsm))]
pub struct CustomCall {
    inputs: Variadic<AnyValue>,
    #[attr]
    call_target_name: StrAttr,
    #[attr(default = super::no)]
    has_side_effect: BoolAttr,
    #[attr(optional)]
    backend_config: StrOrDict,
    #[attr(default = original)]
    api_version: CustomCallApiVersion,
    #[attr(default = nothing)]
    called_computations: ArrayAttr,
    #[attr(optional)]
    operand_layouts: ArrayAttr,
    #[attr(optional)]
    result_layouts: ArrayAttr,
    #[attr(default = nothing)]
    output_operand_aliases: ArrayAttr,
    #[attr(optional)]
    result_tilings: ArrayAttr,
    #[result]
    results: Variadic<AnyValue>,
}

/// An op of another set, with the function that says what it means
///
/// ```mlir
/// func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
///   return %x : tensor<4xf32>
/// }
/// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
///   %r = stablehlo.composite "my.op" %x {decomposition = @g} : (tensor<4xf32>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.composite", effects(unknown), interfaces(Interpret, CustomAsm))]
pub struct Composite {
    inputs: Variadic<AnyValue>,
    #[attr]
    name: StrAttr,
    #[attr(default = no_entries)]
    composite_attributes: DictAttr,
    #[attr]
    decomposition: FlatSymbolRef,
    #[attr(default = zero)]
    version: I32Attr,
    #[result]
    results: Variadic<AnyValue>,
    #[region(variadic, may_be_empty)]
    composite_regions: Region,
}

/// Values that nothing is moved across
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>, %y: tensor<i32>) -> tensor<4xf32> {
///   %r:2 = stablehlo.optimization_barrier %x, %y : tensor<4xf32>, tensor<i32>
///   return %r#0 : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.optimization_barrier", traits(Pure), hooks(verify), interfaces(Interpret, CustomAsm))]
pub struct OptimizationBarrier {
    operand: Variadic<TensorOrToken>,
    #[result]
    result: Variadic<TensorOrToken>,
}

/// Several values as one
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>, %y: tensor<i32>) -> tuple<tensor<4xf32>, tensor<i32>> {
///   %r = stablehlo.tuple %x, %y : tuple<tensor<4xf32>, tensor<i32>>
///   return %r : tuple<tensor<4xf32>, tensor<i32>>
/// }
/// ```
#[op("stablehlo.tuple", traits(Pure), hooks(verify), interfaces(CustomAsm))]
pub struct Tuple {
    val: Variadic<AnyValue>,
    #[result]
    result: AnyTuple,
}

/// One of the values of a tuple
///
/// ```mlir
/// func.func @f(%x: tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32> {
///   %r = stablehlo.get_tuple_element %x[1] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
///   return %r : tensor<i32>
/// }
/// ```
#[op("stablehlo.get_tuple_element", traits(Pure), hooks(verify))]
#[asm("$operand `[` $index `]` attr-dict `:` functional-type(operands, results)")]
pub struct GetTupleElement {
    operand: AnyTuple,
    #[attr]
    index: I32Attr,
    #[result]
    result: AnyValue,
}

/// A token that waits for nothing
///
/// ```mlir
/// func.func @f() -> !stablehlo.token {
///   %t = stablehlo.create_token : !stablehlo.token
///   return %t : !stablehlo.token
/// }
/// ```
#[op("stablehlo.create_token", traits(Pure))]
#[asm("attr-dict `:` type(results)")]
pub struct CreateToken {
    #[result]
    output: AnyToken,
}

/// A token that waits for several
///
/// ```mlir
/// func.func @f(%a: !stablehlo.token, %b: !stablehlo.token) -> !stablehlo.token {
///   %t = stablehlo.after_all %a, %b : !stablehlo.token
///   return %t : !stablehlo.token
/// }
/// ```
#[op("stablehlo.after_all", traits(Pure), interfaces(CustomAsm))]
pub struct AfterAll {
    inputs: Variadic<AnyToken>,
    #[result]
    result: AnyToken,
}

/// Starts what a region says, without waiting
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
///   %a = "stablehlo.async_start"(%x) ({
///   ^bb0(%y: tensor<4xf32>):
///     %z = stablehlo.negate %y : tensor<4xf32>
///     stablehlo.return %z : tensor<4xf32>
///   }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
///   %r = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.async_start", traits(SingleBlock), effects(unknown))]
pub struct AsyncStart {
    operands: Variadic<AnyHlo>,
    #[result]
    result: AnyFuture,
    #[region(single_block)]
    body: Region,
}

/// Waits for what was started
///
/// ```mlir
/// func.func @f(%a: !stablehlo.future<tensor<4xf32>>) -> tensor<4xf32> {
///   %r = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.async_done", effects(unknown))]
pub struct AsyncDone {
    operand: AnyFuture,
    #[result]
    result: AnyHlo,
}
