//! `OpPrinter`: what a custom syntax prints with. Appends to a buffer that is flushed by bytes.

mod format;

use super::PrintOptions;
use super::kinds::{KindInfo, Kinds};
use super::names::{Names, Start};
use super::pieces::Pieces;
use super::scan::Scan;
use super::sink::Sink;
use terrace_ir::show::{Shower, is_bare, push_int, push_quoted};
use terrace_ir::{Attr, AttrKind, BlockId, Context, Ir, LocView, OpId, RegionId, Str, Type, Value};
use terrace_support::affine::AffineExpr;

/// Text of types, made once per printer
#[derive(Default)]
pub(super) struct TypeTexts {
    pool: String,
    /// By type: start and end; the end of known ones is not zero
    spans: Vec<(u32, u32)>,
}

/// Writes one op; custom syntaxes get it with results and mnemonic already printed
pub struct OpPrinter<'a> {
    pub(super) ir: &'a Ir,
    pub(super) op: OpId,
    pub(super) w: Shower<'a>,
    pub(super) kinds: &'a Kinds,
    pub(super) options: &'a PrintOptions,
    pub(super) names: Names,
    pub(super) types: TypeTexts,
    pub(super) depth: usize,
    pub(super) dialect: &'static str,
    pub(super) sink: Option<Sink<'a>>,
    pub(super) pieces: Option<Pieces<'a>>,
    /// Set while aliases are collected: units without any need not be printed
    pub(super) scan: Option<Scan>,
    /// Name tables of finished units, to be used again
    pub(super) spare: Vec<Names>,
    /// Leave out all lines of units
    pub(super) hollow: bool,
    /// Where they would be
    pub(super) hole: Option<usize>,
}

/// Levels that are indented: those beyond stand as far right, for the text would be the square of the program
const MOST_INDENTED: usize = 256;

const BLANKS: &str = "                                                                ";

impl<'a> OpPrinter<'a> {
    pub(super) fn new(ir: &'a Ir, kinds: &'a Kinds, options: &'a PrintOptions) -> Self {
        OpPrinter {
            ir,
            op: ir.root(),
            w: Shower { elements: options.elements, ..Shower::new(ir.cx()) },
            kinds,
            options,
            names: Names::default(),
            types: TypeTexts::default(),
            depth: 0,
            dialect: "builtin",
            sink: None,
            pieces: None,
            scan: None,
            spare: Vec::new(),
            hollow: false,
            hole: None,
        }
    }

