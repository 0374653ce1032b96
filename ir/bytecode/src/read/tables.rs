//! Strings, dialects, names of ops, attributes and types, by number.

use super::ReadOptions;
use super::sections::File;
use crate::bytes::{Bytes, Read, Wrong, utf8};
use crate::codes;
use crate::layout::{self, Property};
use crate::numbers::{section, since};
use std::sync::Arc;
use terrace_diag::Diags;
use terrace_ir::{Attr, Context, OpKind, Type};
use terrace_text::ParseOptions;

/// An op's name
pub struct OpName {
    pub name: String,
    /// Its kind, if it is registered here
    pub kind: Option<OpKind>,
    /// Was it registered where the file was written?
    pub was_registered: bool,
    /// Its properties, if it is registered
    pub layout: Vec<Property>,
    /// Defaults of its attributes
    pub defaults: Vec<Option<Attr>>,
}

/// An attribute or type that has been read, or not yet
#[derive(Clone, Copy, PartialEq, Eq)]
enum State<T> {
    Unread,
    /// Where it is needed again now, it is part of itself
    InProgress,
    Read(T),
}

/// An attribute or type
struct Entry<'a, T> {
    dialect: usize,
    custom: bool,
    bytes: Bytes<'a>,
    state: State<T>,
}

/// Readers of the builtin dialect's own encoding
#[derive(Clone, Copy)]
pub struct Own {
    pub attr: fn(&mut Tables<'_>, &mut Bytes<'_>) -> Read<Attr>,
    pub ty: fn(&mut Tables<'_>, &mut Bytes<'_>) -> Read<Type>,
}

/// Everything that ops name by number
pub struct Tables<'a> {
    own: Own,
    pub cx: &'a Arc<Context>,
    pub version: u64,
    options: ReadOptions,
    strings: Vec<(usize, &'a [u8])>,
    dialects: Vec<&'a str>,
    pub ops: Vec<OpName>,
    attrs: Vec<Entry<'a, Attr>>,
    types: Vec<Entry<'a, Type>>,
    pub properties: Vec<Bytes<'a>>,
    /// Keys of dialects' resources
    pub resources: Vec<&'a str>,
    depth: u32,
    distinct: u64,
}

/// Attributes and types nest so deep at most, as in text
const DEEPEST: u32 = 1000;

