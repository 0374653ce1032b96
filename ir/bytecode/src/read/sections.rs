//! The header of a file, and where its sections are.

use crate::bytes::{Bytes, Read, Wrong};
use crate::codes;
use crate::numbers::{MAGIC, VERSION, section};

/// A file by its sections
pub struct File<'a> {
    pub version: u64,
    sections: [Option<Bytes<'a>>; section::COUNT],
    end: Bytes<'a>,
}

const NAMES: [&str; section::COUNT] = [
    "strings",
    "dialects",
    "attributes and types",
    "places of attributes and types",
    "ops",
    "resources",
    "places of resources",
    "versions of dialects",
    "properties",
];

impl<'a> File<'a> {
    /// Read the header and find the sections
    pub fn of(bytes: &'a [u8]) -> Read<File<'a>> {
        let mut bytes = Bytes::new(bytes);
        if bytes.left() < MAGIC.len() || bytes.take(MAGIC.len())? != MAGIC {
            return Err(Wrong::with(0, &codes::DAMAGED, "bytecode begins with `ML\\xefR`"));
        }
        let at = bytes.at();
        let version = bytes.number()?;
        if version > VERSION {
            let message = format!("bytecode of version {version}, and versions up to {VERSION} are read");
            let help = format!("write it with `mlir-opt --emit-bytecode --emit-bytecode-version={VERSION}`");
            return Err(Wrong::with(at, &codes::VERSION, message).help(help));
        }
        bytes.text()?;
        let mut sections = [const { None }; section::COUNT];
        while !bytes.is_end() {
            let at = bytes.at();
            let (number, content) = bytes.section()?;
            let Some(place) = sections.get_mut(usize::from(number)) else {
                let message = format!("section {number} is not known");
                return Err(Wrong::with(at, &codes::DAMAGED, message));
            };
            if place.replace(content).is_some() {
                let message = format!("the section of {} is there twice", NAMES[usize::from(number)]);
                return Err(Wrong::with(at, &codes::DAMAGED, message));
            }
        }
        Ok(File { version, sections, end: bytes })
    }

    /// A section that must be there
    pub fn take(&mut self, number: u8) -> Read<Bytes<'a>> {
        match self.find(number) {
            Some(content) => Ok(content),
            None => self.end.wrong(format!("the section of {} is missing", NAMES[usize::from(number)])),
        }
    }

    /// A section, if it is there
    pub fn find(&mut self, number: u8) -> Option<Bytes<'a>> {
        self.sections[usize::from(number)].take()
    }
}
