//! Calling what upstream has compiled, by its memref-descriptor interface.
//!
//! `_mlir_ciface_f` takes a pointer to a descriptor for each memref, numbers as they are, and, if its results are more than
//! one number, a pointer to them in front. The engine's own wrapper of that takes a list of pointers to all of these.

#![allow(unsafe_code)]

use crate::lower::Output;
use melior::ExecutionEngine;
use std::time::Instant;
use terrace_diag::Diagnostic;
use terrace_lowering_table::conversions;
use terrace_native_client::protocol::{elem_size, is_slow};
use terrace_native_client::{Arg, RunReply, RunRequest, codes};

/// Elements of a buffer at an address that vectors can be loaded from
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([u8; 64]);

/// An argument in the form in which it is passed
enum Passed {
    /// Elements, their number of bytes, the descriptor (pointers, offset, sizes, strides: 8 bytes each), its address
    Memory {
        lines: Vec<Line>,
        bytes: usize,
        descriptor: Vec<u64>,
        pointer: *mut u64,
    },
    Number([u64; 2]),
}

/// Call a function, and time it if that is wanted
pub(crate) fn call(
    engine: &ExecutionEngine,
    run: &RunRequest,
    outputs: &[Output],
) -> Result<RunReply, Diagnostic> {
    let RunRequest { entry, args, bench, stop_ns, .. } = run;
    for (name, address) in conversions::ALL {
        // SAFETY: the address is that of a function of this program, which stays.
        unsafe { engine.register_symbol(&name.to_string_lossy(), address().cast_mut()) };
    }
    let mut passed: Vec<Passed> = args.iter().map(pass).collect();
    let (offsets, size) = layout(outputs)?;
    let mut given = vec![0u64; size.div_ceil(8).max(2)];
    let mut given_at = given.as_mut_ptr();

    let mut list: Vec<*mut ()> = Vec::new();
    let together = !matches!(outputs, [] | [Output::Scalar(_)]);
    if together {
        list.push((&raw mut given_at).cast());
    }
    for one in &mut passed {
        list.push(match one {
            Passed::Memory { pointer, .. } => (&raw mut *pointer).cast(),
            Passed::Number(words) => words.as_mut_ptr().cast(),
        });
    }
    if let [Output::Scalar(_)] = outputs {
        list.push(given_at.cast());
    }

    let mut times_ns = Vec::new();
    let mut once = || -> Result<u64, Diagnostic> {
        let start = Instant::now();
        // SAFETY: the list has what the compiled function's type asks for: upstream has checked the module, `entry` has
        // these results by its own type, and the tool gives arguments by the same type. Each pointer leads to memory of
        // the size that the argument says and lives until the end of this function. What the program itself does to
        // memory is its author's business; that is why it runs in this worker.
        let done = unsafe { engine.invoke_packed(entry, &mut list) };
        done.map_err(|_| Diagnostic::error(&codes::ENTRY, format!("@{entry} cannot be called")))?;
        Ok(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX))
    };
    once()?;
    let args = args.iter().zip(&passed).map(|(arg, passed)| after(arg, passed)).collect();
    let results = outputs.iter().zip(offsets).map(|(output, at)| result(output, &given, at)).collect();
    // One that warms up again: reading has moved other data through the caches.
    for _ in 0..bench.map_or(0, |runs| runs.saturating_add(1)) {
        times_ns.push(once()?);
        if is_slow(&times_ns, *stop_ns) {
            break;
        }
    }
    times_ns.drain(..times_ns.len().min(1));
    Ok(RunReply { args, results, times_ns })
}

fn pass(arg: &Arg) -> Passed {
    match arg {
        Arg::Scalar { bits, .. } => Passed::Number([*bits, 0]),
        Arg::Buffer { shape, bytes, .. } => {
            let mut lines = vec![Line([0; 64]); bytes.len().div_ceil(64).max(1)];
            for (line, chunk) in lines.iter_mut().zip(bytes.chunks(64)) {
                line.0[..chunk.len()].copy_from_slice(chunk);
            }
            let address = lines.as_mut_ptr() as u64;
            let mut descriptor = vec![address, address, 0];
            descriptor.extend(shape);
            for n in 0..shape.len() {
                descriptor.push(shape[n + 1..].iter().product());
            }
            // A vector's elements stay where they are when the vector moves.
            let pointer = descriptor.as_mut_ptr();
            Passed::Memory { lines, bytes: bytes.len(), descriptor, pointer }
        }
    }
}

fn after(arg: &Arg, passed: &Passed) -> Arg {
    match (arg, passed) {
        (Arg::Buffer { shape, elem, .. }, Passed::Memory { lines, bytes, descriptor, .. }) => {
            debug_assert_eq!(descriptor.len(), 3 + 2 * shape.len());
            let all: Vec<u8> = lines.iter().flat_map(|line| line.0).take(*bytes).collect();
            Arg::Buffer { shape: shape.clone(), elem: elem.clone(), bytes: all }
        }
        _ => arg.clone(),
    }
}

/// Where each result is in the struct of all, and its size
fn layout(outputs: &[Output]) -> Result<(Vec<usize>, usize), Diagnostic> {
    let mut offsets = Vec::new();
    let mut end = 0usize;
    for output in outputs {
        let (size, align) = match output {
            Output::Scalar(elem) => (size_of_elem(elem)?, size_of_elem(elem)?),
            Output::Memory(elem, rank) => {
                size_of_elem(elem)?;
                (8 * (3 + 2 * rank), 8)
            }
        };
        end = end.next_multiple_of(align);
        offsets.push(end);
        end += size;
    }
    Ok((offsets, end))
}

fn size_of_elem(elem: &str) -> Result<usize, Diagnostic> {
    elem_size(elem).ok_or_else(|| {
        Diagnostic::error(&codes::ENTRY, format!("results with elements of type {elem} cannot be taken"))
    })
}

fn result(output: &Output, given: &[u64], at: usize) -> Arg {
    match output {
        Output::Scalar(elem) => {
            let size = elem_size(elem).expect("layout has asked");
            let bits = given[at / 8] >> (8 * (at % 8));
            let mask = if size == 8 { u64::MAX } else { (1 << (8 * size)) - 1 };
            Arg::Scalar { elem: elem.clone(), bits: bits & mask }
        }
        Output::Memory(elem, rank) => {
            let size = elem_size(elem).expect("layout has asked");
            let words = &given[at / 8..at / 8 + 3 + 2 * rank];
            let (shape, strides) = (&words[3..3 + rank], &words[3 + rank..]);
            let count: u64 = shape.iter().product();
            let mut bytes = Vec::with_capacity(count as usize * size);
            for n in 0..count {
                let (mut rest, mut element) = (n, words[2] as i64);
                for d in (0..*rank).rev() {
                    element += (rest % shape[d]) as i64 * strides[d] as i64;
                    rest /= shape[d];
                }
                let address = words[1] as *const u8;
                // SAFETY: the descriptor is what the compiled function gave for a memref of this type: all its elements
                // are there.
                let from = unsafe {
                    std::slice::from_raw_parts(address.offset(element as isize * size as isize), size)
                };
                bytes.extend_from_slice(from);
            }
            Arg::Buffer { shape: shape.to_vec(), elem: elem.clone(), bytes }
        }
    }
}
