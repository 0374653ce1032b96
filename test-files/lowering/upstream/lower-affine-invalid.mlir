// test: opt --pipeline="func.func(lower-affine)" --verify-diagnostics

func.func @f(%n: index, %x: f32) -> f32 {
  // expected-error @+1 {{cannot be lowered: the reduction 'assign' has no value that changes nothing}}
  %r = affine.parallel (%i) = (0) to (%n) reduce ("assign") -> (f32) {
    affine.yield %x : f32
  }
  return %r : f32
}
