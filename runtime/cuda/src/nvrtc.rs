//! CUDA C to PTX through NVRTC
//!
//! NVRTC is opened once per process. cudarc knows no folder, it asks the system's loader for names
//! such as `libnvrtc.so.12`. A folder is honored by opening the library there first and keeping it
//! open: the loader then answers the later request for that name with the library that it has.
//! (Setting `LD_LIBRARY_PATH` would be too late, the loader reads it at the start.)
//!
//! What follows from it: the first library opened serves the whole process, and a `libnvrtc.so`
//! without a number in the loader's own path goes before the folder.
#![allow(unsafe_code)]

use crate::CudaError;
use cudarc::nvrtc::{result, sys};
use std::ffi::{CString, c_char};
use std::path::Path;

/// The library's names in a folder, newest major version last as cudarc asks for 12 first
const NAMES: [&str; 3] = ["libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.so"];

/// PTX text
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ptx {
    /// The text, without the NUL that C wants
    pub text: String,
}

/// Compile CUDA C for `arch` (`compute_90`, `sm_90`), with NVRTC from `folder` or the loader's path
///
/// `options` go to NVRTC as they are, such as `--fmad=false` or `--include-path=DIR`.
pub fn nvrtc_compile(
    source: &str,
    arch: &str,
    options: &[&str],
    folder: Option<&Path>,
) -> Result<Ptx, CudaError> {
    compiled(source, arch, options, folder, |program| {
        // SAFETY: `program` is alive: it is destroyed after this.
        let ptx = unsafe { result::get_ptx(program) }.map_err(failed("nvrtcGetPTX"))?;
        Ok(Ptx { text: text(&ptx) })
    })
}

/// Compile CUDA C to machine code of one kind of device (`sm_90`)
///
/// PTX has a version, and a driver refuses text that is newer than itself; machine code of the same major version of CUDA
/// it takes.
pub fn nvrtc_binary(
    source: &str,
    arch: &str,
    options: &[&str],
    folder: Option<&Path>,
) -> Result<Vec<u8>, CudaError> {
    compiled(source, arch, options, folder, |program| {
        let refused = |code: sys::nvrtcResult| code.result().map_err(failed("nvrtcGetCUBIN"));
        let mut size = 0;
        // SAFETY: `program` is alive: it is destroyed after this.
        refused(unsafe { sys::nvrtcGetCUBINSize(program, &mut size) })?;
        let mut code = vec![0u8; size];
        // SAFETY: as above; there is room for as many bytes as NVRTC has.
        refused(unsafe { sys::nvrtcGetCUBIN(program, code.as_mut_ptr().cast()) })?;
        Ok(code)
    })
}

/// Compile, and take what is wanted of the program
fn compiled<T>(
    source: &str,
    arch: &str,
    options: &[&str],
    folder: Option<&Path>,
    take: impl FnOnce(sys::nvrtcProgram) -> Result<T, CudaError>,
) -> Result<T, CudaError> {
    let source = CString::new(source).map_err(|_| CudaError::Nul { what: "the source" })?;
    let arch = format!("--gpu-architecture={arch}");
    let options: Vec<&str> = std::iter::once(arch.as_str()).chain(options.iter().copied()).collect();
    if options.iter().any(|o| o.contains('\0')) {
        return Err(CudaError::Nul { what: "an option" });
    }
    open(folder)?;
    let program = result::create_program(&source, None).map_err(failed("nvrtcCreateProgram"))?;
    let taken = compile(program, &options).and_then(|()| take(program));
    // SAFETY: `program` was created above and is not used after this.
    let _ = unsafe { result::destroy_program(program) };
    taken
}

fn compile(program: sys::nvrtcProgram, options: &[&str]) -> Result<(), CudaError> {
    // SAFETY: `program` is alive: the caller destroys it after this. (So for the call below.)
    if let Err(error) = unsafe { result::compile_program(program, options) } {
        let log = unsafe { result::get_program_log(program) }.map(|log| text(&log)).unwrap_or_default();
        // A wrong option has an empty log.
        let log = if log.trim().is_empty() { code(error) } else { log.trim_end().to_string() };
        return Err(CudaError::Compile { log });
    }
    Ok(())
}

/// Make sure that cudarc will find the library, since it panics where it does not
fn open(folder: Option<&Path>) -> Result<(), CudaError> {
    if let Some(folder) = folder {
        let paths = NAMES.iter().map(|name| folder.join(name));
        // SAFETY: NVRTC's initialisers do nothing but set up the library itself.
        let library = paths.filter(|p| p.is_file()).find_map(|p| unsafe { libloading::Library::new(p) }.ok());
        match library {
            // It must stay open, see the module's text.
            Some(library) => std::mem::forget(library),
            None => return Err(CudaError::NoNvrtc { place: folder.display().to_string() }),
        }
    }
    // SAFETY: as above.
    if unsafe { sys::is_culib_present() } {
        return Ok(());
    }
    Err(CudaError::NoNvrtc { place: "the loader's path".into() })
}

/// A C string in a buffer, up to its NUL
fn text(chars: &[c_char]) -> String {
    let bytes: Vec<u8> = chars.iter().take_while(|&&c| c != 0).map(|&c| c as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn failed(call: &'static str) -> impl Fn(result::NvrtcError) -> CudaError {
    move |error| CudaError::Call { call, code: code(error) }
}

fn code(error: result::NvrtcError) -> String {
    use sys::nvrtcResult as R;
    match error.0 {
        R::NVRTC_ERROR_OUT_OF_MEMORY => "out of memory".into(),
        R::NVRTC_ERROR_INVALID_OPTION => "an option or the architecture is not known".into(),
        R::NVRTC_ERROR_BUILTIN_OPERATION_FAILURE => "libnvrtc-builtins is missing or does not fit".into(),
        other => format!("NVRTC error {}", other as u32),
    }
}
