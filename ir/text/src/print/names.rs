//! Names of values and blocks in one unit's text, by upstream's scheme.
//!
//! A region is numbered as a whole before the regions inside of its ops; siblings start from the same counters and a
//! child unit from where its region in the parent ended. Authors' names stay, made unique with `_N`. A name that
//! upstream would have made up (`%7`, `%arg1` of an entry block, `%c0_i32_4` of a constant) is made up anew, so that
//! text printed by either printer numbers the same.
//!
//! Source: the naming state in MLIR 22's `AsmPrinter`, whose numbering this reproduces; authors' names are our addition.

use super::PrintOptions;
use super::kinds::{KindInfo, Kinds};
use super::stack::deeper;
use hashbrown::HashTable;
use std::sync::Arc;
use terrace_ir::show::{push_int, push_number};
use terrace_ir::{AttrKind, BlockId, Context, Ir, OpId, OpKind, RegionId, Sign, TypeKind, Value};
use terrace_support::{HashMap, hash_one};

const TAGS: u32 = 3 << 30;
const TEXT: u32 = 1 << 30;
const MEMBER: u32 = 2 << 30;
const MULTI: u32 = 1 << 29;

/// Where the numbering of a region starts
#[derive(Clone, Default)]
pub(super) struct Start {
    value: u32,
    arg: u32,
    conflict: u32,
    /// Names taken by the units around
    outer: Vec<Arc<UsedNames>>,
}

/// Names taken in a scope, found by text
#[derive(Clone, Default)]
pub(super) struct UsedNames {
    pool: String,
    spans: Vec<(u32, u32)>,
    table: HashTable<u32>,
}

impl UsedNames {
    fn text(&self, index: u32) -> &str {
        let (start, end) = self.spans[index as usize];
        &self.pool[start as usize..end as usize]
    }

    fn has(&self, name: &str) -> bool {
        !self.table.is_empty() && self.table.find(hash_one(name), |&index| self.text(index) == name).is_some()
    }

    fn insert(&mut self, name: &str) -> u32 {
        let index = self.spans.len() as u32;
        let start = self.pool.len() as u32;
        self.pool.push_str(name);
        self.spans.push((start, self.pool.len() as u32));
        let UsedNames { pool, spans, table } = self;
        table.insert_unique(hash_one(name), index, |&index| {
            let (start, end) = spans[index as usize];
            hash_one(&pool[start as usize..end as usize])
        });
        index
    }

    fn forget(&mut self, index: u32) {
        let hash = hash_one(self.text(index));
        if let Ok(entry) = self.table.find_entry(hash, |&other| other == index) {
            entry.remove();
        }
    }
}

/// Names of all values and blocks of a unit
#[derive(Default)]
pub(super) struct Names {
    /// By value: zero, 1 + number, text or member of a group of results; `MULTI` for the first of several
    values: Vec<u32>,
    /// By block: zero, 1 + number, or text
    blocks: Vec<u32>,
    used: UsedNames,
    /// Names in scope, in order, to take them back at the end of a region
    log: Vec<u32>,
    at: Start,
    /// Counters at the end of regions that hold child units
    starts: HashMap<RegionId, Start>,
    /// Where child units start, if counters go on from unit to unit
    unit_starts: HashMap<OpId, Start>,
    buffer: String,
    /// Name all anew, whatever authors wrote
    anew: bool,
    /// Counters go on from region to region
    unique_ids: bool,
}

/// What is numbered after the region that it is in
#[derive(Clone, Copy)]
enum Inner {
    Region(RegionId),
    /// The child unit of a slot, where counters go on from unit to unit
    Unit(OpId),
}

struct Pending {
    inner: Inner,
    value: u32,
    arg: u32,
    conflict: u32,
    log: usize,
}

impl Names {
    /// Name everything in a unit; tables of an earlier unit are used again
    pub(super) fn number(&mut self, ir: &Ir, kinds: &Kinds, options: &PrintOptions, start: Start) {
        let generic = options.generic;
        (self.anew, self.unique_ids) = (!options.names, options.unique_ids);
        self.values.clear();
        self.values.resize(ir.value_capacity(), 0);
        self.blocks.clear();
        self.blocks.resize(ir.block_capacity(), 0);
        self.used.pool.clear();
        self.used.spans.clear();
        self.used.table.clear();
        self.log.clear();
        self.starts.clear();
        self.unit_starts.clear();
        self.at = start;
        let mut pending = Vec::new();
        self.number_op(ir, ir.root(), kinds, generic);
        self.push_inner(ir.regions(ir.root()).map(Inner::Region), &mut pending);
        let mut nested = Vec::new();
        while let Some(next) = pending.pop() {
            let region = match next.inner {
                Inner::Region(region) => region,
                Inner::Unit(slot) => {
                    self.number_unit(ir, slot, kinds, options);
                    continue;
                }
            };
            if !self.unique_ids {
                (self.at.value, self.at.arg, self.at.conflict) = (next.value, next.arg, next.conflict);
            }
            for index in self.log.drain(next.log..) {
                self.used.forget(index);
            }
            let holds_units = self.number_region(ir, region, kinds, generic, &mut nested);
            self.push_inner(nested.drain(..), &mut pending);
            if holds_units {
                self.keep_start(region);
            }
        }
    }

