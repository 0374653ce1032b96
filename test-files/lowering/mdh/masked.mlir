// Conditions on the dimension of the lanes are bounds of the lanes' loop: what they leave out is masked.
// test: opt --pipeline="func.func(mdh-to-sched)"

// A window of three taps with padding on both sides, in steps of two; the last result is a vector of one lane.
func.func @window(%X: tensor<17xi32>, %W: tensor<3xi32>) -> tensor<9xi32> {
  %m = mdh.compute (q in 9, s in 3 pw add) where 0 <= 2 * q + s - 1 < 17
       ins(%x = %X[2 * q + s - 1], %w = %W[s]) outs([q])
       attributes {mdh.schedule = ["1: (^,^) (^,^ ; REG) (^,^)", "2: (^,1) (^,^ ; ^) (^,UNR.1)", "3: (8~peel,^) (^,^ ; ^) (UNR.1,^)", "4: (1,^) (^,^ ; ^) (VEC.x,^)"]} {
    %v = arith.muli %x, %w : i32
    mdh.yield %v : i32
  } : (tensor<17xi32>, tensor<3xi32>) -> tensor<9xi32>
  return %m : tensor<9xi32>
}
// check: @window
// check: sched.for step 2 at 2 (%s2 in 3 by 1 dim 1 : unroll pw add) {
// next: sched.for step 4 at 4 (%q4 in 8 by 1 from (-(%s2 - 1)) ceildiv 2 limit {{.*}} dim 0 : vector) {
// next: sched.read %X[%q4 * 2 + %s2 - 1]
// check: sched.for step 3 at 3 ({{.*}} in 1 by 1 limit
// not: dim 0 : vector
