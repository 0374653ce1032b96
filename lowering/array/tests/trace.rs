//! What threads of a convolution's kernel read: how much, and which neighbors.
//!
//! The kernel is followed for one thread at a time, through its loops and index arithmetic; numbers are left out.

use crate::common;

use common::{DOWN, lower, parse};
use std::collections::HashMap;
use terrace_ir::{BlockId, Ir, OpId, Value};

const FOUR: &str = include_str!("../../../test-files/programs/four_kernels.mlir");

/// An access to memory of the device
#[derive(Clone, PartialEq, Debug)]
struct Access {
    buffer: String,
    writes: bool,
    /// First element, counted through the whole buffer
    at: i64,
}

struct Thread<'a> {
    ir: &'a Ir,
    known: HashMap<Value, i64>,
    trace: Vec<Access>,
}

impl Thread<'_> {
    fn get(&self, value: Value) -> i64 {
        self.known[&value]
    }

    fn block(&mut self, block: BlockId) {
        let ops: Vec<OpId> = self.ir.block_ops(block).collect();
        for op in ops {
            self.op(op);
        }
    }

    fn op(&mut self, op: OpId) {
        let ir = self.ir;
        let name = ir.op_name(op).to_string();
        let int = |n: usize| self.known.get(&ir.operand(op, n)).copied();
        match name.as_str() {
            "arith.constant" => {
                let value = ir.attr(op, "value").and_then(|attr| attr.as_i64(ir.cx()));
                self.known.extend(value.map(|value| (ir.result(op, 0), value)));
            }
            "arith.addi" | "arith.subi" | "arith.muli" | "arith.divui" | "arith.remui" => {
                let (Some(a), Some(b)) = (int(0), int(1)) else { return };
                let value = match name.as_str() {
                    "arith.addi" => a + b,
                    "arith.subi" => a - b,
                    "arith.muli" => a * b,
                    "arith.divui" => a / b,
                    _ => a % b,
                };
                self.known.insert(ir.result(op, 0), value);
            }
            "scf.for" => {
                let (low, high, step) =
                    (self.get(ir.operand(op, 0)), self.get(ir.operand(op, 1)), self.get(ir.operand(op, 2)));
                let body = ir.entry(ir.region(op, 0)).expect("a loop has a body");
                let mut at = low;
                while at < high {
                    self.known.insert(ir.block_args(body)[0], at);
                    self.block(body);
                    at += step;
                }
            }
            "vector.load" | "memref.load" => self.access(op, 0, false),
            "vector.store" | "memref.store" => self.access(op, 1, true),
            _ => assert!(ir.num_regions(op) == 0, "{name} is not followed"),
        }
    }

    fn access(&mut self, op: OpId, n: usize, writes: bool) {
        let ir = self.ir;
        let memref = ir.operand(op, n);
        let shape = ir.ty(memref).shape(ir.cx()).expect("a buffer");
        let indices: Vec<i64> = ir.operands(op).skip(n + 1).map(|value| self.get(value)).collect();
        let at = indices.iter().zip(shape).fold(0, |at, (index, size)| at * size + index);
        let buffer = ir.value_name(memref).unwrap_or("?").to_string();
        self.trace.push(Access { buffer, writes, at });
    }
}

/// Accesses of one thread of the kernel that computes partial sums
fn trace(ir: &Ir, block: [i64; 3], thread: [i64; 3]) -> Vec<Access> {
    let function = ir.walk().find_map(|op| ir.child(op)).expect("a function");
    let launch =
        function.walk().filter(|op| function.op_name(*op) == "gpu.launch").nth(1).expect("four kernels");
    let mut one = Thread { ir: function, known: HashMap::new(), trace: Vec::new() };
    // Constants from outside.
    for op in function.walk().filter(|op| function.op_name(*op) == "arith.constant") {
        one.op(op);
    }
    let body = function.entry(function.region(launch, 0)).expect("a launch has a body");
    for (arg, id) in function.block_args(body).to_vec().into_iter().zip(block.into_iter().chain(thread)) {
        one.known.insert(arg, id);
    }
    one.block(body);
    one.trace
}

fn lowered(text: &str, sizes: &str) -> Box<Ir> {
    let mut ir = parse(text);
    let first = format!(
        "array-expand,array-inline,func.func(array-bind{{sizes={sizes}}},array-place,array-to-sched),{DOWN}"
    );
    lower(&mut ir, &first).unwrap_or_else(|why| panic!("{why}"));
    ir
}

fn count(trace: &[Access], buffer: &str) -> usize {
    trace.iter().filter(|access| access.buffer == buffer).count()
}

#[test]
fn a_thread_reads_each_value_once() {
    for (kernels, windows, elements) in [(1, 1, 36), (2, 3, 36), (4, 3, 36), (4, 9, 72), (1, 9, 144)] {
        let sizes =
            format!("H=7,W=7,C=32,M=4,K=3,p=1,r=2,theta=5,ts=3,ka={kernels},sg={windows},om={elements}");
        let ir = lowered(FOUR, &sizes);
        let trace = trace(&ir, [0; 3], [0; 3]);
        // Vectors of four: without reuse there were kernels * windows * elements / 4 of each.
        let vectors = elements / 4;
        assert_eq!(count(&trace, "pd"), windows * vectors, "{sizes}");
        assert_eq!(count(&trace, "w"), kernels * vectors, "{sizes}");
        // Sums are kept in registers until the end.
        assert_eq!(count(&trace, "pp"), kernels * windows, "{sizes}");
        assert!(trace.iter().all(|access| access.writes == (access.buffer == "pp")));
        assert_eq!(trace.len(), (kernels + windows) * vectors + kernels * windows);
    }
}

/// How far apart a thread and the next one along x read, at each of their reads
fn strides(ir: &Ir) -> Vec<i64> {
    let threads: Vec<Vec<Access>> = (0..8).map(|x| trace(ir, [1, 4, 0], [x, 1, 0])).collect();
    let mut all: Vec<i64> = threads
        .windows(2)
        .flat_map(|pair| pair[0].iter().zip(&pair[1]).filter(|(a, _)| !a.writes).map(|(a, b)| b.at - a.at))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn neighbors_read_neighbors() {
    let sizes = "H=7,W=7,C=32,M=4,K=3,p=1,r=2,theta=5,ts=3,ka=2,sg=3,om=36";
    // Eight threads, each with every eighth vector of four.
    assert_eq!(strides(&lowered(FOUR, sizes)), [4]);
    // Without the order of the chunks each thread has 36 elements in a row, and some of the next ones are in another row of
    // the image.
    let plain = FOUR.replace("array.reorder strided #nch %1", "array.reorder strided 1 %1");
    let apart = strides(&lowered(&plain, sizes));
    assert!(apart.contains(&36) && !apart.contains(&4), "{apart:?}");
}
