//! Files that reproduce a run: the input, and the pipeline as resources of the file.
//!
//! ```text
//! {-#
//!   external_resources: {
//!     mlir_reproducer: {
//!       pipeline: "builtin.module(cse)",
//!       disable_threading: false,
//!       verify_each: true
//!     }
//!   }
//! #-}
//! ```

use super::request::Request;
use terrace_ir::Ir;
use terrace_ir::show::push_quoted;

const SECTION: &str = "external_resources";
const GROUP: &str = "mlir_reproducer";

/// A module's text with what runs on it
pub fn text(module: &str, pipeline: &str, request: &Request) -> String {
    let mut quoted = String::new();
    push_quoted(&mut quoted, pipeline);
    format!(
        "{module}\n{{-#\n  {SECTION}: {{\n    {GROUP}: {{\n      pipeline: {quoted},\n      disable_threading: {},\n      \
         verify_each: {}\n    }}\n  }}\n#-}}\n",
        request.threads == 1,
        request.verify_each
    )
}

/// Take pipeline and settings from the resources of a module, if it has them
pub fn take(ir: &mut Ir, request: &mut Request) {
    let Some(mut resources) = ir.take_resources() else { return };
    let cx = ir.cx();
    let text = cx.sources().text(resources.source);
    for (_, groups) in resources.sections.iter_mut().filter(|(name, _)| &**name == SECTION) {
        for entry in groups.iter().filter(|group| &*group.name == GROUP).flat_map(|group| &group.entries) {
            let value = text.get(entry.value.0 as usize..entry.value.1 as usize).unwrap_or("");
            match &*entry.key {
                "pipeline" => {
                    request.pipeline = Some(unquoted(value));
                    request.flags.clear();
                }
                "disable_threading" if value == "true" => request.threads = 1,
                "verify_each" => request.verify_each = value == "true",
                _ => {}
            }
        }
        groups.retain(|group| &*group.name != GROUP);
    }
    resources.sections.retain(|(_, groups)| !groups.is_empty());
    if !resources.sections.is_empty() {
        ir.set_resources(resources);
    }
}

/// The text of a literal: quotes off, escapes replaced
fn unquoted(literal: &str) -> String {
    let inner = literal.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(literal);
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(high) if high.is_ascii_hexdigit() => {
                let digit = |byte: u8| (byte as char).to_digit(16).unwrap_or(0) as u8;
                bytes.push(digit(high) * 16 + rest.next().map_or(0, digit));
            }
            Some(other) => bytes.push(other),
            None => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
