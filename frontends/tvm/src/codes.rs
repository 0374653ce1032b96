//! Codes of schedule scripts, E0840; the names in messages (T-…) are the crate's.

terrace_diag::codes! {
    /// A script in the manner of `tvm.te` says something that steps of its computation cannot be. The message names the rule.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(mdh-script{script="s[C].parallel(z)"})'`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<64xf32>) -> tensor<64xf32> {
    ///   %C = mdh.compute (i in 64) ins(%a = %A[i]) outs([i]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<64xf32>) -> tensor<64xf32>
    ///   return %C : tensor<64xf32>
    /// }
    /// ```
    ///
    /// Right, with `terrace-opt x.mlir --pipeline='func.func(mdh-script{script="s[C].parallel(i)"})'`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<64xf32>) -> tensor<64xf32> {
    ///   %C = mdh.compute (i in 64) ins(%a = %A[i]) outs([i]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<64xf32>) -> tensor<64xf32>
    ///   return %C : tensor<64xf32>
    /// }
    /// ```
    pub SCRIPT: "E0840" Input "T-…: schedule script is refused";
}
