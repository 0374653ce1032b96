//! Printing, compiling and calling C, compared with the interpreter.

#![allow(dead_code, reason = "each test program uses a part")]

pub mod vectors;

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use terrace_diag::Diags;
use terrace_dialect_upstream::ALL;
use terrace_interp::{Interpreter, MemRef, Options, RtValue};
use terrace_ir::{Context, FloatKind, Ir, Type, TypeKind};
use terrace_lowering_c::{Flavor, INVOKE, Printed};

/// A context with upstream's dialects
pub fn context() -> Arc<Context> {
    Context::new(ALL)
}

/// Parse and verify
pub fn parse(cx: &Arc<Context>, text: &str) -> Ir {
    let source = cx.sources().add("in.mlir", text);
    let mut diags = Diags::default();
    let ir = terrace_text::parse(cx, source, &terrace_text::ParseOptions::default(), &mut diags);
    if let Some(ir) = &ir {
        diags.append(terrace_ir::verify::verify(ir, 1));
    }
    let shown = terrace_diag::render_all(diags.iter(), cx.sources(), false);
    assert!(!diags.has_errors(), "{shown}\n{text}");
    ir.expect("no errors")
}

/// The text, or the rendered errors
pub fn print(ir: &Ir, flavor: Flavor) -> Result<Printed, String> {
    let mut diags = Diags::default();
    let options = terrace_lowering_c::Options { packed: true };
    terrace_lowering_c::print(ir, flavor, &options, &mut diags)
        .ok_or_else(|| terrace_diag::render_all(diags.iter(), ir.cx().sources(), false))
}

/// The system's compiler, if there is one with OpenMP
pub fn compiler() -> Option<&'static str> {
    let works = |cc: &&str| {
        let dir = scratch("probe");
        let source = dir.join("probe.c");
        std::fs::write(&source, "#include <omp.h>\nint f(void) { return omp_get_max_threads(); }\n").is_ok()
            && Command::new(cc)
                .args(["-fopenmp", "-shared", "-fPIC", "-o"])
                .arg(dir.join("probe.so"))
                .arg(&source)
                .output()
                .is_ok_and(|out| out.status.success())
    };
    let found = ["cc", "gcc", "clang"].into_iter().find(works);
    if found.is_none() {
        println!("skipped: there is no C compiler with OpenMP");
    }
    found
}

