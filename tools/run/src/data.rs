//! Content of arguments from the command line, and results into files.

use crate::args::{ArrayFile, Sizes};
use terrace_diag::Diagnostic;
use terrace_frontend_onnx::Weight;
use terrace_opt::codes;
use terrace_runtime_buffers::{Binding, Buffer, BufferError, Source, Value};
use terrace_target_api::codes as run_codes;
use terrace_target_api::{Array, Form, Input, Signature, Slot, SlotId, display};

fn data_error(error: &BufferError) -> Diagnostic {
    let code = match error {
        BufferError::Io { .. } => &codes::READ,
        BufferError::Format { .. } => &codes::NPY,
        _ => &run_codes::DATA,
    };
    Diagnostic::error(code, error.to_string())
}

/// Make the content of all arguments
pub(crate) fn inputs(
    signature: &Signature,
    bindings: &[Binding],
    shapes: &[Sizes],
    weights: &[Weight],
) -> Result<Vec<Input>, Diagnostic> {
    let mut given: Vec<Option<&Source>> = vec![None; signature.params.len()];
    for binding in bindings {
        let n = signature.param(&binding.name)?;
        if given[n].replace(&binding.source).is_some() {
            let message = format!("argument `{}` is given twice", binding.name);
            return Err(Diagnostic::error(&run_codes::ARGUMENT, message));
        }
    }
    let mut sizes: Vec<Option<&[u64]>> = vec![None; signature.params.len()];
    for shape in shapes {
        let n = signature.param(&shape.name)?;
        if !signature.params[n].accepts(&shape.sizes) {
            let message = format!("argument `{}` cannot have the sizes of --shape", shape.name);
            return Err(Diagnostic::error(&run_codes::DATA, message));
        }
        sizes[n] = Some(&shape.sizes);
    }
    let mut buffers = Vec::new();
    for (n, slot) in signature.params.iter().enumerate() {
        let name = display(&signature.params, n);
        if let Some(weight) =
            weights.iter().find(|weight| given[n].is_none() && slot.name.as_ref() == Some(&weight.name))
        {
            buffers.push(Input::Given(weights_of(slot, &name, weight)?));
            continue;
        }
        let mut buffer = input(slot, &name, given[n], sizes[n])?;
        if let (Some(below), Input::Given(buffer)) = (slot.below, &mut buffer) {
            let made = matches!(given[n], Some(Source::Random(_) | Source::Iota));
            keep_below(buffer, below, &name, made)?;
        }
        if let (true, Input::Given(buffer)) = (slot.finite, &buffer) {
            keep_finite(buffer, &name)?;
        }
        buffers.push(buffer);
    }
    Ok(buffers)
}

/// The elements that the file has for an argument
fn weights_of(slot: &Slot, name: &str, weight: &Weight) -> Result<Buffer, Diagnostic> {
    let wrong = |why: String| Diagnostic::error(&run_codes::DATA, format!("argument `{name}`: {why}"));
    let shape = slot.static_shape().ok_or_else(|| wrong("its sizes are open".into()))?;
    let mut buffer = Buffer::zeros(slot.elem, &shape).map_err(|error| wrong(error.to_string()))?;
    if buffer.bytes().len() != weight.data.len() {
        return Err(wrong(format!("the file has {} bytes for it", weight.data.len())));
    }
    buffer.bytes_mut().copy_from_slice(&weight.data);
    Ok(buffer)
}

/// Elements are from 0 to below a number: what is made here is taken modulo it, what was given is an error
fn keep_below(buffer: &mut Buffer, below: i64, name: &str, made: bool) -> Result<(), Diagnostic> {
    for n in 0..buffer.len() {
        let Some(Value::Int(element)) = buffer.get(n) else { return Ok(()) };
        if (0..below).contains(&element) {
            continue;
        }
        if made {
            buffer.set(n, Value::Int(element.rem_euclid(below)));
            continue;
        }
        let index: Vec<String> = buffer.index_of(n).iter().map(u64::to_string).collect();
        let at = index.join(", ");
        let message = format!("argument `{name}`: element [{at}] is {element}, not from 0 to {}", below - 1);
        return Err(Diagnostic::error(&run_codes::DATA, message).help("the program declares this bound"));
    }
    Ok(())
}

/// None of the elements is infinite or NaN
fn keep_finite(buffer: &Buffer, name: &str) -> Result<(), Diagnostic> {
    let wrong = |n: &usize| matches!(buffer.get(*n), Some(Value::Float(element)) if !element.is_finite());
    let Some(n) = (0..buffer.len()).find(wrong) else { return Ok(()) };
    let index: Vec<String> = buffer.index_of(n).iter().map(u64::to_string).collect();
    let message = format!("argument `{name}`: element [{}] is infinite or NaN", index.join(", "));
    Err(Diagnostic::error(&run_codes::DATA, message)
        .help("the program declares that none is (`terrace.finite`)"))
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
                return Err(Diagnostic::error(&run_codes::DATA, message));
            }
            Ok(Input::Given(buffer))
        }
        (None, Some(shape)) if slot.form == Form::MemRef => Ok(Input::Undefined(slot.elem, shape)),
        (Some(_), None) | (None, None) if source.is_some() || slot.form == Form::MemRef => {
            let error = Diagnostic::error(
                &run_codes::DATA,
                format!("the type of argument `{name}` leaves sizes open"),
            );
            Err(error.help(format!("give them: --shape={name}=16x32, or --in={name}=FILE.npy")))
        }
        _ => {
            let error = Diagnostic::error(&run_codes::ARGUMENT, format!("argument `{name}` is not given"));
            Err(error.help(format!("give it: --in={name}=random:1, or FILE.npy, iota, fill:VALUE")))
        }
    }
}

/// Which array goes into which file, checked before anything runs
pub(crate) fn plan_outputs(signature: &Signature, targets: &[ArrayFile]) -> Result<Vec<SlotId>, Diagnostic> {
    let mut slots: Vec<SlotId> = Vec::new();
    for (n, target) in targets.iter().enumerate() {
        let slot = signature.output(&target.name)?;
        let file = target.file.display();
        if targets[..n].iter().any(|other| other.file == target.file) {
            return Err(Diagnostic::error(&run_codes::ARGUMENT, format!("`{file}` would be written twice")));
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
        slots.push(slot);
    }
    Ok(slots)
}

/// A run without an array that was wanted
pub(crate) fn missing(name: &str) -> Diagnostic {
    Diagnostic::error(&run_codes::DATA, format!("the run gave no array for `{name}`"))
}

/// Write an array; each of its elements must have a value
pub(crate) fn write(array: &Array, target: &ArrayFile) -> Result<(), Diagnostic> {
    check_defined(array)?;
    let found = array.buffer.write_npy(&target.file);
    found.map_err(|error| Diagnostic::error(&codes::WRITE, error.to_string()))
}

/// Does each element have a value?
pub(crate) fn check_defined(array: &Array) -> Result<(), Diagnostic> {
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
    Ok(())
}
