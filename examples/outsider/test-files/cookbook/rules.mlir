// test: opt --pipeline="func.func(rewrite{rules=discount_of_all})"
// rule: discount_of_all

func.func @all(%price: i64) -> i64 {
  %a = shop.discount %price by 100
  %b = shop.discount %a by 30
  return %b : i64
}
// check: func.func @all
// check: shop.discount %price by 100
// eval: @all(70) == 0

func.func @some(%price: i64) -> i64 {
  %a = shop.discount %price by 50
  %b = shop.discount %a by 30
  return %b : i64
}
// check: func.func @some
// check: by 50
// next: by 30
// eval: @some(99) == 35
