//! Numbers of strings, dialects, names of ops, attributes and types, in order of first use.

use crate::emitter::Emitter;
use crate::layout::{self, Property};
use crate::numbers::since;
use std::rc::Rc;
use terrace_ir::{Attr, Context, OpKind, Type};
use terrace_support::HashMap;

/// Something with a number
#[derive(Clone, Copy)]
pub enum Numbered {
    /// An attribute or type by its handle
    Handle(u32),
    /// A place in a file, whose name is the attribute of this number: line and column
    Place { file: u64, line: u32, col: u32 },
}

/// Things by number, and the number of each
#[derive(Default)]
struct Numbers {
    /// By index of the handle, one more than the number
    of: Vec<u32>,
    all: Vec<Numbered>,
}

impl Numbers {
    fn number(&mut self, raw: u32) -> u64 {
        let index = raw as usize;
        if index >= self.of.len() {
            self.of.resize(index + 1, 0);
        }
        if self.of[index] == 0 {
            self.all.push(Numbered::Handle(raw));
            self.of[index] = self.all.len() as u32;
        }
        u64::from(self.of[index] - 1)
    }
}

/// An op's name, once it has been met
struct OpName {
    dialect: u64,
    name: u64,
    registered: bool,
}

/// Everything that ops name by number
pub struct Tables<'a> {
    pub cx: &'a Context,
    pub version: u64,
    strings: Vec<String>,
    string_numbers: HashMap<String, u64>,
    dialects: Vec<u64>,
    dialect_numbers: HashMap<String, u64>,
    ops: Vec<OpName>,
    op_numbers: HashMap<String, u64>,
    /// By kind: the number of its name
    kinds: Vec<Option<u64>>,
    layouts: Vec<Option<Rc<[Property]>>>,
    attrs: Numbers,
    types: Numbers,
    properties: Vec<Vec<u8>>,
    property_numbers: HashMap<Vec<u8>, u64>,
    /// Numbers of dialects' resources by key
    resources: HashMap<String, u64>,
    /// Those that attributes name and nothing defines
    undefined: Vec<String>,
}

