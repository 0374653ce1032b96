// test: opt --emit=openmp --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @blocks(%c: i1) { // expected-error {{has branches between blocks}}
  cf.cond_br %c, ^bb1, ^bb1
^bb1:
  return
}

// -----

func.func @wide(%x: i128) -> i128 { // expected-error {{has a value of type 'i128', which openmp cannot say}}
  return %x : i128
}

// -----

func.func @odd() {
  // expected-error@+1 {{'other.op' op cannot be printed as openmp: it has no spelling there}}
  "other.op"() : () -> ()
  return
}

// -----

func.func @mode(%x: f64) -> f32 {
  // expected-error@+1 {{'arith.truncf' op cannot be printed as openmp: it rounds in another mode than to the nearest even}}
  %r = arith.truncf %x upward : f64 to f32
  return %r : f32
}

// -----

func.func @short(%x: f8E5M2) -> f8E5M2 { // expected-error {{has a value of type 'f8E5M2', which openmp cannot say}}
  return %x : f8E5M2
}
