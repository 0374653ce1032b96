// test: opt --split-input-file --verify-diagnostics

func.func @split(%x: !array.of<4 * @n + 2 x f32>) {
  // expected-error @+1 {{[E0680]: 'array.split' op SIZE: size of parts: 4 must divide 4 * @n + 2, which leaves 2}}
  %0 = array.split 4 %x
  return
}

// -----
func.func @split_by_zero(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{a divisor is not positive}}
  %0 = array.split 0 %x
  return
}

// -----
// With the symbols of the function bound, what was open is decided.
func.func @bound(%x: !array.of<@n x f32>) attributes {array.bind = {m = 5, n = 12}} {
  // expected-error @+1 {{SIZE: size of parts: @m must divide @n, which leaves 2 with @m = 5, @n = 12}}
  %0 = array.split @m %x
  return
}

// -----
func.func @window(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{SIZE: window: @n + 2 must be at most @n, the difference is 2}}
  %0 = array.slide @n + 2 by 1 %x
  return
}

// -----
func.func @strict(%x: !array.of<8 x f32>) {
  // expected-error @+1 {{SIZE: step: 2 must divide 5, which leaves 1}}
  %0 = array.slide strict 3 by 2 %x
  return
}

// -----
func.func @step(%x: !array.of<8 x f32>) {
  // expected-error @+1 {{a divisor is not positive}}
  %0 = array.slide 3 by 0 %x
  return
}

// -----
func.func @pad(%x: !array.of<2 x f32>, %z: f32) {
  // expected-error @+1 {{SIZE: size after padding: 0 must be at most -1, the difference is 1}}
  %0 = "array.pad"(%x, %z) <{low = "-4", high = "1", mode = "value"}> : (!array.of<2 x f32>, f32) -> f32
  return
}

// -----
func.func @mirror(%x: !array.of<@n + 1 x f32>) {
  // expected-error @+1 {{SIZE: mirrored elements: @n + 1 must be at most @n, the difference is 1}}
  %0 = array.pad @n + 1, 0 mirror %x
  return
}

// -----
func.func @value(%x: !array.of<@n x f32>, %z: i32) {
  // expected-error @+1 {{TYPE: element and value are f32 and i32}}
  %0 = array.pad 1, 1 value %z %x
  return
}

// -----
func.func @slice(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{SIZE: end of the slice: @n + 1 must be at most @n, the difference is 1}}
  %0 = array.slice 1, @n %x
  return
}

// -----
func.func @reorder(%x: !array.of<9 x f32>) {
  // expected-error @+1 {{SIZE: stride: 2 must divide 9, which leaves 1}}
  %0 = array.reorder strided 2 %x
  return
}

// -----
func.func @order(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{SIZE: order and its inverse: $i + 2 must be equal to $i, the difference is 2}}
  %0 = array.reorder by $i + 1 inverse $i + 1 %x
  return
}

// -----
// Of known size: every index is tried.
func.func @order_tried(%x: !array.of<4 x f32>) {
  // expected-error @+1 {{SIZE: order and its inverse: $i = 1 goes to 2, which goes to 3}}
  %0 = array.reorder by 2 * $i mod 4 inverse ($i + $i floordiv 2) mod 4 %x
  return
}

// -----
func.func @gather_forms(%x: !array.of<4 x f32>) {
  // expected-error @+1 {{TYPE: needs either indices or `by` a function of the index}}
  %0 = "array.gather"(%x) : (!array.of<4 x f32>) -> !array.of<4 x f32>
  return
}

// -----
func.func @zip(%x: !array.of<@n x f32>, %y: !array.of<@n + 2 x f32>) {
  // expected-error @+1 {{SIZE: sizes of zipped arrays: @n must be equal to @n + 2, the difference is -2}}
  %0 = array.zip %x, %y
  return
}

// -----
func.func @zip_numbers(%x: f32, %y: !array.of<@n x f32>) {
  // expected-error @+1 {{TYPE: needs an array, not f32}}
  %0 = array.zip %x, %y
  return
}

// -----
func.func @unzip(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{TYPE: needs an array of tuples, not of f32}}
  %0 = array.unzip %x
  return
}

// -----
func.func @gather(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{TYPE: indices are an array of index, not of f32}}
  %0 = array.gather %x at %x
  return
}

// -----
func.func @scatter(%x: !array.of<@n + 1 x f32>, %i: !array.of<@n x index>) {
  // expected-error @+1 {{SIZE: elements and indices: @n + 1 must be equal to @n, the difference is 1}}
  %0 = array.scatter %x at %i into %x
  return
}

// -----
func.func @concat(%x: !array.of<@n x f32>, %i: !array.of<@n x index>) {
  // expected-error @+1 {{TYPE: elements of both arrays are f32 and index}}
  %0 = array.concat %x, %i
  return
}

