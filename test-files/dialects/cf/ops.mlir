// test: round-trip

func.func @diamond(%c: i1, %x: i32) -> i32 {
  cf.assert %c, "must hold"
  cf.cond_br %c, ^yes, ^no(%x : i32)
^yes:
  %y = arith.addi %x, %x : i32
  cf.br ^join(%y, %x : i32, i32)
^no(%z: i32):
  cf.br ^join(%z, %z : i32, i32)
^join(%a: i32, %b: i32):
  %s = arith.addi %a, %b : i32
  return %s : i32
}
