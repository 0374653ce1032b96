// test: opt --pipeline="symbol-dce"

// Tables inside of tables: what nothing refers to goes there too. Nothing outside of this file sees what is `nested`.
// not: @dead_nested
func.func nested @dead_nested()

// check: func.func private @used
func.func private @used() {
  return
}

// check: module @named
// check: func.func nested @seen()
// not: @unseen
// not: @own_dead
// check: func.func private @own_used
// check: func.func @caller
module @named attributes {sym_visibility = "nested"} {
  func.func nested @seen()
  func.func nested @unseen()
  func.func private @own_dead() {
    call @own_dead() : () -> ()
    return
  }
  func.func private @own_used() {
    return
  }
  func.func @caller() {
    call @own_used() : () -> ()
    return
  }
}

// A table that goes takes its references along.
// not: @dead_table
// not: @only_by_dead
module @dead_table attributes {sym_visibility = "private"} {
  func.func @user() attributes {uses = @only_by_dead} {
    return
  }
}
func.func private @only_by_dead() {
  return
}

// check: func.func @public
func.func @public() attributes {uses = @named::@seen} {
  call @used() : () -> ()
  return
}
