//! Codes of the text crate's diagnostics, E00xx.

terrace_diag::codes! {
    /// Something else was expected at this place of the text.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%a i32) {
    ///   return
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
    pub EXPECTED: "E0001" Input "unexpected text";
    /// A name of an op is not known: its dialect is not registered, or has no such op.
    ///
    /// Ops of unregistered dialects are accepted in generic form when the tool allows them.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i32 {
    ///   %b = arith.plus %a, %a : i32
    ///   return %b : i32
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i32 {
    ///   %b = arith.addi %a, %a : i32
    ///   return %b : i32
    /// }
    /// ```
    pub UNKNOWN_OP: "E0002" Input "unknown op";
    /// A value is used that nothing defines.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i32 {
    ///   return %b : i32
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i32 {
    ///   return %a : i32
    /// }
    /// ```
    pub UNDEFINED_VALUE: "E0003" Input "value not defined";
    /// A value's name is defined twice where both can be seen.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) {
    ///   %a = arith.constant 1 : i32
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) {
    ///   %b = arith.constant 1 : i32
    ///   return
    /// }
    /// ```
    pub REDEFINED_VALUE: "E0004" Input "value defined twice";
    /// A value is used with a type that is not its own.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i64 {
    ///   return %a : i64
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%a: i32) -> i64 {
    ///   %b = arith.extsi %a : i32 to i64
    ///   return %b : i64
    /// }
    /// ```
    pub VALUE_TYPE: "E0005" Input "value used with another type";
    /// A branch goes to a block that its region does not have.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   cf.br ^end
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   cf.br ^end
    /// ^end:
    ///   return
    /// }
    /// ```
    pub UNDEFINED_BLOCK: "E0006" Input "block not defined";
    /// A block's name is defined twice in one region.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   cf.br ^end
    /// ^end:
    ///   return
    /// ^end:
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   cf.br ^end
    /// ^end:
    ///   return
    /// }
    /// ```
    pub REDEFINED_BLOCK: "E0007" Input "block defined twice";
    /// A number does not fit its type.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f() -> i8 {
    ///   %a = arith.constant 300 : i8
    ///   return %a : i8
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() -> i16 {
    ///   %a = arith.constant 300 : i16
    ///   return %a : i16
    /// }
    /// ```
    pub OVERFLOW: "E0008" Input "number out of range";
    /// An alias is used that nothing defines, or is defined twice, or in terms of itself.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%m: memref<4xf32, #rows>) {
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// #rows = affine_map<(d0) -> (d0)>
    /// func.func @f(%m: memref<4xf32, #rows>) {
    ///   return
    /// }
    /// ```
    pub ALIAS: "E0009" Input "alias not defined, or twice, or cyclic";
    /// A type is not known or its parts do not fit.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%v: vector<0xf32>) {
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%v: vector<4xf32>) {
    ///   return
    /// }
    /// ```
    pub TYPE: "E0010" Input "malformed type";
    /// An attribute is not known or its parts do not fit.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f() attributes {a = dense<[1, 2]> : tensor<3xi32>} {
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() attributes {a = dense<[1, 2, 3]> : tensor<3xi32>} {
    ///   return
    /// }
    /// ```
    pub ATTRIBUTE: "E0011" Input "malformed attribute";
    /// A type, attribute, location or affine expression nests deeper than the parser follows.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// (printf 'func.func @f(%%a: '; yes 'tuple<' | head -n 100000 | tr -d '\n') > deep.mlir; terrace-opt deep.mlir
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// printf 'func.func @f(%%a: tuple<tuple<i32>>) {\n  return\n}\n' > flat.mlir; terrace-opt flat.mlir
    /// ```
    pub TOO_DEEP: "E0012" Limit "nesting too deep";
    /// The source is larger than locations can count.
    ///
    /// Wrong: A file of more than 2 GiB.
    ///
    /// Right: The same program in several files, one module each.
    pub TOO_LARGE: "E0013" Limit "source too large";
    /// A string has no closing quote on its line, or an escape that is none.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f() attributes {a = "no end} {
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() attributes {a = "an end"} {
    ///   return
    /// }
    /// ```
    pub STRING: "E0014" Input "malformed string";
    /// A type is neither written nor given by the op's definition.
    ///
    /// Wrong: `money.of %cents`, where the format of the op says `$cents attr-dict` and no relation gives the type of its
    /// result
    ///
    /// Right: `money.of %cents : !money.amount<"EUR">`, with a format that says `type($amount)`; or the generic form
    pub UNKNOWN_TYPE: "E0015" Input "type can't be inferred";
    /// The numbers of names, operands, types, regions or segments do not agree.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = "arith.addi"(%a, %b) : (i32) -> i32
    ///   return %c : i32
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%a: i32, %b: i32) -> i32 {
    ///   %c = "arith.addi"(%a, %b) : (i32, i32) -> i32
    ///   return %c : i32
    /// }
    /// ```
    pub COUNT: "E0016" Input "numbers do not agree";
    /// An attribute is set twice in one op or dictionary.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f() attributes {a = 1 : i32, a = 2 : i32} {
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() attributes {a = 1 : i32, b = 2 : i32} {
    ///   return
    /// }
    /// ```
    pub ATTR_TWICE: "E0017" Input "attribute given twice";
    /// Values can't be passed into an op that is a unit of its own, nor out of it.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// module {
    ///   %a = arith.constant 1 : i32
    ///   "builtin.module"(%a) ({
    ///   ^bb0:
    ///   }) : (i32) -> ()
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// module {
    ///   "builtin.module"() ({
    ///   ^bb0:
    ///   }) : () -> ()
    /// }
    /// ```
    pub UNIT_VALUES: "E0018" Input "values at the border of a unit";
    /// A section of the file's metadata that is not known.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   return
    /// }
    /// {-#
    ///   strange_resources: { a: "0x00" }
    /// #-}
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   return
    /// }
    /// {-#
    ///   dialect_resources: { builtin: { a: "0x04000000" } }
    /// #-}
    /// ```
    pub RESOURCES: "E0019" Input "unknown metadata";
    /// The context lacks what the parser itself needs, `builtin.module`.
    ///
    /// Wrong: a file is read into `Context::new(&[&MONEY])`.
    ///
    /// Right: into `Context::new(&[&BUILTIN, &MONEY])`.
    pub NOT_REGISTERED: "E0020" Usage "dialect `builtin` not registered";
}
