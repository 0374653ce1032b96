// test: round-trip
// no-eval: nothing to run

// Integers beyond 128 bits are read and kept; nothing computes with them.
module @wide attributes {
  test.big = 340282366920938463463374607431768211456 : i256,
  test.least = -57896044618658097711785492504343953926634992332820282019728792003956564819968 : i256,
  test.all = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF : i200,
  test.small = -1 : i130,
  test.plain = 340282366920938463463374607431768211456 : ui256,
  test.one = distinct[0]<"x">,
  test.other = distinct[1]<"x">
} {
  func.func @sum() -> i256 {
    %x = arith.constant 340282366920938463463374607431768211456 : i256
    %y = arith.addi %x, %x : i256
    return %y : i256
  }
  memref.global "private" @data : memref<3xi8> = dense_resource<blob>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x01000000010203"
    }
  }
#-}
