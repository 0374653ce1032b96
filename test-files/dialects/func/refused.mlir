// What the verifier and the parser say to ops that are wrong, one rule each; more in `invalid.mlir`.
// test: opt --split-input-file --verify-diagnostics

// expected-error@+1 {{'func.func' op expects attribute 'arg_attrs' to have 1 entries, one for each value}}
"func.func"() <{sym_name = "f", function_type = (i32) -> (), arg_attrs = [{}, {}]}> ({
^bb0(%x: i32):
  "func.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op symbol declaration cannot have public visibility}}
func.func @declared(i32)

// -----

// expected-error@+1 {{'func.func' op entry block must have 1 arguments to match function signature}}
"func.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({
  "func.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'func.func' op type of entry block argument #0('f32') must match the type of the corresponding argument in function signature('i32')}}
"func.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({
^bb0(%x: f32):
  "func.return"() : () -> ()
}) : () -> ()

// -----

func.func private @g(i32)
func.func @f() {
  // expected-error@+1 {{'func.call' op incorrect number of operands for callee}}
  "func.call"() <{callee = @g}> : () -> ()
  return
}

// -----

func.func private @g(i32)
func.func @f(%x: i32) {
  // expected-error@+1 {{'func.call' op incorrect number of results for callee}}
  %r = "func.call"(%x) <{callee = @g}> : (i32) -> i32
  return
}

// -----

func.func @f(%g: (i32) -> i32, %x: f32) {
  // expected-error@+1 {{'func.call_indirect' op operands and results must have the types of the callee}}
  %r = "func.call_indirect"(%g, %x) : ((i32) -> i32, f32) -> i32
  return
}

// -----

func.func private @g(i32)
func.func @f() {
  // expected-error@+1 {{'func.constant' op reference to function with mismatched type}}
  %g = func.constant @g : () -> ()
  return
}

// -----

// expected-error@+1 {{the arguments of a function with a body need names, such as `%arg0: i32`}}
func.func @unnamed(i32) {
  return
}
