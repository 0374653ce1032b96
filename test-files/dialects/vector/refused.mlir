// What the verifier and the parser say to ops that are wrong, one rule each; more in `invalid.mlir`.
// test: opt --split-input-file --verify-diagnostics

func.func @f(%a: f32, %b: vector<4xf32>) {
  %r = vector.outerproduct %a, %b : f32, vector<4xf32>
  // expected-error@+1 {{expected vector type for operand #1}}
  return
}

// -----

func.func @f(%a: vector<f32>, %b: vector<4xf32>) {
  %r = vector.outerproduct %a, %b : vector<f32>, vector<4xf32>
  // expected-error@+1 {{expected vectors with a dimension}}
  return
}

// -----

func.func @f(%a: vector<2x2xf32>, %b: vector<4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected 1-d vector for operand #1}}
  %r = "vector.outerproduct"(%a, %b) : (vector<2x2xf32>, vector<4xf32>) -> vector<2x4xf32>
  return
}

// -----

func.func @f(%a: vector<2xf32>, %b: vector<2x2xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected 1-d vector for operand #2}}
  %r = "vector.outerproduct"(%a, %b) : (vector<2xf32>, vector<2x2xf32>) -> vector<2x2xf32>
  return
}

// -----

func.func @f(%a: vector<2xf32>, %b: vector<3xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected #2 operand dim to match result dim #2}}
  %r = "vector.outerproduct"(%a, %b) : (vector<2xf32>, vector<3xf32>) -> vector<2x4xf32>
  return
}

// -----

func.func @f(%a: vector<[2]xf32>, %b: vector<3xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected either both or only #2 operand dim to be scalable}}
  %r = "vector.outerproduct"(%a, %b) : (vector<[2]xf32>, vector<3xf32>) -> vector<[2]x3xf32>
  return
}

// -----

func.func @f(%a: vector<2xf32>, %b: vector<[3]xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected the result to be scalable where the operands are}}
  %r = "vector.outerproduct"(%a, %b) : (vector<2xf32>, vector<[3]xf32>) -> vector<2x3xf32>
  return
}

// -----

func.func @f(%a: vector<2xf32>, %b: f32) {
  // expected-error@+1 {{'vector.outerproduct' op expected 1-d vector result}}
  %r = "vector.outerproduct"(%a, %b) : (vector<2xf32>, f32) -> vector<2x1xf32>
  return
}

// -----

func.func @f(%a: vector<2xf32>, %b: vector<3xf32>, %c: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected operand #3 of same type as result type}}
  %r = "vector.outerproduct"(%a, %b, %c) <{kind = #vector.kind<add>}> : (vector<2xf32>, vector<3xf32>, vector<2x4xf32>) -> vector<2x3xf32>
  return
}

// -----

func.func @f(%a: f32, %b: vector<4xf32>) {
  %r = vector.shuffle %a, %b [0, 1] : f32, vector<4xf32>
  // expected-error@+1 {{'vector.shuffle' op needs vectors}}
  return
}

// -----

func.func @f(%a: vector<4xf32>) {
  // expected-error@+1 {{'vector.shuffle' op mask length mismatch}}
  %r = "vector.shuffle"(%a, %a) <{mask = array<i64: 0, 1>}> : (vector<4xf32>, vector<4xf32>) -> vector<3xf32>
  return
}

// -----

func.func @f(%m: f32, %i: index, %p: f32) {
  %r = vector.transfer_read %m[%i], %p : f32, vector<4xf32>
  // expected-error@+1 {{requires memref or ranked tensor type}}
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index, %p: f32) {
  %r = vector.transfer_read %m[%i], %p : memref<8xf32>, f32
  // expected-error@+1 {{requires vector type}}
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index, %p: f32) {
  %r = vector.transfer_read %m[%i], %p : memref<8xf32>, vector<2x4xf32>
  // expected-error@+1 {{expected a custom permutation_map when rank(source) != rank(destination)}}
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index, %p: f32) {
  %r = vector.transfer_read %m[%i], %p {permutation_map = 1} : memref<8xf32>, vector<4xf32>
  // expected-error@+1 {{attribute 'permutation_map' must be an affine map}}
  return
}

// -----

func.func @f(%m: memref<8xvector<2xf32>>, %i: index, %p: vector<2xf32>, %k: vector<2xi1>) {
  %r = vector.transfer_read %m[%i], %p, %k : memref<8xvector<2xf32>>, vector<4x2xf32>
  // expected-error@+1 {{does not support masks with vector element type}}
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index, %p: f32, %k: vector<4xi1>) {
  %r = vector.transfer_read %m[%i], %p, %k {permutation_map = affine_map<(d0) -> (d0, 0)>} : memref<8xf32>, vector<4xf32>
  // expected-error@+1 {{expected the same rank for the vector and the results of the permutation map}}
  return
}

// -----

func.func @f(%m: vector<8xf32>, %i: index, %p: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires source to be a memref or ranked tensor type}}
  %r = "vector.transfer_read"(%m, %i, %p) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<8xf32>, index, f32) -> vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8xvector<4xf32>>, %i: index, %p: vector<4xf32>) {
  // expected-error@+1 {{'vector.transfer_read' op requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the minor 1-D vector of the source}}
  %r = "vector.transfer_read"(%m, %i, %p) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<8xvector<4xf32>>, index, vector<4xf32>) -> vector<3xf32>
  return
}

