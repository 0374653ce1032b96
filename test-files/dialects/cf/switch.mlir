// test: opt --allow-unregistered-dialect --pipeline="func.func(canonicalize)"
// rule: switch_case_as_default, switch_const, switch_on_known_value
// no-eval: unregistered ops

func.func @constant(%x: i32, %a: i32) -> i32 {
  %c5 = arith.constant 5 : i32
  cf.switch %c5 : i32, [
    default: ^next(%a : i32),
    5: ^next(%x : i32)
  ]
^next(%p: i32):
  return %p : i32
}
// check: func.func @constant
// next: return %x : i32

func.func @as_default(%x: i32, %a: i32) -> i32 {
  cf.switch %x : i32, [
    default: ^next(%a : i32),
    3: ^use,
    5: ^next(%a : i32)
  ]
^use:
  "test.op"() : () -> ()
  cf.br ^next(%x : i32)
^next(%p: i32):
  return %p : i32
}
// check: func.func @as_default
// next: cf.switch %x : i32, [
// next: default: ^next(%a : i32),
// next: 3: ^use
// next: ]

// A block reached by one case knows the value; one reached by the default knows what it is not.
func.func @known(%x: i32, %a: i32) -> i32 {
  cf.switch %x : i32, [
    default: ^other,
    3: ^three
  ]
^three:
  "test.op"() : () -> ()
  cf.switch %x : i32, [default: ^p, 3: ^q, 7: ^r]
^p:
  "test.p"() : () -> ()
  return %x : i32
^q:
  "test.q"() : () -> ()
  return %x : i32
^r:
  "test.r"() : () -> ()
  return %x : i32
^other:
  "test.other"() : () -> ()
  cf.switch %x : i32, [default: ^s, 3: ^t, 7: ^u]
^s:
  "test.s"() : () -> ()
  return %x : i32
^t:
  "test.t"() : () -> ()
  return %x : i32
^u:
  "test.u"() : () -> ()
  return %x : i32
}
// check: func.func @known
// check: ^three:
// next: "test.op"
// next: "test.q"
// next: return
// check: "test.other"
// next: cf.switch
// next: default: ^s,
// next: 7: ^u
// next: ]

func.func @weights(%c: i1) {
  cf.cond_br %c weights([10, 20]), ^a, ^b
^a:
  "test.a"() : () -> ()
  return
^b:
  "test.b"() : () -> ()
  return
}
// check: cf.cond_br %c weights([10, 20]), ^a, ^b
