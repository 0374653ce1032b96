// test: opt --emit=openmp
// Comparisons in C: unsigned ones convert, unordered ones negate the opposite.

func.func @f_i_eq(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi eq, %a, %b : i32
  return %r : i1
}
// check: bool f_i_eq(int32_t a, int32_t b) {
// next: return a == b;
// eval: @f_i_eq(-1, 1) == false
// eval: @f_i_eq(3, 3) == true

func.func @f_i_ne(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi ne, %a, %b : i32
  return %r : i1
}
// check: bool f_i_ne(int32_t a, int32_t b) {
// next: return a != b;
// eval: @f_i_ne(-1, 1) == true
// eval: @f_i_ne(3, 3) == false

func.func @f_i_slt(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi slt, %a, %b : i32
  return %r : i1
}
// check: bool f_i_slt(int32_t a, int32_t b) {
// next: return a < b;
// eval: @f_i_slt(-1, 1) == true
// eval: @f_i_slt(3, 3) == false

func.func @f_i_sle(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi sle, %a, %b : i32
  return %r : i1
}
// check: bool f_i_sle(int32_t a, int32_t b) {
// next: return a <= b;
// eval: @f_i_sle(-1, 1) == true
// eval: @f_i_sle(3, 3) == true

func.func @f_i_sgt(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi sgt, %a, %b : i32
  return %r : i1
}
// check: bool f_i_sgt(int32_t a, int32_t b) {
// next: return a > b;
// eval: @f_i_sgt(-1, 1) == false
// eval: @f_i_sgt(3, 3) == false

func.func @f_i_sge(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi sge, %a, %b : i32
  return %r : i1
}
// check: bool f_i_sge(int32_t a, int32_t b) {
// next: return a >= b;
// eval: @f_i_sge(-1, 1) == false
// eval: @f_i_sge(3, 3) == true

func.func @f_i_ult(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi ult, %a, %b : i32
  return %r : i1
}
// check: bool f_i_ult(int32_t a, int32_t b) {
// next: return (uint32_t)a < (uint32_t)b;
// eval: @f_i_ult(-1, 1) == false
// eval: @f_i_ult(3, 3) == false

func.func @f_i_ule(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi ule, %a, %b : i32
  return %r : i1
}
// check: bool f_i_ule(int32_t a, int32_t b) {
// next: return (uint32_t)a <= (uint32_t)b;
// eval: @f_i_ule(-1, 1) == false
// eval: @f_i_ule(3, 3) == true

func.func @f_i_ugt(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi ugt, %a, %b : i32
  return %r : i1
}
// check: bool f_i_ugt(int32_t a, int32_t b) {
// next: return (uint32_t)a > (uint32_t)b;
// eval: @f_i_ugt(-1, 1) == true
// eval: @f_i_ugt(3, 3) == false

func.func @f_i_uge(%a: i32, %b: i32) -> i1 {
  %r = arith.cmpi uge, %a, %b : i32
  return %r : i1
}
// check: bool f_i_uge(int32_t a, int32_t b) {
// next: return (uint32_t)a >= (uint32_t)b;
// eval: @f_i_uge(-1, 1) == true
// eval: @f_i_uge(3, 3) == true

func.func @f_f_oeq(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf oeq, %a, %b : f32
  return %r : i1
}
// check: bool f_f_oeq(float a, float b) {
// next: return a == b;
// eval: @f_f_oeq(1.0, 2.0) == false
// eval: @f_f_oeq(2.0, 2.0) == true
// eval: @f_f_oeq(nan, 1.0) == false

func.func @f_f_ogt(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf ogt, %a, %b : f32
  return %r : i1
}
// check: bool f_f_ogt(float a, float b) {
// next: return a > b;
// eval: @f_f_ogt(1.0, 2.0) == false
// eval: @f_f_ogt(2.0, 2.0) == false
// eval: @f_f_ogt(nan, 1.0) == false

