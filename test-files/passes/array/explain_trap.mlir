// test: opt --pipeline='func.func(array-rewrite{strategy="topdown(extractFromMap)?"})' --explain-miss=extractFromMap --verify-diagnostics

// Without elements the map never asks whether @m divides @k; outside it would.
func.func @never(%x: !array.of<@n x i32>, %y: !array.of<@k x i32>) -> !array.of<@n x @k / @m x i32> {
  // expected-remark @+1 {{rule `extractFromMap` does not apply to 'array.map': total or elements: 1 <= @n is not known; `assume` takes it to hold}}
  %z = array.map %x as %a {
    %p = array.split @m %y
    // expected-remark @+1 {{everything depends on the element}}
    %s = array.map %p as %part {
      %r = array.reduce add init %a %part as %b {
        array.yield %b
      }
      array.yield %r
    }
    array.yield %s
  }
  return %z : !array.of<@n x @k / @m x i32>
}
