// The rest behind uneven tiles is merged once: the condition that lets only the last tile do it shows that tasks do not meet.
// test: opt

func.func @rest(%x: memref<1000xf32>, %y: memref<1000xf32>) {
  sched.for step 1 at 1 (%j1 in 960 by 528 dim 0 : task) {
    sched.for step 2 at 2 (%j2 in 528 by 48 limit 960 - %j1 dim 0) {
      sched.copy (%d) in (48) %x[%j1 + %j2 + %d] to %y[%j1 + %j2 + %d] combine add : memref<1000xf32> to memref<1000xf32>
    }
    sched.for (%once in 1 by 1 limit %j1 - 431) {
      sched.copy (%d) in (40) %x[%d + 960] to %y[%d + 960] combine add : memref<1000xf32> to memref<1000xf32>
    }
  }
  return
}
// check: sched.for (%once in 1 by 1 limit %j1 - 431)
