// test: opt --split-input-file --verify-diagnostics

func.func @f(%v: vector<4x8xf32>, %m: memref<8x8xf32, strided<[1, 8]>>, %i: index) {
  // expected-error @+1 {{most minor memref dim must have unit stride}}
  vector.store %v, %m[%i, %i] : memref<8x8xf32, strided<[1, 8]>>, vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %m: memref<8xf32>, %i: index) {
  // expected-error @+1 {{source memref has lower rank than the vector to store}}
  vector.store %v, %m[%i] : memref<8xf32>, vector<4x8xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index) {
  // expected-error @+1 {{destination memref has lower rank than the result vector}}
  %r = vector.load %m[%i] : memref<8xf32>, vector<2x4xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index) {
  // expected-error @+1 {{base and result element types should match}}
  %r = vector.load %m[%i] : memref<8xf32>, vector<4xf64>
  return
}

// -----

func.func @f(%m: memref<8xvector<4xf32>>, %i: index) {
  // expected-error @+1 {{base memref and result vector types should match}}
  %r = vector.load %m[%i] : memref<8xvector<4xf32>>, vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8xvector<4xf32>>, %v: vector<8xf32>, %i: index) {
  // expected-error @+1 {{base memref and valueToStore vector types should match}}
  vector.store %v, %m[%i] : memref<8xvector<4xf32>>, vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8xf64>, %v: vector<8xf32>, %i: index) {
  // expected-error @+1 {{base and valueToStore element type should match}}
  vector.store %v, %m[%i] : memref<8xf64>, vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index) {
  // expected-error @+1 {{requires 1 indices}}
  %r = vector.load %m[%i, %i] : memref<8xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index) {
  // expected-error @+1 {{attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive and whose value is a power of two > 0}}
  %r = vector.load %m[%i] {alignment = 3} : memref<8xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>) {
  // expected-error @+1 {{expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension or poison (-1)}}
  %a = vector.extract %v[4] : vector<8xf32> from vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>) {
  // expected-error @+1 {{inferred type(s) 'vector<8xf32>' are incompatible with return type(s) of operation 'vector<7xf32>'}}
  %a = vector.extract %v[3] : vector<7xf32> from vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>) {
  // expected-error @+1 {{expected position attribute of rank no greater than vector rank}}
  %a = vector.extract %v[3, 1, 2] : f32 from vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error @+1 {{expected a scalar instead of a 0-d vector as the result type}}
  %a = vector.extract %v[0] : vector<f32> from vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error @+1 {{mismatch between dynamic and static positions}}
  %a = "vector.extract"(%v) <{static_position = array<i64: -9223372036854775808>}> : (vector<4xf32>) -> f32
  return
}

// -----

func.func @f(%x: f32, %v: vector<4x8xf32>) {
  // expected-error @+1 {{expected position attribute rank to match the dest vector rank}}
  %a = vector.insert %x, %v [3] : f32 into vector<4x8xf32>
  return
}

// -----

func.func @f(%x: vector<8xf32>, %v: vector<4x8xf32>) {
  // expected-error @+1 {{expected position attribute rank + source rank to match dest vector rank}}
  %a = vector.insert %x, %v [3, 1] : vector<8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%x: f32, %v: vector<4x8xf32>) {
  // expected-error @+1 {{expected position attribute of rank no greater than dest vector rank}}
  %a = vector.insert %x, %v [3, 1, 2] : f32 into vector<4x8xf32>
  return
}

// -----

func.func @f(%x: f32, %v: vector<4x8xf32>) {
  // expected-error @+1 {{expected position attribute #2 to be a non-negative integer smaller than the corresponding dest vector dimension or poison (-1)}}
  %a = vector.insert %x, %v [3, 8] : f32 into vector<4x8xf32>
  return
}

// -----

func.func @f(%x: vector<f32>, %v: vector<8xf32>) {
  // expected-error @+1 {{expected a scalar instead of a 0-d vector as the source operand}}
  %a = vector.insert %x, %v [3] : vector<f32> into vector<8xf32>
  return
}

// -----

func.func @f(%x: vector<7xf32>, %v: vector<4x8xf32>) {
  // expected-error @+1 {{expected the source to have the shape of the dimensions after the position}}
  %a = vector.insert %x, %v [3] : vector<7xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%s: vector<4xf32>) {
  // expected-error @+1 {{dimension mismatch (4 vs. [4])}}
  %a = vector.broadcast %s : vector<4xf32> to vector<[4]xf32>
  return
}

// -----

func.func @f(%s: vector<2x3xf32>) {
  // expected-error @+1 {{source rank higher than destination rank}}
  %a = vector.broadcast %s : vector<2x3xf32> to vector<3xf32>
  return
}

// -----

func.func @f(%s: tensor<4xf32>) {
  // expected-error @+1 {{source type is not a vector}}
  %a = vector.broadcast %s : tensor<4xf32> to vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<4xi32>) {
  // expected-error @+1 {{operand #0 must be vector of floating-point values, but got 'vector<4xi32>'}}
  %r = vector.fma %v, %v, %v : vector<4xi32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error @+1 {{unsupported reduction type 'f32' for kind 'and'}}
  %r = vector.reduction <and>, %v : vector<4xf32> into f32
  return
}

// -----

func.func @f(%v: vector<4x4xf32>) {
  // expected-error @+1 {{unsupported reduction rank: 2}}
  %r = vector.reduction <add>, %v : vector<4x4xf32> into f32
  return
}
