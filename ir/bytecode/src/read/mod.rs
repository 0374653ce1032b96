//! From bytecode to IR.
//!
//! - `sections`: the header, and where the sections are.
//! - `tables`: strings, dialects, names of ops, encodings of attributes and types; each attribute and type is read when something asks for it.
//! - `builtin`: attributes and types of the builtin dialect.
//! - `ops`: ops, blocks and regions, with a list of those in progress: depth costs memory and no stack.
//! - `parts`: the parts of one op. `values`: which value a number stands for. `resources`: data that attributes name.

mod builtin;
mod ops;
mod parts;
mod resources;
mod sections;
mod tables;
mod values;

use crate::bytes::{Read, Wrong};
use crate::codes;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::{Context, Ir};

/// How to read
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// Accept ops, types and attributes of dialects that are not registered
    pub allow_unregistered: bool,
}

/// Read bytecode into a module; `None` if it is wrong, which a message says with the byte of the file
///
/// `name` is the file's name, for messages. A file whose op is no `builtin.module` is wrapped in one.
pub fn read(
    cx: &Arc<Context>,
    name: &str,
    bytes: &[u8],
    options: ReadOptions,
    diags: &mut Diags,
) -> Option<Ir> {
    match module(cx, name, bytes, options) {
        Ok(module) => Some(module),
        Err(wrong) => {
            let Wrong { at, code, message, help } = *wrong;
            let error = Diagnostic::error(code, format!("`{name}`, byte {at}: {message}"));
            let _ = diags.emit(match help {
                Some(help) => error.help(help),
                None => error,
            });
            None
        }
    }
}

fn module(cx: &Arc<Context>, name: &str, bytes: &[u8], options: ReadOptions) -> Read<Ir> {
    let Some(kind) = cx.kind_by_name("builtin.module") else {
        let message = "reading needs `builtin.module`, which is not registered in this context";
        return Err(Wrong::with(0, &codes::ENCODING, message));
    };
    let own = tables::Own { attr: builtin::attr, ty: builtin::ty };
    let mut file = sections::File::of(bytes)?;
    let mut tables = tables::Tables::read(cx, own, options, &mut file)?;
    let read = resources::read(cx, name, &mut file, &mut tables)?;
    let mut module = ops::read(&mut file, tables, kind)?;
    if let Some(resources) = read {
        module.set_resources(resources);
    }
    Ok(module)
}
