// test: opt --pipeline="func.func(canonicalize)"
// rule: negate_negate

func.func @f(%a: i64) -> i64 {
  %b = template.negate %a
  %c = template.negate %b
  return %c : i64
}
// check: func.func @f(%a: i64) -> i64
// next: return %a
// eval: @f(7) == 7
