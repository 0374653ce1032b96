// test: opt --split-input-file --verify-diagnostics

func.func @f(%n: index) {
  // expected-error @+1 {{must specify an operand for each result vector dimension}}
  %a = vector.create_mask %n : vector<4x8xi1>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{must specify exactly one operand for 0-D create_mask}}
  %a = vector.create_mask %n, %n : vector<i1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{must specify array attr of size equal vector result rank}}
  %a = vector.constant_mask [1] : vector<4x8xi1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{array attr of size out of bounds of vector result dimension size}}
  %a = vector.constant_mask [1, 9] : vector<4x8xi1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim}}
  %a = vector.constant_mask [1, 0] : vector<4x8xi1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{mask dim size must be either 0 or 1 for 0-D vectors}}
  %a = vector.constant_mask [2] : vector<i1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{only supports 'none set' or 'all set' scalable dimensions}}
  %a = vector.constant_mask [2] : vector<[4]xi1>
  return
}

// -----

func.func @f(%m: memref<8xf64>, %i: index, %mask: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error @+1 {{base and result element type should match}}
  %r = vector.maskedload %m[%i], %mask, %v : memref<8xf64>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index, %mask: vector<4xi1>, %v: vector<8xf32>) {
  // expected-error @+1 {{expected result shape to match mask shape}}
  %r = vector.maskedload %m[%i], %mask, %v : memref<8xf32>, vector<4xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index, %mask: vector<4xi1>, %v: vector<8xf32>) {
  // expected-error @+1 {{expected pass_thru of same type as result type}}
  %r = vector.maskedload %m[%i], %mask, %v : memref<8xf32>, vector<4xi1>, vector<8xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index, %mask: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error @+1 {{requires 1 indices}}
  %r = vector.maskedload %m[%i, %i], %mask, %v : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8xf64>, %i: index, %mask: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error @+1 {{base and valueToStore element type should match}}
  vector.maskedstore %m[%i], %mask, %v : memref<8xf64>, vector<4xi1>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index, %mask: vector<8xi1>, %v: vector<4xf32>) {
  // expected-error @+1 {{expected valueToStore shape to match mask shape}}
  vector.maskedstore %m[%i], %mask, %v : memref<8xf32>, vector<8xi1>, vector<4xf32>
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: vector<2x4xf32>) {
  // expected-error @+1 {{rank mismatch}}
  %r = "vector.shuffle"(%a, %b) <{mask = array<i64: 0>}> : (vector<4xf32>, vector<2x4xf32>) -> vector<1xf32>
  return
}

// -----

func.func @f(%a: vector<4x2xf32>, %b: vector<4x3xf32>) {
  // expected-error @+1 {{dimension mismatch}}
  %r = vector.shuffle %a, %b [0] : vector<4x2xf32>, vector<4x3xf32>
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: vector<4xf32>) {
  // expected-error @+1 {{invalid mask length}}
  %r = vector.shuffle %a, %b [] : vector<4xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: vector<4xf32>) {
  // expected-error @+1 {{mask index #2 out of range}}
  %r = vector.shuffle %a, %b [0, 8] : vector<4xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%a: vector<4xf32>) {
  // expected-error @+1 {{has different number of elements at source (4) and result (6)}}
  %r = vector.shape_cast %a : vector<4xf32> to vector<2x3xf32>
  return
}

// -----

func.func @f(%a: vector<4xf32>) {
  // expected-error @+1 {{has different source and result element types}}
  %r = vector.shape_cast %a : vector<4xf32> to vector<2x2xi32>
  return
}

// -----

func.func @f(%a: vector<4xf32>) {
  // expected-error @+1 {{has different number of scalable dims at source (0) and result (1)}}
  %r = vector.shape_cast %a : vector<4xf32> to vector<[4]xf32>
  return
}

// -----

func.func @f(%a: vector<4x2xf32>) {
  // expected-error @+1 {{vector result rank mismatch: 1}}
  %r = vector.transpose %a, [1, 0] : vector<4x2xf32> to vector<8xf32>
  return
}

