//! From IR to bytecode.
//!
//! - `ops`: ops, blocks and regions, with a list of those in progress.
//! - `tables`: strings, dialects, names, attributes and types get numbers when something asks for them.
//! - `entries`: attributes and types. `builtin`: those of the builtin dialect. `places`: lines and columns. `resources`: data that attributes name.

mod builtin;
mod entries;
mod ops;
mod places;
mod resources;
mod tables;

use crate::codes;
use crate::emitter::Emitter;
use crate::numbers::{MAGIC, VERSION, section, since};
use terrace_diag::Diagnostic;
use terrace_ir::Ir;

/// How to write
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    /// Version of the format, 0 to 6
    pub version: u64,
}

impl Default for WriteOptions {
    fn default() -> Self {
        WriteOptions { version: VERSION }
    }
}

/// Bytecode of a module
///
/// Errors: a version that is not known (E0031).
pub fn write(ir: &Ir, options: WriteOptions) -> Result<Vec<u8>, Box<Diagnostic>> {
    let version = options.version;
    if version > VERSION {
        let message = format!("bytecode of version {version} is not written, versions 0 to {VERSION} are");
        return Err(Box::new(Diagnostic::error(&codes::VERSION, message)));
    }
    let mut tables = tables::Tables::new(ir.cx(), version);
    let resources = resources::Written::of(ir, &mut tables);
    let ops = ops::write(ir, &mut tables);
    let (places, attrs) = entries::write(&mut tables);
    let mut file = Emitter::default();
    file.bytes.extend_from_slice(MAGIC);
    file.number(version);
    file.text(concat!("Terrace ", env!("CARGO_PKG_VERSION")));
    let dialects = tables.dialects();
    file.section(section::DIALECTS, &dialects);
    file.section(section::ATTR_OFFSETS, &places);
    file.section(section::ATTRS, &attrs);
    file.section(section::IR, &ops);
    resources.emit(&mut file, &mut tables);
    file.section(section::STRINGS, &tables.strings());
    if version >= since::PROPERTIES {
        file.section(section::PROPERTIES, &tables.properties());
    }
    Ok(file.bytes)
}
