//! Interpreting an op's declarative format, and finding the types that text leaves out.

use super::op_parser::OpState;
use super::state::{Parse, Parser};
use crate::codes;
use crate::lex::{is_letter, is_word};
use terrace_diag::Diagnostic;
use terrace_ir::asm::Asm;
use terrace_ir::defs::{InferCx, TypeDef, TypeRel};
use terrace_ir::{Arity, AttrForm, Slot, Traits, Type};

/// Most operand or result fields an op in declarative format has
const FIELDS: usize = 16;

mod plain;

#[derive(Clone, Copy)]
struct Range {
    start: u32,
    len: u32,
}

const ABSENT: Range = Range { start: u32::MAX, len: 0 };

impl Range {
    fn given(self) -> bool {
        self.start != u32::MAX
    }
}

/// What has been read, as ranges of the shared stacks
struct Found {
    operands: [Range; FIELDS],
    operand_types: [Range; FIELDS],
    result_types: [Range; FIELDS],
    all_operands: Range,
    all_operand_types: Range,
    all_result_types: Range,
}

impl Found {
    fn nothing() -> Found {
        Found {
            operands: [ABSENT; FIELDS],
            operand_types: [ABSENT; FIELDS],
            result_types: [ABSENT; FIELDS],
            all_operands: ABSENT,
            all_operand_types: ABSENT,
            all_result_types: ABSENT,
        }
    }
}

impl<'a> Parser<'a> {
    /// Read an op by its format
    pub fn asm(&mut self, state: &mut OpState) -> Parse<()> {
        let def = state.def;
        if state.info.plain {
            return self.plain(state);
        }
        if def.operands.len() > FIELDS || def.results.len() > FIELDS {
            return self.fail(&codes::COUNT, "a declarative format has at most 16 operand and result fields");
        }
        let mut found = Found::nothing();
        self.pieces(state, &mut found, def.asm)?;
        self.distribute(state, &mut found)?;
        self.infer(state, &found).map(|_| ())
    }

    fn pieces(&mut self, state: &OpState, found: &mut Found, pieces: &'static [Asm]) -> Parse<()> {
        for piece in pieces {
            self.piece(state, found, piece)?;
        }
        Ok(())
    }

    fn eat_literal(&mut self, text: &str) -> bool {
        if text.as_bytes().first().copied().is_some_and(is_letter) {
            self.lx.eat_word(text)
        } else {
            self.lx.eat_punct(text)
        }
    }

    fn piece(&mut self, state: &OpState, found: &mut Found, piece: &'static Asm) -> Parse<()> {
        let def = state.def;
        match piece {
            Asm::Space(_) => Ok(()),
            Asm::Lit(text) => self.literal_piece(text),
            Asm::Operand(n) => {
                let start = self.parts.unresolved.len() as u32;
                match def.operands[*n as usize].arity {
                    Arity::One => self.push_operand()?,
                    Arity::Optional if self.lx.peek() == b'%' => self.push_operand()?,
                    Arity::Optional => {}
                    Arity::Variadic => self.operand_list()?,
                }
                found.operands[*n as usize] =
                    Range { start, len: self.parts.unresolved.len() as u32 - start };
                Ok(())
            }
            Asm::Operands => {
                let start = self.parts.unresolved.len() as u32;
                self.operand_list()?;
                found.all_operands = Range { start, len: self.parts.unresolved.len() as u32 - start };
                Ok(())
            }
            Asm::Attr(n) => self.attr_piece(state, *n as usize),
            Asm::Region(n) => self.region_piece(state, def.regions[*n as usize].variadic),
            Asm::Successor(n) => self.successor_piece(def.successors[*n as usize].variadic),
            Asm::OperandType(n) => {
                let range = self.types_by_arity(def.operands[*n as usize].arity)?;
                found.operand_types[*n as usize] = range;
                Ok(())
            }
            Asm::ResultType(n) => {
                let range = self.types_by_arity(def.results[*n as usize].arity)?;
                found.result_types[*n as usize] = range;
                Ok(())
            }
            Asm::OperandParams(n, ty) => {
                found.operand_types[*n as usize] = self.type_without_name(ty)?;
                Ok(())
            }
            Asm::ResultParams(n, ty) => {
                found.result_types[*n as usize] = self.type_without_name(ty)?;
                Ok(())
            }
            Asm::OperandTypes => {
                found.all_operand_types = self.types_by_arity(Arity::Variadic)?;
                Ok(())
            }
            Asm::ResultTypes => {
                found.all_result_types = self.types_by_arity(Arity::Variadic)?;
                Ok(())
            }
            Asm::FunctionalType => self.functional_type_piece(found),
            Asm::AttrDict if self.lx.peek() == b'{' => self.op_attrs(state, false),
            Asm::AttrDictWithKeyword if self.lx.eat_word("attributes") => self.op_attrs(state, false),
            Asm::AttrDict | Asm::AttrDictWithKeyword => Ok(()),
            Asm::Optional { then, otherwise, .. } => {
                let first = then.iter().find(|piece| !matches!(piece, Asm::Space(_)));
                let present = first.is_some_and(|first| self.follows(state, first));
                self.pieces(state, found, if present { then } else { otherwise })
            }
        }
    }

