//! The parser's state: cursor, unit being filled, name scopes, stacks of parts, and its small caches.
//!
//! Parts of ops (operands, types, attributes, regions, …) lie on stacks shared by all ops in progress, so that an op
//! costs no allocation; each op remembers where its parts begin.

use super::ParseOptions;
use super::alias_table::Aliases;
use super::memo::{Memo, is_plain};
use super::names::{Key, Names, Prefixes, Unresolved};
use super::notes::Record;
use super::workers::Taken;
use crate::CustomAsmTable;
use crate::codes;
use crate::lex::Lexer;
use std::sync::Arc;
use terrace_diag::{Code, Diagnostic, Diags, Reported, SourceId, Span};
use terrace_ir::ir::Size;
use terrace_ir::{Attr, BlockId, Context, Ir, OpDef, OpId, OpKind, Str, Traits, Type, Value};
use terrace_support::HashMap;

pub(crate) type Parse<T> = Result<T, Reported>;

/// How deep types, attributes, locations and affine expressions nest
pub(crate) const MAX_DEPTH: u32 = 1000;

/// A use of a value before its definition
pub(crate) struct Forward {
    pub key: Key,
    pub number: u32,
    pub at: u32,
    pub placeholder: Value,
    pub next: Option<u32>,
    pub resolved: bool,
}

/// Names, and uses before definition, of one isolated scope
#[derive(Default)]
pub(crate) struct Scope<'a> {
    pub names: Names<'a>,
    pub forwards: Vec<Forward>,
    pub forward_by_number: HashMap<(u32, u32), u32>,
}

/// A block by its name
pub(crate) struct NamedBlock {
    pub block: BlockId,
    pub defined: bool,
    pub at: u32,
}

/// A name left of `=`
#[derive(Clone, Copy)]
pub(crate) struct ResultName {
    pub key: Key,
    pub at: u32,
    pub count: u32,
}

/// Stacks of parts of the ops in progress
#[derive(Default)]
pub(crate) struct Parts {
    pub names: Vec<ResultName>,
    pub unresolved: Vec<Unresolved>,
    pub operands: Vec<Value>,
    pub segments: Vec<u32>,
    pub types: Vec<Type>,
    pub results: Vec<Type>,
    pub result_segments: Vec<u32>,
    pub slots: Vec<Option<Attr>>,
    pub dict: Vec<(Str, Attr)>,
    pub successors: Vec<BlockId>,
    pub blocks: Vec<BlockId>,
    /// Start in `blocks` and number of blocks
    pub regions: Vec<(u32, u32)>,
}

/// Lengths of all stacks
#[derive(Clone, Copy, Default)]
pub(crate) struct Marks {
    pub names: usize,
    pub unresolved: usize,
    pub operands: usize,
    pub segments: usize,
    pub types: usize,
    pub results: usize,
    pub result_segments: usize,
    pub slots: usize,
    pub dict: usize,
    pub successors: usize,
    pub blocks: usize,
    pub regions: usize,
}

impl Parts {
    #[inline]
    pub fn marks(&self) -> Marks {
        Marks {
            names: self.names.len(),
            unresolved: self.unresolved.len(),
            operands: self.operands.len(),
            segments: self.segments.len(),
            types: self.types.len(),
            results: self.results.len(),
            result_segments: self.result_segments.len(),
            slots: self.slots.len(),
            dict: self.dict.len(),
            successors: self.successors.len(),
            blocks: self.blocks.len(),
            regions: self.regions.len(),
        }
    }

    #[inline]
    pub fn reset(&mut self, marks: &Marks) {
        self.names.truncate(marks.names);
        self.unresolved.truncate(marks.unresolved);
        self.operands.truncate(marks.operands);
        self.segments.truncate(marks.segments);
        self.types.truncate(marks.types);
        self.results.truncate(marks.results);
        self.result_segments.truncate(marks.result_segments);
        self.slots.truncate(marks.slots);
        self.dict.truncate(marks.dict);
        self.successors.truncate(marks.successors);
        self.blocks.truncate(marks.blocks);
        self.regions.truncate(marks.regions);
    }
}

/// A small table from slices of the source to what they were found to mean
struct Cache<T> {
    entries: Box<[Cached<T>; CACHE]>,
}

