// test: opt --pipeline="func.func(template-to-arith,canonicalize)"
// snapshot:

func.func @f(%a: i64) -> i64 {
  %b = template.twice %a
  %c = template.negate %b
  return %c : i64
}
// eval: @f(7) == -14
