// test: opt --pipeline=symbol-privatize{exclude=main}

func.func @main() { return }
func.func @other() { return }
memref.global @numbers : memref<4xi32>
module @inner {
  func.func @inside() { return }
}
// check: func.func @main()
// check: func.func private @other()
// check: memref.global "private" @numbers
// check: module @inner attributes {sym_visibility = "private"}
// check: func.func @inside()
