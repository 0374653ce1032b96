//! Where the driver of a device that takes SPIR-V is.
//!
//! OpenCL's loader reads its list of drivers once, when the process first asks for platforms. So the list is a variable of the
//! environment that a tool starts with.

use std::ffi::OsString;
use std::path::PathBuf;

/// The variable that OpenCL's loader reads
pub(crate) const VARIABLE: &str = "OCL_ICD_VENDORS";

/// The list that the set-up has made: the drivers of the system first, then the one that takes SPIR-V; none where the user has a
/// list of their own
pub(crate) fn list() -> Option<OsString> {
    if std::env::var_os(VARIABLE).is_some() {
        return None;
    }
    recorded().filter(|folder| folder.is_dir()).map(PathBuf::into_os_string)
}

/// Have Intel's runtime leave loops as they are, unless the user has a choice of their own
///
/// It would turn the sum of a loop into sums of lanes, without any flag in the kernel that permits it. Vectors of the program
/// stay vectors.
pub(crate) fn keep_order() -> Option<(&'static str, OsString)> {
    const MODE: &str = "CL_CONFIG_CPU_VECTORIZER_MODE";
    const SCALAR: &str = "1";
    std::env::var_os(MODE).is_none().then(|| (MODE, SCALAR.into()))
}

/// Where the environment says, or where the set-up of the sources puts it
fn recorded() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("TERRACE_SPIRV_VENDORS") {
        return Some(path.into());
    }
    let exe = std::env::current_exe().ok()?;
    let record = exe.ancestors().skip(1).take(3).map(|folder| folder.join("terrace/setup.toml"));
    let text = record.into_iter().find_map(|path| std::fs::read_to_string(path).ok())?;
    let line = text.lines().find_map(|line| line.strip_prefix("spirv_vendors = "))?;
    Some(PathBuf::from(line.trim().trim_matches(['\'', '"'])))
}
