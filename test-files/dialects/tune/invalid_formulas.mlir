// What domains and formulas may not say.
// test: opt --split-input-file --verify-diagnostics

tune.space @s {
  tune.size @n
  // expected-error @+1 {{[E0740]: 'tune.param' op NAME: there are two `@n` in the space}}
  tune.param @n in 1 to 4
}

// -----

tune.space @s {
  // expected-error @+1 {{[E0740]: 'tune.derived' op NAME: `@t` is not known here}}
  tune.derived @twice = 2 * @t
  tune.param @t in 1 to 4
}

// -----

tune.space @s {
  // expected-error @+1 {{[E0740]: 'tune.objective' op NAME: `@cost` is not known here}}
  tune.objective minimize "cost" : @cost
}

// -----

tune.space @s {
  // expected-error @+1 {{[E0741]: 'tune.param' op DOMAIN: the value `seq` stands twice}}
  tune.param @m in {seq, thread.x, seq}
}

// -----

tune.space @s {
  tune.param @t in 1 to 8
  // expected-error @+1 {{[E0742]: 'tune.constraint' op FORMULA: `@t` is never `9`}}
  tune.constraint "c" user : @t in {9}
}

// -----

tune.space @s {
  tune.param @t in {1, 4}
  // expected-error @+1 {{[E0742]: 'tune.constraint' op FORMULA: `@t` is never `2`}}
  tune.constraint "c" user : @t in {1, 2}
}

// -----

tune.space @s {
  // expected-error @+1 {{[E0740]: 'tune.param' op NAME: `@n` is not known here}}
  tune.param @n divides @n
}

// -----

// expected-error @+1 {{'tune.constraint' op}}
tune.constraint "c" user : true

// -----

func.func @unbound() -> index {
  %0 = tune.value @nowhere : index
  return %0 : index
}
