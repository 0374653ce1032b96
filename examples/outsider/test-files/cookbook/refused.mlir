// test: opt --split-input-file --verify-diagnostics

func.func @much(%price: i64) -> i64 {
  // expected-error @+1 {{[E9101]: 'shop.discount' op takes off 120 %}}
  %p = shop.discount %price by 120
  return %p : i64
}

// -----

func.func @size() -> i64 {
  // expected-error @+1 {{'shop.cup' op attribute 'size' failed to satisfy constraint: `small` or `large`}}
  %a = "shop.cup"() <{size = 3 : i64}> : () -> i64
  return %a : i64
}
