//! Which ops each language can say: one row per op, from one list per module, and the gaps with their reasons.
//!
//! A check reads the op, its types and the language. It runs just before the emission, so that an unused op or one whose
//! operand was refused is not reported. What depends on the text so far is left to the emission.

use crate::emit::{Lowering, Lowerings};
use crate::language::{Flavor, Lang};
use std::sync::LazyLock;
use terrace_dialect_arith as arith;
use terrace_dialect_cf as cf;
use terrace_dialect_func as func;
use terrace_dialect_gpu as gpu;
use terrace_dialect_memref as memref;
use terrace_dialect_vector as vector;
use terrace_ir::Dialect;
use terrace_lowering_table::{Gap, Table};

/// Rows of every language
const EVERYWHERE: &[&[Lowering]] = &[
    crate::arith::OPS,
    crate::atomics::OPS,
    crate::casts::OPS,
    crate::floats::OPS,
    crate::func::OPS,
    crate::globals::OPS,
    crate::gpu::FENCE,
    crate::gpu::PRINTF,
    crate::ints::OPS,
    crate::math::OPS,
    crate::memref::OPS,
    crate::parallel::OPS,
    crate::scf::OPS,
    crate::shapes::OPS,
    crate::undefined::OPS,
    crate::switch::OPS,
    crate::views::OPS,
];

/// Rows of vectors
const VECTORS: &[&[Lowering]] = &[
    crate::products::OPS,
    crate::rearrange::OPS,
    crate::transfer::OPS,
    crate::vector::OPS,
    crate::vector_memory::OPS,
];

const HOST: &[&[Lowering]] =
    &[crate::memref::HOST, crate::shapes::HOST, crate::undefined::HOST, crate::views::HOST];

const PRINT_EARLIER: &str = "print before `convert-scf-to-cf`: text comes from structured loops";

/// Ops that no language has
static GAPS: &[Gap] = &[
    dialect("affine", "`lower-affine` turns it into `scf` and `arith`"),
    ops("arith", &[arith::ScalingExtF::DEF, arith::ScalingTruncF::DEF], "", ""),
    dialect("bufferization", ""),
    dialect("builtin", ""),
    ops("cf", &[cf::Br::DEF, cf::CondBr::DEF, cf::Switch::DEF], "", PRINT_EARLIER),
    ops("func", &[func::CallIndirect::DEF, func::Constant::DEF, func::Func::DEF], "", ""),
    dialect("linalg", "`linalg-to-mdh` lowers it"),
    dialect("mdh", "`mdh-schedule`, `mdh-to-sched`, `sched-to-scf` lower it"),
    ops(
        "memref",
        &[
            memref::DmaStart::DEF,
            memref::DmaWait::DEF,
            memref::Global::DEF,
            memref::Rank::DEF,
            memref::Realloc::DEF,
            memref::Reshape::DEF,
        ],
        "",
        "",
    ),
    dialect(
        "sched",
        "`sched-legalize`, `sched-to-scf` lower it; `mdh-schedule{matrix-units=none}` chooses schedules without `sched.contract`",
    ),
    dialect("tensor", "`linalg-to-mdh` lowers it"),
    ops(
        "vector",
        &[
            vector::CompressStore::DEF,
            vector::Contract::DEF,
            vector::ExpandLoad::DEF,
            vector::MaskOp::DEF,
            vector::Print::DEF,
            vector::ScalableExtract::DEF,
            vector::ScalableInsert::DEF,
            vector::Scan::DEF,
            vector::TypeCast::DEF,
            vector::VScale::DEF,
            vector::Yield::DEF,
        ],
        "",
        "",
    ),
];

static DEVICE_GAPS: &[Gap] = &[
    ops("cf", &[cf::Assert::DEF], "a kernel cannot stop its program", ""),
    ops("gpu", &[gpu::AllReduce::DEF], "", crate::subgroup::COMBINE),
    ops("gpu", &[gpu::Launch::DEF], "", "`gpu-kernel-outlining` makes kernels of launched regions"),
    dialect("gpu", ""),
    ops("memref", &[memref::Dealloc::DEF], "kernels cannot free memory", ""),
    ops("memref", &[memref::MemorySpaceCast::DEF], "", ""),
    ops(
        "memref",
        &[memref::ExtractAlignedPointerAsIndex::DEF],
        "addresses are of the host's buffers whose type has offset 0",
        "",
    ),
    ops("vector", &[vector::BitCast::DEF], "", ""),
];

/// A whole dialect, or what is left of it
const fn dialect(dialect: &'static str, help: &'static str) -> Gap {
    Gap { dialect, ops: &[], why: "", help }
}

const fn ops(
    dialect: &'static str,
    ops: &'static [&'static terrace_ir::OpDef],
    why: &'static str,
    help: &'static str,
) -> Gap {
    Gap { dialect, ops, why, help }
}

/// The table of a language
pub(crate) fn table(flavor: Flavor) -> &'static Lowerings {
    static TABLES: LazyLock<Vec<Lowerings>> =
        LazyLock::new(|| Flavor::ALL.iter().map(|flavor| build(flavor.language())).collect());
    &TABLES[flavor as usize]
}

fn build(lang: Lang) -> Lowerings {
    let vectors: Vec<&[Lowering]> = match (lang.is_hardware(), lang.is_host()) {
        (true, _) => Vec::new(),
        (_, true) => [VECTORS, &[crate::rearrange::HOST]].concat(),
        _ => VECTORS.to_vec(),
    };
    let (own, gaps): (&[&[Lowering]], &[Gap]) = match (lang.is_host(), lang.has_subgroups()) {
        (true, _) => (HOST, &[]),
        (_, true) => (&[crate::gpu::OPS, crate::subgroup::OPS], DEVICE_GAPS),
        _ => (&[crate::gpu::OPS], DEVICE_GAPS),
    };
    Table::new(&[EVERYWHERE, &vectors, own].concat(), &[GAPS, gaps, lang.gaps()])
}

/// What is wrong with the table of a language, given the dialects whose ops it should know: one line each
pub fn table_faults(flavor: Flavor, dialects: &[&Dialect]) -> Vec<String> {
    table(flavor).faults(dialects)
}