    pub(super) fn literal_piece(&mut self, text: &'static str) -> Parse<()> {
        if self.eat_literal(text) {
            Ok(())
        } else if text.as_bytes().first().copied().is_some_and(is_letter) {
            self.expected_word(&format!("`{text}`"), &mut std::iter::once(text))
        } else {
            self.expected(&format!("`{text}`"))
        }
    }

    pub(super) fn attr_piece(&mut self, state: &OpState, n: usize) -> Parse<()> {
        let spec = &state.def.attrs[n];
        let absent = spec.optional || spec.default.is_some();
        if absent && !self.attr_follows(spec.attr.form) {
            return Ok(());
        }
        let span = self.here();
        let attr = self.attr_in_form(spec.attr.form)?;
        if self.record.is_some()
            && spec.name == "sym_name"
            && matches!(spec.attr.form, AttrForm::SymbolName)
            && state.def.traits.has(Traits::Symbol)
        {
            self.note_symbol_def();
        }
        if !(spec.attr.test)(self.cx, attr) {
            let message = format!("attribute `{}` must be {}", spec.name, spec.attr.what);
            return self.fail_at(&codes::ATTRIBUTE, span, message);
        }
        let at = &mut self.parts.slots[state.marks.slots + n];
        if at.is_some() {
            let message = format!("attribute `{}` is given twice", spec.name);
            return self.fail_at(&codes::ATTR_TWICE, span, message);
        }
        *at = Some(attr);
        Ok(())
    }

    fn region_piece(&mut self, state: &OpState, variadic: bool) -> Parse<()> {
        if !variadic {
            return self.region(state, &[], true);
        }
        if self.lx.peek() != b'{' {
            return Ok(());
        }
        loop {
            self.region(state, &[], true)?;
            if !self.lx.eat(b',') {
                return Ok(());
            }
        }
    }

    fn successor_piece(&mut self, variadic: bool) -> Parse<()> {
        if variadic && self.lx.peek() != b'^' {
            return Ok(());
        }
        loop {
            let block = self.successor()?;
            self.parts.successors.push(block);
            if !variadic || !self.lx.eat(b',') {
                return Ok(());
            }
        }
    }

    fn functional_type_piece(&mut self, found: &mut Found) -> Parse<()> {
        let mut types = std::mem::take(&mut self.parts.types);
        let start = types.len();
        let inputs = self.type_list_parens(&mut types);
        let middle = types.len();
        let outputs =
            inputs.and_then(|()| self.expect_punct("->")).and_then(|()| self.result_types_into(&mut types));
        let end = types.len();
        self.parts.types = types;
        outputs?;
        found.all_operand_types = Range { start: start as u32, len: (middle - start) as u32 };
        found.all_result_types = Range { start: middle as u32, len: (end - middle) as u32 };
        Ok(())
    }

    /// Does the text go on with this piece?
    pub(super) fn follows(&self, state: &OpState, piece: &Asm) -> bool {
        let byte = self.lx.peek();
        match piece {
            Asm::Lit(text) => {
                let word = text.as_bytes().first().copied().is_some_and(is_letter);
                let longer = match *text {
                    ":" => self.lx.at(1) == b':',
                    "-" => self.lx.at(1) == b'>',
                    _ => false,
                };
                self.lx.looking_at(text) && !longer && !(word && is_word(self.lx.at(text.len())))
            }
            Asm::Operand(_) | Asm::Operands => byte == b'%',
            Asm::Attr(n) => self.attr_follows(state.def.attrs[*n as usize].attr.form),
            Asm::Region(_) => byte == b'{',
            Asm::Successor(_) => byte == b'^',
            Asm::OperandType(_) | Asm::ResultType(_) | Asm::OperandTypes | Asm::ResultTypes => self.at_type(),
            Asm::OperandParams(..) | Asm::ResultParams(..) => byte == b'<' || self.at_type(),
            Asm::FunctionalType => byte == b'(',
            Asm::AttrDict => byte == b'{',
            Asm::AttrDictWithKeyword => self.lx.peek_word() == "attributes",
            Asm::Optional { then, .. } => then.first().is_some_and(|first| self.follows(state, first)),
            Asm::Space(_) => true,
        }
    }

