// What the verifier and the parser say to ops that are wrong, one rule each; more in `invalid.mlir`.
// test: opt --split-input-file --verify-diagnostics

func.func @f(%a: vector<4xf4E2M1FN>, %s: vector<3xf8E8M0FNU>) {
  // expected-error@+1 {{'arith.scaling_extf' op the scale must be of the shape of 'vector<4xf4E2M1FN>' or one float}}
  %r = "arith.scaling_extf"(%a, %s) : (vector<4xf4E2M1FN>, vector<3xf8E8M0FNU>) -> vector<4xf32>
  return
}

// -----

func.func @f(%a: vector<4xf32>, %s: vector<3xf8E8M0FNU>) {
  // expected-error@+1 {{'arith.scaling_truncf' op the scale must be of the shape of 'vector<4xf32>' or one float}}
  %r = "arith.scaling_truncf"(%a, %s) : (vector<4xf32>, vector<3xf8E8M0FNU>) -> vector<4xf4E2M1FN>
  return
}

// -----

func.func @f(%a: f32, %s: f8E8M0FNU) {
  // expected-error@+1 {{'arith.scaling_extf' op result type 'f16' must be wider than operand type 'f32'}}
  %r = arith.scaling_extf %a, %s : f32, f8E8M0FNU to f16
  return
}

// -----

func.func @f(%a: f16, %s: f8E8M0FNU) {
  // expected-error@+1 {{'arith.scaling_truncf' op result type 'f32' must be shorter than operand type 'f16'}}
  %r = arith.scaling_truncf %a, %s : f16, f8E8M0FNU to f32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'arith.index_cast' op operand type 'index' and result type 'index' are cast incompatible: one must be index}}
  %r = arith.index_cast %a : index to index
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{'arith.index_castui' op operand type 'i32' and result type 'i64' are cast incompatible: one must be index}}
  %r = arith.index_castui %a : i32 to i64
  return
}

// -----

func.func @f(%a: i32, %c: i8) {
  // expected-error@+1 {{'arith.select' op operand #0 must be bool-like, but got 'i8'}}
  %r = "arith.select"(%c, %a, %a) : (i8, i32, i32) -> i32
  return
}

// -----

func.func @f(%a: vector<2xi32>, %c: vector<3xi1>) {
  // expected-error@+1 {{'arith.select' op expected condition type to have the same shape as the result type, expected 'vector<2xi1>', but got 'vector<3xi1>'}}
  %r = "arith.select"(%c, %a, %a) : (vector<3xi1>, vector<2xi32>, vector<2xi32>) -> vector<2xi32>
  return
}

// -----

func.func @f(%a: i32, %c: vector<2xi1>) {
  // expected-error@+1 {{'arith.select' op expected condition to be a signless i1, but got 'vector<2xi1>'}}
  %r = "arith.select"(%c, %a, %a) : (vector<2xi1>, i32, i32) -> i32
  return
}

// -----

func.func @f(%a: tensor<*xi32>, %c: tensor<2xi1>) {
  // expected-error@+1 {{'arith.select' op expected condition type to have the same shape as the result type, expected 'tensor<*xi1>', but got 'tensor<2xi1>'}}
  %r = "arith.select"(%c, %a, %a) : (tensor<2xi1>, tensor<*xi32>, tensor<*xi32>) -> tensor<*xi32>
  return
}

// -----

func.func @f(%a: memref<2xi32>, %c: vector<2xi1>) {
  // expected-error@+1 {{'arith.select' op expected condition to be a signless i1, but got 'vector<2xi1>'}}
  %r = "arith.select"(%c, %a, %a) : (vector<2xi1>, memref<2xi32>, memref<2xi32>) -> memref<2xi32>
  return
}
