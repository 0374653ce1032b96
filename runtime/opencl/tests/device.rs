//! Kernels on whatever OpenCL device there is
#![allow(unsafe_code)]

use std::time::Duration;
use terrace_runtime_opencl::{Arg, Device, DeviceBuffer, OpenClError, Preference, Program};

/// The first device, or `None` after saying that `test` is skipped
fn device(test: &str) -> Option<Device> {
    match Device::open(&Preference::Any) {
        Ok(device) => Some(device),
        Err(e) if e.is_absence() => {
            println!("skipped: {test} (needs opencl)");
            None
        }
        Err(e) => panic!("{e}"),
    }
}

/// Numbers as bytes
fn bytes(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_ne_bytes()).collect()
}

/// Bytes as numbers
fn ints(bytes: &[u8]) -> Vec<i32> {
    bytes.chunks_exact(4).map(|b| i32::from_ne_bytes([b[0], b[1], b[2], b[3]])).collect()
}

fn read(buffer: &DeviceBuffer) -> Vec<i32> {
    let mut out = vec![0; buffer.len()];
    buffer.read(&mut out).expect("same length");
    ints(&out)
}

/// Build, run the one kernel, and give its time
fn run(
    device: &Device,
    source: &str,
    grid: u64,
    block: u64,
    args: &[Arg<'_, DeviceBuffer>],
) -> Result<Duration, OpenClError> {
    let program = Program::build(device, source, "")?;
    let mut kernel = program.kernel(&program.kernel_names()[0])?;
    // SAFETY: the kernels of this file stay within the buffers of their tests.
    unsafe { kernel.launch([grid, 1, 1], [block, 1, 1], args) }
}

const ADD: &str = "kernel void add(global const int *a, global const int *b, global int *c, int n) {
    int i = get_global_id(0);
    if (i < n) c[i] = a[i] + b[i];
}";

#[test]
fn adds_vectors() {
    let Some(device) = device("adds_vectors") else { return };
    let a: Vec<i32> = (0..100).collect();
    let x = device.upload(&bytes(&a)).expect("memory");
    let y = device.upload(&bytes(&[7; 100])).expect("memory");
    let mut z = device.alloc(400).expect("memory");
    z.fill(&[0; 4]).expect("a multiple");
    let args = [Arg::Buffer(&x), Arg::Buffer(&y), Arg::Buffer(&z), Arg::I32(99)];
    run(&device, ADD, 4, 32, &args).expect("runs");
    let expected: Vec<i32> = (0..100).map(|i| if i < 99 { i + 7 } else { 0 }).collect();
    assert_eq!(read(&z), expected);
}

#[test]
fn parts_of_a_device_work_at_the_same_time() {
    let Some(device) = device("parts_of_a_device_work_at_the_same_time") else { return };
    let parts = device.split(2).expect("cut, or left whole");
    if parts.len() < 2 {
        return println!("skipped: parts_of_a_device_work_at_the_same_time (needs a device that can be cut)");
    }
    let source = "kernel void fill(global int *o, int n) {
        int i = get_global_id(0);
        int s = n;
        for (int k = 0; k < 1000; k++) s = s * 3 + i;
        o[i] = s;
    }";
    let mut running = Vec::new();
    for (n, part) in parts.iter().enumerate() {
        assert!(part.info().compute_units < device.info().compute_units);
        let program = Program::build(part, source, "").expect("compiles");
        let mut kernel = program.kernel("fill").expect("it is there");
        let buffer = part.alloc(4 * 256).expect("memory");
        // SAFETY: the kernel writes 256 numbers; the buffer is kept until the wait below.
        let started =
            unsafe { kernel.start([4, 1, 1], [64, 1, 1], &[Arg::Buffer(&buffer), Arg::I32(n as i32)]) };
        running.push((started.expect("starts"), buffer, kernel));
    }
    for (n, (started, buffer, _kernel)) in running.into_iter().enumerate() {
        started.wait().expect("ends");
        let expected = |i: i32| (0..1000).fold(n as i32, |s, _| s.wrapping_mul(3).wrapping_add(i));
        assert_eq!(read(&buffer), (0..256).map(expected).collect::<Vec<_>>());
    }
    assert_eq!(device.split(1).expect("whole").len(), 1);
}

#[test]
fn reduces_in_local_memory() {
    let Some(device) = device("reduces_in_local_memory") else { return };
    let source = "kernel void sum(global const int *a, global int *out, local int *part) {
        int l = get_local_id(0);
        part[l] = a[get_global_id(0)];
        for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (l < s) part[l] += part[l + s];
        }
        if (l == 0) out[get_group_id(0)] = part[0];
    }";
    let a = device.upload(&bytes(&(0..64).collect::<Vec<i32>>())).expect("memory");
    let out = device.upload(&bytes(&[0; 4])).expect("memory");
    run(&device, source, 4, 16, &[Arg::Buffer(&a), Arg::Buffer(&out), Arg::Local(64)]).expect("runs");
    assert_eq!(read(&out), [120, 376, 632, 888]);
}

#[test]
fn adds_atomically() {
    let Some(device) = device("adds_atomically") else { return };
    let source = "kernel void count(global int *n) { atomic_add(n, (int)get_global_id(0)); }";
    let n = device.upload(&bytes(&[0])).expect("memory");
    run(&device, source, 8, 32, &[Arg::Buffer(&n)]).expect("runs");
    assert_eq!(read(&n), [255 * 256 / 2]);
}

