//! `dense<…>` and `sparse<…>`.
//!
//! The elements stand before the type, so they are gathered as literals first. A list whose elements are all equal is a
//! splat, as upstream has it.

use super::numbers::Literal;
use super::state::{Parse, Parser};
use crate::codes;
use terrace_diag::Span;
use terrace_ir::show::elem_bytes;
use terrace_ir::valid;
use terrace_ir::{Attr, AttrKind, DYNAMIC, DenseData, Str, Type, TypeKind};

enum Element {
    Number(Literal),
    Bool(bool),
    Str(Str),
}

/// Elements as written
#[derive(Default)]
struct Elements {
    items: Vec<Element>,
    /// Sizes of the nested lists; empty for a single literal
    dims: Vec<usize>,
    listed: bool,
    /// Complex numbers take two items each
    complex: bool,
}

impl<'a> Parser<'a> {
    fn element_literal(&mut self, into: &mut Elements) -> Parse<()> {
        match self.lx.peek() {
            b'(' => {
                self.lx.eat(b'(');
                into.complex = true;
                let first = self.literal()?;
                self.expect(b',')?;
                let second = self.literal()?;
                self.expect(b')')?;
                into.items.extend([Element::Number(first), Element::Number(second)]);
            }
            b'"' => {
                let text = self.string()?;
                into.items.push(Element::Str(self.cx.intern(&text)));
            }
            b't' if self.lx.eat_word("true") => into.items.push(Element::Bool(true)),
            b'f' if self.lx.eat_word("false") => into.items.push(Element::Bool(false)),
            _ => {
                let literal = self.literal()?;
                into.items.push(Element::Number(literal));
            }
        }
        Ok(())
    }

    fn element_list(&mut self, into: &mut Elements, depth: usize) -> Parse<()> {
        let span = self.here();
        self.expect(b'[')?;
        let first_visit = into.dims.len() == depth;
        if first_visit {
            into.dims.push(0);
        }
        let mut count = 0;
        if self.lx.peek() != b']' {
            loop {
                let nested = self.lx.peek() == b'[';
                let leaf = into.dims.len() == depth + 1 && !(first_visit && count == 0);
                if nested && leaf || !nested && into.dims.len() > depth + 1 {
                    return self
                        .fail(&codes::ATTRIBUTE, "lists and elements are mixed at one level of `dense`");
                }
                if nested {
                    self.nested(|p| p.element_list(into, depth + 1))?;
                } else {
                    self.element_literal(into)?;
                }
                count += 1;
                if !self.lx.eat(b',') {
                    break;
                }
            }
        }
        self.expect(b']')?;
        if !first_visit && into.dims[depth] != count {
            let message = format!("this list has {count} elements, the ones before it {}", into.dims[depth]);
            return self.fail_at(&codes::ATTRIBUTE, span, message);
        }
        into.dims[depth] = count;
        Ok(())
    }

    fn elements(&mut self) -> Parse<Elements> {
        let mut elements = Elements::default();
        match self.lx.peek() {
            b'>' => {}
            b'[' => {
                elements.listed = true;
                self.element_list(&mut elements, 0)?;
            }
            _ => self.element_literal(&mut elements)?,
        }
        Ok(elements)
    }

    /// `dense<…> : type`
    pub fn dense(&mut self, ty: Option<Type>) -> Parse<Attr> {
        self.lx.word();
        self.expect(b'<')?;
        let elements = self.elements()?;
        self.expect(b'>')?;
        let span = self.here();
        let ty = match ty {
            Some(ty) => ty,
            None => {
                self.expect(b':')?;
                self.ty()?
            }
        };
        self.dense_of(elements, ty, span)
    }

