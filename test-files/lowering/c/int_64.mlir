// test: opt --emit=openmp
// Numbers of 64 bits in C.

func.func @f_addi(%a: i64, %b: i64) -> i64 {
  %r = arith.addi %a, %b : i64
  return %r : i64
}
// check: int64_t f_addi(int64_t a, int64_t b) {
// next: return (int64_t)((uint64_t)a + b);
// eval: @f_addi(-9, 4) == -5
// eval: @f_addi(9223372036854775807, -4) == 9223372036854775803

func.func @f_muli(%a: i64, %b: i64) -> i64 {
  %r = arith.muli %a, %b : i64
  return %r : i64
}
// check: int64_t f_muli(int64_t a, int64_t b) {
// next: return (int64_t)((uint64_t)a * b);
// eval: @f_muli(-9, 4) == -36
// eval: @f_muli(9223372036854775807, -4) == 4

func.func @f_divui(%a: i64, %b: i64) -> i64 {
  %r = arith.divui %a, %b : i64
  return %r : i64
}
// check: int64_t f_divui(int64_t a, int64_t b) {
// next: return (int64_t)((uint64_t)a / (uint64_t)b);
// eval: @f_divui(-9, 4) == 4611686018427387901
// eval: @f_divui(9223372036854775807, -4) == 0

func.func @f_remsi(%a: i64, %b: i64) -> i64 {
  %r = arith.remsi %a, %b : i64
  return %r : i64
}
// check: int64_t f_remsi(int64_t a, int64_t b) {
// next: return a % b;
// eval: @f_remsi(-9, 4) == -1
// eval: @f_remsi(9223372036854775807, -4) == 3

func.func @f_shli(%a: i64, %b: i64) -> i64 {
  %r = arith.shli %a, %b : i64
  return %r : i64
}
// check: int64_t f_shli(int64_t a, int64_t b) {
// next: return (int64_t)((uint64_t)a << (b & 63));
// eval: @f_shli(-7, 2) == -28
// eval: @f_shli(7, 3) == 56

func.func @f_shrui(%a: i64, %b: i64) -> i64 {
  %r = arith.shrui %a, %b : i64
  return %r : i64
}
// check: int64_t f_shrui(int64_t a, int64_t b) {
// next: return (int64_t)((uint64_t)a >> (b & 63));
// eval: @f_shrui(-7, 2) == 4611686018427387902
// eval: @f_shrui(7, 3) == 0

func.func @f_maxui(%a: i64, %b: i64) -> i64 {
  %r = arith.maxui %a, %b : i64
  return %r : i64
}
// check: int64_t f_maxui(int64_t a, int64_t b) {
// next: return terrace_maxui_i64(a, b);
// eval: @f_maxui(-9, 4) == -9
// eval: @f_maxui(9223372036854775807, -4) == -4

func.func @f_ceildivsi(%a: i64, %b: i64) -> i64 {
  %r = arith.ceildivsi %a, %b : i64
  return %r : i64
}
// check: int64_t f_ceildivsi(int64_t a, int64_t b) {
// next: return terrace_ceildiv_int64_t(a, b);
// eval: @f_ceildivsi(-9, 4) == -2
// eval: @f_ceildivsi(9223372036854775807, -4) == -2305843009213693951

func.func @f_floordivsi(%a: i64, %b: i64) -> i64 {
  %r = arith.floordivsi %a, %b : i64
  return %r : i64
}
// check: int64_t f_floordivsi(int64_t a, int64_t b) {
// next: return terrace_floordiv_int64_t(a, b);
// eval: @f_floordivsi(-9, 4) == -3
// eval: @f_floordivsi(9223372036854775807, -4) == -2305843009213693952
