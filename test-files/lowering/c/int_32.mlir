// test: opt --emit=openmp
// Numbers of 32 bits in C: sums wrap through unsigned ones; quotients state their sign.

func.func @f_addi(%a: i32, %b: i32) -> i32 {
  %r = arith.addi %a, %b : i32
  return %r : i32
}
// check: int32_t f_addi(int32_t a, int32_t b) {
// next: return (int32_t)((uint32_t)a + b);
// eval: @f_addi(-7, 2) == -5
// eval: @f_addi(2147483647, -2) == 2147483645

func.func @f_subi(%a: i32, %b: i32) -> i32 {
  %r = arith.subi %a, %b : i32
  return %r : i32
}
// check: int32_t f_subi(int32_t a, int32_t b) {
// next: return (int32_t)((uint32_t)a - b);
// eval: @f_subi(-7, 2) == -9
// eval: @f_subi(2147483647, -2) == -2147483647

func.func @f_muli(%a: i32, %b: i32) -> i32 {
  %r = arith.muli %a, %b : i32
  return %r : i32
}
// check: int32_t f_muli(int32_t a, int32_t b) {
// next: return (int32_t)((uint32_t)a * b);
// eval: @f_muli(-7, 2) == -14
// eval: @f_muli(2147483647, -2) == 2

func.func @f_divsi(%a: i32, %b: i32) -> i32 {
  %r = arith.divsi %a, %b : i32
  return %r : i32
}
// check: int32_t f_divsi(int32_t a, int32_t b) {
// next: return a / b;
// eval: @f_divsi(-7, 2) == -3
// eval: @f_divsi(2147483647, -2) == -1073741823

func.func @f_divui(%a: i32, %b: i32) -> i32 {
  %r = arith.divui %a, %b : i32
  return %r : i32
}
// check: int32_t f_divui(int32_t a, int32_t b) {
// next: return (int32_t)((uint32_t)a / (uint32_t)b);
// eval: @f_divui(-7, 2) == 2147483644
// eval: @f_divui(2147483647, -2) == 0

func.func @f_remsi(%a: i32, %b: i32) -> i32 {
  %r = arith.remsi %a, %b : i32
  return %r : i32
}
// check: int32_t f_remsi(int32_t a, int32_t b) {
// next: return a % b;
// eval: @f_remsi(-7, 2) == -1
// eval: @f_remsi(2147483647, -2) == 1

func.func @f_remui(%a: i32, %b: i32) -> i32 {
  %r = arith.remui %a, %b : i32
  return %r : i32
}
// check: int32_t f_remui(int32_t a, int32_t b) {
// next: return (int32_t)((uint32_t)a % (uint32_t)b);
// eval: @f_remui(-7, 2) == 1
// eval: @f_remui(2147483647, -2) == 2147483647

func.func @f_andi(%a: i32, %b: i32) -> i32 {
  %r = arith.andi %a, %b : i32
  return %r : i32
}
// check: int32_t f_andi(int32_t a, int32_t b) {
// next: return a & b;
// eval: @f_andi(-7, 2) == 0
// eval: @f_andi(2147483647, -2) == 2147483646

func.func @f_ori(%a: i32, %b: i32) -> i32 {
  %r = arith.ori %a, %b : i32
  return %r : i32
}
// check: int32_t f_ori(int32_t a, int32_t b) {
// next: return a | b;
// eval: @f_ori(-7, 2) == -5
// eval: @f_ori(2147483647, -2) == -1

func.func @f_xori(%a: i32, %b: i32) -> i32 {
  %r = arith.xori %a, %b : i32
  return %r : i32
}
// check: int32_t f_xori(int32_t a, int32_t b) {
// next: return a ^ b;
// eval: @f_xori(-7, 2) == -5
// eval: @f_xori(2147483647, -2) == -2147483647

