// test: opt --split-input-file --verify-diagnostics

func.func @misspelt(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{dialect `array` has no op `array.mapSqe`}}
  %0 = array.mapSqe %x as %a {
    array.yield %a
  }
  return
}

// -----
func.func @dimension(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{a dimension is 0, 1 or 2}}
  %0 = array.mapLcl(3) %x as %a {
    array.yield %a
  }
  return
}

// -----
func.func @two_results(%x: !array.of<@n x tuple<f32, f32>>) {
  // expected-error @+1 {{an op among operands has one result, this one has 2}}
  %0 = array.join (array.unzip %x)
  return
}

// -----
func.func @no_function(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{there is no `func.func @f(…)` in this file}}
  %0 = array.map @f %x
  return
}

// -----
func.func @wrong_function(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{[E0681]: TYPE: @f takes (i32) and gives (i32), it gets (f32)}}
  %0 = array.map @f %x
  return
}
func.func private @f(%x: i32) -> i32

// -----
// The place of an error inside of an operand.
func.func @inside(%x: !array.of<@n x f32>, %y: !array.of<@m + 1 x f32>) {
  // expected-error @+1 {{[E0681]: TYPE: needs an array of arrays, not of f32}}
  %0 = array.zip %x, (array.join %y)
  return
}
