// Locations of arguments are kept, those not written are where the names stand.
func.func @f(%arg0: i32 loc("x":1:2), %arg1: i32 {test.name} loc(unknown)) -> i32 {
  cf.br ^bb1(%arg0 : i32)
^bb1(%0: i32 loc("name")):  // pred: ^bb0
  %1 = "test.op"() ({
  ^bb0(%arg2: i32 loc(fused["a", "b"]), %arg3: f32):
    "test.end"(%arg2) : (i32) -> ()
  }) : () -> i32
  return %0 : i32
} loc("f.mlir":3:4)
