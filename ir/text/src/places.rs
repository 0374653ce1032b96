//! What stands where in a text: ops, names and what they stand for, types.
//!
//! A table on the side, written while a text is parsed by [`parse_partial`](crate::parse_partial) and at no other time: for
//! editors, which want to know what is at a cursor. It knows offsets, kinds and types, no handles of the IR, so that it also
//! holds for ops that are wrong. All lists are in order of the text, each place is there once.

use terrace_ir::{OpKind, Str, Type};

/// An op
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpPlace {
    /// Where it begins: the names of its results, or its own
    pub start: u32,
    /// Where its name begins: a word, or a string in generic form; `start` if none was read
    pub name: u32,
    /// Behind its last token; behind what was skipped, where it is wrong
    pub end: u32,
    /// Its kind; `None` if its name was not read, or is none
    pub kind: Option<OpKind>,
    /// The op around it, as an index into the list
    pub parent: Option<u32>,
    /// It could not be read, which has been reported; the IR has a placeholder for it
    pub failed: bool,
}

/// Where a value is defined: `%name`, in front of an op or as an argument
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuePlace {
    /// Where its `%` is
    pub at: u32,
    /// Index of the first of its types in [`Places::value_types`]
    pub types: u32,
    /// How many values the name stands for; none if the op that defines it is wrong
    pub count: u32,
}

/// A use of a name, and the definition of that name
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// Where the name is used
    pub at: u32,
    /// Where it is defined
    pub def: u32,
}

/// A symbol's name: `@name`, or the text between the quotes of `sym_name = "name"`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolPlace {
    /// Where its `@` is, or the first byte between the quotes
    pub at: u32,
    /// Behind it
    pub end: u32,
    /// The name, without quotes and escapes
    pub name: Str,
    /// The op that the name defines, as an index into the ops; `None` for a reference
    pub op: Option<u32>,
    /// Of a nested reference `@root::@name`, where the name before it is
    pub outer: Option<u32>,
}

/// A type as it is written
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypePlace {
    /// Where it begins
    pub start: u32,
    /// Behind it
    pub end: u32,
    /// The type
    pub ty: Type,
}

/// What stands where in a text
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Ops; those inside of one follow it
    pub ops: Vec<OpPlace>,
    /// Definitions of values
    pub values: Vec<ValuePlace>,
    /// Types of all values, see [`ValuePlace::types`]
    pub value_types: Vec<Type>,
    /// Uses of values
    pub uses: Vec<Link>,
    /// Definitions of blocks: where their `^` is
    pub blocks: Vec<u32>,
    /// Uses of blocks
    pub branches: Vec<Link>,
    /// Definitions of aliases: where their `#` or `!` is
    pub aliases: Vec<u32>,
    /// Uses of aliases
    pub alias_uses: Vec<Link>,
    /// Names of symbols, definitions and uses
    pub symbols: Vec<SymbolPlace>,
    /// Types
    pub types: Vec<TypePlace>,
    /// Names of attributes in dictionaries: where they begin
    pub attrs: Vec<u32>,
    /// Indices of the ops that could not be read
    failed: Vec<u32>,
}

impl Places {
    /// Index of the innermost op around an offset
    pub fn op_at(&self, at: u32) -> Option<usize> {
        let before = self.ops.partition_point(|op| op.start <= at);
        let mut next = before.checked_sub(1);
        while let Some(index) = next {
            if at <= self.ops[index].end {
                return Some(index);
            }
            next = self.ops[index].parent.map(|parent| parent as usize);
        }
        None
    }

    /// The definition of a value that begins here
    pub fn value(&self, at: u32) -> Option<&ValuePlace> {
        self.values.binary_search_by_key(&at, |value| value.at).ok().map(|index| &self.values[index])
    }

    /// Types of the values that a definition stands for
    pub fn types_of(&self, value: &ValuePlace) -> &[Type] {
        let first = value.types as usize;
        self.value_types.get(first..first + value.count as usize).unwrap_or(&[])
    }

    /// The narrowest type around an offset
    pub fn type_at(&self, at: u32) -> Option<&TypePlace> {
        // Few types begin before an offset and end behind it, and a wide one begins not far away.
        let before = self.types.partition_point(|ty| ty.start <= at);
        let near = self.types[..before].iter().rev().take(64);
        near.filter(|ty| at <= ty.end).min_by_key(|ty| ty.end - ty.start)
    }

    /// Is any op inside of this one, or itself, wrong?
    pub fn has_failed(&self, index: usize) -> bool {
        let Some(op) = self.ops.get(index) else { return false };
        // The ops inside of one follow it, so only the next wrong one can be inside.
        let next = self.failed.partition_point(|failed| (*failed as usize) < index);
        let next = self.failed.get(next).and_then(|failed| self.ops.get(*failed as usize));
        next.is_some_and(|failed| failed.start < op.end.max(op.start + 1))
    }

    pub(crate) fn sort(&mut self) {
        self.failed = (0..self.ops.len() as u32).filter(|n| self.ops[*n as usize].failed).collect();
        // Ops are closed from the inside out, and texts read twice are noted twice.
        self.values.sort_by_key(|value| value.at);
        self.values.dedup_by_key(|value| value.at);
        for links in [&mut self.uses, &mut self.branches, &mut self.alias_uses] {
            links.sort_unstable();
            links.dedup_by_key(|link| link.at);
        }
        for offsets in [&mut self.blocks, &mut self.aliases, &mut self.attrs] {
            offsets.sort_unstable();
            offsets.dedup();
        }
        // Of a definition that was read twice, the entry that knows its op comes first.
        self.symbols.sort_by_key(|symbol| (symbol.at, symbol.op.is_none()));
        self.symbols.dedup_by_key(|symbol| symbol.at);
        self.types.sort_by_key(|ty| (ty.start, ty.end));
        self.types.dedup_by_key(|ty| (ty.start, ty.end));
    }
}
