//! Listing 4 comes out as the text of the design has it: the same loops, buffers and copies in the same order, and indices that
//! are the same number at every point that is tried.

use crate::common;

use common::{lower, parse};
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{Alloc, By, Copy, For, Kernel, Read, Write};
use terrace_ir::{Ir, OpId, Value};
use terrace_support::HashMap;
use terrace_support::Random;

const PAPER: &str = include_str!("../../../test-files/lowering/array/partial.mlir");
const DESIGN: &str = include_str!("../../../test-files/dialects/sched/partial_conv.mlir");

/// Ops of `sched` of a function, with the numbers of its loops and buffers
struct Walked<'a> {
    ir: &'a Ir,
    ops: Vec<OpId>,
    loops: HashMap<Value, usize>,
    memory: HashMap<Value, usize>,
}

impl<'a> Walked<'a> {
    fn of(ir: &'a Ir, name: &str) -> Walked<'a> {
        let cx = ir.cx();
        let function = ir.walk().filter_map(|op| ir.child(op)).find(|unit| {
            terrace_ir::symbols::symbol_name(unit, unit.root()).is_some_and(|own| cx.str(own) == name)
        });
        let ir = function.expect("it is there");
        let ops: Vec<OpId> = ir.walk().filter(|op| ir.op_name(*op).starts_with("sched.")).collect();
        let (mut loops, mut memory) = (HashMap::default(), HashMap::default());
        let entry = ir.entry(ir.region(ir.root(), 0)).expect("a body");
        for arg in ir.block_args(entry) {
            memory.insert(*arg, memory.len());
        }
        for op in &ops {
            if let Some(info) = For::cast(ir, *op).and_then(|inner| inner.info(ir)) {
                loops.insert(info.iv, loops.len());
            }
            if let Some(alloc) = Alloc::cast(ir, *op) {
                memory.insert(alloc.memref(ir), memory.len());
            }
        }
        Walked { ir, ops, loops, memory }
    }

    /// Indices where loops have these offsets, behind variables of a domain
    fn at(&self, access: &Access, domain: &[i64], offsets: &[i64]) -> Vec<i64> {
        let values = access.values.iter().map(|value| offsets[self.loops[value]]);
        let dims: Vec<i64> = domain.iter().copied().chain(values).collect();
        access.map.eval(&dims, &[]).expect("in range")
    }
}

#[test]
fn the_partial_convolution_is_that_of_the_design() {
    let mut ours = parse(PAPER);
    lower(&mut ours, "array-expand,array-inline,func.func(array-bind,array-to-sched)").expect("it lowers");
    let theirs = parse(DESIGN);
    let (a, b) = (Walked::of(&ours, "partial"), Walked::of(&theirs, "partial_conv"));
    let name = |walked: &Walked<'_>, op: OpId| walked.ir.op_name(op).to_string();
    let names = |walked: &Walked<'_>| walked.ops.iter().map(|op| name(walked, *op)).collect::<Vec<_>>();
    assert_eq!(names(&a), names(&b));

    // Headers.
    let mut steps: Vec<(i64, i64)> = Vec::new();
    for (x, y) in a.ops.iter().zip(&b.ops) {
        if let (Some(x), Some(y)) = (For::cast(a.ir, *x), For::cast(b.ir, *y)) {
            let (x, y) = (x.info(a.ir).expect("a loop"), y.info(b.ir).expect("a loop"));
            let header = |info: &terrace_dialect_sched::LoopInfo| {
                (info.extent, info.tile, info.dim, info.level, info.kind, info.ops.clone())
            };
            assert_eq!(header(&x), header(&y));
            steps.push((x.extent, x.tile));
        }
        if let (Some(x), Some(y)) = (Kernel::cast(a.ir, *x), Kernel::cast(b.ir, *y)) {
            assert_eq!(x.grid_size(a.ir), y.grid_size(b.ir));
            assert_eq!(x.block_size(a.ir), y.block_size(b.ir));
        }
    }

    // Indices, at points by lot.
    let mut random = Random::new(7);
    let mut below = |n: i64| random.below(n);
    for _ in 0..20_000 {
        let offsets: Vec<i64> = steps.iter().map(|(extent, tile)| below(extent / tile) * tile).collect();
        for (x, y) in a.ops.iter().zip(&b.ops) {
            if let (Some(x), Some(y)) = (Read::cast(a.ir, *x), Read::cast(b.ir, *y)) {
                assert_eq!(a.memory[&x.memref(a.ir)], b.memory[&y.memref(b.ir)]);
                assert_eq!(a.at(&x.access(a.ir), &[], &offsets), b.at(&y.access(b.ir), &[], &offsets));
            }
            if let (Some(x), Some(y)) = (Write::cast(a.ir, *x), Write::cast(b.ir, *y)) {
                assert_eq!(a.memory[&x.memref(a.ir)], b.memory[&y.memref(b.ir)]);
                assert_eq!(x.operator(a.ir), y.operator(b.ir));
                assert_eq!(a.at(&x.access(a.ir), &[], &offsets), b.at(&y.access(b.ir), &[], &offsets));
            }
            if let (Some(x), Some(y)) = (Copy::cast(a.ir, *x), Copy::cast(b.ir, *y)) {
                let sizes = x.sizes(a.ir);
                assert_eq!(sizes, y.sizes(b.ir));
                let vector = |by: Vec<By>| by.contains(&By::Vector(4));
                assert_eq!(vector(x.by_levels(a.ir)), vector(y.by_levels(b.ir)));
                let domain: Vec<i64> = sizes.iter().map(|size| below(*size)).collect();
                assert_eq!(a.at(&x.to(a.ir), &domain, &offsets), b.at(&y.to(b.ir), &domain, &offsets));
                let from = (x.from(a.ir), y.from(b.ir));
                assert_eq!(from.0.is_some(), from.1.is_some());
                if let (Some(x), Some(y)) = from {
                    assert_eq!(a.at(&x, &domain, &offsets), b.at(&y, &domain, &offsets));
                }
            }
        }
    }
}
