//! How much memory a program asks for: the sum of the buffers it has, of each kind.
//!
//! Counted on buffers, so below `array`: a function of arrays is given its places and lowered (a copy of it) first. A buffer
//! counts once for each place that makes it, however many iterations come by, since each iteration gives it back. In memory of
//! blocks and threads the kernel that asks for most counts; iterations of a block's threads that own a buffer in the block's
//! memory each have one. What a compiler does with registers is not known here.

use crate::array_to_sched::lower;
use crate::layout::leaves;
use crate::place;
use std::collections::BTreeMap;
use std::fmt;
use terrace_diag::Diagnostic;
use terrace_dialect_array::size::{bound, value_of};
use terrace_dialect_func::Func;
use terrace_dialect_gpu as gpu;
use terrace_dialect_memref as memref;
use terrace_dialect_sched::{self as sched, For, Kernel, Level, Space, space};
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::{Context, Ir, OpId, Type, TypeKind, Value};
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

/// What a buffer is for
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum BufferUse {
    /// An argument in memory
    Argument,
    /// A result in memory
    Result,
    /// Main or device memory that the program makes
    Temporary,
    /// Memory of a block
    Local,
    /// Memory of a thread
    Private,
}

impl BufferUse {
    /// For texts
    pub fn name(self) -> &'static str {
        match self {
            BufferUse::Argument => "argument",
            BufferUse::Result => "result",
            BufferUse::Temporary => "temporary",
            BufferUse::Local => "local",
            BufferUse::Private => "private",
        }
    }
}

/// A buffer of a program
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// As the program calls it, or empty
    pub name: String,
    /// What it is for
    pub kind: BufferUse,
    /// Its type on buffers
    pub ty: Type,
    /// Bytes
    pub bytes: u64,
    /// Which op of the function makes it or has it inside: local and private memory is that of one kernel at a time
    pub kernel: usize,
}

impl Memory {
    /// The sum, of each kind
    pub fn of(buffers: &[Buffer]) -> Memory {
        let mut all = Memory::default();
        let mut kernels: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
        for Buffer { kind, bytes, kernel, .. } in buffers {
            let sum = match kind {
                BufferUse::Argument => &mut all.arguments,
                BufferUse::Result => &mut all.results,
                BufferUse::Temporary => &mut all.temporaries,
                BufferUse::Local => &mut kernels.entry(*kernel).or_default().0,
                BufferUse::Private => &mut kernels.entry(*kernel).or_default().1,
            };
            *sum = sum.saturating_add(*bytes);
        }
        all.local = kernels.values().map(|(local, _)| *local).max().unwrap_or(0);
        all.private = kernels.values().map(|(_, private)| *private).max().unwrap_or(0);
        all
    }
}

/// Memory of a function, on arrays or on buffers; the error says why it cannot be lowered, or which size is open
pub fn bytes(function: &Ir, symbols: &Symbols, scope: ScopeId) -> Result<Memory, Diagnostic> {
    Ok(Memory::of(&list(function, symbols, scope)?))
}

/// Buffers of a function, on arrays or on buffers, in order of the text; errors as of [`bytes`]
pub fn list(function: &Ir, symbols: &Symbols, scope: ScopeId) -> Result<Vec<Buffer>, Diagnostic> {
    let mut copy = function.clone_unit();
    let results = result_buffers(&copy);
    place::place(&mut copy, symbols, scope);
    let lowered = lower(&mut copy, symbols, scope)?.is_some();
    let open = |what: OpenBuffer| {
        Diagnostic::error(&crate::codes::OPEN, format!("{what} has sizes that are no numbers"))
            .help("give the symbols numbers: `array-bind{sizes=n=16}`")
    };
    list_of_buffers(&copy, if lowered { results } else { 0 }).map_err(open)
}

/// A buffer whose size is open
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenBuffer {
    /// The n-th argument that is memory
    Argument(usize),
    /// A result of the function
    Result,
    /// A buffer that the function makes
    Program,
}

