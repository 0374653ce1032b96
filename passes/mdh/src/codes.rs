//! Codes of scheduling, E067x.

terrace_diag::codes! {
    /// The properties of a computation do not fit together, so that no schedule can be chosen.
    ///
    /// Wrong: A computation in generic form whose maps and operators were put together by a pass of one's own, and never
    /// verified.
    ///
    /// Right: The same computation in custom form, which the verifier has seen.
    pub VIEW: "E0670" Verifier "computation cannot be scheduled";
    /// A given schedule asks for something that the computation's form does not allow. The message names the rule.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(mdh-schedule{target=cuda})'`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<8x64xi32>) -> tensor<8xi32> {
    ///   %c = mdh.compute (i in 8 ps add, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
    ///        attributes {mdh.schedule = ["1: (^,8) (^ ; ^) (^,BLK.x(kernel))", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    ///     mdh.yield %a : i32
    ///   } : (tensor<8x64xi32>) -> tensor<8xi32>
    ///   return %c : tensor<8xi32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<8x64xi32>) -> tensor<8xi32> {
    ///   %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
    ///        attributes {mdh.schedule = ["1: (^,8) (^ ; ^) (^,BLK.x(kernel))", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    ///     mdh.yield %a : i32
    ///   } : (tensor<8x64xi32>) -> tensor<8xi32>
    ///   return %c : tensor<8xi32>
    /// }
    /// ```
    pub SCHEDULE: "E0671" Verifier "schedule cannot be settled";
    /// A combine operator is not what it declares: the message gives values for which it is not associative, not commutative,
    /// or for which its identity changes them.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline=check-operators`:
    ///
    /// ```mlir
    /// func.func private @difference(%a: i32, %b: i32) -> i32 attributes {sched.operator = {associative}} {
    ///   %0 = arith.subi %a, %b : i32
    ///   return %0 : i32
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func private @sum(%a: i32, %b: i32) -> i32 attributes {sched.operator = {associative}} {
    ///   %0 = arith.addi %a, %b : i32
    ///   return %0 : i32
    /// }
    /// ```
    pub PROPERTY: "E0672" Verifier "M-PROP: declared property of an operator does not hold";
    /// Why a schedule was chosen: what was proposed for a computation, by whom, and how long it is estimated to take. It is a remark,
    /// emitted on request only: `terrace-opt x.mlir --explain-schedule` prints it alone. Whoever does not want it leaves the option out.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(mdh-schedule{explain=text})'`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<8x64xf32>) -> tensor<8xf32> {
    ///   %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<8x64xf32>) -> tensor<8xf32>
    ///   return %c : tensor<8xf32>
    /// }
    /// ```
    ///
    /// Right, with `terrace-opt x.mlir --pipeline='func.func(mdh-schedule)'`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<8x64xf32>) -> tensor<8xf32> {
    ///   %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<8x64xf32>) -> tensor<8xf32>
    ///   return %c : tensor<8xf32>
    /// }
    /// ```
    pub CHOICE: "E0673" Verifier "why a schedule was chosen";
    /// A computation calculates in a type of floats that the device has no arithmetic of: it is computed in a wider type and rounded after each
    /// operation, which takes longer. It is a remark, one for each type in a function. Sums can be wide throughout: `sum<f32>` in tensor text.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(mdh-schedule{target=x86-64-v4})'`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<64xbf16>) -> tensor<64xbf16> {
    ///   %c = mdh.compute (i in 64) ins(%a = %A[i]) outs([i]) {
    ///     %p = arith.mulf %a, %a : bf16
    ///     mdh.yield %p : bf16
    ///   } : (tensor<64xbf16>) -> tensor<64xbf16>
    ///   return %c : tensor<64xbf16>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<64xf32>) -> tensor<64xf32> {
    ///   %c = mdh.compute (i in 64) ins(%a = %A[i]) outs([i]) {
    ///     %p = arith.mulf %a, %a : f32
    ///     mdh.yield %p : f32
    ///   } : (tensor<64xf32>) -> tensor<64xf32>
    ///   return %c : tensor<64xf32>
    /// }
    /// ```
    pub WIDER: "E0674" Verifier "computed in a wider type";
    /// A reduction is to be `invariant`, and something in it has other bits on another machine: a function whose last bits a library chooses, or
    /// prefixes that round. Or it has a schedule, which cannot be one of the computations that state its bracket.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(mdh-fix-bits)'`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<64xf32>) -> tensor<f32> {
    ///   %c = mdh.compute (i in 64 pw add invariant) ins(%a = %A[i]) outs([]) {
    ///     %e = math.sin %a : f32
    ///     mdh.yield %e : f32
    ///   } : (tensor<64xf32>) -> tensor<f32>
    ///   return %c : tensor<f32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<64xf32>) -> tensor<f32> {
    ///   %c = mdh.compute (i in 64 pw add invariant) ins(%a = %A[i]) outs([]) {
    ///     %e = math.sqrt %a : f32
    ///     mdh.yield %e : f32
    ///   } : (tensor<64xf32>) -> tensor<f32>
    ///   return %c : tensor<f32>
    /// }
    /// ```
    pub BITS: "E0675" Verifier "result depends on the machine";
    /// `mdh.approximate` names the rules for dependent reductions that may be applied. It names something else.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline=mdh-dependent`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<64xf32>) -> tensor<64xf32> attributes {mdh.approximate = ["softmax"]} {
    ///   return %A : tensor<64xf32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<64xf32>) -> tensor<64xf32> attributes {mdh.approximate = ["online_softmax"]} {
    ///   return %A : tensor<64xf32>
    /// }
    /// ```
    pub APPROXIMATE: "E0676" Verifier "permission for no rule";
    /// A sum or a product of floats is kept in 16 bits: it is rounded at each step, and overflows early. It is a remark. `acc f32` keeps partial results
    /// in f32 and rounds once; `acc f16` states that 16 bits are meant.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='mdh-accumulators'`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<64xf16>) -> tensor<f16> {
    ///   %c = mdh.compute (i in 64 pw add) ins(%a = %A[i]) outs([]) {
    ///     mdh.yield %a : f16
    ///   } : (tensor<64xf16>) -> tensor<f16>
    ///   return %c : tensor<f16>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<64xf16>) -> tensor<f16> {
    ///   %c = mdh.compute (i in 64 pw add acc f32) ins(%a = %A[i]) outs([]) {
    ///     mdh.yield %a : f16
    ///   } : (tensor<64xf16>) -> tensor<f16>
    ///   return %c : tensor<f16>
    /// }
    /// ```
    pub NARROW: "E0677" Verifier "partial results are kept in 16 bits";
    /// `mdh-form` is to give a computation a form that it does not have. The message states why: it is no convolution, its windows have a stride that
    /// the form does not have, or its results would be rounded in another way, which needs a permission.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(mdh-form{form=winograd-2})'`:
    ///
    /// ```mlir
    /// func.func @f(%X: tensor<66x8xf32>, %F: tensor<3x8x16xf32>) -> tensor<64x16xf32> {
    ///   %c = mdh.compute (y in 64, k in 16, r in 3 pw add, c in 8 pw add) ins(%x = %X[y + r, c], %w = %F[r, c, k]) outs([y, k]) {
    ///     %p = arith.mulf %x, %w : f32
    ///     mdh.yield %p : f32
    ///   } : (tensor<66x8xf32>, tensor<3x8x16xf32>) -> tensor<64x16xf32>
    ///   return %c : tensor<64x16xf32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%X: tensor<66x8xf32>, %F: tensor<3x8x16xf32>) -> tensor<64x16xf32> attributes {mdh.approximate = ["winograd"]} {
    ///   %c = mdh.compute (y in 64, k in 16, r in 3 pw add, c in 8 pw add) ins(%x = %X[y + r, c], %w = %F[r, c, k]) outs([y, k]) {
    ///     %p = arith.mulf %x, %w : f32
    ///     mdh.yield %p : f32
    ///   } : (tensor<66x8xf32>, tensor<3x8x16xf32>) -> tensor<64x16xf32>
    ///   return %c : tensor<64x16xf32>
    /// }
    /// ```
    pub FORM: "E0678" Verifier "computation has no such form";
    /// A design for an FPGA has tiles that divide the kept dimensions, lanes that divide the longest dimension that is folded, pipelines that
    /// divide the rounds, and no more than the device has room for.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(mdh-design{tiles=5 lanes=1 banks=1 pipelines=1})'`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<8x64xf32>) -> tensor<8xf32> {
    ///   %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<8x64xf32>) -> tensor<8xf32>
    ///   return %c : tensor<8xf32>
    /// }
    /// ```
    ///
    /// Right, with `terrace-opt x.mlir --pipeline='func.func(mdh-design{tiles=4 lanes=1 banks=1 pipelines=1})'`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<8x64xf32>) -> tensor<8xf32> {
    ///   %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<8x64xf32>) -> tensor<8xf32>
    ///   return %c : tensor<8xf32>
    /// }
    /// ```
    pub DESIGN: "E0679" Input "no such design";
}
