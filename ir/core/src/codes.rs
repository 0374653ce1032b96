//! Codes of the core's diagnostics, E01xx.

terrace_diag::codes! {
    /// The op has fewer or more operands, results, regions or successors than its definition allows.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i32 {
    ///   %b = "arith.addi"(%a) : (i32) -> i32
    ///   return %b : i32
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i32 {
    ///   %b = "arith.addi"(%a, %a) : (i32, i32) -> i32
    ///   return %b : i32
    /// }
    /// ```
    pub COUNT: "E0101" Verifier "wrong number of operands, results, regions or successors";
    /// An operand or result has a type that the op's definition does not allow there.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%a: f32) -> f32 {
    ///   %b = arith.addi %a, %a : f32
    ///   return %b : f32
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%a: f32) -> f32 {
    ///   %b = arith.addf %a, %a : f32
    ///   return %b : f32
    /// }
    /// ```
    pub TYPE: "E0102" Verifier "type not allowed here";
    /// Two fields of an op must have related types and have not.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i64) -> i64 {
    ///   %c = "arith.addi"(%a, %b) : (i32, i64) -> i64
    ///   return %c : i64
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i64) -> i64 {
    ///   %w = arith.extsi %a : i32 to i64
    ///   %c = arith.addi %w, %b : i64
    ///   return %c : i64
    /// }
    /// ```
    pub TYPES_DIFFER: "E0103" Verifier "types of fields do not match";
    /// An attribute that the op needs is missing.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i1 {
    ///   %b = "arith.cmpi"(%a, %a) : (i32, i32) -> i1
    ///   return %b : i1
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i1 {
    ///   %b = arith.cmpi slt, %a, %a : i32
    ///   return %b : i1
    /// }
    /// ```
    pub ATTR_MISSING: "E0104" Verifier "attribute missing";
    /// An attribute is of another kind than the op's definition says.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i1 {
    ///   %b = "arith.cmpi"(%a, %a) <{predicate = "slt"}> : (i32, i32) -> i1
    ///   return %b : i1
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i1 {
    ///   %b = arith.cmpi slt, %a, %a : i32
    ///   return %b : i1
    /// }
    /// ```
    pub ATTR: "E0105" Verifier "attribute not allowed here";
    /// A block does not end with a terminator, or a terminator stands before the end.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) {
    ///   %b = arith.addi %a, %a : i32
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) {
    ///   %b = arith.addi %a, %a : i32
    ///   return
    /// }
    /// ```
    pub TERMINATOR: "E0106" Verifier "terminator missing or misplaced";
    /// A region has more blocks, or fewer, than the op allows.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%c: i1) {
    ///   scf.if %c {
    ///     cf.br ^next
    ///   ^next:
    ///     scf.yield
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%c: i1) {
    ///   scf.if %c {
    ///     scf.yield
    ///   }
    ///   return
    /// }
    /// ```
    pub REGION: "E0107" Verifier "region shape not allowed";
    /// A value is used where its definition has not been executed on every way there.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i32 {
    ///   %c = arith.addi %b, %a : i32
    ///   %b = arith.addi %a, %a : i32
    ///   return %c : i32
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i32 {
    ///   %b = arith.addi %a, %a : i32
    ///   %c = arith.addi %b, %a : i32
    ///   return %c : i32
    /// }
    /// ```
    pub DOMINANCE: "E0108" Verifier "use is not dominated by the definition";
    /// A region that is isolated from above uses a value from outside.
    ///
    /// Wrong: A pass that lets an op in the body of `mdh.compute` use a value of the function around.
    ///
    /// Right: One that makes the value an operand of `mdh.compute`, or a constant inside.
    pub ISOLATED: "E0109" Verifier "isolated region uses an outer value";
    /// Arguments passed to a block do not match the block's arguments.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i32 {
    ///   cf.br ^end
    /// ^end(%b: i32):
    ///   return %b : i32
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i32 {
    ///   cf.br ^end(%a : i32)
    /// ^end(%b: i32):
    ///   return %b : i32
    /// }
    /// ```
    pub BRANCH: "E0110" Verifier "branch does not match its block";
    /// Two symbols of one table have one name.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   return
    /// }
    /// func.func @f() {
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
    /// func.func @g() {
    ///   return
    /// }
    /// ```
    pub SYMBOL_TWICE: "E0111" Verifier "symbol defined twice";
    /// The op must stand directly inside of another kind of op.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) {
    ///   scf.yield
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) {
    ///   return
    /// }
    /// ```
    pub PARENT: "E0112" Verifier "wrong parent op";
    /// A symbol reference names nothing, or something of another kind.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   func.call @g() : () -> ()
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   func.call @g() : () -> ()
    ///   return
    /// }
    /// func.func private @g()
    /// ```
    pub SYMBOL: "E0113" Verifier "unknown symbol";
    /// A rule of the op itself does not hold.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f() -> i32 {
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() -> i32 {
    ///   %a = arith.constant 1 : i32
    ///   return %a : i32
    /// }
    /// ```
    pub OP_RULE: "E0114" Verifier "rule of the op violated";
    /// Dialects, passes or rules cannot be registered together: a name is there twice, belongs to another dialect, or a
    /// default is none that its field accepts. This is a mistake in the tool, not in its input.
    ///
    /// Wrong: `terrace_opt::all_dialects().into_iter().chain([&MONEY, &MONEY]).collect()`, as the dialects of a tool.
    ///
    /// Right: `terrace_opt::all_dialects().into_iter().chain([&MONEY]).collect()`, each once.
    pub REGISTRATION: "E0116" Bug "cannot be registered together";
}