impl fmt::Display for OpenBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument(n) => write!(f, "argument {n}"),
            Self::Result => f.write_str("a result"),
            Self::Program => f.write_str("a buffer of the program"),
        }
    }
}

impl std::error::Error for OpenBuffer {}

/// Buffers of a function whose last `results` memory arguments are what it gives; the error names one whose size is open
pub fn list_of_buffers(function: &Ir, results: usize) -> Result<Vec<Buffer>, OpenBuffer> {
    let cx = function.cx();
    let mut all = Vec::new();
    let Some(func) = Func::cast(function, function.root()) else { return Ok(all) };
    let (inputs, outputs) = func.types(function);
    let entry = function.entry(func.body(function));
    let params: Vec<Value> = entry.map(|entry| function.block_args(entry).to_vec()).unwrap_or_default();
    let called = |value: Option<Value>| {
        value.and_then(|value| function.value_name(value)).map(str::to_string).unwrap_or_default()
    };
    let memory = |ty: Type| matches!(ty.kind(cx), TypeKind::MemRef { .. });
    let held: Vec<_> = inputs.iter().enumerate().filter(|(_, ty)| memory(**ty)).collect();
    let first = held.len().saturating_sub(results);
    for (n, (position, ty)) in held.into_iter().enumerate() {
        let bytes = size(cx, *ty).ok_or(OpenBuffer::Argument(n))?;
        let kind = if n < first { BufferUse::Argument } else { BufferUse::Result };
        let name = called(params.get(position).copied());
        all.push(Buffer { name, kind, ty: *ty, bytes, kernel: 0 });
    }
    for ty in outputs.iter().filter(|ty| memory(**ty)) {
        let bytes = size(cx, *ty).ok_or(OpenBuffer::Result)?;
        all.push(Buffer { name: String::new(), kind: BufferUse::Result, ty: *ty, bytes, kernel: 0 });
    }
    let tops: HashMap<OpId, usize> = entry
        .into_iter()
        .flat_map(|entry| function.block_ops(entry))
        .enumerate()
        .map(|(n, op)| (op, n))
        .collect();
    for op in function.walk_below(function.root()) {
        let allocs = [sched::Alloc::DEF, memref::Alloc::DEF, memref::Alloca::DEF, gpu::Alloc::DEF];
        if !allocs.iter().any(|def| function.is(op, def)) {
            continue;
        }
        let made = function.result(op, 0);
        let ty = function.ty(made);
        let bytes = size(cx, ty).ok_or(OpenBuffer::Program)?;
        let top = std::iter::successors(Some(op), |op| function.parent(*op)).find_map(|op| tops.get(&op));
        let kernel = top.copied().unwrap_or(0);
        let kind = match space::of(cx, ty) {
            Space::Private => BufferUse::Private,
            Space::Shared | Space::Cluster | Space::Chip => BufferUse::Local,
            Space::Main | Space::Device => BufferUse::Temporary,
        };
        let copies = if kind == BufferUse::Local { copies(function, op) } else { 1 };
        let bytes = bytes.saturating_mul(copies);
        all.push(Buffer { name: called(Some(made)), kind, ty, bytes, kernel });
    }
    Ok(all)
}

/// How often a block has a buffer that is made in an iteration of its threads: once for all that are in one iteration
fn copies(function: &Ir, op: OpId) -> u64 {
    let around = std::iter::successors(function.parent(op), |op| function.parent(*op));
    let mut along = [false; 3];
    for outer in around {
        if let Some(kernel) = Kernel::cast(function, outer) {
            let block = kernel.block_size(function);
            let sizes = block.iter().zip(along).filter(|(_, along)| *along).map(|(size, _)| *size);
            return sizes.fold(1, |all: u64, size| all.saturating_mul(u64::try_from(size).unwrap_or(1)));
        }
        let Some(info) = For::cast(function, outer).and_then(|inner| inner.info(function)) else { continue };
        if let (Level::Thread(axis) | Level::Global(axis), true) = (info.level, info.trip() > 1) {
            along[axis.number()] = true;
        }
    }
    1
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
pub(crate) fn size(cx: &Context, ty: Type) -> Option<u64> {
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