// -----

func.func @f(%a: vector<4x2xf32>) {
  // expected-error @+1 {{transposition length mismatch: 1}}
  %r = vector.transpose %a, [0] : vector<4x2xf32> to vector<2x4xf32>
  return
}

// -----

func.func @f(%a: vector<4x2xf32>) {
  // expected-error @+1 {{transposition index out of range: 2}}
  %r = vector.transpose %a, [0, 2] : vector<4x2xf32> to vector<4x2xf32>
  return
}

// -----

func.func @f(%a: vector<4x2xf32>) {
  // expected-error @+1 {{duplicate position index: 0}}
  %r = vector.transpose %a, [0, 0] : vector<4x2xf32> to vector<4x4xf32>
  return
}

// -----

func.func @f(%a: vector<4x2xf32>) {
  // expected-error @+1 {{dimension size mismatch at: 0}}
  %r = vector.transpose %a, [1, 0] : vector<4x2xf32> to vector<2x2xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{vector of index values of ranks 1}}
  %a = vector.step : vector<2x4xindex>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %a: vector<4xf32>) {
  // expected-error @+1 {{destination type 'vector<4xf32>' is incompatible with source type 'vector<4x8xf32>'}}
  %r = vector.multi_reduction <add>, %v, %a [0] : vector<4x8xf32> to vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<8xf32>, %a: vector<4xf32>, %x: vector<4x8xf32>)  {
  // expected-error @+1 {{expected #1 operand dim to match result dim #1}}
  %r = "vector.outerproduct"(%v, %a, %x) <{kind = #vector.kind<add>}> : (vector<8xf32>, vector<4xf32>, vector<4x8xf32>) -> vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<8xf32>, %a: vector<4xf32>)  {
  // expected-error @+1 {{unsupported outerproduct type}}
  %r = vector.outerproduct %v, %a {kind = #vector.kind<and>} : vector<8xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<8xf32>)  {
  // expected-error @+1 {{expected 2-d vector result}}
  %r = "vector.outerproduct"(%v, %v) <{kind = #vector.kind<add>}> : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{requires 2 indices}}
  %r = vector.transfer_read %m[%i], %x : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{requires a permutation_map with result dims of the same rank as the vector type}}
  %r = vector.transfer_read %m[%i, %i], %x {permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{requires a permutation_map with input dims of the same rank as the source type}}
  %r = vector.transfer_read %m[%i, %i], %x {permutation_map = affine_map<(d0) -> (d0)>} : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{requires a projected permutation_map (at most one dim or the zero constant can appear in each result)}}
  %r = vector.transfer_read %m[%i, %i], %x {permutation_map = affine_map<(d0, d1) -> (d0 + d1)>} : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{requires a permutation_map that is a permutation (found one dim used more than once)}}
  %r = vector.transfer_read %m[%i, %i], %x {permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : memref<?x?xf32>, vector<4x4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{vs inBounds of size: 2}}
  %r = vector.transfer_read %m[%i, %i], %x {in_bounds = [true, true]} : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?xvector<4x3xf32>>, %i: index, %x: vector<4x3xf32>) {
  // expected-error @+1 {{requires source vector element and vector result ranks to match}}
  %r = "vector.transfer_read"(%m, %i, %x) <{in_bounds = [], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> ()>}> : (memref<?xvector<4x3xf32>>, index, vector<4x3xf32>) -> vector<3xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %i: index, %x: f64) {
  // expected-error @+1 {{requires formal padding and source of the same elemental type}}
  %r = "vector.transfer_read"(%m, %i, %i, %x) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<?x?xf32>, index, index, f64) -> vector<3xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %i: index, %v: vector<4xf32>) {
  // expected-error @+1 {{should not have broadcast dimensions}}
  vector.transfer_write %v, %m[%i, %i] {permutation_map = affine_map<(d0, d1) -> (0)>} : vector<4xf32>, memref<?x?xf32>
  return
}
