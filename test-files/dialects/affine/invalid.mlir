// test: opt --split-input-file --verify-diagnostics

func.func @f(%n: index) {
  // expected-error @+1 {{operand count and affine map dimension and symbol count must match}}
  %a = "affine.apply"(%n, %n) <{map = affine_map<(d0) -> (d0)>}> : (index, index) -> index
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{mapping must produce one value}}
  %a = "affine.apply"(%n) <{map = affine_map<(d0) -> (d0, d0)>}> : (index) -> index
  return
}

// -----

func.func @f(%n: index) {
  affine.for %i = 0 to %n {
    // expected-error @+1 {{dimensional operand cannot be used as a symbol}}
    %a = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%i]
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{affine map expect at least one result}}
  %a = "affine.min"(%n) <{map = affine_map<(d0) -> ()>}> : (index) -> index
  return
}

// -----

func.func @f(%m: memref<8x8xf32>, %i: index) {
  // expected-error @+1 {{affine map num results must equal memref rank}}
  %a = affine.load %m[%i] : memref<8x8xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>, %k: memref<8xindex>, %x: f32) {
  affine.for %i = 0 to 8 {
    %j = affine.load %k[%i] : memref<8xindex>
    // expected-error @+1 {{operand cannot be used as a dimension id}}
    affine.store %x, %m[%j] : memref<8xf32>
  }
  return
}

// -----

func.func @f(%k: memref<8xindex>) {
  affine.for %i = 0 to 8 {
    %j = affine.load %k[%i] : memref<8xindex>
    // expected-error @+1 {{operand cannot be used as a symbol}}
    affine.for %l = 0 to %j {
    }
  }
  return
}

// -----

func.func @f(%k: memref<8xindex>) {
  affine.for %i = 0 to 8 {
    %j = affine.load %k[%i] : memref<8xindex>
    // expected-error @+1 {{operand cannot be used as a dimension id}}
    affine.if affine_set<(d0) : (d0 >= 0)>(%j) {
    }
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{lower loop bound affine map with multiple results requires 'max' prefix}}
  affine.for %i = affine_map<(d0) -> (d0, 4)>(%n) to 8 {
  }
  return
}

// -----

func.func @f(%n: index, %x: f32) {
  // expected-error @+1 {{mismatch between the number of loop-carried values and results}}
  %r = affine.for %i = 0 to 8 iter_args(%a = %x) -> (f32, f32) {
    affine.yield %a : f32
  }
  return
}

// -----

func.func @f(%n: index, %x: f32, %y: f64) {
  %r = affine.for %i = 0 to 8 iter_args(%a = %x) -> (f32) {
    // expected-error @+1 {{types mismatch between yield op and its parent}}
    affine.yield %y : f64
  }
  return
}

// -----

func.func @f(%n: index, %x: f32) {
  %r = affine.for %i = 0 to 8 iter_args(%a = %x) -> (f32) {
    // expected-error @+1 {{parent of yield must have same number of results as the yield operands}}
    affine.yield
  }
  return
}

// -----

func.func @f(%n: index, %x: f32) {
  // expected-error @+1 {{a reduction must be specified for each output}}
  %r:2 = affine.parallel (%i) = (0) to (%n) reduce ("addf") -> (f32, f32) {
    affine.yield %x, %x : f32, f32
  }
  return
}

// -----

func.func @f(%n: index, %x: i32) {
  // expected-error @+1 {{invalid reduction value: "addff"}}
  %r = affine.parallel (%i) = (0) to (%n) reduce ("addff") -> (i32) {
    affine.yield %x : i32
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{no basis element may be statically non-positive}}
  %a:2 = affine.delinearize_index %n into (2, -3) : index, index
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{should return an index for each basis element and up to one extra index}}
  %a:2 = affine.delinearize_index %n into (2, 3, 4) : index, index
  return
}

// -----

func.func @f(%n: index) {
  // expected-error @+1 {{should be passed a basis element for each index except possibly the first}}
  %a = affine.linearize_index [%n, %n, %n] by (4) : index
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index) {
  // expected-error @+1 {{whose minimum value is 0 whose maximum value is 3}}
  affine.prefetch %m[%i], read, locality<5>, data : memref<8xf32>
  return
}