    fn push_inner(&self, inner: impl Iterator<Item = Inner>, pending: &mut Vec<Pending>) {
        let Start { value, arg, conflict, .. } = self.at;
        let log = self.log.len();
        pending.extend(inner.map(|inner| Pending { inner, value, arg, conflict, log }));
    }

    /// Where counters go on from unit to unit: note where this one starts, and go to where it ends
    fn number_unit(&mut self, ir: &Ir, slot: OpId, kinds: &Kinds, options: &PrintOptions) {
        let Some(child) = ir.child(slot) else { return };
        let region = ir.block(slot).and_then(|block| ir.block_region(block));
        let around = region.and_then(|region| self.starts.get(&region));
        let outer = around.map_or(Vec::new(), |start| start.outer.clone());
        let start = Start { outer, ..self.at.clone() };
        let mut names = Names::default();
        // On a stack that grows: units nest as deep as memory allows.
        deeper(|| names.number(child, kinds, options, start.clone()));
        let Start { value, arg, conflict, .. } = names.at;
        (self.at.value, self.at.arg, self.at.conflict) = (value, arg, conflict);
        self.unit_starts.insert(slot, start);
    }

    fn keep_start(&mut self, region: RegionId) {
        let mut start = self.at.clone();
        if !self.log.is_empty() {
            let mut outer = UsedNames::default();
            for &index in &self.log {
                outer.insert(self.used.text(index));
            }
            start.outer.push(Arc::new(outer));
        }
        self.starts.insert(region, start);
    }

    /// Where a child unit of a region starts to number
    pub(super) fn start_of(&self, slot: OpId, region: Option<RegionId>) -> Start {
        if let Some(start) = self.unit_starts.get(&slot) {
            return start.clone();
        }
        region.and_then(|region| self.starts.get(&region)).cloned().unwrap_or_default()
    }

    fn number_region(
        &mut self,
        ir: &Ir,
        region: RegionId,
        kinds: &Kinds,
        generic: bool,
        nested: &mut Vec<Inner>,
    ) -> bool {
        let mut holds_units = false;
        let suggested = self.argument_names(ir, region, kinds, generic);
        for (n, block) in ir.blocks(region).enumerate() {
            self.blocks[block.index()] =
                match ir.block_name(block).filter(|name| !self.anew && !is_made_up(name, "bb")) {
                    Some(name) => {
                        let mut text = String::from("^");
                        sanitize(name, &mut text);
                        self.unique(&text)
                    }
                    None => n as u32 + 1,
                };
            for &arg in ir.block_args(block) {
                let suggestion = suggested.iter().find(|(other, _)| *other == arg).map(|(_, name)| &**name);
                let author = self.given(ir, arg).filter(|name| {
                    !is_made_up(name, "") && !suggestion.is_some_and(|base| is_variant(name, base))
                });
                let entry = match author.filter(|name| n > 0 || !is_made_up(name, "arg")).or(suggestion) {
                    Some(name) => self.author(name),
                    None if n == 0 => {
                        let mut text = std::mem::take(&mut self.buffer);
                        text.clear();
                        text.push_str("arg");
                        push_int(&mut text, self.at.arg.into());
                        self.at.arg += 1;
                        let entry = self.unique(&text);
                        self.buffer = text;
                        entry
                    }
                    None => self.next_number(),
                };
                self.values[arg.index()] = entry;
            }
            for op in ir.block_ops(block) {
                self.number_op(ir, op, kinds, generic);
                let unit = ir.kind(op) == OpKind::SLOT;
                holds_units |= unit;
                if unit && self.unique_ids {
                    nested.push(Inner::Unit(op));
                }
                if ir.num_regions(op) > 0 {
                    nested.extend(ir.regions(op).map(Inner::Region));
                }
            }
        }
        holds_units
    }

    /// Names that the op around a region suggests for the arguments of its blocks
    fn argument_names(
        &self,
        ir: &Ir,
        region: RegionId,
        kinds: &Kinds,
        generic: bool,
    ) -> Vec<(Value, String)> {
        let op = ir.region_parent(region);
        let info = kinds.of(ir.cx(), ir.kind(op));
        if generic {
            return Vec::new();
        }
        // Authors give these names or others; where all is named anew, they are upstream's.
        let known =
            if self.anew { super::suggested::argument_names(ir, op, info.def.name) } else { Vec::new() };
        match info.names {
            Some(_) => suggestions(ir, op, info),
            None => known,
        }
    }

