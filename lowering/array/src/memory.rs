//! How much memory a program asks for: the sum of the buffers it has, of each kind.
//!
//! Counted on buffers, so below `array`: a function of arrays is given its places and lowered (a copy of it) first. A buffer
//! counts once for each place that makes it, however many iterations come by, since each iteration gives it back; in memory of
//! blocks and threads the kernel that asks for most counts. What a compiler does with registers is not known here.

use crate::array_place;
use crate::array_to_sched::lower;
use crate::layout::leaves;
use std::collections::BTreeMap;
use terrace_diag::Diagnostic;
use terrace_dialect_array::size::{bound, value_of};
use terrace_dialect_sched::space::Space;
use terrace_dialect_upstream::func::Func;
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::{Context, Ir, OpId, Type, TypeKind};
use terrace_support::HashMap;

/// Bytes of a program's buffers
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Memory {
    /// Arguments in memory
    pub arguments: u64,
    /// Results in memory
    pub results: u64,
    /// Buffers in main or device memory that the program makes
    pub temporaries: u64,
    /// Memory of a block, in the kernel that asks for most
    pub local: u64,
    /// Memory of a thread, in the kernel that asks for most
    pub private: u64,
}

impl Memory {
    /// What a run holds in main or device memory
    pub fn total(&self) -> u64 {
        self.arguments.saturating_add(self.results).saturating_add(self.temporaries)
    }

    /// The least that any program with these arguments and results holds
    pub fn least(&self) -> u64 {
        self.arguments.saturating_add(self.results)
    }
}

/// Memory of a function, on arrays or on buffers; the error says why it cannot be lowered, or which size is open
pub fn bytes(function: &Ir, symbols: &Symbols, scope: ScopeId) -> Result<Memory, Diagnostic> {
    let mut copy = function.clone_unit();
    let results = result_buffers(&copy);
    array_place::place(&mut copy, symbols, scope);
    let lowered = lower(&mut copy, symbols, scope)?.is_some();
    let open = |what: &str| {
        Diagnostic::error(&crate::codes::OPEN, format!("{what} has sizes that are no numbers"))
            .help("give the symbols numbers: `array-bind{sizes=n=16}`")
    };
    of_buffers(&copy, if lowered { results } else { 0 }).map_err(|what| open(&what))
}

/// Memory of a function on buffers whose last `results` memory arguments are what it gives; the error names a buffer whose size
/// is open
pub fn of_buffers(function: &Ir, results: usize) -> Result<Memory, String> {
    let cx = function.cx();
    let mut all = Memory::default();
    let Some(func) = Func::cast(function, function.root()) else { return Ok(all) };
    let (inputs, outputs) = func.types(function);
    let memory = |ty: &&Type| matches!(ty.kind(cx), TypeKind::MemRef { .. });
    let params: Vec<&Type> = inputs.iter().filter(memory).collect();
    let first = params.len().saturating_sub(results);
    for (n, ty) in params.into_iter().enumerate() {
        let size = size(cx, *ty).ok_or_else(|| format!("argument {n}"))?;
        let kind = if n < first { &mut all.arguments } else { &mut all.results };
        *kind = kind.saturating_add(size);
    }
    for ty in outputs.iter().filter(memory) {
        all.results = all.results.saturating_add(size(cx, *ty).ok_or("a result")?);
    }
    let mut kernels: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
    let tops: HashMap<OpId, usize> = function
        .entry(func.body(function))
        .into_iter()
        .flat_map(|entry| function.block_ops(entry))
        .enumerate()
        .map(|(n, op)| (op, n))
        .collect();
    for op in function.walk_below(function.root()) {
        if !matches!(function.op_name(op), "sched.alloc" | "memref.alloc" | "memref.alloca" | "gpu.alloc") {
            continue;
        }
        let ty = function.ty(function.result(op, 0));
        let size = size(cx, ty).ok_or("a buffer of the program")?;
        let top = std::iter::successors(Some(op), |op| function.parent(*op)).find_map(|op| tops.get(&op));
        let (local, private) = kernels.entry(top.copied().unwrap_or(0)).or_default();
        let kind = match Space::of(cx, ty) {
            Space::Private => private,
            Space::Shared | Space::Cluster | Space::Chip => local,
            Space::Main | Space::Device => &mut all.temporaries,
        };
        *kind = kind.saturating_add(size);
    }
    all.local = kernels.values().map(|(local, _)| *local).max().unwrap_or(0);
    all.private = kernels.values().map(|(_, private)| *private).max().unwrap_or(0);
    Ok(all)
}

/// How many buffers hold the results of a function on arrays
fn result_buffers(function: &Ir) -> usize {
    let Some(func) = Func::cast(function, function.root()) else { return 0 };
    let known = bound(function);
    let buffers = |ty: &Type| match leaves(function.cx(), *ty, &|nat| value_of(nat, &known)) {
        Ok(all) if all.iter().all(|leaf| leaf.shape.is_empty()) && all.len() == 1 => 0,
        Ok(all) => all.len(),
        Err(_) => 1,
    };
    func.types(function).1.iter().map(buffers).sum()
}

/// Bytes of a memref type
fn size(cx: &Context, ty: Type) -> Option<u64> {
    let mut count = u64::try_from(ty.num_elements(cx)?).ok()?;
    let mut elem = ty.element(cx)?;
    if let TypeKind::Vector { elem: inner, .. } = elem.kind(cx) {
        count = count.checked_mul(u64::try_from(elem.num_elements(cx)?).ok()?)?;
        elem = *inner;
    }
    // An index is a machine word.
    let bits = if matches!(elem.kind(cx), TypeKind::Index) { 64 } else { elem.bit_width(cx)? };
    count.checked_mul(u64::from(bits.div_ceil(8)))
}
