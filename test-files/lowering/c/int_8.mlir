// test: opt --emit=openmp
// Bytes in C: what the promotion to int widens is cut again.

func.func @f_addi(%a: i8, %b: i8) -> i8 {
  %r = arith.addi %a, %b : i8
  return %r : i8
}
// check: int8_t f_addi(int8_t a, int8_t b) {
// next: return (int8_t)(a + b);
// eval: @f_addi(-100, 7) == -93
// eval: @f_addi(100, -7) == 93
// eval: @f_addi(127, 127) == -2

func.func @f_subi(%a: i8, %b: i8) -> i8 {
  %r = arith.subi %a, %b : i8
  return %r : i8
}
// check: int8_t f_subi(int8_t a, int8_t b) {
// next: return (int8_t)(a - b);
// eval: @f_subi(-100, 7) == -107
// eval: @f_subi(100, -7) == 107
// eval: @f_subi(127, 127) == 0

func.func @f_muli(%a: i8, %b: i8) -> i8 {
  %r = arith.muli %a, %b : i8
  return %r : i8
}
// check: int8_t f_muli(int8_t a, int8_t b) {
// next: return (int8_t)(a * b);
// eval: @f_muli(-100, 7) == 68
// eval: @f_muli(100, -7) == 68
// eval: @f_muli(127, 127) == 1

func.func @f_divsi(%a: i8, %b: i8) -> i8 {
  %r = arith.divsi %a, %b : i8
  return %r : i8
}
// check: int8_t f_divsi(int8_t a, int8_t b) {
// next: return (int8_t)(a / b);
// eval: @f_divsi(-100, 7) == -14
// eval: @f_divsi(100, -7) == -14
// eval: @f_divsi(127, 127) == 1

func.func @f_divui(%a: i8, %b: i8) -> i8 {
  %r = arith.divui %a, %b : i8
  return %r : i8
}
// check: int8_t f_divui(int8_t a, int8_t b) {
// next: return (int8_t)((uint8_t)a / (uint8_t)b);
// eval: @f_divui(-100, 7) == 22
// eval: @f_divui(100, -7) == 0
// eval: @f_divui(127, 127) == 1

func.func @f_remsi(%a: i8, %b: i8) -> i8 {
  %r = arith.remsi %a, %b : i8
  return %r : i8
}
// check: int8_t f_remsi(int8_t a, int8_t b) {
// next: return (int8_t)(a % b);
// eval: @f_remsi(-100, 7) == -2
// eval: @f_remsi(100, -7) == 2
// eval: @f_remsi(127, 127) == 0

func.func @f_remui(%a: i8, %b: i8) -> i8 {
  %r = arith.remui %a, %b : i8
  return %r : i8
}
// check: int8_t f_remui(int8_t a, int8_t b) {
// next: return (int8_t)((uint8_t)a % (uint8_t)b);
// eval: @f_remui(-100, 7) == 2
// eval: @f_remui(100, -7) == 100
// eval: @f_remui(127, 127) == 0

func.func @f_andi(%a: i8, %b: i8) -> i8 {
  %r = arith.andi %a, %b : i8
  return %r : i8
}
// check: int8_t f_andi(int8_t a, int8_t b) {
// next: return a & b;
// eval: @f_andi(-100, 7) == 4
// eval: @f_andi(100, -7) == 96
// eval: @f_andi(127, 127) == 127

func.func @f_ori(%a: i8, %b: i8) -> i8 {
  %r = arith.ori %a, %b : i8
  return %r : i8
}
// check: int8_t f_ori(int8_t a, int8_t b) {
// next: return a | b;
// eval: @f_ori(-100, 7) == -97
// eval: @f_ori(100, -7) == -3
// eval: @f_ori(127, 127) == 127

func.func @f_xori(%a: i8, %b: i8) -> i8 {
  %r = arith.xori %a, %b : i8
  return %r : i8
}
// check: int8_t f_xori(int8_t a, int8_t b) {
// next: return a ^ b;
// eval: @f_xori(-100, 7) == -101
// eval: @f_xori(100, -7) == -99
// eval: @f_xori(127, 127) == 0

