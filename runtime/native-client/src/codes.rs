//! Codes of this back end, E0720–E0739.

terrace_diag::codes! {
    /// This op has no counterpart in LLVM: a pass has to lower it first.
    ///
    /// The LLVM back end takes what is left when loops have become blocks: `func`, `arith`, `math`, `cf`, `memref`, `vector`,
    /// `ub`, and `gpu` inside of device functions. Nothing is emitted unless everything can be.
    ///
    /// Wrong, with `terrace-opt x.mlir --emit=llvm`:
    ///
    /// ```mlir
    /// func.func @f(%n: index, %m: memref<8xf32>, %x: f32) {
    ///   %c0 = arith.constant 0 : index
    ///   %c1 = arith.constant 1 : index
    ///   scf.for %i = %c0 to %n step %c1 {
    ///     memref.store %x, %m[%i] : memref<8xf32>
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right, with `terrace-opt x.mlir --pipeline=to-host --emit=llvm`:
    ///
    /// ```mlir
    /// func.func @f(%n: index, %m: memref<8xf32>, %x: f32) {
    ///   %c0 = arith.constant 0 : index
    ///   %c1 = arith.constant 1 : index
    ///   scf.for %i = %c0 to %n step %c1 {
    ///     memref.store %x, %m[%i] : memref<8xf32>
    ///   }
    ///   return
    /// }
    /// ```
    pub UNSUPPORTED_OP: "E0720" Usage "op cannot be lowered to LLVM";
    /// Values of this type cannot be held in LLVM values by this back end, or not passed as C passes them: a structure by value.
    ///
    /// Wrong, with `terrace-opt x.mlir --emit=llvm`:
    ///
    /// ```mlir
    /// func.func @f(%x: complex<f32>) -> complex<f32> {
    ///   return %x : complex<f32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%re: f32, %im: f32) -> (f32, f32) {
    ///   return %re, %im : f32, f32
    /// }
    /// ```
    pub UNSUPPORTED_TYPE: "E0721" Usage "type cannot be lowered to LLVM";
    /// The worker `terrace-native` holds LLVM, so that the other tools start fast and survive its mistakes. It is looked for at
    /// `$TERRACE_NATIVE`, in the folder of the running program, and in the folder above that.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// TERRACE_NATIVE=/nowhere/terrace-native terrace-opt x.mlir --emit=llvm
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// terrace-opt x.mlir --emit=mlir
    /// ```
    pub WORKER_MISSING: "E0722" Environment "the worker is missing";
    /// The worker ended before it answered. The program that it ran may have done that (a wrong address, a division by zero),
    /// or it is our mistake.
    ///
    /// Wrong: A program that writes to an address that is not its own, run by `terrace-run --on=host`.
    ///
    /// Right: `terrace-run --on=interp` says which op does so.
    pub WORKER_DIED: "E0723" Environment "the worker died";
    /// A worker, or a program that was compiled for a run, did not end in time and was ended. A program may run for ten minutes;
    /// `terrace-run --time-limit=SECONDS` says how long else. A worker that says nothing when it is started is none, or
    /// hangs.
    ///
    /// Wrong: A program without an end, run by `terrace-run --on=host`.
    ///
    /// Right: The same for a smaller input, or with `--time-limit=SECONDS`.
    pub WORKER_TIMEOUT: "E0724" Limit "it took too long";
    /// There is no public function of this name, or it takes other arguments.
    ///
    /// Wrong: `call("g", …)` in a module that has `@f` alone, or with another number of arguments.
    ///
    /// Right: `call("f", …)` with as many as `@f` takes.
    pub ENTRY: "E0725" Usage "the entry point does not fit";
    /// LLVM refused what this back end made, or cannot make the wanted form.
    ///
    /// Wrong: LLVM's verifier refuses the text that `terrace-opt --emit=llvm` would print.
    ///
    /// Right: To be reported with the module: what our own verifier accepts and can be lowered, LLVM has to accept.
    pub LLVM: "E0726" Bug "LLVM refused the module";
    /// Tool and worker are from different builds.
    ///
    /// Wrong: `TERRACE_NATIVE` names a worker of another build.
    ///
    /// Right: `cargo xtask build` makes tools and worker together.
    pub PROTOCOL: "E0727" Environment "the worker speaks another protocol";
    /// The target (CPU, features, chip) is not known to this LLVM.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// terrace-opt x.mlir --emit=asm --target-cpu=pentium9
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// terrace-opt x.mlir --emit=asm
    /// ```
    pub TARGET: "E0728" Usage "unknown target";
    /// Arguments of a run lie between guarded pages; what is left over of their own pages is looked at after the calls. It was
    /// changed. A write far outside ends the worker (E0723).
    ///
    /// Wrong: A store to element 8 of a `memref<8xf32>`, run by `terrace-run --on=host`.
    ///
    /// Right: `terrace-run --on=interp` says which op does so.
    pub STRAY: "E0729" Environment "the program wrote where it must not";
    /// Upstream MLIR's parser or verifier refuses what ours accepted: a difference between the two that should not be, unless
    /// the module has ops that upstream does not have.
    ///
    /// Wrong: `terrace-run --on=mlir` of a module with ops of `sched`.
    ///
    /// Right: The same after the pipeline `to-mlir`, which `terrace-run` runs by itself.
    pub UPSTREAM_REFUSES: "E0735" Input "upstream refuses the module";
    /// Upstream's passes do not take this module to machine code. What they take is host code of its own dialects.
    ///
    /// Wrong: `terrace-run --on=mlir` of a module with `gpu.launch`.
    ///
    /// Right: Host code: loops, memory, arithmetic.
    pub UPSTREAM_LOWERING: "E0736" Usage "upstream cannot lower the module";
}