#[derive(Clone, Copy)]
struct Cached<T> {
    head: u64,
    start: u32,
    len: u32,
    meaning: Option<T>,
}

const CACHE: usize = 256;

/// Up to eight bytes as a word, zeros where there are none
#[inline]
fn head(src: &[u8], start: usize, len: usize) -> u64 {
    match src.get(start..start + 8) {
        Some(bytes) => {
            let word = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
            if len >= 8 { word } else { word & ((1 << (8 * len)) - 1) }
        }
        None => src[start..].iter().take(len).rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

impl<T: Copy> Cache<T> {
    fn new() -> Self {
        Cache { entries: Box::new([Cached { head: 0, start: 0, len: 0, meaning: None }; CACHE]) }
    }

    /// Slot and first bytes of a slice, which lies within `src`
    #[inline]
    fn slot(src: &[u8], start: usize, len: usize) -> (usize, u64) {
        let first = head(src, start, len);
        let last = if len > 8 { head(src, start + len - 8, 8) } else { 0 };
        let mixed = (first ^ last.rotate_left(29) ^ len as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((mixed >> 56) as usize % CACHE, first)
    }

    #[inline]
    fn get(&self, src: &[u8], start: usize, len: usize) -> Option<T> {
        let (slot, head) = Self::slot(src, start, len);
        let cached = &self.entries[slot];
        if cached.head != head || cached.len as usize != len {
            return None;
        }
        let old = cached.start as usize;
        if len <= 8 || src[old..old + len] == src[start..start + len] { cached.meaning } else { None }
    }

    #[inline]
    fn put(&mut self, src: &[u8], start: usize, len: usize, meaning: T) {
        let (slot, head) = Self::slot(src, start, len);
        self.entries[slot] = Cached { head, start: start as u32, len: len as u32, meaning: Some(meaning) };
    }
}

/// The parts of an op's definition that every instance needs
#[derive(Clone, Copy)]
pub(crate) struct KindInfo {
    pub def: &'static OpDef,
    pub custom: Option<&'static CustomAsmTable>,
    pub operand_segments: bool,
    pub result_segments: bool,
    pub unit: bool,
    pub defaults: bool,
    /// Its format is read the short way
    pub plain: bool,
}

impl KindInfo {
    pub fn new(def: &'static OpDef) -> Self {
        KindInfo {
            def,
            custom: def.interface::<CustomAsmTable>(),
            operand_segments: def.operand_segments(),
            result_segments: def.result_segments(),
            unit: def.traits.has(Traits::Unit),
            defaults: def.attrs.iter().any(|spec| spec.default.is_some()),
            plain: is_plain(def),
        }
    }
}

pub(crate) struct Parser<'a> {
    pub lx: Lexer<'a>,
    pub cx: &'a Arc<Context>,
    pub source: SourceId,
    pub options: &'a ParseOptions,
    pub diags: Diags,
    /// The unit being filled
    pub ir: Ir,
    /// Units around it
    pub outer: Vec<Ir>,
    pub scope: Scope<'a>,
    pub outer_scopes: Vec<Scope<'a>>,
    spare_scopes: Vec<Scope<'a>>,
    pub prefixes: Prefixes,
    pub parts: Parts,
    pub labels: Vec<HashMap<&'a [u8], NamedBlock>>,
    /// Locations written at arguments, by the offset of the argument's name, until the argument is made
    pub arg_locs: Vec<(u32, Attr)>,
    pub default_dialects: Vec<&'static str>,
    /// Of the unit read last: functions of a file tend to be alike
    pub unit_size: Size,
    pub aliases: Aliases<'a>,
    /// Where the argument lists of functions begin, by name, computed on demand
    pub functions: Option<HashMap<&'a str, usize>>,
    pub depth: u32,
    /// The missing brace at the end of the file has been reported
    pub end_reported: bool,
    /// Parse functions on threads; off in the threads themselves and after one of them failed
    pub parallel: bool,
    /// What becomes of units of the module
    pub(super) taken: Option<Taken<'a>>,
    /// What stands where, for those who want to know
    pub record: Option<Box<Record>>,
    /// What stands for the op that was wrong last
    pub stand_in: Option<OpId>,
    /// How many "did you mean" searches over many names are left in the text
    searches: u32,
    /// What such searches have found for names of ops: the same wrong name may occur often
    pub near_ops: HashMap<String, Option<String>>,
    type_cache: Cache<Type>,
    name_cache: Cache<Str>,
    op_cache: Cache<OpKind>,
    kinds: Vec<Option<KindInfo>>,
    /// By kind
    pub(super) memos: Vec<Option<Memo>>,
    int_cache: Box<[Option<(i128, Type, Attr)>; CACHE]>,
}

impl<'a> Parser<'a> {
    pub fn new(cx: &'a Arc<Context>, source: SourceId, options: &'a ParseOptions, ir: Ir) -> Self {
        let text = cx.sources().text(source);
        Parser {
            lx: Lexer::new(text),
            cx,
            source,
            options,
            diags: Diags::default(),
            ir,
            outer: Vec::new(),
            scope: Scope::default(),
            outer_scopes: Vec::new(),
            spare_scopes: Vec::new(),
            prefixes: Prefixes::default(),
            parts: Parts::default(),
            labels: Vec::new(),
            arg_locs: Vec::new(),
            default_dialects: Vec::new(),
            unit_size: Size::default(),
            aliases: Aliases::default(),
            functions: None,
            depth: 0,
            end_reported: false,
            parallel: options.threads > 1 && text.len() >= options.parallel_from,
            taken: None,
            record: None,
            stand_in: None,
            searches: 32,
            near_ops: HashMap::default(),
            type_cache: Cache::new(),
            name_cache: Cache::new(),
            op_cache: Cache::new(),
            kinds: vec![None; cx.num_kinds()],
            memos: vec![None; cx.num_kinds()],
            int_cache: Box::new([None; CACHE]),
        }
    }

    /// Span of the next token
    pub fn here(&self) -> Span {
        let start = self.lx.pos.min(self.lx.end);
        Span::new(self.source, start as u32, (start + self.lx.token_len()) as u32)
    }

    pub fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start as u32, end as u32)
    }

    /// The span of the name that begins at an offset
    pub fn name_span(&self, at: u32) -> Span {
        let rest = self.lx.src.get(at as usize + 1..).unwrap_or(&[]);
        let len =
            rest.iter().position(|&byte| !(crate::lex::is_word(byte) || byte == b'-')).unwrap_or(rest.len());
        Span::new(self.source, at, at + 1 + len as u32)
    }

    /// May one more "did you mean" search over many names be made?
    ///
    /// Without a limit, time would be the number of mistakes times the number of names.
    #[cold]
    pub fn may_search(&mut self) -> bool {
        let left = self.searches.checked_sub(1);
        self.searches = left.unwrap_or(0);
        left.is_some()
    }

    #[cold]
    pub fn emit(&mut self, diagnostic: Diagnostic) -> Reported {
        self.diags.emit(diagnostic)
    }

    /// An error at the next token
    #[cold]
    pub fn fail<T>(&mut self, code: Code, message: impl Into<String>) -> Parse<T> {
        let span = self.here();
        Err(self.emit(Diagnostic::error(code, message).at(span)))
    }

    #[cold]
    pub fn fail_at<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Parse<T> {
        Err(self.emit(Diagnostic::error(code, message).at(span)))
    }

    /// `expected …, found …` at the next token
    #[cold]
    pub fn expected<T>(&mut self, what: &str) -> Parse<T> {
        let span = self.here();
        let found = self.found(span);
        self.fail_at(&codes::EXPECTED, span, format!("expected {what}, found {found}"))
    }

    /// The same with a list of words that would do, the nearest one suggested
    #[cold]
    pub fn expected_word<T>(&mut self, what: &str, words: &mut dyn Iterator<Item = &str>) -> Parse<T> {
        let span = self.here();
        let found = self.found(span);
        let mut error =
            Diagnostic::error(&codes::EXPECTED, format!("expected {what}, found {found}")).at(span);
        if let Some(near) = terrace_diag::nearest(self.lx.peek_word(), words) {
            error = error.help(format!("did you mean `{near}`?"));
        }
        Err(self.emit(error))
    }

    fn found(&self, span: Span) -> String {
        let text = self.lx.slice(span.start as usize, span.end as usize);
        if text.is_empty() {
            return "the end of the file".into();
        }
        let mut short: String = text.chars().take(40).collect();
        if short.len() < text.len() {
            short.push('…');
        }
        format!("`{short}`")
    }

    #[inline]
    pub fn expect(&mut self, byte: u8) -> Parse<()> {
        if self.lx.eat(byte) { Ok(()) } else { self.expected(&format!("`{}`", byte as char)) }
    }

    pub fn expect_punct(&mut self, text: &str) -> Parse<()> {
        if self.lx.eat_punct(text) { Ok(()) } else { self.expected(&format!("`{text}`")) }
    }

    pub fn expect_word(&mut self, word: &str) -> Parse<()> {
        if self.lx.eat_word(word) {
            Ok(())
        } else {
            self.expected_word(&format!("`{word}`"), &mut std::iter::once(word))
        }
    }

    /// Run something that nests: counted, on a stack that grows
    pub fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail(&codes::TOO_DEEP, format!("nested more than {MAX_DEPTH} deep"));
        }
        self.depth += 1;
        self.note_depth();
        let result = grow(|| inner(self));
        self.depth -= 1;
        result
    }

    /// Begin an isolated scope of names
    pub fn push_scope(&mut self) {
        let scope = self.spare_scopes.pop().unwrap_or_default();
        self.outer_scopes.push(std::mem::replace(&mut self.scope, scope));
    }

    /// End it: what was used and never defined is reported
    pub fn pop_scope(&mut self) {
        self.close_scope();
        if let Some(outer) = self.outer_scopes.pop() {
            let spare = std::mem::replace(&mut self.scope, outer);
            self.spare_scopes.push(spare);
        }
    }

    /// End a scope without reports: the op around it was wrong
    pub fn abandon_scope(&mut self) {
        self.note_scope_end();
        if let Some(outer) = self.outer_scopes.pop() {
            self.scope = outer;
        }
    }

    /// Cached type of this text
    #[inline]
    pub fn cached_type(&self, start: usize, len: usize) -> Option<Type> {
        self.type_cache.get(self.lx.src, start, len)
    }

    pub fn cache_type(&mut self, start: usize, len: usize, ty: Type) {
        self.type_cache.put(self.lx.src, start, len, ty);
    }

    /// Kind of the registered op whose full name stands here
    #[inline]
    pub fn cached_op(&mut self, start: usize, len: usize) -> Option<OpKind> {
        if let Some(kind) = self.op_cache.get(self.lx.src, start, len) {
            return Some(kind);
        }
        let word = self.lx.slice(start, start + len);
        if !word.contains('.') {
            return None;
        }
        let kind = self.cx.kind_by_name(word)?;
        self.op_cache.put(self.lx.src, start, len, kind);
        Some(kind)
    }

    pub fn cache_op(&mut self, start: usize, len: usize, kind: OpKind) {
        self.op_cache.put(self.lx.src, start, len, kind);
    }

    #[inline]
    pub fn info(&mut self, kind: OpKind) -> KindInfo {
        let slot = &mut self.kinds[kind.0 as usize];
        match slot {
            Some(info) => *info,
            None => *slot.insert(KindInfo::new(self.cx.def(kind))),
        }
    }

    /// Integer attribute of a value that fits the type
    #[inline]
    pub fn int_attr(&mut self, value: i128, ty: Type) -> Attr {
        let at = ((value as usize).wrapping_mul(31) ^ ty.index().wrapping_mul(97)) % CACHE;
        match self.int_cache[at] {
            Some((old, old_ty, attr)) if old == value && old_ty == ty => attr,
            _ => {
                let attr = self.cx.int_attr(value, ty);
                self.int_cache[at] = Some((value, ty, attr));
                attr
            }
        }
    }

    /// Interned string of a word of the source
    #[inline]
    pub fn intern_word(&mut self, start: usize, len: usize) -> Str {
        if let Some(id) = self.name_cache.get(self.lx.src, start, len) {
            return id;
        }
        let id = self.cx.intern(self.lx.slice(start, start + len));
        self.name_cache.put(self.lx.src, start, len, id);
        id
    }
}

/// Run on a stack that grows, so that depth costs memory only
pub(crate) fn grow<T>(inner: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, inner)
}
