//! Codes of the `mdh` dialect, E06xx; the names in messages (M-SHAPE, S-DIV, …) are those of the design.

terrace_diag::codes! {
    /// An access leaves its buffer, or a result does not have the shape that the output's index functions give.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<16xf32>) -> tensor<16xf32> {
    ///   %0 = mdh.compute (i in 16) ins(%a = %A[i + 1]) outs([i]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<16xf32>) -> tensor<16xf32>
    ///   return %0 : tensor<16xf32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<17xf32>) -> tensor<16xf32> {
    ///   %0 = mdh.compute (i in 16) ins(%a = %A[i + 1]) outs([i]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<17xf32>) -> tensor<16xf32>
    ///   return %0 : tensor<16xf32>
    /// }
    /// ```
    pub SHAPE: "E0601" Verifier "M-SHAPE: index function and extent do not fit";
    /// An output's index functions use a dimension that is combined away, do not use one that is kept, or map two points
    /// to one place.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4x4xf32>) -> tensor<4xf32> {
    ///   %0 = mdh.compute (i in 4, j in 4) ins(%a = %A[i, j]) outs([i]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<4x4xf32>) -> tensor<4xf32>
    ///   return %0 : tensor<4xf32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4x4xf32>) -> tensor<4xf32> {
    ///   %0 = mdh.compute (i in 4, j in 4 pw add) ins(%a = %A[i, j]) outs([i]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<4x4xf32>) -> tensor<4xf32>
    ///   return %0 : tensor<4xf32>
    /// }
    /// ```
    pub OUT: "E0602" Verifier "M-OUT: output places are not unique";
    /// Combine operators of two dimensions do not interchange.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4x4xf32>) -> tensor<f32> {
    ///   %0 = mdh.compute (i in 4 pw max, j in 4 pw add) ins(%a = %A[i, j]) outs([]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<4x4xf32>) -> tensor<f32>
    ///   return %0 : tensor<f32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4x4xf32>) -> tensor<f32> {
    ///   %0 = mdh.compute (i in 4, j in 4 pw add) ins(%a = %A[i, j]) outs([i]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<4x4xf32>) -> tensor<4xf32>
    ///   %1 = mdh.compute (i in 4 pw max) ins(%a = %0[i]) outs([]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<4xf32>) -> tensor<f32>
    ///   return %1 : tensor<f32>
    /// }
    /// ```
    pub COMB: "E0603" Verifier "M-COMB: combine operators do not interchange";
    /// A combine operator is not there, has other types than it must, or does not declare what it needs to be.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4xf32>) -> tensor<f32> {
    ///   %0 = mdh.compute (i in 4 pw xor) ins(%a = %A[i]) outs([]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<4xf32>) -> tensor<f32>
    ///   return %0 : tensor<f32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4xi32>) -> tensor<i32> {
    ///   %0 = mdh.compute (i in 4 pw xor) ins(%a = %A[i]) outs([]) {
    ///     mdh.yield %a : i32
    ///   } : (tensor<4xi32>) -> tensor<i32>
    ///   return %0 : tensor<i32>
    /// }
    /// ```
    pub OPER: "E0604" Verifier "M-OPER: operator does not fit";
    /// Operators of a dimension do not belong to the outputs one by one.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4xf32>) -> (tensor<f32>, tensor<f32>) {
    ///   %0:2 = mdh.compute (i in 4 pw add) ins(%a = %A[i]) outs([], []) {
    ///     mdh.yield %a, %a : f32, f32
    ///   } : (tensor<4xf32>) -> (tensor<f32>, tensor<f32>)
    ///   return %0#0, %0#1 : tensor<f32>, tensor<f32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4xf32>) -> tensor<f32> {
    ///   %0 = mdh.compute (i in 4 pw add) ins(%a = %A[i]) outs([]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<4xf32>) -> tensor<f32>
    ///   return %0 : tensor<f32>
    /// }
    /// ```
    pub KIND: "E0605" Verifier "M-KIND: one kind per dimension for all outputs";
    /// The body does something other than compute a contribution from its arguments.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func private @effect()
    /// func.func @f(%A: tensor<4xf32>) -> tensor<4xf32> {
    ///   %0 = mdh.compute (i in 4) ins(%a = %A[i]) outs([i]) {
    ///     func.call @effect() : () -> ()
    ///     mdh.yield %a : f32
    ///   } : (tensor<4xf32>) -> tensor<4xf32>
    ///   return %0 : tensor<4xf32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4xf32>) -> tensor<4xf32> {
    ///   %0 = mdh.compute (i in 4) ins(%a = %A[i]) outs([i]) {
    ///     %b = arith.mulf %a, %a : f32
    ///     mdh.yield %b : f32
    ///   } : (tensor<4xf32>) -> tensor<4xf32>
    ///   return %0 : tensor<4xf32>
    /// }
    /// ```
    pub BODY: "E0606" Verifier "M-BODY: body is not a scalar function";
    /// A condition on points is not allowed.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4xf32>) -> tensor<4xf32> {
    ///   %0 = mdh.compute (i in 4 ps add) where i < 3 ins(%a = %A[i]) outs([i]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<4xf32>) -> tensor<4xf32>
    ///   return %0 : tensor<4xf32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4xf32>) -> tensor<f32> {
    ///   %0 = mdh.compute (i in 4 pw add) where i < 3 ins(%a = %A[i]) outs([]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<4xf32>) -> tensor<f32>
    ///   return %0 : tensor<f32>
    /// }
    /// ```
    pub WHERE: "E0607" Verifier "M-WHERE: condition on points";
    /// The properties of the op do not fit together; only text in generic form can be so.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4xf32>) -> tensor<4xf32> {
    ///   %0 = "mdh.compute"(%A) <{sizes = array<i64: 4>, combine = [], maps = [affine_map<(d0) -> (d0)>], outs = [[affine_map<(d0) -> (d0)>]], operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
    ///   ^bb0(%a: f32):
    ///     mdh.yield %a : f32
    ///   }) : (tensor<4xf32>) -> tensor<4xf32>
    ///   return %0 : tensor<4xf32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4xf32>) -> tensor<4xf32> {
    ///   %0 = mdh.compute (i in 4) ins(%a = %A[i]) outs([i]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<4xf32>) -> tensor<4xf32>
    ///   return %0 : tensor<4xf32>
    /// }
    /// ```
    pub FORM: "E0608" Verifier "properties of a computation do not fit together";
    /// Two points contribute to one place although nothing combines them, or too many elements for the interpreter.
    ///
    /// Wrong, with `terrace-run x.mlir`:
    ///
    /// ```mlir
    /// func.func @f() -> tensor<1048576x1048576xf32> {
    ///   %0 = mdh.compute (i in 1048576, j in 1048576) ins() outs([i, j]) {
    ///     %c = arith.constant 1.0 : f32
    ///     mdh.yield %c : f32
    ///   } : () -> tensor<1048576x1048576xf32>
    ///   return %0 : tensor<1048576x1048576xf32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() -> tensor<4x4xf32> {
    ///   %0 = mdh.compute (i in 4, j in 4) ins() outs([i, j]) {
    ///     %c = arith.constant 1.0 : f32
    ///     mdh.yield %c : f32
    ///   } : () -> tensor<4x4xf32>
    ///   return %0 : tensor<4x4xf32>
    /// }
    /// ```
    pub RUN: "E0609" Limit "computation cannot be interpreted";
    /// More than 2^48 points, or an index function whose values cannot be bounded within that.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4294967296xf32>) -> tensor<4294967296x1000000xf32> {
    ///   %0 = mdh.compute (i in 4294967296, j in 1000000) ins(%a = %A[i]) outs([i, j]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<4294967296xf32>) -> tensor<4294967296x1000000xf32>
    ///   return %0 : tensor<4294967296x1000000xf32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4096xf32>) -> tensor<4096x1000xf32> {
    ///   %0 = mdh.compute (i in 4096, j in 1000) ins(%a = %A[i]) outs([i, j]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<4096xf32>) -> tensor<4096x1000xf32>
    ///   return %0 : tensor<4096x1000xf32>
    /// }
    /// ```
    pub LIMIT: "E0610" Limit "computation is too large";
    /// The stated order of a reduction has no meaning for it: `fused` without products, `tree` over a number that is no power of two or next to
    /// other reduced dimensions, `invariant` for some of the reduced dimensions only.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<60xf32>) -> tensor<f32> {
    ///   %0 = mdh.compute (i in 60 pw add tree) ins(%a = %A[i]) outs([]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<60xf32>) -> tensor<f32>
    ///   return %0 : tensor<f32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<60xf32>) -> tensor<f32> {
    ///   %0 = mdh.compute (i in 60 pw add invariant) ins(%a = %A[i]) outs([]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<60xf32>) -> tensor<f32>
    ///   return %0 : tensor<f32>
    /// }
    /// ```
    pub BITS: "E0611" Verifier "M-BITS: stated order does not fit the reduction";
    /// Two extents of one kind of dimension are known at run time only, or one has no bound that can be calculated with. In the interpreter:
    /// an extent is greater than its bound.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<8x8xf32>, %n: index, %m: index) -> tensor<f32> {
    ///   %0 = mdh.compute (i in 8 pw add, j in 8 pw add) extents(%n <= 8, %m <= 8) where i < %n, j < %m ins(%a = %A[i, j]) outs([]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<8x8xf32>, index, index) -> tensor<f32>
    ///   return %0 : tensor<f32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<8x8xf32>, %n: index) -> tensor<f32> {
    ///   %0 = mdh.compute (i in 8 pw add, j in 8 pw add) extents(%n <= 8) where i < %n ins(%a = %A[i, j]) outs([]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<8x8xf32>, index) -> tensor<f32>
    ///   return %0 : tensor<f32>
    /// }
    /// ```
    pub EXTENT: "E0612" Verifier "M-EXTENT: extent that is known at run time";
}
