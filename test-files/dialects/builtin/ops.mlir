// test: round-trip

module @outer attributes {answer = 42 : i32} {
  module {
    func.func private @f()
  }
  func.func @cast(%a: i32) -> i64 {
    %b = builtin.unrealized_conversion_cast %a : i32 to i64
    return %b : i64
  }
}
