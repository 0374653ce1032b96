// What asynchronous work and the host do to memory is ordered by tokens alone; the interpreter finds what is not.
// test: round-trip

// Neither launch names the other.
func.func @two_launches() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  %a = gpu.launch async blocks(%b1, %b1y, %b1z) in (%g1 = %c1, %g1y = %c1, %g1z = %c1)
      threads(%t1, %t1y, %t1z) in (%s1 = %c1, %s1y = %c1, %s1z = %c1) {
    memref.store %c0, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  %b = gpu.launch async blocks(%b2, %b2y, %b2z) in (%g2 = %c1, %g2y = %c1, %g2z = %c1)
      threads(%t2, %t2y, %t2z) in (%s2 = %c1, %s2y = %c1, %s2z = %c1) {
    memref.store %c1, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.wait [%a, %b]
  return
}
// eval: @two_launches() == trap E0315 "launch 2 does not wait for launch 1"

func.func @in_a_row() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  %a = gpu.launch async blocks(%b3, %b3y, %b3z) in (%g3 = %c1, %g3y = %c1, %g3z = %c1)
      threads(%t3, %t3y, %t3z) in (%s3 = %c1, %s3y = %c1, %s3z = %c1) {
    memref.store %c0, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  %b = gpu.launch async [%a] blocks(%b4, %b4y, %b4z) in (%g4 = %c1, %g4y = %c1, %g4z = %c1)
      threads(%t4, %t4y, %t4z) in (%s4 = %c1, %s4y = %c1, %s4z = %c1) {
    memref.store %c1, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.wait [%b]
  %v = memref.load %m[%c0] : memref<2xindex>
  return %v : index
}
// eval: @in_a_row() == 1

func.func @host_reads_early() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  %a = gpu.launch async blocks(%b5, %b5y, %b5z) in (%g5 = %c1, %g5y = %c1, %g5z = %c1)
      threads(%t5, %t5y, %t5z) in (%s5 = %c1, %s5y = %c1, %s5z = %c1) {
    memref.store %c1, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  %v = memref.load %m[%c0] : memref<2xindex>
  gpu.wait [%a]
  return %v : index
}
// eval: @host_reads_early() == trap E0315 "a read here and a write by thread (0, 0, 0) of block (0, 0, 0) of launch 1 are not ordered: the host has not waited for launch 1"

func.func @host_writes_early() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  memref.store %c0, %m[%c0] : memref<2xindex>
  %a = gpu.launch async blocks(%b6, %b6y, %b6z) in (%g6 = %c1, %g6y = %c1, %g6z = %c1)
      threads(%t6, %t6y, %t6z) in (%s6 = %c1, %s6y = %c1, %s6z = %c1) {
    %x1 = memref.load %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  memref.store %c1, %m[%c0] : memref<2xindex>
  gpu.wait [%a]
  return
}
// eval: @host_writes_early() == trap E0315 "a write here and a read by"

func.func @host_waits() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  memref.store %c0, %m[%c0] : memref<2xindex>
  %a = gpu.launch async blocks(%b7, %b7y, %b7z) in (%g7 = %c1, %g7y = %c1, %g7z = %c1)
      threads(%t7, %t7y, %t7z) in (%s7 = %c1, %s7y = %c1, %s7z = %c1) {
    memref.store %c1, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.wait [%a]
  %v = memref.load %m[%c0] : memref<2xindex>
  return %v : index
}
// eval: @host_waits() == 1

// Other elements are no matter, and a wait that names nothing waits for all.
func.func @host_waits_for_all() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  %a = gpu.launch async blocks(%b8, %b8y, %b8z) in (%g8 = %c1, %g8y = %c1, %g8z = %c1)
      threads(%t8, %t8y, %t8z) in (%s8 = %c1, %s8y = %c1, %s8z = %c1) {
    memref.store %c1, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  %b = gpu.launch async blocks(%b9, %b9y, %b9z) in (%g9 = %c1, %g9y = %c1, %g9z = %c1)
      threads(%t9, %t9y, %t9z) in (%s9 = %c1, %s9y = %c1, %s9z = %c1) {
    memref.store %c1, %m[%c1] : memref<2xindex>
    gpu.terminator
  }
  gpu.wait
  %v = memref.load %m[%c0] : memref<2xindex>
  return %v : index
}
// eval: @host_waits_for_all() == 1

func.func @host_waits_for_another() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  %a = gpu.launch async blocks(%b10, %b10y, %b10z) in (%g10 = %c1, %g10y = %c1, %g10z = %c1)
      threads(%t10, %t10y, %t10z) in (%s10 = %c1, %s10y = %c1, %s10z = %c1) {
    memref.store %c1, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  %b = gpu.launch async blocks(%b11, %b11y, %b11z) in (%g11 = %c1, %g11y = %c1, %g11z = %c1)
      threads(%t11, %t11y, %t11z) in (%s11 = %c1, %s11y = %c1, %s11z = %c1) {
    memref.store %c1, %m[%c1] : memref<2xindex>
    gpu.terminator
  }
  gpu.wait [%b]
  %v = memref.load %m[%c0] : memref<2xindex>
  return %v : index
}
// eval: @host_waits_for_another() == trap E0315 "the host has not waited for launch 1"

// A launch comes behind all that the host has waited for.
func.func @before_the_launch() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  %a = gpu.launch async blocks(%b12, %b12y, %b12z) in (%g12 = %c1, %g12y = %c1, %g12z = %c1)
      threads(%t12, %t12y, %t12z) in (%s12 = %c1, %s12y = %c1, %s12z = %c1) {
    memref.store %c1, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.wait [%a]
  %b = gpu.launch async blocks(%b13, %b13y, %b13z) in (%g13 = %c1, %g13y = %c1, %g13z = %c1)
      threads(%t13, %t13y, %t13z) in (%s13 = %c1, %s13y = %c1, %s13z = %c1) {
    memref.store %c0, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.wait [%b]
  %v = memref.load %m[%c0] : memref<2xindex>
  return %v : index
}
// eval: @before_the_launch() == 0

func.func @token_of_tokens() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  %a = gpu.launch async blocks(%b14, %b14y, %b14z) in (%g14 = %c1, %g14y = %c1, %g14z = %c1)
      threads(%t14, %t14y, %t14z) in (%s14 = %c1, %s14y = %c1, %s14z = %c1) {
    memref.store %c1, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  %b = gpu.launch async blocks(%b15, %b15y, %b15z) in (%g15 = %c1, %g15y = %c1, %g15z = %c1)
      threads(%t15, %t15y, %t15z) in (%s15 = %c1, %s15y = %c1, %s15z = %c1) {
    memref.store %c1, %m[%c1] : memref<2xindex>
    gpu.terminator
  }
  %w = gpu.wait async [%a, %b]
  %c = gpu.launch async [%w] blocks(%b16, %b16y, %b16z) in (%g16 = %c1, %g16y = %c1, %g16z = %c1)
      threads(%t16, %t16y, %t16z) in (%s16 = %c1, %s16y = %c1, %s16z = %c1) {
    %x2 = memref.load %m[%c0] : memref<2xindex>
    memref.store %c0, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.wait [%c]
  %v = memref.load %m[%c0] : memref<2xindex>
  return %v : index
}
// eval: @token_of_tokens() == 0

func.func @no_token_of_tokens() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  %a = gpu.launch async blocks(%b17, %b17y, %b17z) in (%g17 = %c1, %g17y = %c1, %g17z = %c1)
      threads(%t17, %t17y, %t17z) in (%s17 = %c1, %s17y = %c1, %s17z = %c1) {
    memref.store %c1, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  %w = gpu.wait async
  %b = gpu.launch async [%w] blocks(%b18, %b18y, %b18z) in (%g18 = %c1, %g18y = %c1, %g18z = %c1)
      threads(%t18, %t18y, %t18z) in (%s18 = %c1, %s18y = %c1, %s18z = %c1) {
    %x3 = memref.load %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.wait [%a, %b]
  return
}
// eval: @no_token_of_tokens() == trap E0315 "launch 2 does not wait for launch 1"

// Each of several readers counts.
func.func @three_readers() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  memref.store %c1, %m[%c0] : memref<2xindex>
  %a = gpu.launch async blocks(%b19, %b19y, %b19z) in (%g19 = %c1, %g19y = %c1, %g19z = %c1)
      threads(%t19, %t19y, %t19z) in (%s19 = %c1, %s19y = %c1, %s19z = %c1) {
    %x4 = memref.load %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  %b = gpu.launch async blocks(%b20, %b20y, %b20z) in (%g20 = %c1, %g20y = %c1, %g20z = %c1)
      threads(%t20, %t20y, %t20z) in (%s20 = %c1, %s20y = %c1, %s20z = %c1) {
    %x5 = memref.load %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  %c = gpu.launch async blocks(%b21, %b21y, %b21z) in (%g21 = %c1, %g21y = %c1, %g21z = %c1)
      threads(%t21, %t21y, %t21z) in (%s21 = %c1, %s21y = %c1, %s21z = %c1) {
    %x6 = memref.load %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  %d = gpu.launch async [%a, %b] blocks(%b22, %b22y, %b22z) in (%g22 = %c1, %g22y = %c1, %g22z = %c1)
      threads(%t22, %t22y, %t22z) in (%s22 = %c1, %s22y = %c1, %s22z = %c1) {
    memref.store %c0, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.wait
  return
}
// eval: @three_readers() == trap E0315 "launch 4 does not wait for launch 3"

func.func @three_readers_waited() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  memref.store %c1, %m[%c0] : memref<2xindex>
  %a = gpu.launch async blocks(%b23, %b23y, %b23z) in (%g23 = %c1, %g23y = %c1, %g23z = %c1)
      threads(%t23, %t23y, %t23z) in (%s23 = %c1, %s23y = %c1, %s23z = %c1) {
    %x7 = memref.load %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  %b = gpu.launch async blocks(%b24, %b24y, %b24z) in (%g24 = %c1, %g24y = %c1, %g24z = %c1)
      threads(%t24, %t24y, %t24z) in (%s24 = %c1, %s24y = %c1, %s24z = %c1) {
    %x8 = memref.load %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  %c = gpu.launch async blocks(%b25, %b25y, %b25z) in (%g25 = %c1, %g25y = %c1, %g25z = %c1)
      threads(%t25, %t25y, %t25z) in (%s25 = %c1, %s25y = %c1, %s25z = %c1) {
    %x9 = memref.load %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  %d = gpu.launch async [%a, %b, %c] blocks(%b26, %b26y, %b26z) in (%g26 = %c1, %g26y = %c1, %g26z = %c1)
      threads(%t26, %t26y, %t26z) in (%s26 = %c1, %s26y = %c1, %s26z = %c1) {
    memref.store %c0, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.wait [%d]
  %v = memref.load %m[%c0] : memref<2xindex>
  return %v : index
}
// eval: @three_readers_waited() == 0

// The host waits for a launch without a token, and that launch for nothing.
func.func @synchronous_beside() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  %a = gpu.launch async blocks(%b27, %b27y, %b27z) in (%g27 = %c1, %g27y = %c1, %g27z = %c1)
      threads(%t27, %t27y, %t27z) in (%s27 = %c1, %s27y = %c1, %s27z = %c1) {
    memref.store %c1, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.launch blocks(%b28, %b28y, %b28z) in (%g28 = %c1, %g28y = %c1, %g28z = %c1)
      threads(%t28, %t28y, %t28z) in (%s28 = %c1, %s28y = %c1, %s28z = %c1) {
    memref.store %c0, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.wait [%a]
  return
}
// eval: @synchronous_beside() == trap E0315 "launch 2 does not wait for launch 1"

func.func @synchronous_behind() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  %a = gpu.launch async blocks(%b29, %b29y, %b29z) in (%g29 = %c1, %g29y = %c1, %g29z = %c1)
      threads(%t29, %t29y, %t29z) in (%s29 = %c1, %s29y = %c1, %s29z = %c1) {
    memref.store %c1, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.launch [%a] blocks(%b30, %b30y, %b30z) in (%g30 = %c1, %g30y = %c1, %g30z = %c1)
      threads(%t30, %t30y, %t30z) in (%s30 = %c1, %s30y = %c1, %s30z = %c1) {
    memref.store %c0, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  %v = memref.load %m[%c0] : memref<2xindex>
  return %v : index
}
// eval: @synchronous_behind() == 0

func.func @copies() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  %d, %a = gpu.alloc async () : memref<2xindex>
  memref.store %c1, %m[%c0] : memref<2xindex>
  memref.store %c1, %m[%c1] : memref<2xindex>
  %b = gpu.memcpy async [%a] %d, %m : memref<2xindex>, memref<2xindex>
  %c = gpu.launch async [%b] blocks(%b31, %b31y, %b31z) in (%g31 = %c1, %g31y = %c1, %g31z = %c1)
      threads(%t31, %t31y, %t31z) in (%s31 = %c1, %s31y = %c1, %s31z = %c1) {
    %x10 = memref.load %d[%c0] : memref<2xindex>
    %y10 = arith.addi %x10, %c1 : index
    memref.store %y10, %d[%c0] : memref<2xindex>
    gpu.terminator
  }
  %e = gpu.memcpy async [%c] %m, %d : memref<2xindex>, memref<2xindex>
  %f = gpu.dealloc async [%e] %d : memref<2xindex>
  gpu.wait [%f]
  %v = memref.load %m[%c0] : memref<2xindex>
  return %v : index
}
// eval: @copies() == 2

func.func @copy_beside() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  %d = gpu.alloc () : memref<2xindex>
  %a = gpu.launch async blocks(%b32, %b32y, %b32z) in (%g32 = %c1, %g32y = %c1, %g32z = %c1)
      threads(%t32, %t32y, %t32z) in (%s32 = %c1, %s32y = %c1, %s32z = %c1) {
    memref.store %c1, %d[%c0] : memref<2xindex>
    memref.store %c1, %d[%c1] : memref<2xindex>
    gpu.terminator
  }
  %b = gpu.memcpy async %m, %d : memref<2xindex>, memref<2xindex>
  gpu.wait [%a, %b]
  return
}
// eval: @copy_beside() == trap E0315 "copy 2 does not wait for launch 1"

func.func @copy_not_done() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  memref.store %c1, %m[%c0] : memref<2xindex>
  memref.store %c1, %m[%c1] : memref<2xindex>
  %n = memref.alloc() : memref<2xindex>
  %a = gpu.memcpy async %n, %m : memref<2xindex>, memref<2xindex>
  %v = memref.load %n[%c0] : memref<2xindex>
  return %v : index
}
// eval: @copy_not_done() == trap E0315 "the host has not waited for copy 1"

func.func @fill_beside() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = gpu.alloc () : memref<2xindex>
  %a = gpu.memset async %d, %c1 : memref<2xindex>, index
  %b = gpu.launch async blocks(%b33, %b33y, %b33z) in (%g33 = %c1, %g33y = %c1, %g33z = %c1)
      threads(%t33, %t33y, %t33z) in (%s33 = %c1, %s33y = %c1, %s33z = %c1) {
    %x11 = memref.load %d[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.wait
  return
}
// eval: @fill_beside() == trap E0315 "launch 2 does not wait for fill 1"

func.func @not_yet_there() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d, %a = gpu.alloc async () : memref<2xindex>
  %b = gpu.launch async blocks(%b34, %b34y, %b34z) in (%g34 = %c1, %g34y = %c1, %g34z = %c1)
      threads(%t34, %t34y, %t34z) in (%s34 = %c1, %s34y = %c1, %s34z = %c1) {
    memref.store %c1, %d[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.wait [%a, %b]
  return
}
// eval: @not_yet_there() == trap E0315 "launch 2 does not wait for allocation 1"

func.func @freed_in_between() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = gpu.alloc () : memref<2xindex>
  %a = gpu.launch async blocks(%b35, %b35y, %b35z) in (%g35 = %c1, %g35y = %c1, %g35z = %c1)
      threads(%t35, %t35y, %t35z) in (%s35 = %c1, %s35y = %c1, %s35z = %c1) {
    memref.store %c1, %d[%c0] : memref<2xindex>
    gpu.terminator
  }
  gpu.dealloc %d : memref<2xindex>
  gpu.wait [%a]
  return
}
// eval: @freed_in_between() == trap E0315 "release 2 does not wait for launch 1"

func.func @freed_by_the_host() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  %a = gpu.launch async blocks(%b36, %b36y, %b36z) in (%g36 = %c1, %g36y = %c1, %g36z = %c1)
      threads(%t36, %t36y, %t36z) in (%s36 = %c1, %s36y = %c1, %s36z = %c1) {
    memref.store %c1, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  memref.dealloc %m : memref<2xindex>
  gpu.wait [%a]
  return
}
// eval: @freed_by_the_host() == trap E0315 "the host has not waited for launch 1"

func.func @parallel_host() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  %a = gpu.launch async blocks(%b37, %b37y, %b37z) in (%g37 = %c1, %g37y = %c1, %g37z = %c1)
      threads(%t37, %t37y, %t37z) in (%s37 = %c1, %s37y = %c1, %s37z = %c1) {
    memref.store %c1, %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    memref.store %c0, %m[%i] : memref<2xindex>
    scf.reduce
  }
  gpu.wait [%a]
  return
}
// eval: @parallel_host() == trap E0315 "the host has not waited for launch 1"

func.func @a_row_in_a_loop() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xindex>
  memref.store %c0, %m[%c0] : memref<2xindex>
  %c9 = arith.constant 9 : index
  %t = gpu.wait async
  %last = scf.for %i = %c0 to %c9 step %c1 iter_args(%before = %t) -> (!gpu.async.token) {
  %one = gpu.launch async [%before] blocks(%b38, %b38y, %b38z) in (%g38 = %c1, %g38y = %c1, %g38z = %c1)
        threads(%t38, %t38y, %t38z) in (%s38 = %c1, %s38y = %c1, %s38z = %c1) {
      %x12 = memref.load %m[%c0] : memref<2xindex>
      %y12 = arith.addi %x12, %c1 : index
      memref.store %y12, %m[%c0] : memref<2xindex>
      gpu.terminator
    }
    scf.yield %one : !gpu.async.token
  }
  gpu.wait [%last]
  %v = memref.load %m[%c0] : memref<2xindex>
  return %v : index
}
// eval: @a_row_in_a_loop() == 9
