// test: opt --split-input-file --verify-diagnostics
// Rules of the ops: each message once.

func.func @one_type(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @+1 {{requires compatible types for all operands and results}}
  %r = stablehlo.add %x, %y : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----
func.func @no_tensor(%x: f32) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floats, booleans, integers, complex numbers or quantized integers, but got 'f32'}}
  %r = stablehlo.add %x, %x : f32
  return
}

// -----
func.func @shift_of_floats(%x: tensor<4xf32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of 2/4/8/16/32/64-bit integer values, but got 'tensor<4xf32>'}}
  %r = stablehlo.shift_left %x, %x : tensor<4xf32>
  return
}

// -----
func.func @sizes(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %r = stablehlo.convert %x : (tensor<4xf32>) -> tensor<5xi32>
  return
}

// -----
func.func @abs(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xcomplex<f32>>'}}
  %r = stablehlo.abs %x : tensor<4xcomplex<f32>>
  return
}

// -----
func.func @compare_elements(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{requires compatible element types for all operands}}
  %r = stablehlo.compare LT, %x, %y : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----
func.func @compare_as(%x: tensor<4xf32>) {
  // expected-error @+1 {{cannot compare elements of type f32 as SIGNED}}
  %r = stablehlo.compare LT, %x, %x, SIGNED : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----
func.func @select(%p: tensor<3xi1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{requires the same shape for all operands}}
  %r = stablehlo.select %p, %x, %x : tensor<3xi1>, tensor<4xf32>
  return
}

// -----
func.func @select_types(%p: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf16>) {
  // expected-error @+1 {{requires compatible types for non-predicate operands}}
  %r = stablehlo.select %p, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
  return
}

// -----
func.func @clamp(%l: tensor<2xf32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{min shape [2] is not scalar and is not compatible to operand shape [4]}}
  %r = stablehlo.clamp %l, %x, %l : (tensor<2xf32>, tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----
func.func @precision(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'exponent_bits' failed to satisfy constraint: its value is positive}}
  %r = stablehlo.reduce_precision %x, format = e0m3 : tensor<4xf32>
  return
}

// -----
func.func @tuple_index(%x: tuple<tensor<4xf32>>) {
  // expected-error @+1 {{index 1 is out of bounds of operand with size 1}}
  %r = stablehlo.get_tuple_element %x[1] : (tuple<tensor<4xf32>>) -> tensor<4xf32>
  return
}

// -----
func.func @iota_scalar() {
  // expected-error @+1 {{does not support scalars.}}
  %r = stablehlo.iota dim = 0 : tensor<i32>
  return
}

// -----
func.func @iota_dim() {
  // expected-error @+1 {{iota dimension cannot go beyond the output rank.}}
  %r = stablehlo.iota dim = 2 : tensor<2x3xi32>
  return
}

// -----
func.func @reshape(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{number of output elements (5) doesn't match expected number of elements (6)}}
  %r = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<5xf32>
  return
}

// -----
func.func @transpose_size(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{TransposeOp operand rank 2 does not match permutation size 1}}
  %r = stablehlo.transpose %x, dims = [0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----
func.func @transpose_twice(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{attribute permutation must be a permutation of [0, 1] but got [1, 1]}}
  %r = stablehlo.transpose %x, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----
func.func @transpose_result(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{inferred type(s) 'tensor<3x2xf32>' are incompatible with return type(s) of operation 'tensor<2x3xf32>'}}
  %r = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----
func.func @broadcast_count(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{broadcast_dimensions size (1) does not match operand rank (2)}}
  %r = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----
func.func @broadcast_twice(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{broadcast_dimensions should not have duplicates}}
  %r = stablehlo.broadcast_in_dim %x, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----
func.func @broadcast_range(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{broadcast_dimensions contains invalid value 2 for result with rank 2}}
  %r = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----
func.func @broadcast_grows(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{size of operand dimension 1 (3) is not equal to 1 or size of result dimension 1 (6)}}
  %r = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// -----
func.func @slice_behind(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{limit index 4 is larger than dimension size 3 in dimension 1}}
  %r = stablehlo.slice %x [0:2, 0:4] : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----
func.func @slice_backwards(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{start index 2 is larger than limit index 1 in dimension 1}}
  %r = stablehlo.slice %x [0:2, 2:1] : (tensor<2x3xf32>) -> tensor<2x0xf32>
  return
}

// -----
func.func @slice_stride(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{stride must be positive but got 0 in dimension 1}}
  %r = stablehlo.slice %x [0:2, 0:3:0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----
func.func @slice_rank(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{the number of elements in start_indices (1) does not match the rank of the operand (2)}}
  %r = stablehlo.slice %x [0:2] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----
func.func @dynamic_slice_sizes(%x: tensor<2x3xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{has slice size 4 greater than dimension size 3 in dimension 1 of operand}}
  %r = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 4] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  return
}

