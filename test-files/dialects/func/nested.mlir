// A function inside of a function could not be named.
// test: opt --verify-diagnostics --split-input-file

func.func @outer() {
  // expected-error @+1 {{symbol's parent must have the SymbolTable trait}}
  func.func @inner() {
    return
  }
  return
}

// -----

func.func @outer() {
  // expected-error @+1 {{symbol's parent must have the SymbolTable trait}}
  memref.global @g : memref<4xf32>
  return
}
