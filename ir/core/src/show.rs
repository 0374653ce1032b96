//! Text of types and attributes: the one printer of both, used by the text crate, messages and snapshots.
//!
//! Spelling is upstream's. Appends to a `String`; nothing here goes through `fmt` on the frequent paths. Aliases are the
//! caller's affair: a `Shower` asks it for every attribute and type.

mod float;
mod params;

pub use float::{
    FloatLayout, FloatSpecial, float_layout, float_text, parse_float, round_to_bits, value_of_bits,
};

use crate::attrs::{Attr, AttrKind, DenseData, LocKind, Str};
use crate::context::Context;
pub use crate::make::elem_bytes;
use crate::types::{DYNAMIC, Sign, Type, TypeKind};

/// Names that stand for attributes and types in text (`#map`, `!t`), without the sigil
pub trait Aliases {
    /// Name of an attribute, if it has one
    fn attr(&self, attr: Attr) -> Option<&str>;
    /// Name of a type, if it has one
    fn ty(&self, ty: Type) -> Option<&str>;
}

/// A dialect's own text for the parameters of its types and attributes
///
/// Hung on a `TypeDef` or `AttrDef`; prints what follows the mnemonic, angle brackets included.
pub struct CustomText {
    /// Print
    pub print: fn(&mut Shower<'_>, &[Attr]),
}

/// Writes types and attributes
pub struct Shower<'a> {
    /// The context
    pub cx: &'a Context,
    /// Aliases to use
    pub aliases: Option<&'a dyn Aliases>,
    /// The text so far
    pub out: String,
    /// How elements are written
    pub elements: Elements,
}

/// How the elements of dense attributes are written
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Elements {
    /// More than this are left out: the attribute names a resource that is not there (`dense_resource<__elided__>`)
    pub elide_beyond: Option<usize>,
    /// More than this are written as bytes
    pub hex_beyond: usize,
}

impl Default for Elements {
    fn default() -> Elements {
        Elements { elide_beyond: None, hex_beyond: HEX_BEYOND }
    }
}

impl<'a> Shower<'a> {
    /// One that has written nothing, without aliases
    pub fn new(cx: &'a Context) -> Shower<'a> {
        Shower { cx, aliases: None, out: String::new(), elements: Elements::default() }
    }
}

/// Text of a type
pub fn type_text(cx: &Context, ty: Type) -> String {
    let mut shower = Shower::new(cx);
    shower.ty(ty);
    shower.out
}

/// Text of an attribute
pub fn attr_text(cx: &Context, attr: Attr) -> String {
    let mut shower = Shower::new(cx);
    shower.attr(attr);
    shower.out
}

/// `000001002…999`: three digits of each number, to append them without checks of what is known to be text
static THREE_DIGITS: [u8; 3000] = {
    let mut digits = [b'0'; 3000];
    let mut n = 0;
    while n < 1000 {
        digits[3 * n] += (n / 100) as u8;
        digits[3 * n + 1] += (n / 10 % 10) as u8;
        digits[3 * n + 2] += (n % 10) as u8;
        n += 1;
    }
    digits
};
static THREE: &str = match std::str::from_utf8(&THREE_DIGITS) {
    Ok(text) => text,
    Err(_) => "",
};

/// Append a number in decimal
#[inline]
pub fn push_number(out: &mut String, value: u64) {
    if value < 1000 {
        let at = 3 * value as usize;
        let skip = if value < 10 { 2 } else { usize::from(value < 100) };
        out.push_str(&THREE[at + skip..at + 3]);
    } else {
        push_large(out, value);
    }
}

fn push_large(out: &mut String, value: u64) {
    // A u64 has at most seven groups of three digits.
    let mut groups = [0usize; 7];
    let mut count = 0;
    let mut rest = value;
    while rest >= 1000 {
        groups[count] = (rest % 1000) as usize;
        rest /= 1000;
        count += 1;
    }
    push_number(out, rest);
    for &group in groups[..count].iter().rev() {
        out.push_str(&THREE[3 * group..3 * group + 3]);
    }
}

/// Append an integer in decimal
pub fn push_int(out: &mut String, value: i128) {
    if let Ok(small) = u64::try_from(value) {
        push_number(out, small);
    } else if value < 0 && value > i128::from(i64::MIN) {
        out.push('-');
        push_int(out, -value);
    } else {
        out.push_str(&value.to_string());
    }
}

/// Append a quoted string with upstream's escapes
pub fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for ch in text.chars() {
        match ch {
            '"' => out.push_str("\\22"),
            '\\' => out.push_str("\\\\"),
            ' '..='~' => out.push(ch),
            _ => {
                let mut buffer = [0; 4];
                for byte in ch.encode_utf8(&mut buffer).bytes() {
                    out.push('\\');
                    out.push(char::from_digit(u32::from(byte >> 4), 16).unwrap_or('0').to_ascii_uppercase());
                    out.push(char::from_digit(u32::from(byte & 15), 16).unwrap_or('0').to_ascii_uppercase());
                }
            }
        }
    }
    out.push('"');
}