impl<'a> Tables<'a> {
    /// Read all but what attributes and types are
    pub fn read(
        cx: &'a Arc<Context>,
        own: Own,
        options: ReadOptions,
        file: &mut File<'a>,
    ) -> Read<Tables<'a>> {
        let mut tables = Tables {
            own,
            cx,
            version: file.version,
            options,
            strings: strings(file.take(section::STRINGS)?)?,
            dialects: Vec::new(),
            ops: Vec::new(),
            attrs: Vec::new(),
            types: Vec::new(),
            properties: Vec::new(),
            resources: Vec::new(),
            depth: 0,
            distinct: 0,
        };
        tables.read_dialects(file.take(section::DIALECTS)?)?;
        tables.read_places(file.take(section::ATTR_OFFSETS)?, file.take(section::ATTRS)?)?;
        if let Some(properties) = file.find(section::PROPERTIES) {
            tables.properties = blobs(properties)?;
        }
        Ok(tables)
    }

    fn read_dialects(&mut self, mut bytes: Bytes<'a>) -> Read<()> {
        for _ in 0..bytes.count()? {
            let flagged = self.version >= since::DIALECT_VERSIONS;
            let (name, versioned) = self.name(&mut bytes, flagged)?;
            if versioned == Some(true) {
                // What a version means only the dialect's own code knows; none of those registered here has one.
                let (number, _) = bytes.section()?;
                if number != section::DIALECT_VERSIONS {
                    return bytes.wrong(format!("a dialect's version is no section {number}"));
                }
            }
            self.dialects.push(name);
        }
        if self.version >= since::SHORT_ARGUMENTS {
            bytes.count()?;
        }
        while !bytes.is_end() {
            let dialect = self.dialect(&mut bytes)?;
            for _ in 0..bytes.count()? {
                let (name, registered) = self.name(&mut bytes, self.version >= since::PROPERTIES)?;
                let prefix = self.dialects[dialect];
                let name = if prefix.is_empty() { name.to_string() } else { format!("{prefix}.{name}") };
                let kind = self.cx.kind_by_name(&name);
                let def = kind.map(|kind| self.cx.def(kind));
                let layout = def.map_or(Vec::new(), |def| layout::of(def, self.version));
                let attrs = def.map_or(&[][..], |def| def.attrs);
                let defaults = attrs.iter().map(|spec| spec.default.map(|make| make(self.cx))).collect();
                let was_registered = registered.unwrap_or(true);
                self.ops.push(OpName { name, kind, was_registered, layout, defaults });
            }
        }
        Ok(())
    }

    /// A name as the number of a string, with a flag since some version
    fn name(&self, bytes: &mut Bytes<'_>, flagged: bool) -> Read<(&'a str, Option<bool>)> {
        let at = bytes.at();
        let (number, flag) = if flagged {
            let (number, flag) = bytes.flagged()?;
            (number, Some(flag))
        } else {
            (bytes.number()?, None)
        };
        let index = Bytes::below(at, number, self.strings.len(), "string")?;
        Ok((self.string_at(index)?, flag))
    }

    /// Name of a dialect by number, read here
    pub fn dialect_name(&self, bytes: &mut Bytes<'_>) -> Read<&'a str> {
        let index = self.dialect(bytes)?;
        Ok(self.dialects[index])
    }

    fn dialect(&self, bytes: &mut Bytes<'_>) -> Read<usize> {
        bytes.index(self.dialects.len(), "dialect")
    }

    /// Where each attribute and type is
    fn read_places(&mut self, mut places: Bytes<'a>, mut content: Bytes<'a>) -> Read<()> {
        let (attrs, types) = (places.count()?, places.count()?);
        self.attrs = self.entries(attrs, &mut places, &mut content)?;
        self.types = self.entries(types, &mut places, &mut content)?;
        Ok(())
    }

    fn entries<T>(
        &self,
        count: usize,
        places: &mut Bytes<'a>,
        content: &mut Bytes<'a>,
    ) -> Read<Vec<Entry<'a, T>>> {
        let mut entries = Vec::with_capacity(count);
        while entries.len() < count {
            let dialect = self.dialect(places)?;
            let group = places.count()?;
            if group > count - entries.len() {
                return places.wrong("a group has more attributes or types than there are");
            }
            for _ in 0..group {
                let (len, custom) = places.flagged()?;
                let Ok(len) = usize::try_from(len) else {
                    return places.wrong(format!("an attribute or type of {len} bytes"));
                };
                let bytes = content.part(len)?;
                entries.push(Entry { dialect, custom, bytes, state: State::Unread });
            }
        }
        Ok(entries)
    }

    /// A string by number, read here
    pub fn string(&self, bytes: &mut Bytes<'_>) -> Read<&'a str> {
        let index = bytes.index(self.strings.len(), "string")?;
        self.string_at(index)
    }

    fn string_at(&self, index: usize) -> Read<&'a str> {
        let (at, string) = self.strings[index];
        utf8(at, string)
    }

    /// An attribute by number, read here
    #[inline]
    pub fn attr(&mut self, bytes: &mut Bytes<'_>) -> Read<Attr> {
        let index = bytes.index(self.attrs.len(), "attribute")?;
        match self.attrs[index].state {
            State::Read(attr) => Ok(attr),
            _ => self.read_attr(index),
        }
    }

    /// An attribute that may be absent
    pub fn attr_opt(&mut self, bytes: &mut Bytes<'_>) -> Read<Option<Attr>> {
        let at = bytes.at();
        let (index, present) = bytes.flagged()?;
        if !present {
            return Ok(None);
        }
        let index = Bytes::below(at, index, self.attrs.len(), "attribute")?;
        self.read_attr(index).map(Some)
    }

    /// A type by number, read here
    #[inline]
    pub fn ty(&mut self, bytes: &mut Bytes<'_>) -> Read<Type> {
        let index = bytes.index(self.types.len(), "type")?;
        self.type_at(index)
    }

    /// A type by its index
    #[inline]
    pub fn type_at(&mut self, index: usize) -> Read<Type> {
        match self.types[index].state {
            State::Read(ty) => Ok(ty),
            _ => self.read_type(index),
        }
    }

    /// Number of types
    pub fn num_types(&self) -> usize {
        self.types.len()
    }

    fn read_attr(&mut self, index: usize) -> Read<Attr> {
        let entry = &mut self.attrs[index];
        if let State::Read(attr) = entry.state {
            return Ok(attr);
        }
        let (mut bytes, custom, dialect) = (entry.bytes.clone(), entry.custom, entry.dialect);
        enter(&mut entry.state, &mut self.depth, &bytes)?;
        let attr = if custom {
            self.check_own(dialect, &bytes)?;
            let attr = (self.own.attr)(self, &mut bytes)?;
            ended(&bytes)?;
            attr
        } else {
            self.of_text(&mut bytes, terrace_text::parse_attr)?
        };
        self.depth -= 1;
        self.attrs[index].state = State::Read(attr);
        Ok(attr)
    }

    #[cold]
    fn read_type(&mut self, index: usize) -> Read<Type> {
        let entry = &mut self.types[index];
        let (mut bytes, custom, dialect) = (entry.bytes.clone(), entry.custom, entry.dialect);
        enter(&mut entry.state, &mut self.depth, &bytes)?;
        let ty = if custom {
            self.check_own(dialect, &bytes)?;
            let ty = (self.own.ty)(self, &mut bytes)?;
            ended(&bytes)?;
            ty
        } else {
            self.of_text(&mut bytes, terrace_text::parse_type)?
        };
        self.depth -= 1;
        self.types[index].state = State::Read(ty);
        Ok(ty)
    }

    /// Only the builtin dialect's own encoding is known
    fn check_own(&self, dialect: usize, bytes: &Bytes<'_>) -> Read<()> {
        match self.dialects[dialect] {
            "builtin" => Ok(()),
            other => {
                let message =
                    format!("an attribute or type in an encoding that only the dialect `{other}` knows");
                Err(Wrong::with(bytes.at(), &codes::ENCODING, message).help("hand it over as text"))
            }
        }
    }

    /// What is written as text
    fn of_text<T>(
        &self,
        bytes: &mut Bytes<'_>,
        parse: fn(&Arc<Context>, terrace_diag::SourceId, &ParseOptions, &mut Diags) -> Option<T>,
    ) -> Read<T> {
        let at = bytes.at();
        let text = bytes.text()?;
        ended(bytes)?;
        let source = self.cx.sources().add("bytecode", text);
        let options =
            ParseOptions { allow_unregistered: self.options.allow_unregistered, ..ParseOptions::default() };
        let mut diags = Diags::default();
        match parse(self.cx, source, &options, &mut diags) {
            Some(read) => Ok(read),
            None => {
                let first = diags.into_vec().into_iter().next();
                let (code, why) =
                    first.map_or((None, String::new()), |first| (first.code, first.message.clone()));
                let shown: String = text.chars().take(80).collect();
                let message = format!("`{shown}`: {why}");
                Err(Wrong::with(at, code.unwrap_or(&codes::DAMAGED), message))
            }
        }
    }

    /// Each distinct attribute is one of its own: a number for it
    pub fn next_distinct(&mut self) -> u64 {
        self.distinct += 1;
        self.distinct - 1
    }

    /// Are ops that are not registered accepted?
    pub fn allows_unregistered(&self) -> bool {
        self.options.allow_unregistered
    }
}

