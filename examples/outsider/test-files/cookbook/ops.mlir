// test: opt --pipeline="func.func(canonicalize,cse)"

// An enum attribute.
func.func @cups() -> i64 {
  %a = shop.cup large
  %b = shop.cup small
  %c = arith.subi %a, %b : i64
  return %c : i64
}
// check: shop.cup large
// next: shop.cup small
// eval: @cups() == 200

// A region.
func.func @each(%n: i64) -> i64 {
  %s = shop.each %n {
  ^bb0(%i: i64):
    %d = shop.double %i
    shop.give %d
  }
  return %s : i64
}
// check: shop.each %n {
// check: shop.give
// eval: @each(5) == 20
// eval: @each(0) == 0

// Operands of any number, and one that may be absent.
func.func @most(%a: i64, %b: i64, %c: i64) -> (i64, i64) {
  %m = shop.most %a, %b, %c
  %l = shop.most %a, %b below %c
  return %m, %l : i64, i64
}
// check: shop.most %a, %b, %c
// next: shop.most %a, %b below %c
// eval: @most(3, 7, 5) == (7, 5)

// A fold.
func.func @double() -> i64 {
  %c = arith.constant 21 : i64
  %d = shop.double %c
  return %d : i64
}
// check: func.func @double
// not: shop.double
// check: arith.constant 42 : i64
// eval: @double() == 42

// Effects: between two sales what is there is asked once, and not where nobody wants to know.
func.func @stock(%n: i64) -> (i64, i64) {
  %unused = shop.stock
  shop.sell %n
  %a = shop.stock
  %b = shop.stock
  return %a, %b : i64, i64
}
// check: func.func @stock
// next: shop.sell %n
// next: %a = shop.stock
// next: return %a, %a

// Values of one's own type.
func.func @label(%more: !shop.label) -> (!shop.label, i64) {
  %t = shop.write "green "
  %l = shop.join %t, %more
  %n = shop.length %l
  return %l, %n : !shop.label, i64
}
// check: shop.join
// eval: @label("tea") == ("green tea", 9)
