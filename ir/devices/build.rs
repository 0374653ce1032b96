//! Lists the files of `devices/`, which are built in: `FILES`, by name. A link brings them into the package

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("devices").canonicalize()?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let rows: String = files
        .iter()
        .map(|path| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            format!("({name:?}, include_str!({:?})),\n", path.to_string_lossy())
        })
        .collect();
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&out).join("files.rs"), format!("&[\n{rows}]\n"))
}
