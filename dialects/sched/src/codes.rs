//! Codes of the rules of schedules, E065x, and of open parameters, E0536. Messages name the rule: COVER, RACE, …

terrace_diag::codes! {
    /// The loops of a dimension do not cover it: an extent is not the tile of another loop of the dimension, or a tile
    /// is walked by no loop and no copy.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
    ///   sched.for (%i in 64 by 8 dim 0, %j in 4 by 1 dim 0) {
    ///     %a = sched.read %A[%i + %j] : memref<64xf32>
    ///     sched.write %a, %B[%i + %j] : memref<64xf32>
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
    ///   sched.for (%i in 64 by 8 dim 0, %j in 8 by 1 dim 0) {
    ///     %a = sched.read %A[%i + %j] : memref<64xf32>
    ///     sched.write %a, %B[%i + %j] : memref<64xf32>
    ///   }
    ///   return
    /// }
    /// ```
    pub COVER: "E0650" Verifier "COVER: loops of a dimension do not fit together";
    /// A tile does not divide its extent, and nothing says what happens with the rest: give the innermost loop of the
    /// dimension a `limit`, or say `tail pad` and make reads and writes safe.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
    ///   sched.for (%i in 8 by 3 dim 0, %j in 3 by 1 dim 0) {
    ///     %a = sched.read %A[%i + %j] : memref<8xf32>
    ///     sched.write %a, %B[%i + %j] : memref<8xf32>
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
    ///   sched.for (%i in 8 by 3 dim 0, %j in 3 by 1 limit 8 - %i dim 0) {
    ///     %a = sched.read %A[%i + %j] : memref<8xf32>
    ///     sched.write %a, %B[%i + %j] : memref<8xf32>
    ///   }
    ///   return
    /// }
    /// ```
    pub TAIL: "E0651" Verifier "TAIL: a tile does not divide its extent";
    /// A parallel loop stands inside of one that is not wider than it: blocks hold threads, threads hold lanes.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
    ///   sched.for (%i in 64 by 16 dim 0 : vector, %j in 16 by 1 dim 0 : task) {
    ///     %a = sched.read %A[%i + %j] : memref<64xf32>
    ///     sched.write %a, %B[%i + %j] : memref<64xf32>
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
    ///   sched.for (%i in 64 by 16 dim 0 : task, %j in 16 by 1 dim 0 : vector) {
    ///     %a = sched.read %A[%i + %j] : memref<64xf32>
    ///     sched.write %a, %B[%i + %j] : memref<64xf32>
    ///   }
    ///   return
    /// }
    /// ```
    pub NEST: "E0652" Verifier "NEST: levels are nested in the wrong order";
    /// An effect of a kernel is not spread over all its blocks, or blocks would have to wait for each other.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
    ///   sched.kernel @f grid [4, 1, 1] block [64, 1, 1] {
    ///     sched.for (%i in 64 by 1 dim 0 : thread.x) {
    ///       %a = sched.read %A[%i] : memref<64xf32>
    ///       sched.write %a, %B[%i] : memref<64xf32>
    ///     }
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
    ///   sched.kernel @f grid [1, 1, 1] block [64, 1, 1] {
    ///     sched.for (%i in 64 by 1 dim 0 : thread.x) {
    ///       %a = sched.read %A[%i] : memref<64xf32>
    ///       sched.write %a, %B[%i] : memref<64xf32>
    ///     }
    ///   }
    ///   return
    /// }
    /// ```
    pub GRID: "E0653" Verifier "GRID: blocks repeat work or wait for each other";
    /// A loop does not fit the sizes of its kernel.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
    ///   sched.for (%b in 64 by 1 dim 0 : block.x) {
    ///     %a = sched.read %A[%b] : memref<64xf32>
    ///     sched.write %a, %B[%b] : memref<64xf32>
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
    ///   sched.kernel @f grid [64, 1, 1] block [1, 1, 1] {
    ///     sched.for (%b in 64 by 1 dim 0 : block.x) {
    ///       %a = sched.read %A[%b] : memref<64xf32>
    ///       sched.write %a, %B[%b] : memref<64xf32>
    ///     }
    ///   }
    ///   return
    /// }
    /// ```
    pub HW: "E0654" Verifier "HW: loop and hardware sizes differ";
    /// A buffer is used across a parallel loop whose iterations cannot share that memory.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// #registers = #gpu.address_space<private>
    /// func.func @f(%A: memref<16xf32>, %B: memref<16xf32>) {
    ///   sched.kernel @f grid [1, 1, 1] block [16, 1, 1] {
    ///     %t = sched.alloc : memref<16xf32, #registers>
    ///     sched.for (%i in 16 by 1 dim 0 : thread.x) {
    ///       %a = sched.read %A[%i] : memref<16xf32>
    ///       sched.write %a, %t[%i] : memref<16xf32, #registers>
    ///     }
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// #shared = #gpu.address_space<workgroup>
    /// func.func @f(%A: memref<16xf32>, %B: memref<16xf32>) {
    ///   sched.kernel @f grid [1, 1, 1] block [16, 1, 1] {
    ///     %t = sched.alloc : memref<16xf32, #shared>
    ///     sched.for (%i in 16 by 1 dim 0 : thread.x) {
    ///       %a = sched.read %A[%i] : memref<16xf32>
    ///       sched.write %a, %t[%i] : memref<16xf32, #shared>
    ///     }
    ///   }
    ///   return
    /// }
    /// ```
    pub MEM: "E0655" Verifier "MEM: memory is not shared by this level";
    /// A buffer is made where there is no memory of its kind.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>) {
    ///   sched.for (%i in 64 by 16 dim 0) {
    ///     %t = sched.alloc : memref<16xf32, #gpu.address_space<workgroup>>
    ///     sched.copy (%r) in (16) %A[%i + %r] to %t[%r] : memref<64xf32> to memref<16xf32, #gpu.address_space<workgroup>>
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>) {
    ///   sched.for (%i in 64 by 16 dim 0) {
    ///     %t = sched.alloc : memref<16xf32>
    ///     sched.copy (%r) in (16) %A[%i + %r] to %t[%r] : memref<64xf32> to memref<16xf32>
    ///   }
    ///   return
    /// }
    /// ```
    pub HOME: "E0656" Verifier "HOME: no memory of this kind here";
    /// Two iterations that may run at the same time use one element, and one of them writes it. Views of one memory (`memref.subview` and others) are
    /// compared by where their elements are in it; where strides or starts are not known, they may be the same.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<8x64xf32>, %s: memref<8xf32>) {
    ///   sched.for (%i in 8 by 1 dim 0, %j in 64 by 1 dim 1) {
    ///     %a = sched.read %A[%i, %j] : memref<8x64xf32>
    ///     sched.write %a, %s[%i] combine add : memref<8xf32>
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<8x64xf32>, %s: memref<8xf32>) {
    ///   sched.for (%i in 8 by 1 dim 0, %j in 64 by 1 dim 1 pw add) {
    ///     %a = sched.read %A[%i, %j] : memref<8x64xf32>
    ///     sched.write %a, %s[%i] combine add : memref<8xf32>
    ///   }
    ///   return
    /// }
    /// ```
    pub RACE: "E0657" Verifier "RACE: iterations conflict";
    /// The mechanism that merges contributions does not work for this level or operator.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %s: memref<1xf32>) {
    ///   sched.kernel @f grid [4, 1, 1] block [1, 1, 1] {
    ///     sched.for (%b in 64 by 16 dim 0 : block.x pw add via atomic, %i in 16 by 1 dim 0 pw add) {
    ///       %a = sched.read %A[%b + %i] : memref<64xf32>
    ///       sched.write %a, %s[0] combine add : memref<1xf32>
    ///     }
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xi32>, %s: memref<1xi32>) {
    ///   sched.kernel @f grid [4, 1, 1] block [1, 1, 1] {
    ///     sched.for (%b in 64 by 16 dim 0 : block.x pw add via atomic, %i in 16 by 1 dim 0 pw add) {
    ///       %a = sched.read %A[%b + %i] : memref<64xi32>
    ///       sched.write %a, %s[0] combine add : memref<1xi32>
    ///     }
    ///   }
    ///   return
    /// }
    /// ```
    pub MECH: "E0658" Verifier "MECH: mechanism does not fit";
    /// The order of the nest changes the order of a reduction whose operator does not commute.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %s: memref<1xf32>) {
    ///   %r = sched.for (%i in 64 by 1 dim 0 : task pw add source) -> f32 {
    ///     %a = sched.read %A[%i] : memref<64xf32>
    ///     sched.yield %a : f32
    ///   }
    ///   sched.write %r, %s[0] : memref<1xf32>
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %s: memref<1xf32>) {
    ///   %r = sched.for (%i in 64 by 1 dim 0 pw add source) -> f32 {
    ///     %a = sched.read %A[%i] : memref<64xf32>
    ///     sched.yield %a : f32
    ///   }
    ///   sched.write %r, %s[0] : memref<1xf32>
    ///   return
    /// }
    /// ```
    pub ORDER: "E0659" Verifier "ORDER: the order of a reduction would change";
    /// A loop with the order `tree` cannot merge its iterations by halves: its trip count is no power of two, it runs at a level of
    /// which not all values are there at one time, or its dimension is cut into several loops.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<60xf32>, %s: memref<1xf32>) {
    ///   %r = sched.for (%i in 60 by 1 dim 0 : unroll pw add tree) -> f32 {
    ///     %a = sched.read %A[%i] : memref<60xf32>
    ///     sched.yield %a : f32
    ///   }
    ///   sched.write %r, %s[0] : memref<1xf32>
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %s: memref<1xf32>) {
    ///   %r = sched.for (%i in 64 by 1 dim 0 : unroll pw add tree) -> f32 {
    ///     %a = sched.read %A[%i] : memref<64xf32>
    ///     sched.yield %a : f32
    ///   }
    ///   sched.write %r, %s[0] : memref<1xf32>
    ///   return
    /// }
    /// ```
    pub BITS: "E0664" Verifier "BITS: loops do not realise the stated bracket";
    /// Threads meet at a point that not all of them reach equally often.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// #shared = #gpu.address_space<workgroup>
    /// func.func @f(%A: memref<16xf32>, %B: memref<16xf32>) {
    ///   sched.kernel @f grid [1, 1, 1] block [32, 1, 1] {
    ///     sched.for (%i in 16 by 1 dim 0 : thread.x) {
    ///       %t = sched.alloc per block : memref<16xf32, #shared>
    ///       sched.copy per block (%r) in (16) by linear %A[%r] to %t[%r] : memref<16xf32> to memref<16xf32, #shared>
    ///       %a = sched.read %t[%i] : memref<16xf32, #shared>
    ///       sched.write %a, %B[%i] : memref<16xf32>
    ///     }
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// #shared = #gpu.address_space<workgroup>
    /// func.func @f(%A: memref<16xf32>, %B: memref<16xf32>) {
    ///   sched.kernel @f grid [1, 1, 1] block [16, 1, 1] {
    ///     sched.for (%i in 16 by 1 dim 0 : thread.x) {
    ///       %t = sched.alloc per block : memref<16xf32, #shared>
    ///       sched.copy per block (%r) in (16) by linear %A[%r] to %t[%r] : memref<16xf32> to memref<16xf32, #shared>
    ///       %a = sched.read %t[%i] : memref<16xf32, #shared>
    ///       sched.write %a, %B[%i] : memref<16xf32>
    ///     }
    ///   }
    ///   return
    /// }
    /// ```
    pub SYNC: "E0660" Verifier "SYNC: not all threads arrive";
    /// The body of a vector loop has no form on vectors.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<16x16xf32>, %B: memref<16x16xf32>) {
    ///   sched.for (%i in 16 by 1 dim 0, %l in 16 by 1 dim 1 : vector) {
    ///     %a = sched.read %A[%l, %i] : memref<16x16xf32>
    ///     sched.write %a, %B[%i, %l] : memref<16x16xf32>
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<16x16xf32>, %B: memref<16x16xf32>) {
    ///   sched.for (%i in 16 by 1 dim 0, %l in 16 by 1 dim 1 : vector) {
    ///     %a = sched.read %A[%i, %l] : memref<16x16xf32>
    ///     sched.write %a, %B[%i, %l] : memref<16x16xf32>
    ///   }
    ///   return
    /// }
    /// ```
    pub VEC: "E0661" Verifier "VEC: loop cannot run on lanes";
    /// Buffers need more memory than there is.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// #shared = #gpu.address_space<workgroup>
    /// func.func @f(%A: memref<1024x64xf32>) {
    ///   sched.kernel @f grid [1, 1, 1] block [64, 1, 1] {
    ///     %t = sched.alloc : memref<1024x64xf32, #shared>
    ///     sched.for (%j in 64 by 1 dim 1 : thread.x, %i in 1024 by 1 dim 0) {
    ///       %a = sched.read %A[%i, %j] : memref<1024x64xf32>
    ///       sched.write %a, %t[%i, %j] : memref<1024x64xf32, #shared>
    ///     }
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// #shared = #gpu.address_space<workgroup>
    /// func.func @f(%A: memref<16x64xf32>) {
    ///   sched.kernel @f grid [1, 1, 1] block [64, 1, 1] {
    ///     %t = sched.alloc : memref<16x64xf32, #shared>
    ///     sched.for (%j in 64 by 1 dim 1 : thread.x, %i in 16 by 1 dim 0) {
    ///       %a = sched.read %A[%i, %j] : memref<16x64xf32>
    ///       sched.write %a, %t[%i, %j] : memref<16x64xf32, #shared>
    ///     }
    ///   }
    ///   return
    /// }
    /// ```
    pub CAP: "E0662" Verifier "CAP: buffers are too large";
    /// Steps are not those of one schedule.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
    ///   sched.for step 1 at 1 (%i in 64 by 8 dim 0, %j in 8 by 1 dim 0) {
    ///     %a = sched.read %A[%i + %j] : memref<64xf32>
    ///     sched.write %a, %B[%i + %j] : memref<64xf32>
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
    ///   sched.for step 1 at 1 (%i in 64 by 8 dim 0) {
    ///     sched.for step 2 at 2 (%j in 8 by 1 dim 0) {
    ///       %a = sched.read %A[%i + %j] : memref<64xf32>
    ///       sched.write %a, %B[%i + %j] : memref<64xf32>
    ///     }
    ///   }
    ///   return
    /// }
    /// ```
    pub STEP: "E0663" Verifier "STEP: layers and labels do not pair up";
    /// A value of an open parameter asks for a change of the nest that has not been shown to keep its meaning, or is none.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(sched-decide{values=p=1.1})'`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<4x4xi32>, %B: memref<4x4xi32>) {
    ///   sched.for (%i in 4 by 1 dim 0 perm @p, %j in 4 by 1 dim 1) {
    ///     %a = sched.read %A[%i, %j] : memref<4x4xi32>
    ///     sched.write %a, %B[%i, %j] : memref<4x4xi32>
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right, with `terrace-opt x.mlir --pipeline='func.func(sched-decide{values=p=1.0})'`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<4x4xi32>, %B: memref<4x4xi32>) {
    ///   sched.for (%i in 4 by 1 dim 0 perm @p, %j in 4 by 1 dim 1) {
    ///     %a = sched.read %A[%i, %j] : memref<4x4xi32>
    ///     sched.write %a, %B[%i, %j] : memref<4x4xi32>
    ///   }
    ///   return
    /// }
    /// ```
    pub DECISION: "E0536" Verifier "value of an open parameter refused";
}
