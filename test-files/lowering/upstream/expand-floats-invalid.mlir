// What combines small floats, or sees the bytes they are in, is refused.
// test: opt --pipeline=expand-floats --split-input-file --verify-diagnostics

func.func @reduced(%v: vector<4xf8E5M2>) -> f8E5M2 {
  // expected-error @+1 {{[E0504]: 'vector.reduction' op has no meaning on the bits of a small float: widen its operands with 'arith.extf'}}
  %r = vector.reduction <add>, %v : vector<4xf8E5M2> into f8E5M2
  return %r : f8E5M2
}

// -----

func.func @atomic(%x: f8E5M2, %m: memref<4xf8E5M2>, %i: index) {
  // expected-error @+1 {{[E0504]: 'memref.atomic_rmw' op combines small floats in memory: only 'assign' means the same on bits}}
  %r = memref.atomic_rmw addf %x, %m[%i] : (f8E5M2, memref<4xf8E5M2>) -> f8E5M2
  return
}

// -----

func.func @bytes(%v: vector<4xf4E2M1FN>) -> vector<2xi8> {
  // expected-error @+1 {{[E0504]: 'vector.bitcast' op sees bytes, and an element of f4E2M1FN does not fill the one it has}}
  %r = vector.bitcast %v : vector<4xf4E2M1FN> to vector<2xi8>
  return %r : vector<2xi8>
}

// -----

func.func @rounding(%x: f32) -> f8E5M2 {
  // expected-error @+1 {{[E0504]: 'arith.truncf' op rounds to nearest even only where the result is a small float}}
  %r = arith.truncf %x downward : f32 to f8E5M2
  return %r : f8E5M2
}

// -----

func.func @twice(%x: i64) -> f8E8M0FNU {
  // expected-error @+1 {{[E0504]: 'arith.uitofp' op rounds twice: integers of more than 53 bits have no exact float on the way}}
  %r = arith.uitofp %x : i64 to f8E8M0FNU
  return %r : f8E8M0FNU
}

// -----

func.func @long(%x: f128) -> f8E5M2 {
  // expected-error @+1 {{[E0504]: 'arith.truncf' op has a float of more than 64 bits}}
  %r = arith.truncf %x : f128 to f8E5M2
  return %r : f8E5M2
}