// -----
func.func @join(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{TYPE: needs an array of arrays, not of f32}}
  %0 = array.join %x
  return
}

// -----
func.func @get(%x: tuple<f32, index>) {
  // expected-error @+1 {{TYPE: the tuple has 2 components, counted from 0}}
  %0 = array.get 2 %x
  return
}

// -----
func.func @lanes(%x: !array.of<@n x tuple<f32, index>>) {
  // expected-error @+1 {{TYPE: lanes are numbers, not tuple<f32, index>}}
  %0 = array.as_vector 4 %x
  return
}

// -----
func.func @scalars(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{TYPE: needs vectors of one dimension, not f32}}
  %0 = array.as_scalar %x
  return
}

// -----
func.func @cast(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{SIZE: sizes of a cast: @n must be equal to @n + 1, the difference is -1}}
  %0 = array.cast %x to !array.of<@n + 1 x f32>
  return
}

// -----
func.func @cast_element(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{differ in more than sizes}}
  %0 = array.cast %x to !array.of<@n x f64>
  return
}

// -----
func.func @declared(%x: !array.of<@n x 2 x f32>) {
  // expected-error @+1 {{[E0681]: 'array.join' op TYPE: gives !array.of<2 * @n x f32>, declared !array.of<@n x f32>}}
  %0 = "array.join"(%x) : (!array.of<@n x 2 x f32>) -> !array.of<@n x f32>
  return
}

// -----
// expected-error @+1 {{[E0683]: 'func.func' op BIND: attribute 'array.bind' must be a dictionary of integers from 0}}
func.func @bind() attributes {array.bind = {n = -1}} {
  return
}

// -----
// expected-error @+1 {{an array has at least 0 elements, not -1}}
func.func private @negative(!array.of<-1 x f32>)

// -----
// expected-error @+1 {{elements of arrays are numbers, vectors, tuples and arrays of these, not memref<4xf32>}}
func.func private @element(!array.of<4 x memref<4xf32>>)

// -----
func.func @lanes_of_tuples(%x: !array.of<@n x tuple<f32, f32>>) {
  // expected-error @+1 {{[E0681]: TYPE: lanes are numbers, not tuple<f32, f32>}}
  %0 = array.as_vector @v %x
  return
}

// -----
// expected-error @+1 {{of 4 lanes it is `vector<4x…>`}}
func.func @lanes_known(%x: !array.vector<4 x f32>)

// -----
func.func @lanes_differ(%x: !array.vector<@v x f32>, %y: !array.vector<@w x f32>) {
  // expected-error @+1 {{type !array.vector<@w x f32>, used here as !array.vector<@v x f32>}}
  %0 = arith.addf %x, %y : !array.vector<@v x f32>
  return
}

// -----
func.func @dynamic(%t: tensor<?xf32>) {
  // expected-error @+1 {{[E0681]: TYPE: needs a tensor of fixed shape with a dimension, not tensor<?xf32>}}
  %0 = array.from_tensor %t
  return
}

// -----
func.func @symbolic(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{[E0680]: SIZE: @n is no number; bind the symbols first, with `array-bind`}}
  %0 = array.to_tensor %x
  return
}

// -----
func.func @tuples(%x: !array.of<2 x tuple<f32, f32>>) {
  // expected-error @+1 {{[E0681]: TYPE: elements of tensors are numbers, not tuple<f32, f32>}}
  %0 = array.to_tensor %x
  return
}

// -----
func.func @place(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{attribute 'by' failed to satisfy constraint: list of levels, or `vector` and a number of lanes}}
  %0 = "array.place"(%x) <{space = "local", by = ["vector 0"]}> : (!array.of<@n x f32>) -> !array.of<@n x f32>
  return
}

// -----
func.func @transpose(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{[E0681]: TYPE: needs an array of arrays, not of f32}}
  %0 = array.transpose %x
  return
}

// -----
func.func @at(%x: f32, %i: index) {
  // expected-error @+1 {{[E0681]: TYPE: needs an array, not f32}}
  %0 = array.at %x[%i]
  return
}

// -----
func.func @tuple(%x: f32) {
  // expected-error @+1 {{[E0681]: TYPE: needs two values or more}}
  %0 = array.tuple %x
  return
}

// -----
// Only what works lane by lane, and reductions: other ops need a number of lanes.
func.func @lanes_of_vectors(%x: !array.vector<@v x f32>) {
  // expected-error @+1 {{operand #0 must be vector of any type values, but got '!array.vector<@v x f32>'}}
  %0 = vector.extract %x[0] : f32 from !array.vector<@v x f32>
  return
}
