// test: opt --verify-diagnostics

func.func @cast(%a: i32) {
  // expected-error @+1 {{expected at least one result for cast operation}}
  "builtin.unrealized_conversion_cast"(%a) : (i32) -> ()
  return
}