#[test]
fn numbers_of_each_width_arrive() {
    let Some(device) = device("numbers_of_each_width_arrive") else { return };
    let source = "kernel void put(global int *o, char a, short b, long c, float d) {
        o[0] = a; o[1] = b; o[2] = (int)(c >> 32); o[3] = (int)(d * 4);
    }";
    let o = device.upload(&bytes(&[0; 4])).expect("memory");
    let args = [Arg::Buffer(&o), Arg::I8(-3), Arg::I16(-300), Arg::I64(5 << 32), Arg::F32(1.5)];
    run(&device, source, 1, 1, &args).expect("runs");
    assert_eq!(read(&o), [-3, -300, 5, 6]);
}

#[test]
fn doubles_arrive_where_there_are_any() {
    let Some(device) = device("doubles_arrive_where_there_are_any") else { return };
    if !device.info().fp64 {
        return println!("skipped: doubles_arrive_where_there_are_any (needs fp64)");
    }
    let source = "kernel void put(global int *o, double d) { o[0] = (int)(d * 1e9); }";
    let o = device.upload(&bytes(&[0])).expect("memory");
    run(&device, source, 1, 1, &[Arg::Buffer(&o), Arg::F64(0.123456789)]).expect("runs");
    assert_eq!(read(&o), [123456789]);
}

#[test]
fn buffers_copy_and_check_sizes() {
    let Some(device) = device("buffers_copy_and_check_sizes") else { return };
    let a = device.upload(&bytes(&[1, 2])).expect("memory");
    let mut b = device.alloc(8).expect("memory");
    b.copy_from(&a).expect("same length");
    assert_eq!(read(&b), [1, 2]);
    let e = b.write(&[0; 7]).expect_err("a byte short");
    assert_eq!(e.to_string(), "the device buffer holds 8 bytes, but 7 are given");
    assert!(b.fill(&[1, 2, 3]).is_err());
    let empty = device.upload(&[]).expect("no memory");
    empty.read(&mut []).expect("nothing to read");
}

#[test]
fn a_build_error_has_the_log() {
    let Some(device) = device("a_build_error_has_the_log") else { return };
    let Err(e) = Program::build(&device, "kernel void k(global int *p) { *p = mistake; }", "") else {
        panic!("it does not compile")
    };
    assert!(matches!(&e, OpenClError::Build { log } if log.contains("mistake")), "{e}");
}

#[test]
fn launches_that_cannot_work_are_refused() {
    let Some(device) = device("launches_that_cannot_work_are_refused") else { return };
    let b = device.upload(&bytes(&[0; 4])).expect("memory");
    let (buffer, four) = (Arg::Buffer(&b), Arg::I32(4));
    let refused = |block, args: &[Arg<'_, DeviceBuffer>]| match run(&device, ADD, 1, block, args) {
        Err(e @ OpenClError::Launch { .. }) => e.to_string(),
        Err(e) => panic!("another error: {e}"),
        Ok(_) => panic!("it ran"),
    };
    assert_eq!(
        refused(4, &[buffer, four]),
        "cannot launch kernel `add`: it has 4 parameters, but 2 are given"
    );
    assert_eq!(
        refused(4, &[buffer, Arg::I64(1), buffer, four]),
        "cannot launch kernel `add`: argument 1 is a number, but the kernel has a buffer"
    );
    assert_eq!(
        refused(4, &[buffer, buffer, buffer, Arg::Local(4)]),
        "cannot launch kernel `add`: argument 3 is local memory, but the kernel has a number"
    );
    assert!(refused(4, &[buffer, buffer, buffer, Arg::I64(4)]).contains("argument 3 (a number) is refused"));
    assert!(refused(0, &[buffer, buffer, buffer, four]).contains("a group of 0×1×1 work items"));
    assert!(refused(u64::MAX, &[buffer, buffer, buffer, four]).contains("work items; the device takes 1 to"));
}

#[test]
fn an_empty_grid_runs_nothing() {
    let Some(device) = device("an_empty_grid_runs_nothing") else { return };
    let b = device.upload(&bytes(&[5; 4])).expect("memory");
    let args = [Arg::Buffer(&b), Arg::Buffer(&b), Arg::Buffer(&b), Arg::I32(4)];
    assert_eq!(run(&device, ADD, 0, 4, &args), Ok(Duration::ZERO));
    assert_eq!(read(&b), [5; 4]);
}

#[test]
fn a_missing_kernel_is_named() {
    let Some(device) = device("a_missing_kernel_is_named") else { return };
    let program = Program::build(&device, ADD, "").expect("compiles");
    let Err(e) = program.kernel("sub") else { panic!("there is none") };
    assert_eq!(e.to_string(), "cannot launch kernel `sub`: the program has no such kernel, only add");
}

#[test]
fn a_device_that_is_not_there_is_named() {
    let Some(device) = device("a_device_that_is_not_there_is_named") else { return };
    assert!(!device.info().name.is_empty() && device.info().max_group > 0);
    let Err(e) = Device::open(&Preference::Named("no such thing".into())) else { panic!("found") };
    assert_eq!(e.to_string(), "OpenCL has no device named `no such thing`");
    assert!(e.is_absence());
}

/// A device that flushes subnormal numbers, or does not round quotients, has other bits
#[test]
fn a_device_says_whether_its_floats_differ() {
    let Some(device) = device("a_device_says_whether_its_floats_differ") else { return };
    let exact = terrace_runtime_opencl::DeviceInfo {
        subnormals: true,
        rounded_quotients: true,
        ..device.info().clone()
    };
    assert_eq!(exact.differs(), None);
    let flushes = terrace_runtime_opencl::DeviceInfo { subnormals: false, ..exact.clone() };
    assert!(flushes.differs().is_some_and(|why| why.contains("subnormal")));
    let rough = terrace_runtime_opencl::DeviceInfo { rounded_quotients: false, ..exact };
    assert!(rough.differs().is_some_and(|why| why.contains("quotients")));
}