/// A folder of its own for a test
pub fn scratch(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("terrace-c-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("temporary folders can be made");
    dir
}

/// A compiled text
pub struct Object {
    // Never unloaded: the threads of OpenMP outlive the calls.
    library: std::mem::ManuallyDrop<libloading::Library>,
    dir: PathBuf,
    /// Symbols and their names in C
    names: Vec<(String, String)>,
}

impl Drop for Object {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// Compile a text; warnings are errors
pub fn compile(cc: &str, name: &str, printed: &Printed) -> Object {
    compile_with(cc, name, printed, &[])
}

/// The same with more flags
pub fn compile_with(cc: &str, name: &str, printed: &Printed, flags: &[&str]) -> Object {
    let text = &printed.text;
    let dir = scratch(name);
    let (source, object) = (dir.join("text.c"), dir.join("text.so"));
    std::fs::write(&source, text).expect("the folder is there");
    // Random programs compare with themselves and leave results unused.
    let quiet = [
        "unused",
        "unused-parameter",
        "unused-but-set-variable",
        "type-limits",
        "tautological-compare",
        "div-by-zero",
    ];
    let quiet = quiet.map(|warning| format!("-Wno-{warning}"));
    let out = Command::new(cc)
        .args(Flavor::OpenMp.compile_flags())
        .args(["-O2", "-Wall", "-Wextra", "-Werror"])
        .args(quiet)
        .args(["-shared", "-fPIC"])
        .args(flags)
        .arg("-o")
        .arg(&object)
        .arg(&source)
        .arg("-lm")
        .output()
        .expect("the compiler was there");
    assert!(out.status.success(), "{}\n{text}", String::from_utf8_lossy(&out.stderr));
    // SAFETY: the text has no initializers.
    #[allow(unsafe_code)]
    let library = unsafe { libloading::Library::new(&object) }.expect("it was just made");
    let names = printed.signatures.iter().map(|one| (one.symbol.clone(), one.name.clone())).collect();
    Object { library: std::mem::ManuallyDrop::new(library), dir, names }
}

impl Object {
    /// Call the packed form of a function
    pub fn invoke(&self, name: &str, args: &mut [u64], results: usize) -> Vec<u64> {
        let mut out = vec![0; results.max(1)];
        let name = self.names.iter().find(|(symbol, _)| symbol == name).map_or(name, |(_, name)| name);
        let symbol = format!("{INVOKE}{name}");
        // SAFETY: packed forms have this type; slots are as many as the function's types say.
        #[allow(unsafe_code)]
        unsafe {
            let function: libloading::Symbol<'_, unsafe extern "C" fn(*mut u64, *mut u64)> =
                self.library.get(symbol.as_bytes()).expect("every public function has a packed form");
            function(args.as_mut_ptr(), out.as_mut_ptr());
        }
        out
    }
}

/// An argument: a number as bits, or an array of numbers as bits
#[derive(Clone, Debug)]
pub enum Arg {
    Number(u64),
    Array(Vec<i64>, Vec<u64>),
}

/// Bits as a value of this type
pub fn value(cx: &Context, ty: Type, bits: u64) -> RtValue {
    match ty.kind(cx) {
        TypeKind::Float(kind) => RtValue::float(bits, *kind),
        _ => RtValue::int(i128::from(bits as i64), ty.bit_width(cx).unwrap_or(64)),
    }
}

/// Bits of a number in the interpreter; one NaN is as good as another; `None` for poison
pub fn bits(value: &RtValue) -> Option<u64> {
    match value {
        RtValue::Int { bits, .. } => Some(*bits as u64),
        RtValue::Float { bits, kind } => Some(match value.as_f64() {
            Some(float) if float.is_nan() => match kind {
                FloatKind::F16 => 0x7e00,
                FloatKind::F32 => 0x7fc0_0000,
                _ => 0x7ff8 << 48,
            },
            _ => *bits,
        }),
        _ => None,
    }
}

/// Bytes of an element
pub fn size(cx: &Context, ty: Type) -> usize {
    (ty.bit_width(cx).unwrap_or(64) as usize).div_ceil(8)
}

fn mask(cx: &Context, ty: Type, bits_: u64) -> u64 {
    let width = ty.bit_width(cx).unwrap_or(64);
    let low = if width >= 64 { bits_ } else { bits_ & ((1 << width) - 1) };
    bits(&value(cx, ty, low)).unwrap_or(0)
}

/// Types of a function
pub fn types(ir: &Ir, name: &str) -> (Vec<Type>, Vec<Type>) {
    let cx = ir.cx();
    let unit = ir
        .walk()
        .filter_map(|op| ir.child(op))
        .find(|unit| unit.attr(unit.root(), "sym_name").and_then(|attr| attr.as_str(cx)) == Some(name));
    let unit = unit.expect("the function is there");
    let ty = unit.attr(unit.root(), "function_type").and_then(|attr| attr.as_type(cx));
    let (inputs, results) = ty.and_then(|ty| ty.as_function(cx)).expect("a function has a type");
    (inputs.to_vec(), results.to_vec())
}

/// What the interpreter gives: results and arrays afterwards, `None` where anything goes; an error for traps
pub fn interpret(ir: &Ir, name: &str, args: &[Arg]) -> Result<Vec<Option<u64>>, String> {
    let cx = ir.cx();
    let (inputs, _) = types(ir, name);
    let mut machine = Interpreter::new(ir, Options::default());
    let mut values = Vec::new();
    let mut views: Vec<(MemRef, usize)> = Vec::new();
    for (arg, ty) in args.iter().zip(&inputs) {
        values.push(match arg {
            Arg::Number(bits) => value(cx, *ty, *bits),
            Arg::Array(sizes, elements) => {
                let memory = machine.memory();
                let whole = memory.alloc(sizes).map_err(|_| "no memory")?;
                let flat = MemRef::whole(whole.alloc, &[elements.len() as i64]);
                for (n, bits) in elements.iter().enumerate() {
                    let elem = value(cx, ty.scalar(cx), *bits);
                    memory.store(&flat, &[n as i64], elem).map_err(|_| "a store failed")?;
                }
                views.push((flat, elements.len()));
                RtValue::MemRef(whole)
            }
        });
    }
    let results = machine.call(name, values).map_err(|trap| trap.message.clone())?;
    let mut all: Vec<Option<u64>> = results.iter().map(bits).collect();
    for (view, count) in views {
        for n in 0..count {
            all.push(machine.memory().load(&view, &[n as i64]).ok().as_ref().and_then(bits));
        }
    }
    Ok(all)
}

/// The same from the compiled text
pub fn execute(ir: &Ir, object: &Object, name: &str, args: &[Arg]) -> Vec<u64> {
    let cx = ir.cx();
    let (inputs, results) = types(ir, name);
    let mut memory: Vec<Vec<u8>> = Vec::new();
    let mut slots = Vec::new();
    for (arg, ty) in args.iter().zip(&inputs) {
        match arg {
            Arg::Number(bits) => slots.push(*bits),
            Arg::Array(sizes, elements) => {
                let elem = size(cx, ty.scalar(cx));
                let mut bytes = Vec::with_capacity((elements.len() * elem).max(8));
                for bits in elements {
                    bytes.extend_from_slice(&bits.to_le_bytes()[..elem]);
                }
                let at = bytes.as_mut_ptr() as u64;
                memory.push(bytes);
                slots.extend([at, at, 0]);
                slots.extend(sizes.iter().map(|size| *size as u64));
                slots.extend(MemRef::whole(0, sizes).strides.iter().map(|stride| *stride as u64));
            }
        }
    }
    let out = object.invoke(name, &mut slots, results.len());
    let mut all: Vec<u64> = results.iter().zip(out).map(|(ty, bits)| mask(cx, *ty, bits)).collect();
    let arrays = args.iter().zip(&inputs).filter(|(arg, _)| matches!(arg, Arg::Array(..)));
    for ((_, ty), bytes) in arrays.zip(&memory) {
        let elem = ty.scalar(cx);
        for chunk in bytes.chunks(size(cx, elem)) {
            let mut wide = [0; 8];
            wide[..chunk.len()].copy_from_slice(chunk);
            all.push(mask(cx, elem, u64::from_le_bytes(wide)));
        }
    }
    all
}

/// How one call compares: whether it decides something, or the first difference
pub fn compare(ir: &Ir, object: &Object, name: &str, args: &[Arg]) -> Result<bool, String> {
    let Ok(expected) = interpret(ir, name, args) else { return Ok(false) };
    let found = execute(ir, object, name, args);
    for (n, (expected, found)) in expected.iter().zip(&found).enumerate() {
        if expected.is_some_and(|expected| expected != *found) {
            return Err(format!("@{name}: value {n} is {found:#x}, not {:#x}", expected.unwrap_or(0)));
        }
    }
    Ok(true)
}

/// Parse what may not be right
pub fn parse_quietly(text: &str) -> Option<(Arc<Context>, Ir)> {
    let cx = context();
    let source = cx.sources().add("alone.mlir", text);
    let mut diags = Diags::default();
    let ir = terrace_text::parse(&cx, source, &terrace_text::ParseOptions::default(), &mut diags)?;
    diags.append(terrace_ir::verify::verify(&ir, 1));
    (!diags.has_errors()).then_some((cx, ir))
}