    fn dense_of(&mut self, elements: Elements, ty: Type, span: Span) -> Parse<Attr> {
        let shaped = matches!(
            ty.kind(self.cx),
            TypeKind::Vector { .. } | TypeKind::Tensor { .. } | TypeKind::MemRef { .. }
        );
        let (Some(shape), Some(elem), true) = (ty.shape(self.cx), ty.element(self.cx), shaped) else {
            return self.fail_at(&codes::ATTRIBUTE, span, "elements need a vector or ranked tensor type");
        };
        if shape.contains(&DYNAMIC) {
            return self.fail_at(&codes::ATTRIBUTE, span, "elements need a type of static shape");
        }
        let Some(count) = ty.num_elements(self.cx).and_then(|count| usize::try_from(count).ok()) else {
            return self.fail_at(&codes::ATTRIBUTE, span, "the type has too many elements");
        };
        if elements.listed {
            let same = elements.dims.len() == shape.len()
                && elements.dims.iter().zip(shape).all(|(&have, &want)| have as i64 == want);
            let empty = count == 0 && elements.items.is_empty();
            if !same && !empty {
                let dims: Vec<String> = elements.dims.iter().map(usize::to_string).collect();
                let message =
                    format!("the elements' shape [{}] does not fit {}", dims.join(", "), self.show(ty));
                return self.fail_at(&codes::ATTRIBUTE, span, message);
            }
        } else if elements.items.is_empty() && count != 0 {
            let message = format!("no elements given for {}", self.show(ty));
            return self.fail_at(&codes::ATTRIBUTE, span, message);
        }
        let is_number = valid::is_number(self.cx, elem) || matches!(elem.kind(self.cx), TypeKind::Complex(_));
        if let (false, [Element::Str(text)], true) = (elements.listed, &elements.items[..], is_number) {
            return self.dense_hex(*text, ty, elem, count, span);
        }
        let data = if elements.items.iter().any(|item| matches!(item, Element::Str(_))) || !is_number {
            self.dense_strings(&elements, elem, span)?
        } else {
            self.dense_numbers(&elements, elem, span)?
        };
        Ok(self.cx.attr(AttrKind::Dense { ty, data }))
    }

    fn dense_strings(&mut self, elements: &Elements, elem: Type, span: Span) -> Parse<DenseData> {
        let mut texts = Vec::with_capacity(elements.items.len());
        for item in &elements.items {
            let Element::Str(text) = item else {
                let message = format!("these elements can't have the type {}", self.show(elem));
                return self.fail_at(&codes::ATTRIBUTE, span, message);
            };
            texts.push(*text);
        }
        if valid::is_number(self.cx, elem) {
            return self.fail_at(&codes::ATTRIBUTE, span, "strings can't be elements of a number type");
        }
        if let Some((first, rest)) = texts.split_first()
            && rest.iter().all(|text| text == first)
        {
            texts.truncate(1);
        }
        Ok(DenseData::Strs(texts.into()))
    }

    fn dense_numbers(&mut self, elements: &Elements, elem: Type, span: Span) -> Parse<DenseData> {
        let part = match elem.kind(self.cx) {
            TypeKind::Complex(part) => Some(*part),
            _ => None,
        };
        if part.is_some() != elements.complex && !elements.items.is_empty() {
            let what = if elements.complex { "pairs" } else { "single numbers" };
            let message = format!("elements are {what}, their type is {}", self.show(elem));
            return self.fail_at(&codes::ATTRIBUTE, span, message);
        }
        let part = part.unwrap_or(elem);
        let bytes = elem_bytes(self.cx, part);
        if bytes == 0 || bytes > 16 {
            return self.fail_at(&codes::ATTRIBUTE, span, "elements wider than 128 bits are not read");
        }
        let mut raw = Vec::with_capacity(elements.items.len() * bytes);
        for item in &elements.items {
            let bits = match item {
                Element::Number(literal) => match part.kind(self.cx) {
                    TypeKind::Float(kind) => u128::from(self.float_bits(literal, *kind)?),
                    _ => self.int_value(literal, part)? as u128,
                },
                Element::Bool(value) if part == self.cx.common().i1 => u128::from(*value),
                Element::Bool(_) => {
                    let message = format!("`true` and `false` can't have the type {}", self.show(part));
                    return self.fail_at(&codes::ATTRIBUTE, span, message);
                }
                Element::Str(_) => return self.fail_at(&codes::ATTRIBUTE, span, "strings among numbers"),
            };
            // Bits beyond the width are not kept, so that equal elements are equal bytes.
            let width = part.bit_width(self.cx).unwrap_or(64);
            let bits = if width >= 128 { bits } else { bits & ((1 << width) - 1) };
            raw.extend_from_slice(&bits.to_le_bytes()[..bytes]);
        }
        let one = elem_bytes(self.cx, elem);
        let splat = !raw.is_empty() && raw.chunks(one).all(|chunk| chunk == &raw[..one]);
        if splat {
            raw.truncate(one);
            return Ok(DenseData::Splat(raw.into()));
        }
        Ok(DenseData::Raw(raw.into()))
    }

