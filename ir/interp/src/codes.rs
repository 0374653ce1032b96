//! Codes of traps, E03xx.

terrace_diag::codes! {
    /// An integer was divided by zero, or the quotient does not fit: undefined behaviour.
    ///
    /// Wrong, with `terrace-run x.mlir --in=a=fill:0 --out=r=r.npy`:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> (i32 {terrace.name = "r"}) {
    ///   %one = arith.constant 1 : i32
    ///   %b = arith.divsi %one, %a : i32
    ///   return %b : i32
    /// }
    /// ```
    ///
    /// Right, with `terrace-run x.mlir --in=a=fill:3 --out=r=r.npy`:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> (i32 {terrace.name = "r"}) {
    ///   %one = arith.constant 1 : i32
    ///   %b = arith.divsi %one, %a : i32
    ///   return %b : i32
    /// }
    /// ```
    pub DIVISION: "E0301" Input "division by zero or overflow of a division";
    /// The op has no meaning for the interpreter.
    ///
    /// Wrong, with `terrace-run x.mlir --entry=@f`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %n = vector.vscale
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %n = arith.constant 4 : index
    ///   return
    /// }
    /// ```
    pub NO_MEANING: "E0302" Usage "op cannot be interpreted";
    /// No function of that name, or only a declaration.
    ///
    /// Wrong, with `terrace-run x.mlir --entry=@f`:
    ///
    /// ```mlir
    /// func.func private @g()
    /// func.func @f() {
    ///   call @g() : () -> ()
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func private @g() {
    ///   return
    /// }
    /// func.func @f() {
    ///   call @g() : () -> ()
    ///   return
    /// }
    /// ```
    pub CALLEE: "E0303" Usage "no function to call";
    /// Arguments do not fit the function.
    ///
    /// Wrong: `interpreter.call("f", vec![])` of a function with one argument
    ///
    /// Right: `interpreter.call("f", vec![RtValue::int(1, 32)])`
    pub ARGUMENTS: "E0304" Usage "arguments do not fit";
    /// The number of ops that may be run was used up.
    ///
    /// Wrong: A test line `eval: @f() == 0` for a function that loops for ever: the interpreter gives up after ten million
    /// ops.
    ///
    /// Right: A loop with an end; `Options::fuel` is how many ops a call from Rust may run.
    pub FUEL: "E0305" Limit "out of fuel";
    /// Calls or memory beyond the limit.
    ///
    /// Wrong, with `terrace-run x.mlir --entry=@f`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   call @f() : () -> ()
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @g() {
    ///   return
    /// }
    /// func.func @f() {
    ///   call @g() : () -> ()
    ///   return
    /// }
    /// ```
    pub LIMIT: "E0306" Limit "too many calls or too much memory";
    /// A branch, bound, address or divisor is poison.
    ///
    /// Wrong, with `terrace-run x.mlir --entry=@f`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %p = ub.poison : i1
    ///   cf.cond_br %p, ^a, ^a
    /// ^a:
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %p = arith.constant true
    ///   cf.cond_br %p, ^a, ^a
    /// ^a:
    ///   return
    /// }
    /// ```
    pub POISON: "E0307" Input "decision on poison";
    /// An index outside of its memory.
    ///
    /// Wrong, with `terrace-run x.mlir --entry=@f`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %i = arith.constant 4 : index
    ///   %x = arith.constant 1.0 : f32
    ///   %m = memref.alloc() : memref<4xf32>
    ///   memref.store %x, %m[%i] : memref<4xf32>
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %i = arith.constant 3 : index
    ///   %x = arith.constant 1.0 : f32
    ///   %m = memref.alloc() : memref<4xf32>
    ///   memref.store %x, %m[%i] : memref<4xf32>
    ///   return
    /// }
    /// ```
    pub BOUNDS: "E0308" Input "access out of bounds";
    /// An element was read before it was written.
    ///
    /// Wrong, with `terrace-run x.mlir --entry=@f`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %i = arith.constant 0 : index
    ///   %m = memref.alloc() : memref<4xindex>
    ///   %x = memref.load %m[%i] : memref<4xindex>
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %i = arith.constant 0 : index
    ///   %m = memref.alloc() : memref<4xindex>
    ///   memref.store %i, %m[%i] : memref<4xindex>
    ///   %x = memref.load %m[%i] : memref<4xindex>
    ///   return
    /// }
    /// ```
    pub UNINITIALIZED: "E0309" Input "read of uninitialized memory";
    /// Memory was used, or freed, after it was freed.
    ///
    /// Wrong, with `terrace-run x.mlir --entry=@f`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %m = memref.alloc() : memref<4xf32>
    ///   memref.dealloc %m : memref<4xf32>
    ///   memref.dealloc %m : memref<4xf32>
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %m = memref.alloc() : memref<4xf32>
    ///   memref.dealloc %m : memref<4xf32>
    ///   return
    /// }
    /// ```
    pub FREED: "E0310" Input "use of freed memory";
    /// A place that is never reached was reached, or an assertion does not hold.
    ///
    /// Wrong, with `terrace-run x.mlir --entry=@f`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %c = arith.constant false
    ///   cf.assert %c, "it is never true"
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %c = arith.constant true
    ///   cf.assert %c, "it is always true"
    ///   return
    /// }
    /// ```
    pub UNREACHABLE: "E0311" Input "unreachable place or failed assertion";
    /// A type that values cannot have here, such as a 200-bit integer.
    ///
    /// Wrong, with `terrace-run x.mlir --entry=@f`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %a = arith.constant 1 : i200
    ///   %b = arith.addi %a, %a : i200
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %a = arith.constant 1 : i128
    ///   %b = arith.addi %a, %a : i128
    ///   return
    /// }
    /// ```
    pub UNSUPPORTED: "E0312" Usage "type not supported by the interpreter";
    /// The IR does not verify, so that it means nothing.
    ///
    /// Wrong: A module that was built in Rust and never given to `verify`, interpreted.
    ///
    /// Right: `terrace_ir::verify::verify(&module, 1)` first: what it accepts is never this error.
    pub INVALID: "E0313" Usage "invalid IR";
    /// A loop's step is not positive.
    ///
    /// Wrong, with `terrace-run x.mlir --in=n=fill:0`:
    ///
    /// ```mlir
    /// func.func @f(%n: index) {
    ///   %c0 = arith.constant 0 : index
    ///   scf.for %i = %c0 to %n step %n {
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right, with `terrace-run x.mlir --in=n=fill:2`:
    ///
    /// ```mlir
    /// func.func @f(%n: index) {
    ///   %c0 = arith.constant 0 : index
    ///   scf.for %i = %c0 to %n step %n {
    ///   }
    ///   return
    /// }
    /// ```
    pub STEP: "E0314" Input "loop step not positive";
    /// Two members of a team (threads, iterations) use one element, one of them writes it, and nothing orders them.
    ///
    /// Wrong, with `terrace-run x.mlir --entry=@f`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %c0 = arith.constant 0 : index
    ///   %c1 = arith.constant 1 : index
    ///   %c4 = arith.constant 4 : index
    ///   %m = memref.alloc() : memref<4xindex>
    ///   scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    ///     memref.store %i, %m[%c0] : memref<4xindex>
    ///     scf.reduce
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %c0 = arith.constant 0 : index
    ///   %c1 = arith.constant 1 : index
    ///   %c4 = arith.constant 4 : index
    ///   %m = memref.alloc() : memref<4xindex>
    ///   scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    ///     memref.store %i, %m[%i] : memref<4xindex>
    ///     scf.reduce
    ///   }
    ///   return
    /// }
    /// ```
    pub RACE: "E0315" Input "data race";
    /// Some threads of a group wait where others do not come.
    ///
    /// Wrong, with `terrace-run x.mlir --entry=@f`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %c0 = arith.constant 0 : index
    ///   %c1 = arith.constant 1 : index
    ///   %c4 = arith.constant 4 : index
    ///   gpu.launch blocks(%b, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
    ///              threads(%t, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    ///     %first = arith.cmpi eq, %t, %c0 : index
    ///     scf.if %first {
    ///       gpu.barrier
    ///     }
    ///     gpu.terminator
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %c1 = arith.constant 1 : index
    ///   %c4 = arith.constant 4 : index
    ///   gpu.launch blocks(%b, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
    ///              threads(%t, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    ///     gpu.barrier
    ///     gpu.terminator
    ///   }
    ///   return
    /// }
    /// ```
    pub DIVERGENCE: "E0316" Input "divergence at a barrier or exchange";
    /// Memory of a block, a thread or a device is used from outside of it.
    ///
    /// Wrong, with `terrace-run x.mlir --entry=@f`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %c0 = arith.constant 0 : index
    ///   %c1 = arith.constant 1 : index
    ///   %g = memref.alloc() : memref<1xindex>
    ///   %m = gpu.alloc () : memref<1xindex, 1>
    ///   gpu.launch blocks(%b, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
    ///              threads(%t, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    ///     gpu.terminator
    ///   }
    ///   %x = memref.load %m[%c0] : memref<1xindex, 1>
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   return
    /// }
    /// ```
    pub SCOPE: "E0317" Input "memory of another block, thread or device";
    /// The op means something only inside of a kernel.
    ///
    /// Wrong, with `terrace-run x.mlir --entry=@f`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %t = gpu.thread_id x
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %c1 = arith.constant 1 : index
    ///   gpu.launch blocks(%b, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
    ///              threads(%x, %y, %z) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    ///     %t = gpu.thread_id x
    ///     gpu.terminator
    ///   }
    ///   return
    /// }
    /// ```
    pub KERNEL: "E0318" Usage "outside of a kernel";
    /// A kernel was handed to a device, and the device or its driver refused it.
    ///
    /// Wrong: A launch of 4096 threads in a block, on a GPU that takes 1024.
    ///
    /// Right: Four blocks of 1024 threads.
    pub DEVICE: "E0319" Environment "the device refused a kernel";
}