func.func @f_shli(%a: i32, %b: i32) -> i32 {
  %r = arith.shli %a, %b : i32
  return %r : i32
}
// check: int32_t f_shli(int32_t a, int32_t b) {
// next: return (int32_t)((uint32_t)a << (b & 31));
// eval: @f_shli(-7, 2) == -28
// eval: @f_shli(7, 3) == 56

func.func @f_shrsi(%a: i32, %b: i32) -> i32 {
  %r = arith.shrsi %a, %b : i32
  return %r : i32
}
// check: int32_t f_shrsi(int32_t a, int32_t b) {
// next: return a >> (b & 31);
// eval: @f_shrsi(-7, 2) == -2
// eval: @f_shrsi(7, 3) == 0

func.func @f_shrui(%a: i32, %b: i32) -> i32 {
  %r = arith.shrui %a, %b : i32
  return %r : i32
}
// check: int32_t f_shrui(int32_t a, int32_t b) {
// next: return (int32_t)((uint32_t)a >> (b & 31));
// eval: @f_shrui(-7, 2) == 1073741822
// eval: @f_shrui(7, 3) == 0

func.func @f_minsi(%a: i32, %b: i32) -> i32 {
  %r = arith.minsi %a, %b : i32
  return %r : i32
}
// check: int32_t f_minsi(int32_t a, int32_t b) {
// next: return terrace_min_i32(a, b);
// eval: @f_minsi(-7, 2) == -7
// eval: @f_minsi(2147483647, -2) == -2

func.func @f_minui(%a: i32, %b: i32) -> i32 {
  %r = arith.minui %a, %b : i32
  return %r : i32
}
// check: int32_t f_minui(int32_t a, int32_t b) {
// next: return terrace_minui_i32(a, b);
// eval: @f_minui(-7, 2) == 2
// eval: @f_minui(2147483647, -2) == 2147483647

func.func @f_maxsi(%a: i32, %b: i32) -> i32 {
  %r = arith.maxsi %a, %b : i32
  return %r : i32
}
// check: int32_t f_maxsi(int32_t a, int32_t b) {
// next: return terrace_max_i32(a, b);
// eval: @f_maxsi(-7, 2) == 2
// eval: @f_maxsi(2147483647, -2) == 2147483647

func.func @f_maxui(%a: i32, %b: i32) -> i32 {
  %r = arith.maxui %a, %b : i32
  return %r : i32
}
// check: int32_t f_maxui(int32_t a, int32_t b) {
// next: return terrace_maxui_i32(a, b);
// eval: @f_maxui(-7, 2) == -7
// eval: @f_maxui(2147483647, -2) == -2

func.func @f_ceildivsi(%a: i32, %b: i32) -> i32 {
  %r = arith.ceildivsi %a, %b : i32
  return %r : i32
}
// check: int32_t f_ceildivsi(int32_t a, int32_t b) {
// next: return terrace_ceildiv_int32_t(a, b);
// eval: @f_ceildivsi(-7, 2) == -3
// eval: @f_ceildivsi(2147483647, -2) == -1073741823

func.func @f_ceildivui(%a: i32, %b: i32) -> i32 {
  %r = arith.ceildivui %a, %b : i32
  return %r : i32
}
// check: int32_t f_ceildivui(int32_t a, int32_t b) {
// next: return (int32_t)terrace_ceildiv_uint32_t((uint32_t)a, (uint32_t)b);
// eval: @f_ceildivui(-7, 2) == 2147483645
// eval: @f_ceildivui(2147483647, -2) == 1

func.func @f_floordivsi(%a: i32, %b: i32) -> i32 {
  %r = arith.floordivsi %a, %b : i32
  return %r : i32
}
// check: int32_t f_floordivsi(int32_t a, int32_t b) {
// next: return terrace_floordiv_int32_t(a, b);
// eval: @f_floordivsi(-7, 2) == -4
// eval: @f_floordivsi(2147483647, -2) == -1073741824
