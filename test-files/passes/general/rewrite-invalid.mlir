// test: opt --pipeline="func.func(rewrite{strategy=add_add_const})" --verify-diagnostics

// expected-error @+1 {{strategy `add_add_const` does not apply: the rule starts from another op}}
func.func @fails(%x: i32) -> i32 {
  return %x : i32
}
