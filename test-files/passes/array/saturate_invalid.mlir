// test: opt --pipeline='func.func(array-saturate)' --verify-diagnostics
// Functions that are no terms.

func.func @writes(%x: !array.of<8 x i32>, %m: memref<i32>, %v: i32) -> !array.of<8 x i32> {
  %y = array.split 4 %x
  %z = array.join %y
  // expected-error @+1 {{is no term: it does more than give a value}}
  memref.store %v, %m[] : memref<i32>
  return %z : !array.of<8 x i32>
}
