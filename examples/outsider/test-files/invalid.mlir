// test: opt --split-input-file --verify-diagnostics

func.func @mixed(%a: !money.amount<"EUR">, %b: !money.amount<"USD">) {
  // expected-error @+1 {{[E0103]: 'money.add' op requires the same type for `a` and `b`}}
  %s = "money.add"(%a, %b) : (!money.amount<"EUR">, !money.amount<"USD">) -> !money.amount<"EUR">
  return
}

// -----

func.func @number(%a: i64) {
  // expected-error @+1 {{operand #0 must be amount of money, but got 'i64'}}
  %c = "money.cents"(%a) : (i64) -> i64
  return
}