// -----
func.func @dynamic_slice_count(%x: tensor<2x3xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{has mismatched number of slice sizes (2) and number of start indices (1)}}
  %r = stablehlo.dynamic_slice %x, %i, sizes = [2, 3] : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// -----
func.func @update_rank(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{update rank does not match operand rank: 1 vs 2.}}
  %r = stablehlo.dynamic_update_slice %x, %y, %i, %i : (tensor<2x3xf32>, tensor<3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// -----
func.func @concatenate(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error @+1 {{shapes of operand (0) and (1) are not compatible at non-concat index 1: [2, 3] != [2, 4]}}
  %r = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----
func.func @concatenate_dim(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{dimension 2 is out-of-bounds for input rank 2}}
  %r = stablehlo.concatenate %x, dim = 2 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----
func.func @pad_negative(%x: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error @+1 {{Padding result in negative size for dimension 0}}
  %r = stablehlo.pad %x, %v, low = [-4], high = [0], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----
func.func @pad_between(%x: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error @+1 {{Interior padding cannot be negative: -1}}
  %r = stablehlo.pad %x, %v, low = [0], high = [0], interior = [-1] : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----
func.func @pad_rank(%x: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error @+1 {{edge_padding_low length (2) must match operand rank (1)}}
  %r = stablehlo.pad %x, %v, low = [0, 0], high = [0], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----
func.func @reverse_twice(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{dimensions should be unique. Got: [1, 1]}}
  %r = stablehlo.reverse %x, dims = [1, 1] : tensor<2x3xf32>
  return
}

// -----
func.func @reverse_range(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{all dimensions should be between [0, 2). Got dimension: 2.}}
  %r = stablehlo.reverse %x, dims = [2] : tensor<2x3xf32>
  return
}

// -----
func.func @gather_rank(%x: tensor<9x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error @+1 {{offset_dims size (1) plus collapsed_slice_dims size (0) plus operand_batching_dims size (0) is not equal to operand rank (2)}}
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return
}

// -----
func.func @gather_map(%x: tensor<9x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error @+1 {{start_index_map size (2) is not equal to size of index dimension (1) of start_indices (1)}}
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return
}

// -----
func.func @gather_collapsed(%x: tensor<9x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error @+1 {{Expects that for each dim in collapsed_slice_dims, slice_sizes[dim] should be <= 1, but got 2}}
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 4>}> : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return
}

// -----
func.func @gather_sizes(%x: tensor<9x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error @+1 {{slice size (5) is out of bounds for operand dimension (4) at index 1}}
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return
}

// -----
func.func @gather_result(%x: tensor<9x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error @+1 {{inferred type(s) 'tensor<3x4xf32>' are incompatible with return type(s) of operation 'tensor<4x3xf32>'}}
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<4x3xf32>
  return
}

// -----
func.func @gather_vector(%x: tensor<9x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error @+1 {{Expects index_vector_dim to be in range [0, rank-of('start_indices')] i.e. [0, 2]. got: 3.}}
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return
}

// -----
func.func @bits(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires compatible bit widths. Got: tensor<4xf32> and tensor<4x4xi16>, but 16 * 4 != 32.}}
  %r = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4x4xi16>
  return
}

