// test: opt --split-input-file --verify-diagnostics

func.func @narrow(%a: i32) {
  // expected-error @+1 {{operand #0 must be 64-bit signless integer, but got 'i32'}}
  %b = "template.twice"(%a) : (i32) -> i64
  return
}
