// What a space must not be.
// test: opt --split-input-file --verify-diagnostics

tune.space @s {
  tune.param @T in 1 to 8
  // expected-error @+1 {{[E0740]: 'tune.param' op NAME: there are two `@T` in the space}}
  tune.param @T in 1 to 4
}

// -----

tune.space @s {
  tune.param @theta in 1 to 8
  // expected-error @+1 {{[E0740]: 'tune.constraint' op NAME: `@thata` is not known here; did you mean `@theta`?}}
  tune.constraint "c" user : @thata <= 4
}

// -----

tune.space @s {
  // expected-error @+1 {{[E0740]: 'tune.param' op NAME: `@n` is not known here}}
  tune.param @k divides @n
  tune.size @n
}

// -----

tune.space @s {
  // expected-error @+1 {{[E0741]: 'tune.param' op DOMAIN: a range runs from 8 down to 1}}
  tune.param @T in 8 to 1
}

// -----

tune.space @s {
  // expected-error @+1 {{[E0741]: 'tune.param' op DOMAIN: a range has steps of at least 1, not 0}}
  tune.param @T in 1 to 8 step 0
}

// -----

tune.space @s {
  // expected-error @+1 {{[E0741]: 'tune.param' op DOMAIN: the value `4` stands twice}}
  tune.param @T in {4, 1, 4}
}

// -----

tune.space @s {
  // expected-error @+1 {{[E0741]: 'tune.param' op DOMAIN: values are numbers or words, not both}}
  tune.param @T in {4, seq}
}

// -----

tune.space @s {
  tune.param @m in {seq, thread.x}
  // expected-error @+1 {{[E0742]: 'tune.constraint' op FORMULA: `@m` is never `block.x`}}
  tune.constraint "c" user : @m in {block.x}
}

// -----

tune.space @s {
  tune.param @T in 4 to 64 step 4
  // expected-error @+1 {{[E0742]: 'tune.constraint' op FORMULA: `@T` is never `6`}}
  tune.constraint "c" user : @T in {4, 6}
}

// -----

tune.space @s {
  %c = arith.constant 1 : i32 // expected-error {{[E0740]: 'arith.constant' op NAME: is no part of a search space}}
}

// -----

tune.space @s {
  tune.param @T in 1 to 8
  // expected-error @+1 {{`and` beside `or` needs brackets: `[… and …] or …`}}
  tune.constraint "c" user : @T < 4 and @T > 2 or @T == 8
}

// -----

tune.space @s {
  tune.param @T in 1 to 8
  // expected-error @+1 {{expected `in {…}` or a comparison: == != <= < >= > divides}}
  tune.constraint "c" user : @T + 4 because "it is four more"
}

// -----

// expected-error @+1 {{'tune.param' op}}
tune.param @T in 1 to 8

// -----

tune.space @s {
  tune.param @m in {seq, thread.x}
  // expected-error @+1 {{[E0742]: 'tune.derived' op FORMULA: `@m` is never `block.x`}}
  tune.derived @blocks = 4 if @m in {block.x}, else 1
}

// -----

tune.space @s {
  tune.param @m in {seq, thread.x}
  // expected-error @+1 {{[E0740]: 'tune.derived' op NAME: `@n` is not known here}}
  tune.derived @threads = 4 if @m in {thread.x}, @n if @m in {seq}, else 1
}