    fn number_op(&mut self, ir: &Ir, op: OpId, kinds: &Kinds, generic: bool) {
        let count = ir.num_results(op);
        if count == 0 {
            return;
        }
        let info = kinds.of(ir.cx(), ir.kind(op));
        if count == 1 && !info.names_results() {
            let value = ir.result(op, 0);
            self.values[value.index()] = match self.given(ir, value) {
                Some(name) if !is_made_up(name, "") => self.author(name),
                _ => self.next_number(),
            };
            return;
        }
        self.number_results(ir, op, info, generic);
    }

    fn number_results(&mut self, ir: &Ir, op: OpId, info: &KindInfo, generic: bool) {
        let mut group = 0;
        let suggested = suggestions(ir, op, info);
        for (n, value) in ir.results(op).enumerate() {
            let suggestion = suggested.iter().find(|(other, _)| *other == value).map(|(_, name)| &**name);
            let author = self.given(ir, value).filter(|name| {
                !is_made_up(name, "") && !suggestion.is_some_and(|base| is_variant(name, base))
            });
            let suggestion = suggestion.filter(|_| !generic);
            let entry = match (author, suggestion) {
                (Some(name), _) => self.author(name),
                (None, Some(name)) => self.unique(name),
                (None, None) if n == 0 => self.next_number(),
                (None, None) => {
                    self.values[value.index() - (n - group)] |= MULTI;
                    MEMBER | (n - group) as u32
                }
            };
            if entry & TAGS != MEMBER {
                group = n;
            }
            self.values[value.index()] = entry;
        }
    }

    /// The name that an author gave a value, if those are kept
    fn given<'i>(&self, ir: &'i Ir, value: Value) -> Option<&'i str> {
        ir.value_name(value).filter(|_| !self.anew)
    }

    fn next_number(&mut self) -> u32 {
        self.at.value += 1;
        self.at.value
    }

    fn author(&mut self, name: &str) -> u32 {
        let mut text = std::mem::take(&mut self.buffer);
        text.clear();
        sanitize(name, &mut text);
        let entry = self.unique(&text);
        self.buffer = text;
        entry
    }

    fn taken(&self, name: &str) -> bool {
        self.used.has(name) || self.at.outer.iter().any(|outer| outer.has(name))
    }

    /// The name, or with the next free `_N`
    fn unique(&mut self, name: &str) -> u32 {
        let index = if self.taken(name) {
            let mut probe = format!("{name}_");
            let stem = probe.len();
            loop {
                push_int(&mut probe, self.at.conflict.into());
                self.at.conflict += 1;
                if !self.taken(&probe) {
                    break self.used.insert(&probe);
                }
                probe.truncate(stem);
            }
        } else {
            self.used.insert(name)
        };
        self.log.push(index);
        TEXT | index
    }

    fn push_entry(&self, out: &mut String, entry: u32) {
        let number = entry & !(TAGS | MULTI);
        if entry & TAGS == TEXT {
            out.push_str(self.used.text(number));
        } else {
            push_number(out, u64::from(number) - 1);
        }
    }

    /// Append `%name`, with `#n` for one of several results
    pub(super) fn push_value(&self, out: &mut String, value: Value) {
        let index = value.index();
        let Some(&entry) = self.values.get(index).filter(|&&entry| entry != 0) else {
            out.push_str("<<UNKNOWN SSA VALUE>>");
            return;
        };
        out.push('%');
        if entry & (TAGS | MULTI) == 0 {
            return push_number(out, u64::from(entry) - 1);
        }
        if entry & TAGS == MEMBER {
            let member = entry & !TAGS;
            self.push_entry(out, self.values[index - member as usize]);
            out.push('#');
            push_int(out, member.into());
            return;
        }
        self.push_entry(out, entry);
        if entry & MULTI != 0 {
            out.push_str("#0");
        }
    }

    /// Append `%a, %b:2` for an op's results
    pub(super) fn push_results(&self, out: &mut String, ir: &Ir, op: OpId) {
        let count = ir.num_results(op);
        let first = ir.result(op, 0).index();
        let mut n = 0;
        while n < count {
            if n > 0 {
                out.push_str(", ");
            }
            let entry = self.values.get(first + n).copied().unwrap_or(0);
            if entry == 0 {
                out.push_str("<<UNKNOWN SSA VALUE>>");
            } else {
                out.push('%');
                self.push_entry(out, entry);
            }
            let start = n;
            n += 1;
            if entry & MULTI != 0 {
                while n < count && self.values[first + n] & TAGS == MEMBER {
                    n += 1;
                }
                out.push(':');
                push_int(out, (n - start) as i128);
            }
        }
    }

    /// Append `^name`
    pub(super) fn push_block(&self, out: &mut String, block: BlockId) {
        match self.blocks.get(block.index()).copied().unwrap_or(0) {
            0 => out.push_str("^INVALIDBLOCK"),
            entry if entry & TAGS == TEXT => out.push_str(self.used.text(entry & !TAGS)),
            number => {
                out.push_str("^bb");
                push_number(out, u64::from(number) - 1);
            }
        }
    }
}