impl<'a> Tables<'a> {
    pub fn new(cx: &'a Context, version: u64) -> Tables<'a> {
        Tables {
            cx,
            version,
            strings: Vec::new(),
            string_numbers: HashMap::default(),
            dialects: Vec::new(),
            dialect_numbers: HashMap::default(),
            ops: Vec::new(),
            op_numbers: HashMap::default(),
            kinds: vec![None; cx.num_kinds()],
            layouts: vec![None; cx.num_kinds()],
            attrs: Numbers::default(),
            types: Numbers::default(),
            properties: Vec::new(),
            property_numbers: HashMap::default(),
            resources: HashMap::default(),
            undefined: Vec::new(),
        }
    }

    pub fn attr(&mut self, attr: Attr) -> u64 {
        self.attrs.number(attr.raw())
    }

    /// Number of a place in a file: nearly every op has one of its own, so they are not made attributes first
    pub fn place(&mut self, file: Attr, line: u32, col: u32) -> u64 {
        let file = self.attr(file);
        self.attrs.all.push(Numbered::Place { file, line, col });
        self.attrs.all.len() as u64 - 1
    }

    pub fn ty(&mut self, ty: Type) -> u64 {
        self.types.number(ty.raw())
    }

    pub fn string(&mut self, text: &str) -> u64 {
        if let Some(number) = self.string_numbers.get(text) {
            return *number;
        }
        let number = self.strings.len() as u64;
        self.strings.push(text.to_string());
        self.string_numbers.insert(text.to_string(), number);
        number
    }

    pub fn dialect(&mut self, name: &str) -> u64 {
        if let Some(number) = self.dialect_numbers.get(name) {
            return *number;
        }
        let string = self.string(name);
        let number = self.dialects.len() as u64;
        self.dialects.push(string);
        self.dialect_numbers.insert(name.to_string(), number);
        number
    }

    /// Number of an op's name
    pub fn op(&mut self, kind: OpKind, name: &str) -> u64 {
        let registered = kind != OpKind::UNREGISTERED;
        let place = usize::from(kind.0);
        if let Some(number) = self.kinds[place].filter(|_| registered) {
            return number;
        }
        let number = match self.op_numbers.get(name) {
            Some(number) => *number,
            None => {
                // An op without a dialect has an empty one.
                let (dialect, short) = name.split_once('.').unwrap_or(("", name));
                let (dialect, short) = (self.dialect(dialect), self.string(short));
                let number = self.ops.len() as u64;
                self.ops.push(OpName { dialect, name: short, registered });
                self.op_numbers.insert(name.to_string(), number);
                number
            }
        };
        if registered {
            self.kinds[place] = Some(number);
        }
        number
    }

    /// The order of an op's properties
    pub fn layout(&mut self, kind: OpKind) -> Rc<[Property]> {
        let (cx, version) = (self.cx, self.version);
        let place = &mut self.layouts[usize::from(kind.0)];
        place.get_or_insert_with(|| layout::of(cx.def(kind), version).into()).clone()
    }

    /// Number of an op's properties
    pub fn property(&mut self, bytes: Vec<u8>) -> u64 {
        if let Some(number) = self.property_numbers.get(&bytes) {
            return *number;
        }
        let number = self.properties.len() as u64;
        self.properties.push(bytes.clone());
        self.property_numbers.insert(bytes, number);
        number
    }

    /// A dialect's resource that has a value; all of them come before those that have none
    pub fn define_resource(&mut self, key: &str) {
        let number = self.resources.len() as u64;
        self.resources.entry(key.to_string()).or_insert(number);
    }

    /// Number of a resource
    pub fn resource(&mut self, key: &str) -> u64 {
        if let Some(number) = self.resources.get(key) {
            return *number;
        }
        let number = self.resources.len() as u64;
        self.resources.insert(key.to_string(), number);
        self.undefined.push(key.to_string());
        number
    }

    /// Resources that attributes name and nothing defines
    pub fn undefined_resources(&mut self) -> Vec<String> {
        std::mem::take(&mut self.undefined)
    }

    /// The attribute of this number, if there are so many by now
    pub fn numbered_attr(&self, number: usize) -> Option<Numbered> {
        self.attrs.all.get(number).copied()
    }

    /// The type of this number, if there are so many by now
    pub fn numbered_type(&self, number: usize) -> Option<Numbered> {
        self.types.all.get(number).copied()
    }

    /// The section of dialects and names of ops
    pub fn dialects(&self) -> Emitter {
        let mut out = Emitter::default();
        out.number(self.dialects.len() as u64);
        for &name in &self.dialects {
            if self.version < since::DIALECT_VERSIONS { out.number(name) } else { out.flagged(name, false) }
        }
        if self.version >= since::SHORT_ARGUMENTS {
            out.number(self.ops.len() as u64);
        }
        for group in self.ops.chunk_by(|a, b| a.dialect == b.dialect) {
            out.number(group[0].dialect);
            out.number(group.len() as u64);
            for op in group {
                match self.version < since::PROPERTIES {
                    true => out.number(op.name),
                    false => out.flagged(op.name, op.registered),
                }
            }
        }
        out
    }

    /// The section of strings
    pub fn strings(&self) -> Emitter {
        let mut out = Emitter::default();
        out.number(self.strings.len() as u64);
        self.strings.iter().rev().for_each(|string| out.number(string.len() as u64 + 1));
        self.strings.iter().for_each(|string| out.text(string));
        out
    }

    /// The section of properties
    pub fn properties(&self) -> Emitter {
        let mut out = Emitter::default();
        out.number(self.properties.len() as u64);
        self.properties.iter().for_each(|property| out.blob(property));
        out
    }
}