    /// `dense<"0x…">`: the elements' bytes
    fn dense_hex(&mut self, text: Str, ty: Type, elem: Type, count: usize, span: Span) -> Parse<Attr> {
        let cx = self.cx;
        let digits = cx.str(text).strip_prefix("0x").map(str::as_bytes);
        let bytes: Option<Vec<u8>> = digits.filter(|digits| digits.len() % 2 == 0).and_then(|digits| {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            digits.chunks(2).map(|pair| Some((digit(pair[0])? * 16 + digit(pair[1])?) as u8)).collect()
        });
        let Some(mut bytes) = bytes else {
            return self.fail_at(&codes::ATTRIBUTE, span, "expected `0x` and pairs of hexadecimal digits");
        };
        let one = elem_bytes(cx, elem);
        if elem == cx.common().i1 && count > 1 && bytes.len() == count.div_ceil(8) && bytes.len() < count {
            // Upstream packs bits.
            bytes = (0..count).map(|n| bytes[n / 8] >> (n % 8) & 1).collect();
        }
        let total = count.checked_mul(one);
        if bytes.len() != one && Some(bytes.len()) != total || one == 0 {
            let message = format!("{} bytes of data do not fit {}", bytes.len(), self.show(ty));
            return self.fail_at(&codes::ATTRIBUTE, span, message);
        }
        if elem == cx.common().i1 {
            bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
        }
        let splat = bytes.len() == one || bytes.chunks(one).all(|chunk| chunk == &bytes[..one]);
        let data = if splat && count > 0 {
            bytes.truncate(one);
            DenseData::Splat(bytes.into())
        } else {
            DenseData::Raw(bytes.into())
        };
        Ok(cx.attr(AttrKind::Dense { ty, data }))
    }

    /// `sparse<indices, values> : type`
    pub fn sparse(&mut self, ty: Option<Type>) -> Parse<Attr> {
        self.lx.word();
        self.expect(b'<')?;
        let (mut indices, mut values) = (Elements::default(), Elements::default());
        if self.lx.peek() != b'>' {
            indices = self.elements()?;
            self.expect(b',')?;
            values = self.elements()?;
        }
        self.expect(b'>')?;
        let span = self.here();
        let ty = match ty {
            Some(ty) => ty,
            None => {
                self.expect(b':')?;
                self.ty()?
            }
        };
        let (Some(shape), Some(elem)) = (ty.shape(self.cx), ty.element(self.cx)) else {
            return self.fail_at(&codes::ATTRIBUTE, span, "sparse elements need a type with a shape");
        };
        let rank = shape.len() as i64;
        let values_len = if values.listed || values.items.is_empty() {
            values.dims.first().map_or(0, |n| *n as i64)
        } else {
            1
        };
        let i64_type = self.cx.common().i64;
        let indices_shape: Vec<i64> = if !indices.listed && indices.items.len() == 1 {
            vec![values_len, rank]
        } else if indices.items.is_empty() {
            vec![0, rank]
        } else {
            indices.dims.iter().map(|&n| n as i64).collect()
        };
        let fits = match indices_shape[..] {
            [n, r] => n == values_len && r == rank,
            [n] => n == rank && values_len == 1 || rank == 1 && n == values_len,
            _ => false,
        };
        if !fits {
            return self.fail_at(
                &codes::ATTRIBUTE,
                span,
                "indices and values of `sparse` do not fit together",
            );
        }
        let indices_type = self.cx.tensor(&indices_shape, i64_type);
        let values_type = self.cx.tensor(&[values_len], elem);
        let indices = self.dense_of(indices, indices_type, span)?;
        let values = self.dense_of(values, values_type, span)?;
        Ok(self.cx.attr(AttrKind::Sparse { ty, indices, values }))
    }
}
