// test: opt --emit=openmp
// Conversions in C: an unsigned source or result is named, one bit with a sign is 0 or -1, bits are copied.

func.func @f_extsi_i8_i32(%a: i8) -> i32 {
  %r = arith.extsi %a : i8 to i32
  return %r : i32
}
// check: int32_t f_extsi_i8_i32(int8_t a) {
// next: return (int32_t)a;
// eval: @f_extsi_i8_i32(-3) == -3

func.func @f_extui_i8_i32(%a: i8) -> i32 {
  %r = arith.extui %a : i8 to i32
  return %r : i32
}
// check: int32_t f_extui_i8_i32(int8_t a) {
// next: return (int32_t)(uint8_t)a;
// eval: @f_extui_i8_i32(-3) == 253

func.func @f_extui_i1_i32(%a: i1) -> i32 {
  %r = arith.extui %a : i1 to i32
  return %r : i32
}
// check: int32_t f_extui_i1_i32(bool a) {
// next: return (int32_t)a;
// eval: @f_extui_i1_i32(true) == 1

func.func @f_extsi_i1_i32(%a: i1) -> i32 {
  %r = arith.extsi %a : i1 to i32
  return %r : i32
}
// check: int32_t f_extsi_i1_i32(bool a) {
// next: return -((int32_t)a);
// eval: @f_extsi_i1_i32(true) == -1
// eval: @f_extsi_i1_i32(false) == 0

func.func @f_trunci_i64_i16(%a: i64) -> i16 {
  %r = arith.trunci %a : i64 to i16
  return %r : i16
}
// check: int16_t f_trunci_i64_i16(int64_t a) {
// next: return (int16_t)a;
// eval: @f_trunci_i64_i16(65535) == -1
// eval: @f_trunci_i64_i16(98304) == -32768

func.func @f_extf_f32_f64(%a: f32) -> f64 {
  %r = arith.extf %a : f32 to f64
  return %r : f64
}
// check: double f_extf_f32_f64(float a) {
// next: return (double)a;
// eval: @f_extf_f32_f64(0.5) == 0.5

func.func @f_truncf_f64_f32(%a: f64) -> f32 {
  %r = arith.truncf %a : f64 to f32
  return %r : f32
}
// check: float f_truncf_f64_f32(double a) {
// next: return (float)a;
// eval: @f_truncf_f64_f32(16777217.0) == 16777216.0

func.func @f_sitofp_i32_f32(%a: i32) -> f32 {
  %r = arith.sitofp %a : i32 to f32
  return %r : f32
}
// check: float f_sitofp_i32_f32(int32_t a) {
// next: return (float)a;
// eval: @f_sitofp_i32_f32(-7) == -7.0

func.func @f_uitofp_i32_f64(%a: i32) -> f64 {
  %r = arith.uitofp %a : i32 to f64
  return %r : f64
}
// check: double f_uitofp_i32_f64(int32_t a) {
// next: return (double)(uint32_t)a;
// eval: @f_uitofp_i32_f64(-1) == 4294967295.0

func.func @f_sitofp_i1_f32(%a: i1) -> f32 {
  %r = arith.sitofp %a : i1 to f32
  return %r : f32
}
// check: float f_sitofp_i1_f32(bool a) {
// next: return (float)-((int)a);
// eval: @f_sitofp_i1_f32(true) == -1.0

func.func @f_fptosi_f32_i32(%a: f32) -> i32 {
  %r = arith.fptosi %a : f32 to i32
  return %r : i32
}
// check: int32_t f_fptosi_f32_i32(float a) {
// next: return (int32_t)a;
// eval: @f_fptosi_f32_i32(-2.75) == -2

func.func @f_fptoui_f64_i64(%a: f64) -> i64 {
  %r = arith.fptoui %a : f64 to i64
  return %r : i64
}
// check: int64_t f_fptoui_f64_i64(double a) {
// next: return (int64_t)(uint64_t)a;
// eval: @f_fptoui_f64_i64(3.9) == 3

func.func @f_bitcast_f32_i32(%a: f32) -> i32 {
  %r = arith.bitcast %a : f32 to i32
  return %r : i32
}
// check: int32_t f_bitcast_f32_i32(float a) {
// next: return terrace_bits_f32_i32(a);
// eval: @f_bitcast_f32_i32(1.0) == 1065353216
// eval: @f_bitcast_f32_i32(-0.0) == -2147483648

func.func @f_bitcast_i64_f64(%a: i64) -> f64 {
  %r = arith.bitcast %a : i64 to f64
  return %r : f64
}
// check: double f_bitcast_i64_f64(int64_t a) {
// next: return terrace_bits_i64_f64(a);
// eval: @f_bitcast_i64_f64(4611686018427387904) == 2.0

func.func @f_index_cast_index_i32(%a: index) -> i32 {
  %r = arith.index_cast %a : index to i32
  return %r : i32
}
// check: int32_t f_index_cast_index_i32(int64_t a) {
// next: return (int32_t)a;
// eval: @f_index_cast_index_i32(-5) == -5

func.func @f_index_castui_i32_index(%a: i32) -> index {
  %r = arith.index_castui %a : i32 to index
  return %r : index
}
// check: int64_t f_index_castui_i32_index(int32_t a) {
// next: return (int64_t)(uint32_t)a;
// eval: @f_index_castui_i32_index(-1) == 4294967295

func.func @f_select(%c: i1, %a: f32, %b: f32) -> f32 {
  %r = arith.select %c, %a, %b : f32
  return %r : f32
}
// check: float f_select(bool c, float a, float b) {
// next: return c ? a : b;
// eval: @f_select(true, 1.0, 2.0) == 1.0
// eval: @f_select(false, 1.0, 2.0) == 2.0
