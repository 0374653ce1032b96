// A reduction over a block needs a kernel to keep its buffer.
// test: opt --pipeline="gpu-all-reduce-to-shared" --verify-diagnostics

func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{[E0503]: 'gpu.all_reduce' op needs a buffer of the block: inside of 'gpu.func' or 'gpu.launch'}}
  %r = gpu.all_reduce add %x {} : (f32) -> f32
  return %r : f32
}
