// test: opt --explain-mapping=A=G1,B=G0,C=S,D=G0,E=S --verify-diagnostics
// docs/mapping.md: mapping M2 of Table 1 is refused, with the reason that the paper gives.

func.func @two_nests(%in: !array.of<@I x @J x @K x i32>, %two: i32) -> !array.of<@I x @J x @K x i32> attributes {array.bind = {I = 8, J = 4, K = 6}} {
  %o = array.map "A" %in as %a {
    // expected-error @+1 {{[E0655]: MEM [beyond]: iterations at this level do not share a block's shared memory; threads of the whole grid cannot wait for each other inside of a kernel (B=global.x)}}
    %b = array.map "B" %a as %r {
      %c = array.map "C" %r as %x {
        %0 = arith.addi %x, %two : i32
        array.yield %0
      }
      array.yield %c
    }
    %l = array.place "local" %b
    %t = array.transpose %l
    // expected-error @+1 {{threads of the whole grid cannot wait for each other inside of a kernel (D=global.x)}}
    %d = array.map "D" %t as %col {
      %e = array.map "E" %col as %x {
        %0 = arith.muli %x, %two : i32
        array.yield %0
      }
      array.yield %e
    }
    %u = array.transpose %d
    array.yield %u
  }
  return %o : !array.of<@I x @J x @K x i32>
}
