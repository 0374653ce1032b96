//! Data that attributes name by a key.
//!
//! Kept as text would have it, in a text of their own: a blob in hexadecimal digits, with its alignment before it.

use super::sections::File;
use super::tables::Tables;
use crate::bytes::{Bytes, Read};
use crate::numbers::section;
use std::fmt::Write as _;
use std::sync::Arc;
use terrace_ir::Context;
use terrace_ir::resources::{Entry, Group, Resources};
use terrace_ir::show::push_quoted;

const BLOB: u8 = 0;
const BOOL: u8 = 1;
const STRING: u8 = 2;

/// Read all resources, and leave the keys of those that attributes name in the tables
pub fn read<'a>(
    cx: &Arc<Context>,
    name: &str,
    file: &mut File<'a>,
    tables: &mut Tables<'a>,
) -> Read<Option<Resources>> {
    let Some(mut places) = file.find(section::RESOURCE_OFFSETS) else { return Ok(None) };
    let mut content = file.take(section::RESOURCES)?;
    let mut text = String::new();
    let mut external = Vec::new();
    for _ in 0..places.count()? {
        let owner = tables.string(&mut places)?;
        let entries = group(tables, &mut places, &mut content, &mut text, false)?;
        external.push(Group { name: owner.into(), entries });
    }
    let mut dialects = Vec::new();
    while !places.is_end() {
        let dialect = tables.dialect_name(&mut places)?;
        let entries = group(tables, &mut places, &mut content, &mut text, true)?;
        dialects.push(Group { name: dialect.into(), entries });
    }
    let sections = [("dialect_resources", dialects), ("external_resources", external)];
    let sections = sections.into_iter().filter(|(_, groups)| !groups.is_empty());
    let sections: Vec<_> = sections.map(|(name, groups)| (name.into(), groups)).collect();
    if sections.is_empty() {
        return Ok(None);
    }
    let source = cx.sources().add(format!("resources of {name}"), text);
    Ok(Some(Resources { source, sections }))
}

fn group<'a>(
    tables: &mut Tables<'a>,
    places: &mut Bytes<'a>,
    content: &mut Bytes<'a>,
    text: &mut String,
    named: bool,
) -> Read<Vec<Entry>> {
    let count = places.count()?;
    let mut entries = Vec::with_capacity(count);
    for _ in 0..count {
        let key = tables.string(places)?;
        let len = places.number()?;
        let kind = places.byte()?;
        let Ok(len) = usize::try_from(len) else {
            return places.wrong(format!("a resource of {len} bytes"));
        };
        let mut bytes = content.part(len)?;
        if named {
            tables.resources.push(key);
        }
        // One that is named and has no data is not printed.
        if bytes.is_end() {
            continue;
        }
        let start = text.len();
        match kind {
            BLOB => blob(&mut bytes, text)?,
            BOOL => text.push_str(if bytes.byte()? != 0 { "true" } else { "false" }),
            STRING => push_quoted(text, tables.string(&mut bytes)?),
            _ => return places.wrong(format!("resource of kind {kind} is not known")),
        }
        let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(text.len())) else {
            return places.wrong("resources of more than 4 GiB as text");
        };
        entries.push(Entry { key: key.into(), value: (start, end) });
        text.push('\n');
    }
    Ok(entries)
}

/// Alignment, length, bytes up to the alignment, and the data
fn blob(bytes: &mut Bytes<'_>, text: &mut String) -> Read<()> {
    let alignment = bytes.number()?;
    let Some(alignment) = u32::try_from(alignment).ok().filter(|n| n.is_power_of_two()) else {
        return bytes.wrong(format!("data cannot be at a multiple of {alignment}: no power of two"));
    };
    let len = bytes.number()?;
    let data = bytes.rest();
    let Some(start) = usize::try_from(len).ok().and_then(|len| data.len().checked_sub(len)) else {
        return bytes.wrong(format!("a resource of {len} bytes, and {} are there", data.len()));
    };
    text.push_str("\"0x");
    for byte in alignment.to_le_bytes().iter().chain(&data[start..]) {
        let _ = write!(text, "{byte:02X}");
    }
    text.push('"');
    Ok(())
}
