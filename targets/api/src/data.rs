//! Arrays in and out of a run.

use crate::codes;
use crate::signature::{Form, SlotId};
use terrace_diag::Diagnostic;
use terrace_interp::{Fault, MemRef, Memory, RtValue, Trap};
use terrace_ir::FloatKind;
use terrace_runtime_buffers::{Buffer, BufferError, ElemType};

/// An array that a run left behind
#[derive(Clone, Debug)]
pub struct Array {
    /// Name of the argument or result
    pub name: String,
    /// Which one it is
    pub slot: SlotId,
    /// Its elements
    pub buffer: Buffer,
    /// Elements without a value: never written, or poison; in order
    pub undefined: Vec<usize>,
}

/// Content of an argument
#[derive(Clone)]
pub enum Input {
    /// These elements
    Given(Buffer),
    /// Memory that starts undefined
    Undefined(ElemType, Vec<u64>),
}

impl Input {
    /// The elements to start with; undefined memory starts as zeros
    pub fn start(&self) -> Result<Buffer, Diagnostic> {
        match self {
            Input::Given(buffer) => Ok(buffer.clone()),
            Input::Undefined(elem, shape) => Buffer::zeros(*elem, shape).map_err(|error| data_error(&error)),
        }
    }
}

/// An error about sizes or elements as a diagnostic
pub fn data_error(error: &BufferError) -> Diagnostic {
    Diagnostic::error(&codes::DATA, error.to_string())
}

/// The bits of element `n`
pub fn bits(buffer: &Buffer, n: usize) -> u64 {
    let size = buffer.elem().size();
    let mut wide = [0u8; 8];
    let raw = &buffer.bytes()[n * size..(n + 1) * size];
    if cfg!(target_endian = "little") {
        wide[..size].copy_from_slice(raw);
    } else {
        wide[8 - size..].copy_from_slice(raw);
    }
    u64::from_ne_bytes(wide)
}

/// Set the bits of element `n`
pub fn set_bits(buffer: &mut Buffer, n: usize, bits: u64) {
    let size = buffer.elem().size();
    let wide = bits.to_ne_bytes();
    let raw = if cfg!(target_endian = "little") { &wide[..size] } else { &wide[8 - size..] };
    buffer.bytes_mut()[n * size..(n + 1) * size].copy_from_slice(raw);
}

/// The value of element `n` of a buffer
fn value(buffer: &Buffer, n: usize) -> RtValue {
    let bits = bits(buffer, n);
    let int = |width| RtValue::Int { bits: bits.into(), width };
    match buffer.elem() {
        ElemType::I1 => int(1),
        ElemType::I8 => int(8),
        ElemType::I16 => int(16),
        ElemType::I32 => int(32),
        ElemType::I64 | ElemType::Index => int(64),
        ElemType::F16 => RtValue::float(bits, FloatKind::F16),
        ElemType::BF16 => RtValue::float(bits, FloatKind::BF16),
        ElemType::F32 => RtValue::float(bits, FloatKind::F32),
        ElemType::F64 => RtValue::float(bits, FloatKind::F64),
    }
}

/// Set element `n`; false if there is no value
fn set(buffer: &mut Buffer, n: usize, value: &RtValue) -> bool {
    match value {
        RtValue::Int { bits, .. } => set_bits(buffer, n, *bits as u64),
        RtValue::Float { bits, .. } => set_bits(buffer, n, *bits),
        _ => return false,
    }
    true
}

/// An argument for the interpreter
pub fn to_rt(memory: &mut Memory, form: Form, input: &Input) -> Result<RtValue, Trap> {
    match (form, input) {
        (Form::MemRef, Input::Undefined(_, shape)) => Ok(RtValue::MemRef(alloc(memory, shape)?)),
        (Form::MemRef, Input::Given(buffer)) => {
            let view = alloc(memory, buffer.shape())?;
            for n in 0..buffer.len() {
                memory.store(&view, &signed(&buffer.index_of(n)), value(buffer, n))?;
            }
            Ok(RtValue::MemRef(view))
        }
        (Form::Scalar, Input::Given(buffer)) => Ok(value(buffer, 0)),
        (Form::Value, Input::Given(buffer)) => {
            Ok(RtValue::Vector((0..buffer.len()).map(|n| value(buffer, n)).collect()))
        }
        (Form::Array, Input::Given(buffer)) => {
            let mut numbers = (0..buffer.len()).map(|n| value(buffer, n));
            let mut next = || numbers.next().unwrap_or(RtValue::Poison);
            Ok(crate::arrays::nested(buffer.shape(), &mut next))
        }
        (_, Input::Undefined(..)) => Ok(RtValue::Poison),
    }
}

fn alloc(memory: &mut Memory, shape: &[u64]) -> Result<MemRef, Trap> {
    Ok(memory.alloc(&signed(shape))?)
}

fn signed(sizes: &[u64]) -> Vec<i64> {
    sizes.iter().map(|size| i64::try_from(*size).unwrap_or(i64::MAX)).collect()
}

/// What is in memory now
pub fn from_memory(
    memory: &mut Memory,
    view: &MemRef,
    elem: ElemType,
) -> Result<(Buffer, Vec<usize>), Diagnostic> {
    let shape: Vec<u64> = view.sizes.iter().map(|size| (*size).max(0) as u64).collect();
    let mut buffer = Buffer::zeros(elem, &shape).map_err(|error| data_error(&error))?;
    let mut undefined = Vec::new();
    for n in 0..buffer.len() {
        match memory.load(view, &signed(&buffer.index_of(n))) {
            Ok(value) if set(&mut buffer, n, &value) => {}
            Ok(_) | Err(Fault::Uninitialized) => undefined.push(n),
            Err(fault) => return Err(Trap::from(fault).diagnostic()),
        }
    }
    Ok((buffer, undefined))
}

/// Elements of a result that is a value
pub fn from_rt(
    value: &RtValue,
    elem: ElemType,
    shape: Option<Vec<u64>>,
) -> Result<(Buffer, Vec<usize>), Diagnostic> {
    let (mut elements, mut sizes) = (Vec::new(), Vec::new());
    crate::arrays::flat(value, 0, &mut elements, &mut sizes);
    // Sizes a type leaves open are those of the value.
    let shape = shape.unwrap_or(sizes);
    let mut buffer = Buffer::zeros(elem, &shape).map_err(|error| data_error(&error))?;
    if matches!(value, RtValue::Poison) {
        let all = (0..buffer.len()).collect();
        return Ok((buffer, all));
    }
    if buffer.len() != elements.len() {
        let message = format!("a result has {} elements where its type has {}", elements.len(), buffer.len());
        return Err(Diagnostic::error(&codes::DATA, message));
    }
    let undefined = (0..elements.len()).filter(|n| !set(&mut buffer, *n, &elements[*n])).collect();
    Ok((buffer, undefined))
}
