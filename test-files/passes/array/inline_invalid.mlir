// test: opt --pipeline="array-inline" --split-input-file --verify-diagnostics

func.func private @declared(%a: i32) -> i32
func.func @calls(%x: !array.of<@n x i32>) {
  // expected-error @+1 {{[E0691]: 'func.call' op CALL: stays inside of a pattern}}
  %0 = array.map @declared %x
  return
}

// -----
func.func private @recursive(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = func.call @recursive(%x) : (!array.of<@n x i32>) -> !array.of<@n x i32>
  return %0 : !array.of<@n x i32>
}
func.func @calls(%x: !array.of<@m x @n x i32>) {
  // expected-error @+1 {{CALL: stays inside of a pattern}}
  %0 = array.map @recursive %x
  return
}