/// Names that upstream would give the results of an op
fn suggestions(ir: &Ir, op: OpId, info: &KindInfo) -> Vec<(Value, String)> {
    let mut names = Vec::new();
    if let Some(table) = info.names {
        (table.names)(ir, op, &mut |value, name| {
            let mut text = String::new();
            sanitize(name, &mut text);
            names.push((value, text));
        });
    } else if info.def.name == "memref.extract_strided_metadata" {
        names.extend(super::suggested::names_of_metadata(ir, op));
    } else if info.def.results.len() > 1 {
        // As upstream's tables do: ops with several result fields name them.
        for (field, spec) in info.def.results.iter().enumerate() {
            if let Some(first) = ir.result_range(op, field).next() {
                names.push((ir.result(op, first), spec.name.to_string()));
            }
        }
    } else if let Some(name) = super::suggested::result_name(ir, op, info.def.name) {
        names.push((ir.result(op, 0), name));
    } else if info.constant
        && let Some(name) = constant_name(ir, op)
    {
        names.push((ir.result(op, 0), name));
    }
    names
}

/// `c0_i32`, `true`, `cst`: name of a constant's result
fn constant_name(ir: &Ir, op: OpId) -> Option<String> {
    let cx: &Context = ir.cx();
    if ir.def(op).attrs.is_empty() {
        return None;
    }
    Some(match ir.slot(op, 0)?.kind(cx) {
        AttrKind::Int { value, ty } if *ty == cx.common().i1 => {
            (if *value == 0 { "false" } else { "true" }).into()
        }
        kind @ (AttrKind::Int { ty, .. } | AttrKind::Wide { ty, .. }) => {
            let mut name = String::from("c");
            match kind {
                AttrKind::Int { value, .. } => push_int(&mut name, *value),
                AttrKind::Wide { limbs, .. } => name.push_str(&terrace_ir::wide::decimal(limbs, true)),
                _ => {}
            }
            if let TypeKind::Int { width, sign } = ty.kind(cx) {
                name.push_str(match sign {
                    Sign::Signless => "_i",
                    Sign::Signed => "_si",
                    Sign::Unsigned => "_ui",
                });
                push_int(&mut name, (*width).into());
            }
            name
        }
        AttrKind::Symbol { .. } => "f".into(),
        AttrKind::Float { .. } | AttrKind::Dense { .. } | AttrKind::Sparse { .. } => "cst".into(),
        _ => return None,
    })
}

/// Is the name `prefix` and a number, perhaps with a conflict's suffix?
fn is_made_up(name: &str, prefix: &str) -> bool {
    let Some(rest) = name.strip_prefix(prefix) else { return false };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return name.is_empty();
    }
    let rest = &rest[digits..];
    rest.is_empty() || (!prefix.is_empty() && is_suffix(rest))
}

/// Is the name `base`, perhaps with a conflict's suffix?
fn is_variant(name: &str, base: &str) -> bool {
    name.strip_prefix(base).is_some_and(|rest| rest.is_empty() || is_suffix(rest))
}

fn is_suffix(text: &str) -> bool {
    text.strip_prefix('_').is_some_and(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Append a name with what may not stand in one replaced
fn sanitize(name: &str, out: &mut String) {
    let kept = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'-');
    // The replacement of an ASCII character begins with a digit as well: `/` is `2F`.
    let digit_first = |byte: u8| byte.is_ascii_digit() || (byte.is_ascii() && byte != b' ' && !kept(byte));
    if name.bytes().next().is_none_or(digit_first) {
        out.push('_');
    }
    if name.bytes().all(kept) {
        return out.push_str(name);
    }
    for ch in name.chars() {
        if ch.is_ascii_alphanumeric() || matches!(ch, '_' | '$' | '.' | '-') {
            out.push(ch);
        } else if ch == ' ' {
            out.push('_');
        } else {
            let mut bytes = [0; 4];
            for byte in ch.encode_utf8(&mut bytes).bytes() {
                for digit in [byte >> 4, byte & 15] {
                    out.push(char::from_digit(digit.into(), 16).unwrap_or('0').to_ascii_uppercase());
                }
            }
        }
    }
}