func.func @f_shli(%a: i8, %b: i8) -> i8 {
  %r = arith.shli %a, %b : i8
  return %r : i8
}
// check: int8_t f_shli(int8_t a, int8_t b) {
// next: return (int8_t)((uint8_t)a << (b & 7));
// eval: @f_shli(-7, 2) == -28
// eval: @f_shli(7, 3) == 56

func.func @f_shrsi(%a: i8, %b: i8) -> i8 {
  %r = arith.shrsi %a, %b : i8
  return %r : i8
}
// check: int8_t f_shrsi(int8_t a, int8_t b) {
// next: return a >> (b & 7);
// eval: @f_shrsi(-7, 2) == -2
// eval: @f_shrsi(7, 3) == 0

func.func @f_shrui(%a: i8, %b: i8) -> i8 {
  %r = arith.shrui %a, %b : i8
  return %r : i8
}
// check: int8_t f_shrui(int8_t a, int8_t b) {
// next: return (int8_t)((uint8_t)a >> (b & 7));
// eval: @f_shrui(-7, 2) == 62
// eval: @f_shrui(7, 3) == 0

func.func @f_minsi(%a: i8, %b: i8) -> i8 {
  %r = arith.minsi %a, %b : i8
  return %r : i8
}
// check: int8_t f_minsi(int8_t a, int8_t b) {
// next: return terrace_min_i8(a, b);
// eval: @f_minsi(-100, 7) == -100
// eval: @f_minsi(100, -7) == -7
// eval: @f_minsi(127, 127) == 127

func.func @f_minui(%a: i8, %b: i8) -> i8 {
  %r = arith.minui %a, %b : i8
  return %r : i8
}
// check: int8_t f_minui(int8_t a, int8_t b) {
// next: return terrace_minui_i8(a, b);
// eval: @f_minui(-100, 7) == 7
// eval: @f_minui(100, -7) == 100
// eval: @f_minui(127, 127) == 127

func.func @f_maxsi(%a: i8, %b: i8) -> i8 {
  %r = arith.maxsi %a, %b : i8
  return %r : i8
}
// check: int8_t f_maxsi(int8_t a, int8_t b) {
// next: return terrace_max_i8(a, b);
// eval: @f_maxsi(-100, 7) == 7
// eval: @f_maxsi(100, -7) == 100
// eval: @f_maxsi(127, 127) == 127

func.func @f_maxui(%a: i8, %b: i8) -> i8 {
  %r = arith.maxui %a, %b : i8
  return %r : i8
}
// check: int8_t f_maxui(int8_t a, int8_t b) {
// next: return terrace_maxui_i8(a, b);
// eval: @f_maxui(-100, 7) == -100
// eval: @f_maxui(100, -7) == -7
// eval: @f_maxui(127, 127) == 127

func.func @f_ceildivsi(%a: i8, %b: i8) -> i8 {
  %r = arith.ceildivsi %a, %b : i8
  return %r : i8
}
// check: int8_t f_ceildivsi(int8_t a, int8_t b) {
// next: return terrace_ceildiv_int8_t(a, b);
// eval: @f_ceildivsi(-100, 7) == -14
// eval: @f_ceildivsi(100, -7) == -14
// eval: @f_ceildivsi(127, 127) == 1

func.func @f_ceildivui(%a: i8, %b: i8) -> i8 {
  %r = arith.ceildivui %a, %b : i8
  return %r : i8
}
// check: int8_t f_ceildivui(int8_t a, int8_t b) {
// next: return (int8_t)terrace_ceildiv_uint8_t((uint8_t)a, (uint8_t)b);
// eval: @f_ceildivui(-100, 7) == 23
// eval: @f_ceildivui(100, -7) == 1
// eval: @f_ceildivui(127, 127) == 1

func.func @f_floordivsi(%a: i8, %b: i8) -> i8 {
  %r = arith.floordivsi %a, %b : i8
  return %r : i8
}
// check: int8_t f_floordivsi(int8_t a, int8_t b) {
// next: return terrace_floordiv_int8_t(a, b);
// eval: @f_floordivsi(-100, 7) == -15
// eval: @f_floordivsi(100, -7) == -15
// eval: @f_floordivsi(127, 127) == 1