// -----
func.func @dot_sizes(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) {
  // expected-error @+1 {{contracting dimension sizes must match for lhs/rhs}}
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----
func.func @dot_count(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) {
  // expected-error @+1 {{lhs and rhs should have the same number of contracting dimensions}}
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [] : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----
func.func @dot_twice(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) {
  // expected-error @+1 {{has duplicated dimension from lhs_batching_dimensions and lhs_contracting_dimensions: 1}}
  %r = stablehlo.dot_general %x, %y, batching_dims = [1] x [0], contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2xf32>
  return
}

// -----
func.func @dot_range(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) {
  // expected-error @+1 {{lhs_contracting_dimensions value: 2 is out of range: [0, 2)}}
  %r = stablehlo.dot_general %x, %y, contracting_dims = [2] x [0] : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----
func.func @dot_result(%x: tensor<2x3xf32>, %y: tensor<3x5xf32>) {
  // expected-error @+1 {{inferred shape '[2, 5]' is incompatible with return type of operation tensor<5x2xf32>}}
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<5x2xf32>
  return
}

// -----
func.func @conv_result(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error @+1 {{inferred shape '[2, 7, 6]' is incompatible with return type of operation tensor<2x8x6xf32>}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x8x6xf32>
  return
}

// -----
func.func @conv_features(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error @+1 {{expects input feature dimension (4) / feature_group_count = kernel input feature dimension (4). Got feature_group_count = 2.}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----
func.func @conv_stride(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error @+1 {{expects window to have positive stride for 0-th window dimension, but got 0.}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----
func.func @conv_window(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error @+1 {{expects window-strides to have same dimension-size as size of window dimensions (1), but got: 2.}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----
func.func @conv_letters(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error @+1 {{Expected dimensions f not specified}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----
func.func @conv_twice(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error @+1 {{Duplicate entries for spatial dimension 0}}
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 0]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----
func.func @reduce_range(%x: tensor<4x5xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{Out-of-bounds dimension 2, expected to be in range [0, 2)}}
  %r = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [2] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----
func.func @reduce_twice(%x: tensor<4x5xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{Duplicate reduction dimension: 1}}
  %r = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1, 1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----
func.func @reduce_result(%x: tensor<4x5xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  %r = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<5xf32>
  return
}

// -----
func.func @reduce_start(%x: tensor<4x5xf32>, %s: tensor<1xf32>) {
  // expected-error @+1 {{The shape of reduction-region's result type at index 0 differs from the op's corresponding init-value type: tensor<f32> vs tensor<1xf32>}}
  %r = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----
func.func @reduce_body(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{Reduction-region must take 2 parameters, but takes 1 parameter(s)}}
  %r = "stablehlo.reduce"(%x, %s) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----
func.func @reduce_applies(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected the inner-op to be a commutative binary-op from the stablehlo dialect, with zero region, producing single result; `stablehlo.subtract` is not}}
  %r = stablehlo.reduce(%x init: %s) applies stablehlo.subtract across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----
func.func @window_rank(%x: tensor<6x6xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expects window-dimensions size == input rank, but got window-dimensions size: 1 and input: [6, 6] with rank = 2.}}
  %r = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<6x6xf32>, tensor<f32>) -> tensor<5x5xf32>
  return
}

// -----
func.func @window_padding(%x: tensor<6xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expects the padding-attribute to be 2D with shape [N, 2], but got tensor<1x3xi64>}}
  %r = "stablehlo.reduce_window"(%x, %s) <{padding = dense<0> : tensor<1x3xi64>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<6xf32>, tensor<f32>) -> tensor<5xf32>
  return
}

// -----
func.func @scatter_updates(%x: tensor<8xf32>, %i: tensor<5x1xi32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{expects bounds of the scatter dimensions of updates to be same as the bounds of the corresponding dimensions of scatter indices. For scatter dimension 0, updates bound is 4 , scatter_indices bound is 5.}}
  %r = "stablehlo.scatter"(%x, %i, %y) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<8xf32>, tensor<5x1xi32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----
func.func @sort_dim(%x: tensor<3xf32>) {
  // expected-error @+1 {{dimension attribute value must be in range [-1, 1), but found 1}}
  %r = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----
func.func @map_dims(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires the dimension numbers of all dimensions in order, but got: [1]}}
  %r = "stablehlo.map"(%x) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
func.func @while_types(%x: tensor<i32>) {
  // expected-error @+1 {{expect operands to be compatible with body block return types but got 'tensor<i32>' vs 'tensor<i1>'}}
  %r = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i32>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----
func.func @while_condition(%x: tensor<i32>) {
  // expected-error @+1 {{expect condition block return a zero-ranked tensor of i1 but got tensor<i32>}}
  %r = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }, {
  ^bb0(%a: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----
func.func @branches(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @+1 {{branch 0 and branch 1 have mismatched return types: 'tensor<4xf32>' vs 'tensor<5xf32>'}}
  %r = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %y : tensor<5xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}

// -----
func.func @fft(%x: tensor<8xf32>) {
  // expected-error @+1 {{FFT/IFFT/IRFFT take a complex tensor as input, but is given f32.}}
  %r = stablehlo.fft %x, type = FFT, length = [8] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----
func.func @unknown_op(%x: tensor<8xf32>) {
  // expected-error @+1 {{dialect `stablehlo` has no op `stablehlo.exponentiel`}}
  %r = stablehlo.exponentiel %x : tensor<8xf32>
  return
}

// -----
func.func @unknown_word(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected}}
  %r = stablehlo.compare LESS, %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  return
}

// -----
func.func @unknown_field(%x: tensor<9x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error @+1 {{expected one of `offset_dims`}}
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offsets = [1]>, slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return
}
