// test: round-trip

func.func private @declared(i32, f32) -> (i32, f32)

func.func @nothing() {
  return
}

func.func @call(%a: i32, %b: f32) -> (i32, f32) attributes {tag = "x"} {
  %r:2 = call @declared(%a, %b) : (i32, f32) -> (i32, f32)
  return %r#0, %r#1 : i32, f32
}

func.func @attrs(%a: i32 {test.name = "in"}) -> (i32 {test.name = "out"}) {
  return %a : i32
}

func.func @indirect(%x: i32, %y: f32) -> (i32, f32) {
  %f = constant @declared : (i32, f32) -> (i32, f32)
  %r:2 = call_indirect %f(%x, %y) : (i32, f32) -> (i32, f32)
  return %r#0, %r#1 : i32, f32
}

module @inner {
  func.func @nothing() {
    return
  }
}

func.func private @described(i32 {test.name = "in"}) -> (i32 {test.name = "out"})

func.func @described_calls(%x: i32) -> i32 {
  %r = call @described(%x) {arg_attrs = [{test.name = "in"}], no_inline, res_attrs = [{test.name = "out"}]} : (i32) -> i32
  return %r : i32
}
