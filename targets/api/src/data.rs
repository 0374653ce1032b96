//! Arrays in and out of the interpreter, and out into files.

use crate::args::{Sizes, Target};
use crate::signature::{Form, Place, Signature, Slot, display};
use terrace_diag::Diagnostic;
use terrace_interp::{Fault, MemRef, Memory, RtValue, Trap};
use terrace_ir::FloatKind;
use terrace_opt::codes;
use terrace_runtime_buffers::{Binding, Buffer, BufferError, ElemType, Source};

/// An array that a run left behind
#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub name: String,
    pub place: Place,
    pub buffer: Buffer,
    /// Elements without a value: never written, or poison; in order
    pub undefined: Vec<usize>,
}

/// Content of all arguments; `None` for memory that starts undefined (with its shape)
pub(crate) struct Inputs {
    pub buffers: Vec<Input>,
}

/// Content of an argument
#[derive(Clone)]
pub(crate) enum Input {
    Given(Buffer),
    /// Memory that starts undefined
    Undefined(ElemType, Vec<u64>),
}

impl Input {
    /// The elements to start with; undefined memory starts as zeros
    pub(crate) fn start(&self) -> Result<Buffer, Diagnostic> {
        match self {
            Input::Given(buffer) => Ok(buffer.clone()),
            Input::Undefined(elem, shape) => Buffer::zeros(*elem, shape).map_err(|error| data_error(&error)),
        }
    }
}

pub(crate) fn data_error(error: &BufferError) -> Diagnostic {
    let code = match error {
        BufferError::Io { .. } => &codes::READ,
        BufferError::Format { .. } => &codes::NPY,
        _ => &codes::DATA,
    };
    Diagnostic::error(code, error.to_string())
}

/// Make the content of all arguments
pub(crate) fn inputs(
    signature: &Signature,
    bindings: &[Binding],
    shapes: &[Sizes],
) -> Result<Inputs, Diagnostic> {
    let mut given: Vec<Option<&Source>> = vec![None; signature.params.len()];
    for binding in bindings {
        let n = signature.param(&binding.name)?;
        if given[n].replace(&binding.source).is_some() {
            let message = format!("argument `{}` is given twice", binding.name);
            return Err(Diagnostic::error(&codes::ARGUMENT, message));
        }
    }
    let mut sizes: Vec<Option<&[u64]>> = vec![None; signature.params.len()];
    for shape in shapes {
        let n = signature.param(&shape.name)?;
        if !signature.params[n].accepts(&shape.sizes) {
            let message = format!("argument `{}` cannot have the sizes of --shape", shape.name);
            return Err(Diagnostic::error(&codes::DATA, message));
        }
        sizes[n] = Some(&shape.sizes);
    }
    let mut buffers = Vec::new();
    for (n, slot) in signature.params.iter().enumerate() {
        let name = display(&signature.params, n);
        buffers.push(input(slot, &name, given[n], sizes[n])?);
    }
    Ok(Inputs { buffers })
}

fn input(
    slot: &Slot,
    name: &str,
    source: Option<&Source>,
    sizes: Option<&[u64]>,
) -> Result<Input, Diagnostic> {
    let at = |error: BufferError| {
        let found = data_error(&error);
        Diagnostic { message: format!("argument `{name}`: {}", found.message), ..found }
    };
    let known = sizes.map(<[u64]>::to_vec).or_else(|| slot.static_shape());
    match (source, known) {
        (Some(source), Some(shape)) => Ok(Input::Given(source.make(slot.elem, &shape).map_err(at)?)),
        (Some(Source::File(file) | Source::Field(file, _)), None) => {
            let buffer = match source {
                Some(Source::Field(_, field)) => {
                    Buffer::read_npy_field(file, field, slot.elem).map_err(at)?
                }
                _ => {
                    let found = Buffer::read_npy(file).map_err(at)?;
                    // Read again under the argument's own element type: the sizes come from the file.
                    Buffer::read_npy_as(file, slot.elem, found.shape()).map_err(at)?
                }
            };
            if !slot.accepts(buffer.shape()) {
                let message =
                    format!("argument `{name}`: the sizes in {} do not fit its type", file.display());
                return Err(Diagnostic::error(&codes::DATA, message));
            }
            Ok(Input::Given(buffer))
        }
        (None, Some(shape)) if slot.form == Form::MemRef => Ok(Input::Undefined(slot.elem, shape)),
        (Some(_), None) | (None, None) if source.is_some() || slot.form == Form::MemRef => {
            let error =
                Diagnostic::error(&codes::DATA, format!("the type of argument `{name}` leaves sizes open"));
            Err(error.help(format!("give them: --shape={name}=16x32, or --in={name}=FILE.npy")))
        }
        _ => {
            let error = Diagnostic::error(&codes::ARGUMENT, format!("argument `{name}` is not given"));
            Err(error.help(format!("give it: --in={name}=random:1, or FILE.npy, iota, fill:VALUE")))
        }
    }
}

/// The bits of element `n`
pub(crate) fn bits(buffer: &Buffer, n: usize) -> u64 {
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
pub(crate) fn set_bits(buffer: &mut Buffer, n: usize, bits: u64) {
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
pub(crate) fn to_rt(memory: &mut Memory, form: Form, input: &Input) -> Result<RtValue, Trap> {
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
pub(crate) fn from_memory(
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
pub(crate) fn from_rt(
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

/// Which array goes into which file, checked before anything runs
pub(crate) fn plan_outputs(signature: &Signature, targets: &[Target]) -> Result<Vec<Place>, Diagnostic> {
    let mut places: Vec<Place> = Vec::new();
    for (n, target) in targets.iter().enumerate() {
        let place = signature.output(&target.name)?;
        let file = target.file.display();
        if targets[..n].iter().any(|other| other.file == target.file) {
            return Err(Diagnostic::error(&codes::ARGUMENT, format!("`{file}` would be written twice")));
        }
        let refuse =
            |why: &str| Err(Diagnostic::error(&codes::WRITE, format!("cannot write `{file}`: {why}")));
        match std::fs::metadata(&target.file) {
            Ok(found) if !found.is_file() => return refuse("it is no regular file"),
            Ok(found) if found.permissions().readonly() => return refuse("it is read-only"),
            _ => {}
        }
        let folder = target.file.parent().filter(|folder| !folder.as_os_str().is_empty());
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return refuse("its folder does not exist");
        }
        places.push(place);
    }
    Ok(places)
}

/// Write an array; each of its elements must have a value
pub(crate) fn write(array: &Array, target: &Target) -> Result<(), Diagnostic> {
    if let Some(first) = array.undefined.first() {
        let index: Vec<String> = array.buffer.index_of(*first).iter().map(u64::to_string).collect();
        let message = format!(
            "`{}` has no value at [{}] ({} of {} elements)",
            array.name,
            index.join(", "),
            array.undefined.len(),
            array.buffer.len()
        );
        let error = Diagnostic::error(&codes::UNDEFINED, message);
        return Err(error.help("the program did not write it, or what it wrote is poison"));
    }
    let found = array.buffer.write_npy(&target.file);
    found.map_err(|error| Diagnostic::error(&codes::WRITE, error.to_string()))
}
