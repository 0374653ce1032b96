//! What is open becomes known, and stays valid: in each op's example, arguments become constants and buffers of any size
//! become casts of buffers whose sizes are known. Folding and the rules of `canonicalize` then see numbers where operands
//! stood. Some of them leave the op's memory; such a program fails where it runs, but no pass may make it one that the
//! verifier refuses. The numbers come from a fixed seed.

use crate::common::{TOOL, example};
use std::sync::Arc;
use terrace_diag::Diags;
use terrace_dialect_arith as arith;
use terrace_dialect_memref as memref;
use terrace_dialect_tensor as tensor;
use terrace_ir::verify::verify;
use terrace_ir::{Builder, Context, DYNAMIC, Ir, Type, TypeKind, Value};
use terrace_pass::{Instrument, Pipeline};
use terrace_support::Random;
use terrace_text::ParseOptions;

const NUMBERS: &[i64] =
    &[i64::MIN, i64::MIN + 1, -3, -1, 0, 0, 1, 1, 2, 3, 4, 5, 7, 8, 9, 31, 1 << 40, i64::MAX];
const SIZES: &[i64] = &[0, 1, 2, 3, 4, 5, 8, 9];
const VARIANTS: usize = 24;

/// A type with numbers for its open sizes
fn known(cx: &Context, ty: Type, random: &mut Random) -> Option<Type> {
    let mut close = |shape: &[i64]| -> Option<Box<[i64]>> {
        shape.contains(&DYNAMIC).then(|| {
            let size = |size: &i64| if *size == DYNAMIC { SIZES[random.below(SIZES.len())] } else { *size };
            shape.iter().map(size).collect()
        })
    };
    match ty.kind(cx) {
        TypeKind::MemRef { shape, elem, layout: None, space } => {
            Some(cx.ty(TypeKind::MemRef { shape: close(shape)?, elem: *elem, layout: None, space: *space }))
        }
        TypeKind::Tensor { shape, elem, encoding } => {
            Some(cx.ty(TypeKind::Tensor { shape: close(shape)?, elem: *elem, encoding: *encoding }))
        }
        _ => None,
    }
}

/// Constants and casts for arguments of a function; the number of changes
fn specialize(unit: &mut Ir, random: &mut Random) -> usize {
    let cx = Arc::clone(unit.cx_arc());
    let body = unit.region(unit.root(), 0);
    let Some(entry) = unit.entry(body) else { return 0 };
    let args: Vec<Value> = unit.block_args(entry).to_vec();
    let mut changes = 0;
    for arg in args {
        let ty = unit.ty(arg);
        let uses: Vec<_> = unit.uses(arg).collect();
        if uses.is_empty() || random.below(4) == 0 {
            continue;
        }
        let mut b = Builder::at_start(unit, entry);
        let new = match ty.kind(&cx) {
            TypeKind::Index | TypeKind::Int { width: 32 | 64, .. } => {
                let number = NUMBERS[random.below(NUMBERS.len())];
                let value = cx.int_attr(number.into(), ty);
                arith::Constant::build(&mut b, value).result(b.read())
            }
            _ => {
                let Some(from) = known(&cx, ty, random) else { continue };
                // A source for it, since the function's type stays as it is.
                let memory = matches!(ty.kind(&cx), TypeKind::MemRef { .. });
                if memory {
                    let source = memref::Alloc::build(&mut b, &[], &[], from).memref(b.read());
                    memref::Cast::build(&mut b, source, ty).dest(b.read())
                } else {
                    let source = tensor::Empty::build(&mut b, &[], from).result(b.read());
                    tensor::Cast::build(&mut b, source, ty).dest(b.read())
                }
            }
        };
        for (op, n) in uses {
            unit.set_operand(op, n, new);
        }
        changes += 1;
    }
    changes
}

#[test]
fn programs_stay_valid_when_numbers_become_known() {
    let cx = Context::new(&terrace_opt::all_dialects());
    let mut diags = Diags::default();
    let text = "builtin.module(canonicalize)";
    let Ok(pipeline) = Pipeline::parse(text, &TOOL.registry, cx.sources(), &mut diags) else {
        panic!("`canonicalize` is there")
    };
    let instrument = Instrument { verify_each: true, ..Instrument::quiet(|_| String::new()) };
    let mut random = Random::new(12);
    let (mut broken, mut changed) = (Vec::new(), 0);
    for name in terrace_opt::all_dialects().iter().flat_map(|dialect| dialect.ops).map(|op| op.name) {
        let source = cx.sources().add(name, example(name));
        let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
        let parsed = terrace_opt::language::read(&cx, source, None, &[], &options, &mut Diags::default());
        let Some(origin) = parsed else { panic!("the example of {name} is read") };
        for _ in 0..VARIANTS {
            let mut ir = *origin.clone_unit();
            let mut changes = 0;
            for unit in ir.children_mut().filter(|unit| unit.op_name(unit.root()) == "func.func") {
                changes += specialize(unit, &mut random);
            }
            if changes == 0 || verify(&ir, 1).has_errors() {
                continue;
            }
            changed += 1;
            let mut before = String::new();
            terrace_text::print(&ir, &terrace_text::PrintOptions::default(), &mut before);
            let (report, done) = terrace_pass::run(&mut ir, &pipeline, &instrument);
            if done.is_err() {
                let said: Vec<&str> = report.diags.iter().map(|found| &*found.message).collect();
                broken.push(format!("{name}: {}\n{before}", said.join("\n")));
                break;
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(changed > 2000, "only {changed} programs");
}
