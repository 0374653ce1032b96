//! Each level of a map along each axis: the ids that kernels ask for in OpenCL C, CUDA C and PTX, and values on a device;
//! memory that threads hand over.

use crate::common;

use common::backends::{agree_on, devices};
use terrace_opt::{Tool, run_on};
use terrace_runtime_opencl::{Device, Preference};

const TOOL: Tool = Tool::OPT;

const AXES: [&str; 3] = ["x", "y", "z"];

/// A nest of maps at these levels, outermost first, over so many elements each
fn nest(levels: &[String], sizes: &[u32]) -> String {
    let sizes: String = sizes.iter().map(|size| format!("{size} x ")).collect();
    let ty = format!("!array.of<{sizes}i32>");
    let mut text = format!("func.func @f(%v0: {ty}) -> {ty} {{\n");
    for (n, level) in levels.iter().enumerate() {
        text += &format!("%r{n} = array.map %v{n} : {level} as %v{} {{\n", n + 1);
    }
    text += &format!("%sum = arith.addi %v{0}, %v{0} : i32\narray.yield %sum\n}}\n", levels.len());
    for n in (1..levels.len()).rev() {
        text += &format!("array.yield %r{n}\n}}\n");
    }
    text + &format!("return %r0 : {ty}\n}}\n")
}

/// Kernels in a language
fn emitted(text: &str, form: &str) -> String {
    let args = [format!("--pipeline=to-{form}"), format!("--emit={form}")];
    let done = run_on(TOOL, &args, "levels.mlir", text).expect("the arguments are right");
    assert!(!done.failed, "{}\n{text}", done.messages);
    String::from_utf8(done.out.expect("it did not fail")).expect("it is text")
}

/// Ids in the three languages that a text must have: of blocks and of threads along axes
fn ids(text: &str, blocks: &[usize], threads: &[usize]) {
    let ptx = terrace_native_client::client::find().is_ok();
    for form in ["opencl", "cuda", "ptx"].into_iter().filter(|form| ptx || *form != "ptx") {
        let source = emitted(text, form);
        for (axis, name) in AXES.into_iter().enumerate() {
            let (block, thread) = match form {
                "opencl" => (format!("get_group_id({axis})"), format!("get_local_id({axis})")),
                "cuda" => (format!("blockIdx.{name}"), format!("threadIdx.{name}")),
                _ => (format!("%ctaid.{name};"), format!("%tid.{name};")),
            };
            assert_eq!(source.contains(&block), blocks.contains(&axis), "{block} in {form}:\n{source}");
            assert_eq!(source.contains(&thread), threads.contains(&axis), "{thread} in {form}:\n{source}");
        }
    }
    if !ptx {
        println!("skipped: levels on ptx (needs llvm)");
    }
}

fn values(name: &str, text: &str) {
    if Device::open(&Preference::Any).is_err() {
        return println!("skipped: levels on opencl (needs pocl)");
    }
    agree_on(&devices(name), name, text, &["--in=0=random:1"], "r0");
}

#[test]
fn whole_grid_maps_are_ids_of_blocks_and_threads() {
    // Threads of a block are at most 64, 4 and 1 along the axes of what is spread over the grid.
    for (axis, (blocks, threads)) in [(&[0][..], &[0][..]), (&[1], &[1]), (&[2], &[])].into_iter().enumerate()
    {
        let text = nest(&[format!("global.{}", AXES[axis])], &[640]);
        ids(&text, blocks, threads);
        values(&format!("global-{axis}"), &text);
    }
    let all = nest(&AXES.map(|axis| format!("global.{axis}")), &[128, 20, 5]);
    ids(&all, &[0, 1, 2], &[0, 1]);
    values("global-all", &all);
}

#[test]
fn block_maps_are_ids_of_blocks() {
    for (axis, name) in AXES.into_iter().enumerate() {
        let text = nest(&[format!("block.{name}")], &[6]);
        ids(&text, &[axis], &[]);
        values(&format!("block-{axis}"), &text);
    }
}

