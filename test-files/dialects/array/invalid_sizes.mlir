// test: opt --split-input-file --verify-diagnostics
// Sizes that do not fit, by their difference; with symbols of a stranger, and where several ops make the size.

func.func @after_padding(%x: !array.of<@w x f32>, %z: f32) {
  %0 = array.pad 1, 1 value %z %x
  // expected-error @+1 {{SIZE: window: @w + 3 must be at most @w + 2, the difference is 1}}
  %1 = array.slide @w + 3 by 1 %0
  return
}

// -----
func.func @zip_windows(%x: !array.of<@n + 4 x f32>) {
  %0 = array.slide 3 by 1 %x
  %1 = array.slide 4 by 1 %x
  // expected-error @+1 {{SIZE: sizes of zipped arrays: @n + 2 must be equal to @n + 1, the difference is 1}}
  %2 = array.zip %0, %1
  return
}

// -----
func.func @zip_rows(%A: !array.of<@m x @k x f32>, %B: !array.of<@k x @n x f32>) {
  // expected-error @+1 {{SIZE: sizes of zipped arrays: 7 must be equal to 5, the difference is 2}}
  %0 = array.zip (array.slice 0, 7 (array.join %A)), (array.slice 0, 5 (array.join %B))
  return
}

// -----
func.func @slice_beyond(%x: !array.of<3 * @n x f32>) {
  // expected-error @+1 {{SIZE: end of the slice: 3 * @n + 1 must be at most 3 * @n, the difference is 1}}
  %0 = array.slice 2 * @n, @n + 1 %x
  return
}

// -----
func.func @odd_lanes(%x: !array.of<4 * @n + 2 x f32>) {
  // expected-error @+1 {{SIZE: lanes: 4 must divide 4 * @n + 2, which leaves 2}}
  %0 = array.as_vector 4 %x
  return
}

// -----
func.func @stride_of_parts(%x: !array.of<12 x f32>) {
  %0 = array.split 3 %x
  // expected-error @+1 {{SIZE: stride: 3 must divide 4, which leaves 1}}
  %1 = array.reorder strided 3 %0
  return
}

// -----
func.func @strict_windows(%x: !array.of<2 * @n + 4 x f32>) {
  // expected-error @+1 {{SIZE: step: 2 must divide 2 * @n + 1, which leaves 1}}
  %0 = array.slide strict 3 by 2 %x
  return
}

// -----
func.func @scatter_more(%x: !array.of<@m + 2 x f32>, %i: !array.of<@m x index>, %y: !array.of<@n x f32>) {
  // expected-error @+1 {{SIZE: elements and indices: @m + 2 must be equal to @m, the difference is 2}}
  %0 = array.scatter %x at %i into %y
  return
}

// -----
func.func @mirror_more(%x: !array.of<3 x f32>) {
  // expected-error @+1 {{SIZE: mirrored elements: 3 must be at most 2, the difference is 1}}
  %0 = array.pad 0, 3 mirror %x
  return
}

// -----
func.func @returned(%x: !array.of<@n x f32>) -> !array.of<@n + 1 x f32> {
  // expected-error @+1 {{!array.of<@n x f32>}}
  return %x : !array.of<@n + 1 x f32>
}

// -----
func.func @cast_of_windows(%x: !array.of<@n + 2 x f32>) {
  %0 = array.slide 3 by 1 %x
  // expected-error @+1 {{SIZE: sizes of a cast: @n must be equal to @n - 1, the difference is 1}}
  %1 = array.cast %0 to !array.of<@n - 1 x 3 x f32>
  return
}