    pub(super) fn info(&self, op: OpId) -> &'a KindInfo {
        self.kinds.of(self.ir.cx(), self.ir.kind(op))
    }

    /// The unit that the op is in
    pub fn ir(&self) -> &'a Ir {
        self.ir
    }

    /// The op
    pub fn op(&self) -> OpId {
        self.op
    }

    /// The context
    pub fn cx(&self) -> &'a Context {
        self.ir.cx()
    }

    /// Are locations printed, one behind each op?
    pub fn has_locations(&self) -> bool {
        self.options.debuginfo
    }

    /// Append text as it is
    #[inline]
    pub fn text(&mut self, text: &str) {
        self.w.out.push_str(text);
    }

    /// Append a number
    pub fn int(&mut self, value: i128) {
        push_int(&mut self.w.out, value);
    }

    /// Append `"text"` with escapes
    pub fn string(&mut self, text: &str) {
        push_quoted(&mut self.w.out, text);
    }

    /// Append a name, quoted if it must be
    pub fn keyword_or_string(&mut self, text: &str) {
        if is_bare(text) { self.text(text) } else { self.string(text) }
    }

    /// Append `%name`
    #[inline]
    pub fn operand(&mut self, value: Value) {
        self.names.push_value(&mut self.w.out, value);
    }

    /// `%a` as text
    pub fn name_of(&mut self, value: Value) -> String {
        let mut name = String::new();
        self.names.push_value(&mut name, value);
        name
    }

    /// Append `%a, %b`
    pub fn operands(&mut self, values: impl IntoIterator<Item = Value>) {
        for (n, value) in values.into_iter().enumerate() {
            if n > 0 {
                self.text(", ");
            }
            self.operand(value);
        }
    }

    /// Append an affine expression; its first dimensions are the op's own `names`, the next ones `values`
    pub fn affine_expr_over(&mut self, expr: &AffineExpr, names: &[String], values: &[Value]) {
        let mut text = String::new();
        let written = expr.write_with(&mut text, &mut |leaf, out| {
            let AffineExpr::Dim(n) = leaf else { return out.write_str("symbol(?)") };
            let n = *n as usize;
            let mut name = String::new();
            match (names.get(n), values.get(n.saturating_sub(names.len()))) {
                (Some(own), _) => name = format!("%{own}"),
                (None, Some(value)) => self.names.push_value(&mut name, *value),
                (None, None) => name.push_str("<<UNKNOWN>>"),
            }
            out.write_str(&name)
        });
        debug_assert!(written.is_ok(), "a string takes all text");
        self.w.out.push_str(&text);
    }

    /// Append an affine expression over values: `%i + symbol(%n)`
    pub fn affine_expr_of_values(&mut self, expr: &AffineExpr, dims: &[Value], symbols: &[Value]) {
        let mut text = String::new();
        let written = expr.write_with(&mut text, &mut |leaf, out| {
            let (value, symbol) = match leaf {
                AffineExpr::Dim(n) => (dims.get(*n as usize), false),
                AffineExpr::Symbol(n) => (symbols.get(*n as usize), true),
                _ => (None, false),
            };
            let mut name = String::new();
            match value {
                Some(value) => self.names.push_value(&mut name, *value),
                None => name.push_str("<<UNKNOWN>>"),
            }
            if symbol { write!(out, "symbol({name})") } else { out.write_str(&name) }
        });
        debug_assert!(written.is_ok(), "a string takes all text");
        self.w.out.push_str(&text);
    }

    /// Append a type
    #[inline]
    pub fn ty(&mut self, ty: Type) {
        match self.types.spans.get(ty.index()) {
            Some(&(start, end)) if end != 0 => {
                self.w.out.push_str(&self.types.pool[start as usize..end as usize]);
            }
            _ => self.new_type(ty),
        }
    }

    #[cold]
    fn new_type(&mut self, ty: Type) {
        let from = self.w.out.len();
        self.w.ty(ty);
        let TypeTexts { pool, spans } = &mut self.types;
        if pool.len() + (self.w.out.len() - from) > u32::MAX as usize {
            return;
        }
        let start = pool.len() as u32;
        pool.push_str(&self.w.out[from..]);
        if spans.len() <= ty.index() {
            spans.resize(ty.index() + 1, (0, 0));
        }
        spans[ty.index()] = (start, pool.len() as u32);
    }

    /// Append `i32, f32`
    pub fn types(&mut self, types: impl IntoIterator<Item = Type>) {
        for (n, ty) in types.into_iter().enumerate() {
            if n > 0 {
                self.text(", ");
            }
            self.ty(ty);
        }
    }

    /// Append an attribute with its type
    pub fn attr(&mut self, attr: Attr) {
        match self.cx().attr_kind(attr) {
            AttrKind::Type(ty) => self.ty(*ty),
            AttrKind::Int { ty, .. } => {
                if !self.w.attr_value(attr) {
                    self.text(" : ");
                    self.ty(*ty);
                }
            }
            _ => self.w.attr(attr),
        }
    }

    /// Append an attribute without its type: `1`, `1.0`, `[1, 2]` of a dense array
    pub fn attr_value(&mut self, attr: Attr) {
        match self.cx().attr_kind(attr) {
            AttrKind::Str { text, ty: Some(_) } => self.string(self.cx().str(*text)),
            AttrKind::DenseArray { .. } => self.array_elements(attr),
            _ => {
                self.w.attr_value(attr);
            }
        }
    }

    /// `[1, 2]` from `array<i64: 1, 2>`
    fn array_elements(&mut self, attr: Attr) {
        let from = self.w.out.len();
        self.w.attr_in_full(attr);
        let text = self.w.out.split_off(from);
        let items = text.split_once(": ").map_or("", |(_, items)| items.trim_end_matches('>'));
        self.text("[");
        self.text(items);
        self.text("]");
    }

    /// Append `@name`
    pub fn symbol(&mut self, name: Str) {
        self.w.symbol(name);
    }

    /// Append ` {…}` with the attributes not yet shown: properties but for defaults, and discardable ones, by name
    pub fn attr_dict(&mut self, elide: &[&str]) {
        self.dict_of(elide, self.info(self.op).shown, " {");
    }

    /// Append ` attributes {…}`
    pub fn attr_dict_with_keyword(&mut self, elide: &[&str]) {
        self.dict_of(elide, self.info(self.op).shown, " attributes {");
    }

    pub(super) fn dict_of(&mut self, elide: &[&str], shown: u64, open: &str) {
        let (ir, cx, op) = (self.ir, self.cx(), self.op);
        let info = self.info(op);
        let dict = ir.dict(op).and_then(|dict| dict.as_dict(cx)).unwrap_or(&[]);
        let mut dict =
            dict.iter().filter(|(name, _)| elide.is_empty() || !elide.contains(&cx.str(*name))).peekable();
        let properties = info.properties.iter().filter_map(|&(name, property)| {
            let super::kinds::Property::Slot(slot) = property else { return None };
            if (slot < 64 && shown >> slot & 1 == 1) || elide.contains(&name) {
                return None;
            }
            let attr = ir.slot(op, slot)?;
            (Some(attr) != info.defaults[slot]).then_some((name, attr))
        });
        let mut any = false;
        let begin = |p: &mut Self, any: &mut bool| {
            p.text(if *any { ", " } else { open });
            *any = true;
        };
        for (name, attr) in properties {
            while let Some(&&(other, value)) = dict.peek().filter(|(other, _)| cx.str(*other) < name) {
                begin(self, &mut any);
                self.entry(cx.str(other), value);
                dict.next();
            }
            begin(self, &mut any);
            self.entry(name, attr);
        }
        for &(name, attr) in dict {
            begin(self, &mut any);
            self.entry(cx.str(name), attr);
        }
        if any {
            self.text("}");
        }
    }

    /// `name = attr`
    pub(super) fn entry(&mut self, name: &str, attr: Attr) {
        self.keyword_or_string(name);
        if attr != self.cx().common().unit {
            self.text(" = ");
            self.attr(attr);
        }
    }

    /// Append `{…}`
    ///
    /// `entry_args`: print the header of the entry block if it has arguments; `terminators`: print the entry block's
    /// terminator.
    pub fn region(&mut self, region: RegionId, entry_args: bool, terminators: bool) {
        self.region_with(region, entry_args, terminators, false);
    }

    /// Append `^name`
    pub fn successor(&mut self, block: BlockId) {
        self.names.push_block(&mut self.w.out, block);
    }

    /// Append ` loc(…)` of a block argument, if locations are printed
    pub fn arg_loc(&mut self, arg: Value) {
        if self.options.debuginfo {
            self.text(" ");
            self.loc_of(self.ir, self.ir.arg_loc(arg));
        }
    }

    /// Append `%name: type`, as in a header; attributes and `arg_loc` come behind
    pub fn block_arg_with_type(&mut self, arg: Value) {
        self.operand(arg);
        self.text(": ");
        self.ty(self.ir.ty(arg));
    }

    /// Append `(i32, f32) -> i32`: types of operands and results
    pub fn functional_type(&mut self) {
        let (ir, op) = (self.ir, self.op);
        self.text("(");
        self.types(ir.operands(op).map(|value| ir.ty(value)));
        self.text(") -> ");
        self.wrapped_types(ir.results(op).map(|value| ir.ty(value)));
    }

    /// Append types in parentheses, a single one that is no function type without
    pub fn wrapped_types(&mut self, types: impl ExactSizeIterator<Item = Type> + Clone) {
        let plain = types.len() == 1 && types.clone().all(|ty| ty.as_function(self.cx()).is_none());
        if !plain {
            self.text("(");
        }
        self.types(types);
        if !plain {
            self.text(")");
        }
    }

    /// Append `i32, f32`: types of all results
    pub fn result_types(&mut self) {
        let ir = self.ir;
        self.types(ir.results(self.op).map(|value| ir.ty(value)));
    }

    /// Append a line break and this op's indentation
    pub fn newline(&mut self) {
        self.text("\n");
        self.indent();
    }

    /// Print on lines of their own, one level further in than the op
    pub fn further_in(&mut self, print: impl FnOnce(&mut Self)) {
        self.depth += 1;
        self.newline();
        print(self);
        self.depth -= 1;
    }

    pub(super) fn indent(&mut self) {
        let mut left = 2 * self.depth.min(MOST_INDENTED);
        while left > 0 {
            let now = left.min(BLANKS.len());
            self.w.out.push_str(&BLANKS[..now]);
            left -= now;
        }
    }

    /// Print an op that starts a line, without its location: results, name and syntax; not for ops with regions in
    /// generic form, whose regions go through `regions.rs`
    pub(super) fn whole_op(&mut self, op: OpId) {
        if let Some(child) = self.ir.child(op) {
            return self.child_unit(op, child);
        }
        let outer = std::mem::replace(&mut self.op, op);
        self.results();
        if self.is_generic(op) {
            self.generic_head(op);
            self.generic_tail(op);
        } else {
            self.custom(op);
        }
        self.op = outer;
    }

    /// `%a, %b:2 = ` of the current op
    pub(super) fn results(&mut self) {
        if self.ir.num_results(self.op) > 0 {
            self.names.push_results(&mut self.w.out, self.ir, self.op);
            self.text(" = ");
        }
    }

    pub(super) fn is_generic(&self, op: OpId) -> bool {
        self.options.generic || self.info(op).only_generic()
    }

    /// Mnemonic and custom syntax
    pub(super) fn custom(&mut self, op: OpId) {
        let info = self.info(op);
        let name = info.def.name;
        match name.strip_prefix(self.dialect).and_then(|rest| rest.strip_prefix('.')) {
            Some(short) if !self.dialect.is_empty() && !short.contains('.') => self.text(short),
            _ => self.text(name),
        }
        match info.custom {
            Some(table) => (table.print)(self, op),
            None => format::print(self, info),
        }
    }

    /// Append the text of a child that workers print; false if they do not
    fn take_piece(&mut self, slot: OpId) -> bool {
        let piece = self.pieces.as_mut().filter(|_| self.depth == 1);
        let Some(text) = piece.and_then(|pieces| pieces.take(self.ir, slot)) else { return false };
        self.w.out.push_str(text);
        true
    }

    /// Print the op of a child unit, with names and tables of its own
    pub(super) fn child_unit(&mut self, slot: OpId, child: &'a Ir) {
        if self.take_piece(slot) || self.scan.as_mut().is_some_and(|scan| !scan.holds_any(child)) {
            return;
        }
        let region = self.ir.block(slot).and_then(|block| self.ir.block_region(block));
        let start = self.names.start_of(slot, region);
        self.unit(child, start);
    }

    pub(super) fn unit(&mut self, unit: &'a Ir, start: Start) {
        let mut names = self.spare.pop().unwrap_or_default();
        names.number(unit, self.kinds, self.options, start);
        let outer_names = std::mem::replace(&mut self.names, names);
        let (outer, outer_op) = (std::mem::replace(&mut self.ir, unit), self.op);
        self.root_op();
        (self.ir, self.op) = (outer, outer_op);
        let names = std::mem::replace(&mut self.names, outer_names);
        self.spare.push(names);
    }

    /// `loc(…)` after an op
    pub(super) fn trailing_loc(&mut self, op: OpId) {
        if self.options.debuginfo {
            let (ir, op) = match self.ir.child(op) {
                Some(unit) => (unit, unit.root()),
                None => (self.ir, op),
            };
            self.text(" ");
            self.loc_of(ir, ir.loc(op));
        }
    }

    fn loc_of(&mut self, ir: &Ir, loc: terrace_ir::Loc) {
        match loc.view() {
            LocView::Unknown => self.text("loc(unknown)"),
            LocView::Attr(attr) => self.w.attr_in_full(attr),
            LocView::Offset(at) => {
                let Some(source) = ir.source() else { return self.text("loc(unknown)") };
                let sources = ir.cx().sources();
                let (line, col) = sources.line_col(source, at);
                self.text("loc(");
                self.string(sources.name(source));
                self.text(":");
                self.int(line.into());
                self.text(":");
                self.int(col.into());
                self.text(")");
            }
        }
    }
}