// -----

func.func @f(%m: memref<8xf64>, %i: index, %p: f64) {
  // expected-error@+1 {{'vector.transfer_read' op requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the source element type}}
  %r = "vector.transfer_read"(%m, %i, %p) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<8xf64>, index, f64) -> vector<3xf32>
  return
}

// -----

func.func @f(%m: memref<8xvector<4x4xf32>>, %i: index, %p: vector<4x4xf32>) {
  // expected-error@+1 {{'vector.transfer_read' op requires source vector element and vector result ranks to match.}}
  %r = "vector.transfer_read"(%m, %i, %p) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<8xvector<4x4xf32>>, index, vector<4x4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index, %p: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires permutation_map without symbols}}
  %r = "vector.transfer_read"(%m, %i, %p) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0)[s0] -> (d0)>}> : (memref<8xf32>, index, f32) -> vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8xvector<2xf32>>, %i: index, %p: vector<2xf32>, %k: vector<4xi1>) {
  // expected-error@+1 {{'vector.transfer_read' op does not support masks with vector element type}}
  %r = "vector.transfer_read"(%m, %i, %p, %k) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 1>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<8xvector<2xf32>>, index, vector<2xf32>, vector<4xi1>) -> vector<4x2xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index, %p: f32, %k: vector<3xi1>) {
  // expected-error@+1 {{'vector.transfer_read' op inferred mask type ('vector<4xi1>') and mask operand type ('vector<3xi1>') don't match}}
  %r = "vector.transfer_read"(%m, %i, %p, %k) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 1>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<8xf32>, index, f32, vector<3xi1>) -> vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8xvector<2xf32>>, %i: index, %p: vector<2xf64>) {
  // expected-error@+1 {{'vector.transfer_read' op requires source element type and padding type to match.}}
  %r = "vector.transfer_read"(%m, %i, %p) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<8xvector<2xf32>>, index, vector<2xf64>) -> vector<4x2xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.transfer_write' op result #0 must be ranked tensor of any type values, but got 'memref<8xf32>'}}
  %r = "vector.transfer_write"(%v, %m, %i) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<4xf32>, memref<8xf32>, index) -> memref<8xf32>
  return
}

// -----

func.func @f(%t: tensor<8xf32>, %i: index, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.transfer_write' op has a result of the tensor's type exactly if it writes into a tensor}}
  %r = "vector.transfer_write"(%v, %t, %i) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<4xf32>, tensor<8xf32>, index) -> tensor<9xf32>
  return
}

// -----

func.func @f(%m: memref<f32>, %k: vector<4xi1>, %p: vector<4xf32>, %i: index) {
  // expected-error@+1 {{'vector.maskedload' op the memref has lower rank than the vector}}
  %r = "vector.maskedload"(%m, %k, %p) : (memref<f32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  return
}
