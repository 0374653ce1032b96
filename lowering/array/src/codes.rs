//! Codes of the edge from array patterns to scheduled loops, E070x.

terrace_diag::codes! {
    /// A size is still a symbol: loops and buffers need numbers. `array-bind` puts them in.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(array-to-sched)'`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
    ///   %y = array.map %x as %a {
    ///     %b = arith.addi %a, %a : i32
    ///     array.yield %b
    ///   }
    ///   return %y : !array.of<@n x i32>
    /// }
    /// ```
    ///
    /// Right, with `terrace-opt x.mlir --pipeline='func.func(array-bind{sizes=n=8},array-to-sched)'`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
    ///   %y = array.map %x as %a {
    ///     %b = arith.addi %a, %a : i32
    ///     array.yield %b
    ///   }
    ///   return %y : !array.of<@n x i32>
    /// }
    /// ```
    pub OPEN: "E0700" Verifier "a size is no number yet";
    /// A computed value is used where it would have to be computed again, or by several: it needs memory. The message names
    /// the op that reads it; a `place` between both makes a buffer.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(array-to-sched)'`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<4 x i32>) -> i32 {
    ///   %y = array.scan add %x as %a {
    ///     array.yield %a
    ///   }
    ///   %s = array.reduce max %y as %a {
    ///     array.yield %a
    ///   }
    ///   return %s : i32
    /// }
    /// ```
    ///
    /// Right, with `terrace-opt x.mlir --pipeline='func.func(array-place,array-to-sched)'`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<4 x i32>) -> i32 {
    ///   %y = array.scan add %x as %a {
    ///     array.yield %a
    ///   }
    ///   %s = array.reduce max %y as %a {
    ///     array.yield %a
    ///   }
    ///   return %s : i32
    /// }
    /// ```
    pub NO_PLACE: "E0701" Verifier "a computed value has no place";
    /// What is computed goes through a layout op on its way to memory that has no inverse: several of its elements
    /// are one, or which one depends on data.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(array-to-sched)'`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<6 x i32>) -> !array.of<4 x 3 x i32> {
    ///   %y = array.map %x as %a {
    ///     %b = arith.addi %a, %a : i32
    ///     array.yield %b
    ///   }
    ///   %w = array.slide 3 by 1 %y
    ///   return %w : !array.of<4 x 3 x i32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<6 x i32>) -> !array.of<2 x 3 x i32> {
    ///   %y = array.map %x as %a {
    ///     %b = arith.addi %a, %a : i32
    ///     array.yield %b
    ///   }
    ///   %w = array.split 3 %y
    ///   return %w : !array.of<2 x 3 x i32>
    /// }
    /// ```
    pub NO_WRITE: "E0702" Verifier "layout has no inverse to write through";
    /// A pattern has a form that loops cannot carry out.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(array-to-sched)'`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<4 x i32>) -> i32 {
    ///   %y = array.gather %x by 0 size 4611686018427387904
    ///   %s = array.reduce add %y as %a {
    ///     array.yield %a
    ///   }
    ///   return %s : i32
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<4 x i32>) -> i32 {
    ///   %y = array.gather %x by 0 size 64
    ///   %s = array.reduce add %y as %a {
    ///     array.yield %a
    ///   }
    ///   return %s : i32
    /// }
    /// ```
    pub NO_LOOP: "E0703" Limit "no form as loops";
    /// A level stands where it has no meaning: on a map that only changes the layout, or on a scan.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(array-to-sched)'`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<4 x i32>) -> !array.of<4 x i32> {
    ///   %y = array.map %x : warp as %a {
    ///     %b = arith.addi %a, %a : i32
    ///     array.yield %b
    ///   }
    ///   return %y : !array.of<4 x i32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<4 x i32>) -> !array.of<4 x i32> {
    ///   %y = array.map %x : task as %a {
    ///     %b = arith.addi %a, %a : i32
    ///     array.yield %b
    ///   }
    ///   return %y : !array.of<4 x i32>
    /// }
    /// ```
    pub LEVEL: "E0704" Verifier "level has no meaning here";
    /// A place stands where there is no memory of its kind.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(array-to-sched)'`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<4 x i32>) -> !array.of<4 x i32> {
    ///   %y = array.place "locale" %x
    ///   return %y : !array.of<4 x i32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<4 x i32>) -> !array.of<4 x i32> {
    ///   %y = array.place "global" %x
    ///   return %y : !array.of<4 x i32>
    /// }
    /// ```
    pub PLACE: "E0705" Verifier "no memory of this kind here";
}