func.func @f_f_oge(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf oge, %a, %b : f32
  return %r : i1
}
// check: bool f_f_oge(float a, float b) {
// next: return a >= b;
// eval: @f_f_oge(1.0, 2.0) == false
// eval: @f_f_oge(2.0, 2.0) == true
// eval: @f_f_oge(nan, 1.0) == false

func.func @f_f_olt(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf olt, %a, %b : f32
  return %r : i1
}
// check: bool f_f_olt(float a, float b) {
// next: return a < b;
// eval: @f_f_olt(1.0, 2.0) == true
// eval: @f_f_olt(2.0, 2.0) == false
// eval: @f_f_olt(nan, 1.0) == false

func.func @f_f_ole(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf ole, %a, %b : f32
  return %r : i1
}
// check: bool f_f_ole(float a, float b) {
// next: return a <= b;
// eval: @f_f_ole(1.0, 2.0) == true
// eval: @f_f_ole(2.0, 2.0) == true
// eval: @f_f_ole(nan, 1.0) == false

func.func @f_f_one(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf one, %a, %b : f32
  return %r : i1
}
// check: bool f_f_one(float a, float b) {
// next: return a < b || a > b;
// eval: @f_f_one(1.0, 2.0) == true
// eval: @f_f_one(2.0, 2.0) == false
// eval: @f_f_one(nan, 1.0) == false

func.func @f_f_ord(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf ord, %a, %b : f32
  return %r : i1
}
// check: bool f_f_ord(float a, float b) {
// next: return a == a && b == b;
// eval: @f_f_ord(1.0, 2.0) == true
// eval: @f_f_ord(2.0, 2.0) == true
// eval: @f_f_ord(nan, 1.0) == false

func.func @f_f_ueq(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf ueq, %a, %b : f32
  return %r : i1
}
// check: bool f_f_ueq(float a, float b) {
// next: return !(a < b || a > b);
// eval: @f_f_ueq(1.0, 2.0) == false
// eval: @f_f_ueq(2.0, 2.0) == true
// eval: @f_f_ueq(nan, 1.0) == true

func.func @f_f_ugt(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf ugt, %a, %b : f32
  return %r : i1
}
// check: bool f_f_ugt(float a, float b) {
// next: return !(a <= b);
// eval: @f_f_ugt(1.0, 2.0) == false
// eval: @f_f_ugt(2.0, 2.0) == false
// eval: @f_f_ugt(nan, 1.0) == true

func.func @f_f_uge(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf uge, %a, %b : f32
  return %r : i1
}
// check: bool f_f_uge(float a, float b) {
// next: return !(a < b);
// eval: @f_f_uge(1.0, 2.0) == false
// eval: @f_f_uge(2.0, 2.0) == true
// eval: @f_f_uge(nan, 1.0) == true

func.func @f_f_ult(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf ult, %a, %b : f32
  return %r : i1
}
// check: bool f_f_ult(float a, float b) {
// next: return !(a >= b);
// eval: @f_f_ult(1.0, 2.0) == true
// eval: @f_f_ult(2.0, 2.0) == false
// eval: @f_f_ult(nan, 1.0) == true

func.func @f_f_ule(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf ule, %a, %b : f32
  return %r : i1
}
// check: bool f_f_ule(float a, float b) {
// next: return !(a > b);
// eval: @f_f_ule(1.0, 2.0) == true
// eval: @f_f_ule(2.0, 2.0) == true
// eval: @f_f_ule(nan, 1.0) == true

func.func @f_f_une(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf une, %a, %b : f32
  return %r : i1
}
// check: bool f_f_une(float a, float b) {
// next: return a != b;
// eval: @f_f_une(1.0, 2.0) == true
// eval: @f_f_une(2.0, 2.0) == false
// eval: @f_f_une(nan, 1.0) == true

func.func @f_f_uno(%a: f32, %b: f32) -> i1 {
  %r = arith.cmpf uno, %a, %b : f32
  return %r : i1
}
// check: bool f_f_uno(float a, float b) {
// next: return a != a || b != b;
// eval: @f_f_uno(1.0, 2.0) == false
// eval: @f_f_uno(2.0, 2.0) == false
// eval: @f_f_uno(nan, 1.0) == true
