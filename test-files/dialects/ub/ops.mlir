// test: round-trip

func.func @poison() -> i32 {
  %p = ub.poison : i32
  return %p : i32
}
func.func @never() {
  ub.unreachable
}