    /// Could the text go on with an attribute in this spelling?
    fn attr_follows(&self, form: AttrForm) -> bool {
        let byte = self.lx.peek();
        let number = byte.is_ascii_digit() || byte == b'-' && self.lx.at(1).is_ascii_digit();
        match form {
            AttrForm::Unit => true,
            AttrForm::SymbolName => byte == b'@',
            AttrForm::Type => self.at_type(),
            // A string that has no type of its own.
            AttrForm::Bare(ty) if byte == b'"' => ty(self.cx) == self.cx.common().none,
            AttrForm::Bare(_) => number || matches!(byte, b'#' | b't' | b'f'),
            AttrForm::Enum(def) => {
                byte == b'#'
                    || byte == b'<'
                    || def.value(self.lx.slice(self.lx.pos, self.lx.pos + self.lx.run(0, is_word))).is_some()
            }
            AttrForm::IntEnum(def, _) => number || def.value(self.lx.peek_word()).is_some(),
            AttrForm::List(_) => byte == b'[',
            AttrForm::Stripped(_) => byte == b'<' || byte == b'#',
            AttrForm::Full => {
                let words = [
                    "affine_map",
                    "affine_set",
                    "dense",
                    "array",
                    "strided",
                    "distinct",
                    "unit",
                    "true",
                    "false",
                ];
                number
                    || matches!(byte, b'"' | b'@' | b'[' | b'#')
                    || words.contains(&self.lx.peek_word())
                    || self.at_type()
            }
        }
    }

    fn operand_list(&mut self) -> Parse<()> {
        if self.lx.peek() != b'%' {
            return Ok(());
        }
        loop {
            self.push_operand()?;
            if !self.lx.eat(b',') {
                return Ok(());
            }
        }
    }

    fn types_by_arity(&mut self, arity: Arity) -> Parse<Range> {
        let start = self.parts.types.len() as u32;
        let list = match arity {
            Arity::One => false,
            Arity::Optional if !self.at_type() => return Ok(Range { start, len: 0 }),
            Arity::Optional => false,
            Arity::Variadic if !self.at_type() => return Ok(Range { start, len: 0 }),
            Arity::Variadic => true,
        };
        loop {
            let ty = self.ty()?;
            self.parts.types.push(ty);
            if !list || !self.lx.eat(b',') {
                break;
            }
        }
        Ok(Range { start, len: self.parts.types.len() as u32 - start })
    }

    /// A type of one definition: `<…>`, or as it is written elsewhere
    fn type_without_name(&mut self, def: &'static TypeDef) -> Parse<Range> {
        let start = self.parts.types.len() as u32;
        let ty = match self.lx.peek() == b'!' || def.params.is_empty() {
            true => self.ty()?,
            false => {
                let span = self.here();
                self.type_of_def(def, span)?
            }
        };
        self.parts.types.push(ty);
        Ok(Range { start, len: 1 })
    }

    /// Hand out `operands`, `type(operands)`, `type(results)` and `functional-type` to the fields
    fn distribute(&mut self, state: &OpState, found: &mut Found) -> Parse<()> {
        let def = state.def;
        if found.all_operands.given() {
            self.hand_out(
                found.all_operands,
                &mut found.operands,
                def.operands.iter().map(|spec| spec.arity),
                "operands",
            )?;
        }
        if found.all_operand_types.given() {
            let sizes: u32 = found.operands[..def.operands.len()].iter().map(|range| range.len).sum();
            if sizes != found.all_operand_types.len {
                let message =
                    format!("{sizes} operands, but {} types of operands", found.all_operand_types.len);
                return self.fail_before(message);
            }
            let mut start = found.all_operand_types.start;
            for n in 0..def.operands.len() {
                let len = found.operands[n].len;
                found.operand_types[n] = Range { start, len };
                start += len;
            }
        }
        if found.all_result_types.given() {
            let arities = def.results.iter().map(|spec| spec.arity);
            self.hand_out(found.all_result_types, &mut found.result_types, arities, "result types")?;
        }
        Ok(())
    }

