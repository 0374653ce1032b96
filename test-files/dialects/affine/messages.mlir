// test: opt --split-input-file --verify-diagnostics

func.func @f(%n: index) {
  // expected-error @+1 {{operand count and condition integer set dimension and symbol count must match}}
  "affine.if"(%n, %n) <{condition = affine_set<(d0) : (d0 >= 0)>}> ({
    "affine.yield"() : () -> ()
  }, {
  }) : (index, index) -> ()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{lower loop bound affine map has no results}}
  affine.for %i = affine_map<(d0) -> ()>(%n) to 4 {
  }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected step to be representable as a positive signed integer}}
  affine.for %i = 0 to 4 step 0 {
  }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected body to have a single index argument for the induction variable}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (4)>, step = 1 : index, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
  ^bb0(%i: i32):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{mismatch between the number of basic block args and results}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (4)>, step = 1 : index, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
  ^bb0(%i: index, %y: f32):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{operand count must match with affine map dimension and symbol count}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<(d0) -> (d0)>, step = 1 : index, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected upper bound map to have at least one result}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> ()>, step = 1 : index, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{dimension operand count and affine map dimension count must match}}
  %a = affine.apply affine_map<(d0) -> (d0)>(%n, %n)
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{symbol operand count and affine map symbol count must match}}
  %a = affine.apply affine_map<()[s0] -> (s0)>()[%n, %n]
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{expected an affine map or set}}
  %a = affine.apply 3 : i32 (%n)
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{2 induction variables, but 1 lower and 1 upper bounds}}
  affine.parallel (%i, %j) = (0) to (4) {
  }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected steps to be positive}}
  affine.parallel (%i) = (0) to (4) step (0) {
  }
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{invalid reduction value: "median"}}
  %r = affine.parallel (%i) = (0) to (4) reduce ("median") -> (f32) {
    affine.yield %x : f32
  }
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index) {
  // expected-error @+1 {{expects as many subscripts as affine map inputs}}
  %a = "affine.load"(%m, %i, %i) <{map = affine_map<(d0) -> (d0)>}> : (memref<8xf32>, index, index) -> f32
  return
}

// -----

func.func @f() {
  scf.execute_region {
    // expected-error @+1 {{only terminates affine.if/for/parallel regions}}
    affine.yield
  }
  return
}
