//! Ops of several processes, of the host, and of quantized types: they are read, verified and printed, and nothing goes
//! down from them.

use super::types::{AnyHlo, AnyToken, TensorOrToken, Ui32Tensor};
use super::{Channel, I64Elements};
use terrace_ir::rules::{AnyAttr, ArrayAttr, BoolAttr, I64Attr, StrAttr, UnitAttr};
use terrace_ir::{Attr, Context};
use terrace_macros::op;
use terrace_text::CustomAsm;

fn empty(cx: &Context) -> Attr {
    cx.str_attr("")
}

/// Tensors of all processes of a group one behind the other
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>) -> tensor<8xf32> {
///   %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
///   return %r : tensor<8xf32>
/// }
/// ```
#[op("stablehlo.all_gather", effects(unknown))]
pub struct AllGather {
    operands: Variadic<AnyHlo>,
    #[attr]
    all_gather_dim: I64Attr,
    #[attr]
    replica_groups: AnyAttr,
    #[attr(optional)]
    channel_handle: Channel,
    #[attr(optional)]
    use_global_device_ids: UnitAttr,
    #[result]
    results: Variadic<AnyHlo>,
}

/// A fold over the processes of a group
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
///   %r = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
///   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
///     %s = stablehlo.add %a, %b : tensor<f32>
///     stablehlo.return %s : tensor<f32>
///   }) : (tensor<4xf32>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.all_reduce", traits(SingleBlock), effects(unknown))]
pub struct AllReduce {
    operands: Variadic<AnyHlo>,
    #[attr]
    replica_groups: AnyAttr,
    #[attr(optional)]
    channel_handle: Channel,
    #[attr(optional)]
    use_global_device_ids: UnitAttr,
    #[result]
    results: Variadic<AnyHlo>,
    #[region(single_block)]
    computation: Region,
}

/// A fold over the processes of a group, for one of them
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
///   %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
///   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
///     %s = stablehlo.add %a, %b : tensor<f32>
///     stablehlo.return %s : tensor<f32>
///   }) : (tensor<4xf32>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.collective_reduce", traits(SingleBlock), effects(unknown))]
pub struct CollectiveReduce {
    operands: Variadic<AnyHlo>,
    #[attr]
    replica_groups: AnyAttr,
    #[attr(optional)]
    channel_handle: Channel,
    #[attr(optional)]
    use_global_device_ids: UnitAttr,
    #[attr(optional)]
    has_dynamic_root: UnitAttr,
    #[result]
    results: Variadic<AnyHlo>,
    #[region(single_block)]
    computation: Region,
}

/// A fold over the processes of a group, of which each keeps a part
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>) -> tensor<2xf32> {
///   %r = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
///   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
///     %s = stablehlo.add %a, %b : tensor<f32>
///     stablehlo.return %s : tensor<f32>
///   }) : (tensor<4xf32>) -> tensor<2xf32>
///   return %r : tensor<2xf32>
/// }
/// ```
#[op("stablehlo.reduce_scatter", traits(SingleBlock), effects(unknown))]
pub struct ReduceScatter {
    operand: AnyHlo,
    #[attr]
    scatter_dimension: I64Attr,
    #[attr]
    replica_groups: AnyAttr,
    #[attr(optional)]
    channel_handle: Channel,
    #[attr(optional)]
    use_global_device_ids: UnitAttr,
    #[result]
    result: AnyHlo,
    #[region(single_block)]
    computation: Region,
}

/// Parts of the tensors of a group, exchanged
///
/// ```mlir
/// func.func @f(%x: tensor<4x2xf32>) -> tensor<2x4xf32> {
///   %r = "stablehlo.all_to_all"(%x) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x2xf32>) -> tensor<2x4xf32>
///   return %r : tensor<2x4xf32>
/// }
/// ```
#[op("stablehlo.all_to_all", effects(unknown))]
pub struct AllToAll {
    operands: Variadic<AnyHlo>,
    #[attr]
    split_dimension: I64Attr,
    #[attr]
    concat_dimension: I64Attr,
    #[attr]
    split_count: I64Attr,
    #[attr]
    replica_groups: AnyAttr,
    #[attr(optional)]
    channel_handle: Channel,
    #[result]
    results: Variadic<AnyHlo>,
}

/// The tensor of one process of a group, for all
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
///   %r = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.collective_broadcast", effects(unknown))]
pub struct CollectiveBroadcast {
    operands: Variadic<AnyHlo>,
    #[attr]
    replica_groups: AnyAttr,
    #[attr(optional)]
    channel_handle: Channel,
    #[attr(optional)]
    has_dynamic_root: UnitAttr,
    #[result]
    results: Variadic<AnyHlo>,
}

/// The tensor of another process
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
///   %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.collective_permute", effects(unknown))]
pub struct CollectivePermute {
    operand: AnyHlo,
    #[attr]
    source_target_pairs: I64Elements,
    #[attr(optional)]
    channel_handle: Channel,
    #[result]
    result: AnyHlo,
}

/// A sum over processes
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
///   %r = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.cross-replica-sum", effects(unknown))]
pub struct CrossReplicaSum {
    operand: AnyHlo,
    #[attr]
    replica_groups: I64Elements,
    #[result]
    result: AnyHlo,
}

/// Number of the replica that runs
///
/// ```mlir
/// func.func @f() -> tensor<ui32> {
///   %r = stablehlo.replica_id : tensor<ui32>
///   return %r : tensor<ui32>
/// }
/// ```
#[op("stablehlo.replica_id", effects(unknown))]
#[asm("attr-dict `:` type(results)")]
pub struct ReplicaId {
    #[result]
    result: Ui32Tensor,
}

/// Number of the partition that runs
///
/// ```mlir
/// func.func @f() -> tensor<ui32> {
///   %r = stablehlo.partition_id : tensor<ui32>
///   return %r : tensor<ui32>
/// }
/// ```
#[op("stablehlo.partition_id", effects(unknown))]
#[asm("attr-dict `:` type(results)")]
pub struct PartitionId {
    #[result]
    result: Ui32Tensor,
}

/// Data that the host sends
///
/// ```mlir
/// func.func @f(%t: !stablehlo.token) -> tensor<4xf32> {
///   %r:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
///   return %r#0 : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.infeed", effects(unknown))]
pub struct Infeed {
    token: AnyToken,
    #[attr(default = empty)]
    infeed_config: StrAttr,
    #[attr(optional)]
    layout: ArrayAttr,
    #[result]
    results: Variadic<TensorOrToken>,
}

/// Data for the host
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>, %t: !stablehlo.token) -> !stablehlo.token {
///   %r = "stablehlo.outfeed"(%x, %t) <{outfeed_config = ""}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
///   return %r : !stablehlo.token
/// }
/// ```
#[op("stablehlo.outfeed", effects(unknown))]
pub struct Outfeed {
    inputs: Variadic<AnyHlo>,
    token: AnyToken,
    #[attr(default = empty)]
    outfeed_config: StrAttr,
    #[result]
    result: AnyToken,
}

/// Tensors for another process
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>, %t: !stablehlo.token) -> !stablehlo.token {
///   %r = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
///   return %r : !stablehlo.token
/// }
/// ```
#[op("stablehlo.send", effects(unknown))]
pub struct Send {
    inputs: Variadic<AnyHlo>,
    token: AnyToken,
    #[attr]
    channel_handle: Channel,
    #[attr(default = super::no)]
    is_host_transfer: BoolAttr,
    #[attr(optional)]
    source_target_pairs: I64Elements,
    #[result]
    result: AnyToken,
}

/// Tensors of another process
///
/// ```mlir
/// func.func @f(%t: !stablehlo.token) -> tensor<4xf32> {
///   %r:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
///   return %r#0 : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.recv", effects(unknown))]
pub struct Recv {
    token: AnyToken,
    #[attr]
    channel_handle: Channel,
    #[attr(default = super::no)]
    is_host_transfer: BoolAttr,
    #[attr(optional)]
    source_target_pairs: I64Elements,
    #[result]
    results: Variadic<TensorOrToken>,
}

/// Floats as integers with a scale
///
/// ```mlir
/// func.func @f(%x: tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 1.0>> {
///   %r = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 1.0>>
///   return %r : tensor<4x!quant.uniform<i8:f32, 1.0>>
/// }
/// ```
#[op("stablehlo.uniform_quantize", traits(Pure, Elementwise), interfaces(CustomAsm))]
pub struct UniformQuantize {
    operand: AnyHlo,
    #[result]
    result: AnyHlo,
}

/// Integers with a scale as floats
///
/// ```mlir
/// func.func @f(%x: tensor<4x!quant.uniform<i8:f32, 1.0>>) -> tensor<4xf32> {
///   %r = stablehlo.uniform_dequantize %x : (tensor<4x!quant.uniform<i8:f32, 1.0>>) -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("stablehlo.uniform_dequantize", traits(Pure, Elementwise), interfaces(CustomAsm))]
pub struct UniformDequantize {
    operand: AnyHlo,
    #[result]
    result: AnyHlo,
}