    fn fail_before<T>(&mut self, message: String) -> Parse<T> {
        let span = self.span(self.lx.last.saturating_sub(1), self.lx.last);
        self.fail_at(&codes::COUNT, span, message)
    }

    fn hand_out(
        &mut self,
        all: Range,
        fields: &mut [Range; FIELDS],
        arities: impl ExactSizeIterator<Item = Arity>,
        what: &str,
    ) -> Parse<()> {
        let count = arities.len();
        let arities: Vec<Arity> = arities.collect();
        let ones = arities.iter().filter(|arity| **arity == Arity::One).count() as u32;
        let varying = count as u32 - ones;
        if all.len < ones || varying == 0 && all.len != ones {
            return self.fail_before(format!("expected {ones} {what}, found {}", all.len));
        }
        let mut rest = all.len - ones;
        let mut start = all.start;
        for (n, arity) in arities.iter().enumerate() {
            let len = match arity {
                Arity::One => 1,
                Arity::Optional => rest.min(1),
                Arity::Variadic => rest,
            };
            if *arity != Arity::One {
                rest -= len;
            }
            fields[n] = Range { start, len };
            start += len;
        }
        if rest > 0 { self.fail_before(format!("{rest} {what} too many")) } else { Ok(()) }
    }

    /// Find the types that were not written; resolve operands; append result types
    ///
    /// True if the types that were written say all of them.
    fn infer(&mut self, state: &OpState, found: &Found) -> Parse<bool> {
        let def = state.def;
        let cx = self.cx;
        let mut operands: [Option<Type>; FIELDS] = [None; FIELDS];
        let mut results: [Option<Type>; FIELDS] = [None; FIELDS];
        for (n, spec) in def.operands.iter().enumerate() {
            let range = found.operand_types[n];
            operands[n] = match range.given() && range.len > 0 {
                true => Some(self.parts.types[range.start as usize]),
                false => spec.ty.only.map(|only| only(cx)),
            };
        }
        for (n, spec) in def.results.iter().enumerate() {
            let range = found.result_types[n];
            results[n] = match range.given() && range.len > 0 {
                true => Some(self.parts.types[range.start as usize]),
                false => spec.ty.only.map(|only| only(cx)),
            };
        }
        let slots = &self.parts.slots[state.marks.slots..];
        relate(cx, def.relations, slots, &mut operands, &mut results);
        // Operands whose type nothing says have the type of their definition, if that has been read.
        let mut again = false;
        for n in 0..def.operands.len() {
            let range = found.operands[n];
            if operands[n].is_none() && range.given() && range.len > 0 {
                operands[n] = self.type_of_use(&self.parts.unresolved[range.start as usize]);
                again |= operands[n].is_some();
            }
        }
        if again {
            let slots = &self.parts.slots[state.marks.slots..];
            relate(cx, def.relations, slots, &mut operands, &mut results);
        }
        for (n, spec) in def.operands.iter().enumerate() {
            let range = found.operands[n];
            let types = found.operand_types[n];
            if types.given() && types.len != range.len {
                let message = format!("{} operands in `{}`, but {} types", range.len, spec.name, types.len);
                return self.fail_before(message);
            }
            for i in 0..range.len {
                let operand = self.parts.unresolved[(range.start + i) as usize];
                let ty = match types.given() {
                    true => Some(self.parts.types[(types.start + i) as usize]),
                    false => operands[n].or_else(|| self.type_of_use(&operand)),
                };
                let Some(ty) = ty else {
                    let span = self.name_span(operand.at);
                    let message = format!("the type of operand `{}` can't be inferred", spec.name);
                    return self.fail_at(&codes::UNKNOWN_TYPE, span, message);
                };
                let value = self.resolve(&operand, ty)?;
                self.parts.operands.push(value);
            }
            if state.info.operand_segments
                && self.parts.segments.len() < state.marks.segments + def.operands.len()
            {
                self.parts.segments.push(range.len);
            }
        }
        self.infer_results(state, found, &results)?;
        Ok(!again)
    }

