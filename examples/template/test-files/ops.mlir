// test: round-trip

func.func @both(%a: i64) -> i64 {
  %b = template.twice %a
  %c = template.negate %b {note = "kept"}
  return %c : i64
}
// eval: @both(3) == -6
