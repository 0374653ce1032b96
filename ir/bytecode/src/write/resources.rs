//! Data that attributes name by a key, out of the text that holds it.

use super::tables::Tables;
use crate::emitter::Emitter;
use crate::numbers::{PADDING, section};
use std::sync::Arc;
use terrace_diag::Diags;
use terrace_ir::{Context, Ir};
use terrace_text::ParseOptions;

const BLOB: u8 = 0;
const BOOL: u8 = 1;
const STRING: u8 = 2;

/// Bytes that data are a multiple of at most: more would be bytes of padding
const MOST_ALIGNED: u64 = 1 << 16;

/// The sections of resources, but for keys that nothing defines
pub struct Written {
    places: Emitter,
    content: Emitter,
    /// The content begins at a multiple of this
    alignment: usize,
}

impl Written {
    /// Read the values of all resources
    pub fn of(ir: &Ir, tables: &mut Tables<'_>) -> Written {
        let mut written = Written { places: Emitter::default(), content: Emitter::default(), alignment: 1 };
        let Some(resources) = ir.resources() else {
            written.places.number(0);
            return written;
        };
        let source = ir.cx().sources().text(resources.source);
        for (owned, section) in [(false, "external_resources"), (true, "dialect_resources")] {
            let groups: Vec<_> = resources
                .sections
                .iter()
                .filter(|(name, _)| &**name == section)
                .flat_map(|(_, groups)| groups)
                .collect();
            if !owned {
                written.places.number(groups.len() as u64);
            }
            for group in groups {
                let owner = if owned { tables.dialect(&group.name) } else { tables.string(&group.name) };
                written.places.number(owner);
                written.places.number(group.entries.len() as u64);
                for entry in &group.entries {
                    let key = tables.string(&entry.key);
                    if owned {
                        tables.define_resource(&entry.key);
                    }
                    let value = source.get(entry.value.0 as usize..entry.value.1 as usize).unwrap_or("\"\"");
                    let start = written.content.bytes.len();
                    let kind = written.value(ir.cx_arc(), value, owned, tables);
                    written.places.number(key);
                    written.places.number((written.content.bytes.len() - start) as u64);
                    written.places.byte(kind);
                }
            }
        }
        written
    }

    /// A value as text has it; its kind
    fn value(&mut self, cx: &Arc<Context>, value: &str, owned: bool, tables: &mut Tables<'_>) -> u8 {
        let bytes = value.strip_prefix("\"0x").and_then(|digits| digits.strip_suffix('"')).and_then(hex);
        match bytes {
            Some(bytes) if bytes.len() >= 4 && owned => {
                self.blob(&bytes);
                BLOB
            }
            _ if matches!(value, "true" | "false") => {
                self.content.byte(u8::from(value == "true"));
                BOOL
            }
            _ => {
                self.content.number(tables.string(&unquoted(cx, value)));
                STRING
            }
        }
    }

    /// Four bytes of alignment, then data
    fn blob(&mut self, bytes: &[u8]) {
        let (alignment, data) = bytes.split_at(4);
        let alignment = alignment.iter().rev().fold(0u64, |all, byte| all << 8 | u64::from(*byte));
        let alignment = if alignment.is_power_of_two() { alignment.min(MOST_ALIGNED) } else { 1 };
        self.content.number(alignment);
        self.content.number(data.len() as u64);
        let alignment = alignment as usize;
        self.alignment = self.alignment.max(alignment);
        while !self.content.bytes.len().is_multiple_of(alignment) {
            self.content.byte(PADDING);
        }
        self.content.bytes.extend_from_slice(data);
    }

    /// Write the sections, if there is anything in them
    pub fn emit(mut self, file: &mut Emitter, tables: &mut Tables<'_>) {
        let undefined = tables.undefined_resources();
        if !undefined.is_empty() {
            self.places.number(tables.dialect("builtin"));
            self.places.number(undefined.len() as u64);
            for key in undefined {
                self.places.number(tables.string(&key));
                self.places.number(0);
                self.places.byte(BLOB);
            }
        }
        if self.places.bytes == [1] {
            return;
        }
        file.section(section::RESOURCE_OFFSETS, &self.places);
        if self.alignment == 1 {
            return file.section(section::RESOURCES, &self.content);
        }
        file.byte(section::RESOURCES | 0x80);
        file.number(self.content.bytes.len() as u64);
        file.number(self.alignment as u64);
        while !file.bytes.len().is_multiple_of(self.alignment) {
            file.byte(PADDING);
        }
        file.bytes.extend_from_slice(&self.content.bytes);
    }
}

/// The text of a string with its quotes
fn unquoted(cx: &Arc<Context>, value: &str) -> String {
    let source = cx.sources().add("resource", value);
    let attr = terrace_text::parse_attr(cx, source, &ParseOptions::default(), &mut Diags::default());
    attr.and_then(|attr| attr.as_str(cx)).unwrap_or_default().to_string()
}

/// Pairs of hexadecimal digits as bytes
fn hex(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| Some((digit(*pair.first()?)? * 16 + digit(*pair.get(1)?)?) as u8)).collect()
}
