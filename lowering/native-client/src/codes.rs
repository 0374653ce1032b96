//! Codes of this back end, E0720–E0739.

terrace_diag::codes! {
    /// This op has no counterpart in LLVM: a pass has to lower it first.
    ///
    /// The LLVM back end takes what is left when loops have become blocks: `func`, `arith`, `math`, `cf`, `memref`, `vector`,
    /// `ub`, and `gpu` inside of device functions. Nothing is emitted unless everything can be.
    pub UNSUPPORTED_OP: "E0720" Usage "op cannot be lowered to LLVM";
    /// Values of this type cannot be held in LLVM values by this back end.
    pub UNSUPPORTED_TYPE: "E0721" Usage "type cannot be lowered to LLVM";
    /// The worker `terrace-native` holds LLVM, so that the other tools start fast and survive its mistakes. It is looked for at
    /// `$TERRACE_NATIVE`, beside the running program, and in the folder above that.
    pub WORKER_MISSING: "E0722" Environment "the worker is missing";
    /// The worker ended before it answered. The program that it ran may have done that (a wrong address, a division by zero),
    /// or it is our mistake.
    pub WORKER_DIED: "E0723" Environment "the worker died";
    /// A worker, or a program that was compiled for a run, did not end in time and was ended. A program may run for ten minutes;
    /// `terrace-run --time-limit=SECONDS` says how long else. A worker that says nothing when it is started is none, or
    /// hangs.
    pub WORKER_TIMEOUT: "E0724" Limit "it took too long";
    /// There is no public function of this name, or it takes other arguments.
    pub ENTRY: "E0725" Usage "the entry point does not fit";
    /// LLVM refused what this back end made, or cannot make the wanted form.
    pub LLVM: "E0726" Bug "LLVM refused the module";
    /// Tool and worker are from different builds.
    pub PROTOCOL: "E0727" Environment "the worker speaks another protocol";
    /// The target (CPU, features, chip) is not known to this LLVM.
    pub TARGET: "E0728" Usage "unknown target";
    /// Upstream MLIR's parser or verifier refuses what ours accepted: a difference between the two that should not be, unless
    /// the module has ops that upstream does not have.
    pub UPSTREAM_REFUSES: "E0735" Input "upstream refuses the module";
    /// Upstream's passes do not take this module to machine code. What they take is host code of its own dialects.
    pub UPSTREAM_LOWERING: "E0736" Usage "upstream cannot lower the module";
}