fn enter<T: PartialEq>(state: &mut State<T>, depth: &mut u32, bytes: &Bytes<'_>) -> Read<()> {
    if *state == State::InProgress {
        return bytes.wrong("an attribute or type is part of itself");
    }
    if *depth == DEEPEST {
        return bytes.wrong(format!("attributes and types nest deeper than {DEEPEST}"));
    }
    *depth += 1;
    *state = State::InProgress;
    Ok(())
}

fn ended(bytes: &Bytes<'_>) -> Read<()> {
    if bytes.is_end() { Ok(()) } else { bytes.wrong("bytes are left behind an attribute or type") }
}

/// Lengths in reverse, then the strings, each with a zero byte
fn strings(mut bytes: Bytes<'_>) -> Read<Vec<(usize, &[u8])>> {
    let count = bytes.count()?;
    let mut lengths = Vec::with_capacity(count);
    for _ in 0..count {
        lengths.push(bytes.count()?);
    }
    let mut strings = Vec::with_capacity(count);
    for len in lengths.into_iter().rev() {
        let at = bytes.at();
        match bytes.take(len)?.split_last() {
            Some((0, string)) => strings.push((at, string)),
            _ => return bytes.wrong("a string does not end with a zero byte"),
        }
    }
    Ok(strings)
}

/// Blobs, each with its length before it
fn blobs(mut bytes: Bytes<'_>) -> Read<Vec<Bytes<'_>>> {
    let count = bytes.count()?;
    let mut blobs = Vec::with_capacity(count);
    for _ in 0..count {
        let len = bytes.count()?;
        blobs.push(bytes.part(len)?);
    }
    Ok(blobs)
}
