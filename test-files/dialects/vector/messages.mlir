// test: opt --split-input-file --verify-diagnostics

func.func @no_dimension() {
  // expected-error @+1 {{array attr must have length 1 for 0-D vectors}}
  %m = vector.constant_mask [0, 1] : vector<i1>
  return
}

// -----

func.func @bits(%v: vector<f32>) {
  // expected-error @+1 {{source/result bitwidth of the 0-D vector element types must be equal}}
  %r = vector.bitcast %v : vector<f32> to vector<i64>
  return
}

// -----

func.func @in_bounds(%m: memref<8x8xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{expects the in_bounds attr of same rank as permutation_map results}}
  %v = vector.transfer_read %m[%i, %i], %x {in_bounds = [true, true]} : memref<8x8xf32>, vector<4xf32>
  return
}

// -----

func.func @word(%a: vector<4xf32>, %c: f32) -> f32 {
  // expected-error @+1 {{unexpected iterator_type (window)}}
  %r = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["window"], kind = #vector.kind<add>} %a, %a, %c : vector<4xf32>, vector<4xf32> into f32
  return %r : f32
}

// -----

func.func @layout(%m: memref<4x4xf32>) {
  // expected-error @+1 {{expects result to be a memref with identity layout}}
  %r = vector.type_cast %m : memref<4x4xf32> to memref<vector<4x4xf32>, affine_map<() -> (1)>>
  return
}

// -----

func.func @punctuation(%v: vector<4xf32>) {
  // expected-error @+1 {{failed to verify that `source` or `punctuation` are not set when printing strings}}
  "vector.print"(%v) <{stringLiteral = "x"}> : (vector<4xf32>) -> ()
  return
}

// -----

func.func @pass_through(%m: memref<4xf32>, %mask: vector<4xi1>, %i: index, %v: vector<4xf32>) {
  // expected-error @+1 {{expects a result if passthru operand is provided}}
  vector.mask %mask, %v { vector.transfer_write %v, %m[%i] {in_bounds = [true]} : vector<4xf32>, memref<4xf32> } : vector<4xi1>
  return
}