    fn infer_results(
        &mut self,
        state: &OpState,
        found: &Found,
        results: &[Option<Type>; FIELDS],
    ) -> Parse<()> {
        let def = state.def;
        let unknown = |n: usize| {
            let spec = &def.results[n];
            !found.result_types[n].given() && (results[n].is_none() || spec.arity == Arity::Variadic)
        };
        if let Some(infer) = def.infer.filter(|_| (0..def.results.len()).any(unknown)) {
            let types: Vec<Type> =
                self.parts.operands[state.marks.operands..].iter().map(|value| self.ir.ty(*value)).collect();
            let sizes: Vec<u32> = (0..def.operands.len()).map(|n| found.operands[n].len).collect();
            let inferred = infer(&InferCx {
                cx: self.cx,
                operands: &types,
                segments: &sizes,
                attrs: &self.parts.slots[state.marks.slots..],
            });
            if let Some(types) = inferred {
                if state.info.result_segments {
                    let mut rest = types.len() as u32;
                    for spec in def.results {
                        let len = if spec.arity == Arity::Variadic { rest } else { rest.min(1) };
                        rest -= len;
                        self.parts.result_segments.push(len);
                    }
                }
                self.parts.results.extend(types);
                return Ok(());
            }
        }
        for (n, spec) in def.results.iter().enumerate() {
            let types = found.result_types[n];
            let mut len = types.len;
            if types.given() {
                let range = types.start as usize..(types.start + types.len) as usize;
                if spec.arity == Arity::One && len != 1 {
                    return self.fail_before(format!("one type is needed for result `{}`", spec.name));
                }
                self.parts.results.extend_from_slice(&self.parts.types[range]);
            } else if spec.arity == Arity::One {
                let Some(ty) = results[n] else {
                    let at = state.name_at as usize;
                    let span = self.span(at, at + def.name.len().min(self.lx.last.saturating_sub(at)));
                    let message = format!("the type of result `{}` can't be inferred", spec.name);
                    let error = Diagnostic::error(&codes::UNKNOWN_TYPE, message).at(span);
                    return Err(self.emit(error.help("write the op in generic form")));
                };
                self.parts.results.push(ty);
                len = 1;
            }
            if state.info.result_segments
                && self.parts.result_segments.len() < state.marks.result_segments + def.results.len()
            {
                self.parts.result_segments.push(len);
            }
        }
        Ok(())
    }
}

/// Carry known types along the relations until nothing changes
fn relate(
    cx: &terrace_ir::Context,
    relations: &'static [TypeRel],
    slots: &[Option<terrace_ir::Attr>],
    operands: &mut [Option<Type>; FIELDS],
    results: &mut [Option<Type>; FIELDS],
) {
    let mut known = Known { operands, results, changed: true };
    for _ in 0..4 {
        if relations.is_empty() || !std::mem::take(&mut known.changed) {
            return;
        }
        for relation in relations {
            match relation {
                TypeRel::Same(fields) => {
                    if let Some(ty) = fields.iter().find_map(|slot| known.get(*slot)) {
                        fields.iter().for_each(|slot| known.set(*slot, ty));
                    }
                }
                TypeRel::BoolLike { from, to } => {
                    if let Some(ty) = known.get(*from) {
                        known.set(*to, ty.with_element(cx, cx.common().i1));
                    }
                }
                TypeRel::ElementOf { from, to } => {
                    if let Some(ty) = known.get(*from) {
                        known.set(*to, ty.scalar(cx));
                    }
                }
                TypeRel::TypeOfAttr { attr, to } => {
                    if let Some(ty) =
                        slots.get(*attr as usize).copied().flatten().and_then(|attr| attr.ty(cx))
                    {
                        known.set(*to, ty);
                    }
                }
                TypeRel::By { from, to, make } => {
                    if let Some(ty) = known.get(*from).and_then(|ty| make(cx, ty)) {
                        known.set(*to, ty);
                    }
                }
                TypeRel::SameShape(..) | TypeRel::SameElement(..) => {}
            }
        }
    }
}

struct Known<'a> {
    operands: &'a mut [Option<Type>; FIELDS],
    results: &'a mut [Option<Type>; FIELDS],
    changed: bool,
}

impl Known<'_> {
    fn get(&self, slot: Slot) -> Option<Type> {
        match slot {
            Slot::Operand(n) => self.operands[n as usize],
            Slot::Result(n) => self.results[n as usize],
        }
    }

    fn set(&mut self, slot: Slot, ty: Type) {
        let at = match slot {
            Slot::Operand(n) => &mut self.operands[n as usize],
            Slot::Result(n) => &mut self.results[n as usize],
        };
        if at.is_none() {
            *at = Some(ty);
            self.changed = true;
        }
    }
}
