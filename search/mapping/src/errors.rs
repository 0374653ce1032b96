//! Codes of mappings, E076x. Rules of schedules have their own, E065x.

terrace_diag::codes! {
    /// A mapping breaks one of the rules (1) to (7) of parallel mapping: memory belongs to threads and groups, nested maps
    /// share no dimension, dimensions of threads and groups agree on all chains.
    ///
    /// Wrong, with `terrace-opt x.mlir --explain-mapping=A=thread.x,B=thread.x`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<8 x 4 x i32>) -> !array.of<8 x 4 x i32> {
    ///   %o = array.map "A" %x as %a {
    ///     %p = array.map "B" %a as %b {
    ///       %d = arith.addi %b, %b : i32
    ///       array.yield %d
    ///     }
    ///     array.yield %p
    ///   }
    ///   return %o : !array.of<8 x 4 x i32>
    /// }
    /// ```
    ///
    /// Right, with `terrace-opt x.mlir --explain-mapping=A=block.x,B=thread.x`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<8 x 4 x i32>) -> !array.of<8 x 4 x i32> {
    ///   %o = array.map "A" %x as %a {
    ///     %p = array.map "B" %a as %b {
    ///       %d = arith.addi %b, %b : i32
    ///       array.yield %d
    ///     }
    ///     array.yield %p
    ///   }
    ///   return %o : !array.of<8 x 4 x i32>
    /// }
    /// ```
    pub PRINTED: "E0760" Verifier "a mapping breaks a rule of nested parallelism";
    /// Two perfectly nested maps are both sequential; fused, they are one. Advice, no matter of being right.
    ///
    /// Wrong, with `terrace-opt x.mlir --explain-mapping=A=seq,B=seq`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<8 x 4 x i32>) -> !array.of<8 x 4 x i32> {
    ///   %o = array.map "A" %x as %a {
    ///     %p = array.map "B" %a as %b {
    ///       %d = arith.addi %b, %b : i32
    ///       array.yield %d
    ///     }
    ///     array.yield %p
    ///   }
    ///   return %o : !array.of<8 x 4 x i32>
    /// }
    /// ```
    ///
    /// Right, with `terrace-opt x.mlir --explain-mapping=A=seq,B=fused`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<8 x 4 x i32>) -> !array.of<8 x 4 x i32> {
    ///   %o = array.map "A" %x as %a {
    ///     %p = array.map "B" %a as %b {
    ///       %d = arith.addi %b, %b : i32
    ///       array.yield %d
    ///     }
    ///     array.yield %p
    ///   }
    ///   return %o : !array.of<8 x 4 x i32>
    /// }
    /// ```
    pub ADVICE: "E0761" Verifier "a mapping goes against advice";
    /// `fused` makes a map part of the loop around, which needs to be the only one in it.
    ///
    /// Wrong: `--explain-mapping A=thread.x,B=fused` where A holds B and another map.
    ///
    /// Right: `--explain-mapping A=thread.x,B=seq`
    pub FUSED: "E0762" Verifier "a map is not the only one in the map around";
    /// A map has no loop of its own, and is mapped to a parallel level.
    ///
    /// Wrong: `--explain-mapping A=thread.x` where A computes elements one by one for the map that reads them.
    ///
    /// Right: `array.place "global"` behind A, which gives it a loop of its own; or `A=seq`.
    pub INLINED: "E0763" Verifier "a map without a loop is mapped to a level";
    /// No assignment satisfies all constraints; the ones shown contradict each other, and without any of them there is one.
    ///
    /// Wrong: Two maps inside of each other, both of which the user's conditions put on `thread.x`.
    ///
    /// Right: `thread.y` for the outer one: the message names the conditions that contradict each other, and none more.
    pub NO_MAPPING: "E0764" Verifier "no mapping satisfies the constraints";
    /// A mapping names a map that the function does not have, or a level that the device does not have.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='array-map{mapping=nest=thread.x device=opencl}'`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<8 x i32>) -> !array.of<8 x i32> {
    ///   %o = array.map "rows" %x as %a {
    ///     %d = arith.addi %a, %a : i32
    ///     array.yield %d
    ///   }
    ///   return %o : !array.of<8 x i32>
    /// }
    /// ```
    ///
    /// Right, with `terrace-opt x.mlir --pipeline='array-map{point=0 device=opencl}'`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<8 x i32>) -> !array.of<8 x i32> {
    ///   %o = array.map "rows" %x as %a {
    ///     %d = arith.addi %a, %a : i32
    ///     array.yield %d
    ///   }
    ///   return %o : !array.of<8 x i32>
    /// }
    /// ```
    pub MAPPING: "E0765" Usage "a mapping does not fit the function or device";
    /// A user's condition does not hold.
    ///
    /// Wrong: `tune.constraint "c" user : @m.A in {block.y}` with a mapping that puts A on `block.x`.
    ///
    /// Right: A mapping with `A=block.y`.
    pub USER: "E0766" Verifier "a mapping breaks a condition of the user";
    /// A search space has no point, or a given point is none of it: which constraints say so is in the message.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline=tune-solve`:
    ///
    /// ```mlir
    /// tune.space @s {
    ///   tune.param @T in 1 to 8
    ///   tune.constraint "large" user : @T > 6
    ///   tune.constraint "small" user : @T < 4
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// tune.space @s {
    ///   tune.param @T in 1 to 8
    ///   tune.constraint "large" user : @T > 2
    ///   tune.constraint "small" user : @T < 4
    /// }
    /// ```
    pub SPACE: "E0767" Verifier "a point is not in the search space";
}