#[test]
fn thread_maps_are_ids_of_threads() {
    for axis in 0..3 {
        let (block, thread) = (format!("block.{}", AXES[(axis + 1) % 3]), format!("thread.{}", AXES[axis]));
        let text = nest(&[block, thread], &[6, 8]);
        ids(&text, &[(axis + 1) % 3], &[axis]);
        values(&format!("thread-{axis}"), &text);
    }
}

#[test]
fn sequential_maps_are_loops() {
    let text = nest(&["block.x".into(), "seq".into()], &[6, 8]);
    ids(&text, &[0], &[]);
    for form in ["opencl", "cuda"] {
        assert_eq!(emitted(&text, form).matches("for (").count(), 1);
    }
    values("seq", &text);
    let text = nest(&["block.x".into(), "unroll".into()], &[6, 8]);
    for form in ["opencl", "cuda"] {
        assert_eq!(emitted(&text, form).matches("for (").count(), 0);
    }
    values("unroll", &text);
}

#[test]
fn a_level_with_as_many_members_as_work_has_no_loop() {
    // One element for each block and thread: nothing goes round.
    let text = nest(&["block.x".into(), "thread.x".into()], &[6, 8]);
    for form in ["opencl", "cuda"] {
        let source = emitted(&text, form);
        assert!(!source.contains("for (") && !source.contains("while ("), "{source}");
    }
    // A map of one element needs none either.
    let text = nest(&["block.x".into(), "seq".into()], &[6, 1]);
    assert!(!emitted(&text, "opencl").contains("for ("));
}

#[test]
fn threads_that_wait_have_the_values() {
    let text = include_str!("../../../test-files/lowering/array/barriers.mlir");
    if Device::open(&Preference::Any).is_err() {
        return println!("skipped: threads_that_wait_have_the_values (needs pocl)");
    }
    for entry in ["m4", "m6"] {
        let args = [&format!("--entry=@{entry}"), "--in=in=random:1", "--in=two=fill:2"];
        agree_on(&devices(entry), entry, text, &args, "out");
    }
    for entry in ["rows", "again"] {
        agree_on(&devices(entry), entry, text, &[&format!("--entry=@{entry}"), "--in=x=random:1"], "o");
    }
    let text = include_str!("../../../test-files/lowering/array/places.mlir");
    agree_on(&devices("places"), "places", text, &["--in=x=random:1"], "0");
}

#[test]
fn stencils_by_rows_and_windows() {
    let text = include_str!("../../../test-files/lowering/array/stencil.mlir");
    if Device::open(&Preference::Any).is_err() {
        return println!("skipped: stencils_by_rows_and_windows (needs pocl)");
    }
    for (entry, name) in [("stencil", "o"), ("loops", "out")] {
        let args = [&format!("--entry=@{entry}"), "--in=image=random:1", "--in=weights=random:2"];
        agree_on(&devices(entry), entry, text, &args, name);
    }
}

#[test]
fn dot_products_of_patterns() {
    let text = include_str!("../../../test-files/lowering/array/dots.mlir");
    if Device::open(&Preference::Any).is_err() {
        return println!("skipped: dot_products_of_patterns (needs pocl)");
    }
    for entry in ["floats", "bytes"] {
        let args = [&format!("--entry=@{entry}"), "--in=x=random:1", "--in=w=random:2"];
        agree_on(&devices(entry), entry, text, &args, "o");
    }
}

#[test]
fn barriers_of_ptx() {
    if terrace_native_client::client::find().is_err() {
        return println!("skipped: barriers_of_ptx (needs llvm)");
    }
    let text = emitted(include_str!("../../../test-files/lowering/array/barriers.mlir"), "ptx");
    let barriers = |kernel: &str| {
        let entry = format!(".visible .entry {kernel}(");
        let body = text.split(&entry).nth(1).and_then(|rest| rest.split(".visible .entry").next());
        body.expect("the kernel is there").matches("bar.sync").count()
    };
    assert_eq!((barriers("m4_kernel"), barriers("m6_kernel"), barriers("rows_kernel")), (1, 0, 1), "{text}");
}