/// Can this name stand without quotes (`bare-id`)?
pub fn is_bare(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.'))
}

impl Shower<'_> {
    /// Append plain text
    pub fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Append a list with commas
    pub fn list<T: Copy>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, T)) {
        for (n, &item) in items.iter().enumerate() {
            if n > 0 {
                self.push(", ");
            }
            each(self, item);
        }
    }

    fn shape(&mut self, shape: &[i64], scalable: u64) {
        for (n, &size) in shape.iter().enumerate() {
            let brackets = n < 64 && scalable >> n & 1 == 1;
            if brackets {
                self.push("[");
            }
            if size == DYNAMIC {
                self.push("?")
            } else {
                push_int(&mut self.out, size.into())
            }
            if brackets {
                self.push("]");
            }
            self.push("x");
        }
    }

    /// Append a type
    pub fn ty(&mut self, ty: Type) {
        if let Some(name) = self.aliases.and_then(|aliases| aliases.ty(ty)) {
            self.out.push('!');
            self.out.push_str(name);
            return;
        }
        self.type_in_full(ty);
    }

    /// Append a type without its own alias (those inside are used)
    pub fn type_in_full(&mut self, ty: Type) {
        match self.cx.type_kind(ty) {
            TypeKind::Int { width, sign } => {
                self.push(match sign {
                    Sign::Signless => "i",
                    Sign::Signed => "si",
                    Sign::Unsigned => "ui",
                });
                push_int(&mut self.out, i128::from(*width));
            }
            TypeKind::Index => self.push("index"),
            TypeKind::Float(kind) => self.push(kind.word()),
            TypeKind::None => self.push("none"),
            TypeKind::Function { inputs, results } => self.function(inputs, results),
            TypeKind::Tuple(items) => {
                self.push("tuple<");
                self.list(items, Shower::ty);
                self.push(">");
            }
            TypeKind::Complex(elem) => {
                self.push("complex<");
                self.ty(*elem);
                self.push(">");
            }
            TypeKind::Vector { shape, scalable, elem } => {
                self.push("vector<");
                self.shape(shape, *scalable);
                self.ty(*elem);
                self.push(">");
            }
            TypeKind::Tensor { shape, elem, encoding } => {
                self.push("tensor<");
                self.shape(shape, 0);
                self.ty(*elem);
                self.optional_attr(*encoding);
                self.push(">");
            }
            TypeKind::UnrankedTensor(elem) => {
                self.push("tensor<*x");
                self.ty(*elem);
                self.push(">");
            }
            TypeKind::MemRef { shape, elem, layout, space } => {
                self.push("memref<");
                self.shape(shape, 0);
                self.ty(*elem);
                self.optional_attr(*layout);
                self.space(*space);
                self.push(">");
            }
            TypeKind::UnrankedMemRef { elem, space } => {
                self.push("memref<*x");
                self.ty(*elem);
                self.space(*space);
                self.push(">");
            }
            TypeKind::Dialect { def, params } => {
                self.out.push('!');
                self.push(def.name);
                self.params_of(def.interfaces, def.params, params);
            }
            TypeKind::Opaque { dialect, text } => self.opaque('!', *dialect, *text),
        }
    }

    fn function(&mut self, inputs: &[Type], results: &[Type]) {
        self.push("(");
        self.list(inputs, Shower::ty);
        self.push(") -> ");
        self.result_types(results);
    }

    /// `i32`, `(i32, f32)` or `()`: results of a function type
    pub fn result_types(&mut self, results: &[Type]) {
        let single = results.len() == 1 && results[0].as_function(self.cx).is_none();
        if !single {
            self.push("(");
        }
        self.list(results, Shower::ty);
        if !single {
            self.push(")");
        }
    }

    fn optional_attr(&mut self, attr: Option<Attr>) {
        if let Some(attr) = attr {
            self.push(", ");
            self.attr(attr);
        }
    }

    /// Memory space of a memref
    fn space(&mut self, space: Option<Attr>) {
        if let Some(space) = space {
            self.push(", ");
            self.attr_maybe_typed(space);
        }
    }

    /// Append an attribute where upstream leaves out the types `i64` and `f64` of numbers: in arrays, as memory space
    pub fn attr_maybe_typed(&mut self, attr: Attr) {
        let common = self.cx.common();
        match self.cx.attr_kind(attr) {
            AttrKind::Int { ty, .. } if *ty == common.i64 => _ = self.attr_value(attr),
            AttrKind::Float { ty, .. } if *ty == common.f64 => {
                let start = self.out.len();
                self.attr_value(attr);
                // Bits in hexadecimal without a type are read as an integer.
                if self.out[start..].starts_with("0x") {
                    self.push(" : f64");
                }
            }
            _ => self.attr(attr),
        }
    }

    /// Default text of a dialect type's or attribute's parameters: `<a, b>`, nothing if there are none
    pub fn params(&mut self, params: &[Attr]) {
        if !params.is_empty() {
            self.push("<");
            self.list(params, Shower::attr);
            self.push(">");
        }
    }

    fn opaque(&mut self, sigil: char, dialect: Str, text: Str) {
        self.out.push(sigil);
        let (dialect, text) = (self.cx.str(dialect), self.cx.str(text));
        self.push(dialect);
        self.push(text);
    }

    /// `@name`, quoted if it must be
    pub fn symbol(&mut self, name: Str) {
        self.out.push('@');
        self.name(name);
    }

    /// A name, quoted if it must be
    pub fn name(&mut self, name: Str) {
        let text = self.cx.str(name);
        if is_bare(text) { self.push(text) } else { push_quoted(&mut self.out, text) }
    }

    /// Append an attribute
    pub fn attr(&mut self, attr: Attr) {
        if let Some(name) = self.aliases.and_then(|aliases| aliases.attr(attr)) {
            self.out.push('#');
            self.out.push_str(name);
            return;
        }
        self.attr_in_full(attr);
    }

    /// Append an attribute without its own alias (those inside are used)
    pub fn attr_in_full(&mut self, attr: Attr) {
        match self.cx.attr_kind(attr) {
            AttrKind::Unit => self.push("unit"),
            AttrKind::Int { ty, .. } => {
                if !self.attr_value(attr) {
                    self.push(" : ");
                    self.ty(*ty);
                }
            }
            AttrKind::Float { ty, .. }
            | AttrKind::Wide { ty, .. }
            | AttrKind::Sparse { ty, .. }
            | AttrKind::Resource { ty, .. } => {
                self.attr_value(attr);
                self.push(" : ");
                self.ty(*ty);
            }
            AttrKind::Str { text, ty } => {
                push_quoted(&mut self.out, self.cx.str(*text));
                if let Some(ty) = ty {
                    self.push(" : ");
                    self.ty(*ty);
                }
            }
            AttrKind::Type(ty) => self.ty(*ty),
            AttrKind::Symbol { root, nested } => {
                self.symbol(*root);
                for &name in nested {
                    self.push("::");
                    self.symbol(name);
                }
            }
            AttrKind::Array(items) => {
                self.push("[");
                self.list(items, Shower::attr_maybe_typed);
                self.push("]");
            }
            AttrKind::Dict(entries) => self.dict(entries),
            AttrKind::DenseArray { elem, values } => self.dense_array(*elem, values),
            AttrKind::Dense { ty, data } => self.dense(*ty, data),
            AttrKind::AffineMap(map) => {
                self.push("affine_map<");
                self.push(&map.to_string());
                self.push(">");
            }
            AttrKind::IntegerSet(set) => {
                self.push("affine_set<");
                self.push(&set.to_string());
                self.push(">");
            }
            AttrKind::Strided { strides, offset } => self.strided(strides, *offset),
            AttrKind::Loc(_) => {
                self.push("loc(");
                self.loc(attr);
                self.push(")");
            }
            AttrKind::Distinct { id, inner } => {
                self.push("distinct[");
                push_int(&mut self.out, i128::from(*id));
                self.push("]<");
                if *inner != self.cx.common().unit {
                    self.attr(*inner);
                }
                self.push(">");
            }
            AttrKind::Enum { def, value } => self.enum_case(def, *value),
            AttrKind::Dialect { def, params } => {
                self.out.push('#');
                self.push(def.name);
                self.params_of(def.interfaces, def.params, params);
            }
            AttrKind::Opaque { dialect, text } => self.opaque('#', *dialect, *text),
        }
    }

    fn strided(&mut self, strides: &[i64], offset: i64) {
        self.push("strided<[");
        let size = |shower: &mut Self, value: i64| {
            if value == DYNAMIC { shower.push("?") } else { push_int(&mut shower.out, value.into()) }
        };
        self.list(strides, size);
        self.push("]");
        if offset != 0 {
            self.push(", offset: ");
            size(self, offset);
        }
        self.push(">");
    }

    fn enum_case(&mut self, def: &crate::EnumDef, value: u64) {
        self.out.push('#');
        match def.split_name() {
            Some((dialect, mnemonic)) => {
                for part in [dialect, "<", mnemonic, " "] {
                    self.push(part);
                }
            }
            None => {
                self.push(def.name);
                self.push("<");
            }
        }
        self.push(&def.text(value));
        self.push(">");
    }

    /// Append a number or elements without their type; true for booleans, whose word says the type
    pub fn attr_value(&mut self, attr: Attr) -> bool {
        match self.cx.attr_kind(attr) {
            AttrKind::Int { value, ty } if *ty == self.cx.common().i1 => {
                self.push(if *value == 0 { "false" } else { "true" });
                return true;
            }
            AttrKind::Int { value, .. } => push_int(&mut self.out, *value),
            AttrKind::Wide { limbs, ty } => {
                let unsigned = matches!(self.cx.type_kind(*ty), TypeKind::Int { sign: Sign::Unsigned, .. });
                let text = crate::wide::decimal(limbs, !unsigned);
                self.push(&text);
            }
            AttrKind::Float { bits, ty } => {
                if let TypeKind::Float(kind) = self.cx.type_kind(*ty) {
                    let text = float_text(*bits, *kind);
                    self.push(&text);
                }
            }
            AttrKind::Dense { ty, data } if self.elides(*ty, data) => self.push(ELIDED),
            AttrKind::Dense { .. } => {
                self.push("dense<");
                self.elements_of(attr);
                self.push(">");
            }
            AttrKind::Resource { key, .. } => {
                self.push("dense_resource<");
                self.name(*key);
                self.push(">");
            }
            AttrKind::Sparse { indices, values, .. } => {
                self.push("sparse<");
                self.elements_of(*indices);
                self.push(", ");
                self.elements_of(*values);
                self.push(">");
            }
            _ => self.attr(attr),
        }
        false
    }

    /// `{a = 1, b}`
    pub fn dict(&mut self, entries: &[(Str, Attr)]) {
        self.push("{");
        for (n, &(name, value)) in entries.iter().enumerate() {
            if n > 0 {
                self.push(", ");
            }
            self.name(name);
            if !matches!(self.cx.attr_kind(value), AttrKind::Unit) {
                self.push(" = ");
                self.attr(value);
            }
        }
        self.push("}");
    }

    fn dense_array(&mut self, elem: Type, values: &[i64]) {
        self.push("array<");
        self.ty(elem);
        for (n, &value) in values.iter().enumerate() {
            self.push(if n == 0 { ": " } else { ", " });
            match self.cx.type_kind(elem) {
                TypeKind::Float(kind) => {
                    let text = float_text(value as u64, *kind);
                    self.push(&text);
                }
                TypeKind::Int { width: 1, .. } => self.push(if value == 0 { "false" } else { "true" }),
                _ => push_int(&mut self.out, value.into()),
            }
        }
        self.push(">");
    }

    fn elements_of(&mut self, attr: Attr) {
        if let AttrKind::Dense { ty, data } = self.cx.attr_kind(attr) {
            self.elements(*ty, data);
        }
    }

    fn dense(&mut self, ty: Type, data: &DenseData) {
        if self.elides(ty, data) {
            self.push(ELIDED);
        } else {
            self.push("dense<");
            self.elements(ty, data);
            self.push(">");
        }
        self.push(" : ");
        self.ty(ty);
    }

    /// Are there more elements than may be written? One that stands for all is written always
    fn elides(&self, ty: Type, data: &DenseData) -> bool {
        let Some(most) = self.elements.elide_beyond else { return false };
        let count = match data {
            DenseData::Splat(_) => 1,
            DenseData::Raw(raw) => raw.len() / elem_bytes(self.cx, ty.scalar(self.cx)).max(1),
            DenseData::Strs(items) => items.len(),
        };
        count > most.max(1)
    }

    /// Nested lists of a dense attribute's elements
    fn elements(&mut self, ty: Type, data: &DenseData) {
        let elem = ty.scalar(self.cx);
        let shape = ty.shape(self.cx).unwrap_or(&[]);
        let bytes = elem_bytes(self.cx, elem);
        let number = !matches!(self.cx.type_kind(elem), TypeKind::Dialect { .. } | TypeKind::Opaque { .. });
        let count = match data {
            DenseData::Raw(raw) if number && raw.len() / bytes.max(1) > self.elements.hex_beyond => {
                return self.hex(elem, raw);
            }
            DenseData::Splat(_) => return self.element_bytes(elem, data, 0, bytes),
            DenseData::Strs(items) if items.len() == 1 => return self.element_bytes(elem, data, 0, bytes),
            DenseData::Raw(raw) => raw.len() / bytes.max(1),
            DenseData::Strs(items) => items.len(),
        };
        if count == 0 {
            return;
        }
        // A list opens before the first element of its row and closes after the last one.
        let sizes: Vec<usize> = shape
            .iter()
            .rev()
            .scan(1usize, |product, &size| {
                *product = product.saturating_mul(size.max(1) as usize);
                Some(*product)
            })
            .collect();
        for n in 0..count {
            if n > 0 {
                self.push(", ");
            }
            sizes.iter().filter(|size| n % **size == 0).for_each(|_| self.out.push('['));
            self.element_bytes(elem, data, n, bytes);
            sizes.iter().filter(|size| (n + 1) % **size == 0).for_each(|_| self.out.push(']'));
        }
    }

    /// `"0x…"`: the bytes of many elements; eight to a byte for `i1`
    fn hex(&mut self, elem: Type, raw: &[u8]) {
        self.push("\"0x");
        let packed: Vec<u8>;
        let mut bytes = raw;
        if elem == self.cx.common().i1 {
            let pack = |eight: &[u8]| eight.iter().rev().fold(0, |byte, bit| byte << 1 | (bit & 1));
            packed = raw.chunks(8).map(pack).collect();
            bytes = &packed;
        }
        let digit = |half: u8| (if half < 10 { b'0' + half } else { b'A' + half - 10 }) as char;
        self.out.extend(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]));
        self.push("\"");
    }

    fn element_bytes(&mut self, elem: Type, data: &DenseData, n: usize, bytes: usize) {
        let raw = match data {
            DenseData::Splat(raw) => &raw[..],
            DenseData::Raw(raw) => &raw[n * bytes..(n + 1) * bytes],
            DenseData::Strs(items) => return push_quoted(&mut self.out, self.cx.str(items[n])),
        };
        if let TypeKind::Complex(part) = self.cx.type_kind(elem) {
            let half = raw.len() / 2;
            self.push("(");
            self.number(*part, &raw[..half]);
            self.push(",");
            self.number(*part, &raw[half..]);
            self.push(")");
        } else {
            self.number(elem, raw);
        }
    }

    fn number(&mut self, elem: Type, raw: &[u8]) {
        let mut wide = [0u8; 16];
        wide[..raw.len().min(16)].copy_from_slice(&raw[..raw.len().min(16)]);
        let bits = u128::from_le_bytes(wide);
        match self.cx.type_kind(elem) {
            TypeKind::Float(kind) => {
                let text = float_text(bits as u64, *kind);
                self.push(&text);
            }
            TypeKind::Int { width: 1, .. } => self.push(if bits == 0 { "false" } else { "true" }),
            TypeKind::Int { width, sign } => {
                push_int(&mut self.out, crate::make::wrap_int(bits as i128, *width, *sign == Sign::Unsigned));
            }
            _ => push_int(&mut self.out, crate::make::wrap_int(bits as i128, 64, false)),
        }
    }

    /// A location inside of another: its alias if it has one
    fn inner_loc(&mut self, attr: Attr) {
        match self.aliases.and_then(|aliases| aliases.attr(attr)) {
            Some(name) => {
                self.out.push('#');
                self.out.push_str(name);
            }
            None => self.loc(attr),
        }
    }

    /// What stands inside of `loc(…)`
    pub fn loc(&mut self, attr: Attr) {
        let AttrKind::Loc(kind) = self.cx.attr_kind(attr) else { return self.attr(attr) };
        match kind {
            LocKind::Unknown => self.push("unknown"),
            LocKind::File { file, line, col, end_line, end_col } => {
                push_quoted(&mut self.out, self.cx.str(*file));
                for part in [line, col] {
                    self.push(":");
                    push_int(&mut self.out, i128::from(*part));
                }
                if (*end_line, *end_col) != (0, 0) {
                    self.push(" to ");
                    if end_line != line {
                        push_int(&mut self.out, i128::from(*end_line));
                    }
                    self.push(":");
                    push_int(&mut self.out, i128::from(*end_col));
                }
            }
            LocKind::Name { name, child } => {
                push_quoted(&mut self.out, self.cx.str(*name));
                if let Some(child) = child {
                    self.push("(");
                    self.inner_loc(*child);
                    self.push(")");
                }
            }
            LocKind::CallSite { callee, caller } => {
                self.push("callsite(");
                self.inner_loc(*callee);
                self.push(" at ");
                self.inner_loc(*caller);
                self.push(")");
            }
            LocKind::Fused { metadata, locs } => {
                self.push("fused");
                if let Some(metadata) = metadata {
                    self.push("<");
                    self.attr(*metadata);
                    self.push(">");
                }
                self.push("[");
                self.list(locs, Shower::inner_loc);
                self.push("]");
            }
        }
    }
}

/// Stands for elements that are left out
const ELIDED: &str = "dense_resource<__elided__>";

/// More elements than this are printed as bytes, as upstream does
const HEX_BEYOND: usize = 100;
