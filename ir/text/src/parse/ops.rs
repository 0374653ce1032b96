//! One op: result names, name, generic form, and making the op of its parts.

use super::names::Named;
use super::op_parser::{OpParser, OpState};
use super::state::{Marks, Parse, Parser, ResultName};
use crate::OtherNamesTable;
use crate::codes;
use crate::lex::is_letter;
use terrace_diag::{Diagnostic, Span};
use terrace_ir::{Attr, BlockId, Ir, Loc, NewOp, OpId, OpKind, Str, Traits};

impl<'a> Parser<'a> {
    /// An op at the end of a block; if it is wrong, that is reported and the next one looked for
    pub fn op_or_skip(&mut self, block: BlockId) {
        let (start, braces, marks) = (self.lx.pos, self.lx.braces, self.parts.marks());
        let (units, scopes, ops) = (self.outer.len(), self.outer_scopes.len(), self.ops_open());
        self.note_op();
        if self.op(block, &marks).is_ok() {
            self.note_end();
        } else {
            if units == self.outer.len() && scopes == self.outer_scopes.len() {
                self.note_reads(ops);
            }
            while self.outer.len() > units {
                if let Some(outer) = self.outer.pop() {
                    self.ir = outer;
                }
            }
            while self.outer_scopes.len() > scopes {
                self.abandon_scope();
            }
            self.place_stand_in(block);
            self.poison_names(marks.names);
            self.synchronize(start, braces);
            if self.lx.pos <= start && !self.lx.is_end() {
                self.lx.seek(start);
                let len = self.lx.token_len().max(1);
                self.lx.bump(len);
            }
            self.note_failed(ops);
        }
        self.parts.reset(&marks);
    }

    /// What the wrong op would have defined is taken as defined, so that its uses are no further errors
    fn poison_names(&mut self, mark: usize) {
        for n in mark..self.parts.names.len() {
            let name = self.parts.names[n];
            self.note_wrong_def(name.at);
            match self.scope.names.get(self.lx.src, name.key) {
                Named::Nothing => {}
                Named::Forward(head) => {
                    self.note_forward_def(head, name.at);
                    let mut next = Some(head);
                    while let Some(index) = next {
                        let forward = &mut self.scope.forwards[index as usize];
                        forward.resolved = true;
                        next = forward.next;
                        let value = forward.placeholder;
                        self.stand_in_value(value, name.at);
                    }
                }
                _ => continue,
            }
            self.scope.names.define(self.lx.src, name.key, Named::Poisoned(name.at));
        }
    }

    fn op(&mut self, block: BlockId, marks: &Marks) -> Parse<()> {
        if self.lx.peek() == b'%' {
            self.result_names()?;
        }
        match self.lx.peek() {
            b'"' => self.generic_op(block, marks),
            byte if is_letter(byte) => self.custom_op(block, marks),
            _ => self.expected("an op"),
        }
    }

    fn result_names(&mut self) -> Parse<()> {
        loop {
            let at = self.lx.pos as u32;
            let key = self.value_name()?;
            let mut count = 1;
            if self.lx.eat(b':') {
                let span = self.here();
                let number = self.int()?;
                match u16::try_from(number) {
                    Ok(number) if number > 0 => count = u32::from(number),
                    _ => {
                        return self.fail_at(
                            &codes::COUNT,
                            span,
                            "expected a number of results from 1 to 65535",
                        );
                    }
                }
            }
            self.parts.names.push(ResultName { key, at, count });
            if !self.lx.eat(b',') {
                break;
            }
        }
        self.expect(b'=')
    }

    /// Kind of a registered op by its name in custom syntax, which may leave out the dialect
    pub fn op_kind(&self, word: &str) -> Option<OpKind> {
        if word.contains('.') {
            return self.cx.kind_by_name(word);
        }
        let default = self.default_dialects.iter().rev().find(|name| !name.is_empty());
        let candidates = [default.copied().unwrap_or("builtin"), "builtin", "func"];
        candidates.iter().find_map(|dialect| self.cx.kind_by_name(&format!("{dialect}.{word}")))
    }

    /// Kind of the op that has this name too
    #[cold]
    fn other_name(&mut self, word: &'a str) -> Option<OpKind> {
        let has = |name: &str| {
            let def = self.cx.def(self.cx.kind_by_name(name)?);
            Some(def.interface::<OtherNamesTable>()?.names.contains(&word))
        };
        let name = self.cx.op_names().find(|name| has(name) == Some(true))?;
        let kind = self.cx.kind_by_name(name)?;
        self.cache_op(self.lx.pos, word.len(), kind);
        Some(kind)
    }

    #[cold]
    fn unknown_op<T>(&mut self, name: &str, span: Span) -> Parse<T> {
        let dialect = name.split_once('.').map_or("", |(dialect, _)| dialect);
        let message = match self.cx.dialect(dialect) {
            Some(_) => format!("dialect `{dialect}` has no op `{name}`"),
            None if dialect.is_empty() => format!("unknown op `{name}`"),
            None => format!("unknown op `{name}`: the dialect `{dialect}` is not registered"),
        };
        let mut error = Diagnostic::error(&codes::UNKNOWN_OP, message).at(span);
        if let Some(near) = self.near_op(name) {
            error = error.help(format!("did you mean `{near}`?"));
        }
        Err(self.emit(error))
    }

    /// The nearest name of an op
    fn near_op(&mut self, name: &str) -> Option<String> {
        if let Some(near) = self.near_ops.get(name) {
            return near.clone();
        }
        if !self.may_search() {
            return None;
        }
        let others = |name: &str| {
            let def = self.cx.def(self.cx.kind_by_name(name)?);
            Some(def.interface::<OtherNamesTable>()?.names.iter().copied())
        };
        let others: Vec<&str> = self.cx.op_names().filter_map(others).flatten().collect();
        let full = self.cx.op_names().chain(others);
        let near = terrace_diag::nearest(name, full).or_else(|| {
            let default = self.default_dialects.iter().rev().find(|name| !name.is_empty());
            let default = default.copied().unwrap_or("builtin");
            let short = self.cx.op_names().filter_map(|full| full.strip_prefix(default)?.strip_prefix('.'));
            if name.contains('.') { None } else { terrace_diag::nearest(name, short) }
        });
        self.near_ops.insert(name.to_owned(), near.clone());
        near
    }

    pub fn custom_op(&mut self, block: BlockId, marks: &Marks) -> Parse<()> {
        let name_at = self.lx.pos as u32;
        let len = self.lx.word_len();
        let known = self.cached_op(self.lx.pos, len).or_else(|| self.op_kind(self.lx.peek_word()));
        let Some(kind) = known.or_else(|| self.other_name(self.lx.peek_word())) else {
            let (word, span) = (self.lx.peek_word(), self.here());
            return self.unknown_op(word, span);
        };
        self.lx.bump(len);
        let mut state = self.begin(kind, name_at, *marks, block);
        let def = state.def;
        if let Some(custom) = state.info.custom {
            let mut parser = OpParser { p: self, state };
            (custom.parse)(&mut parser)?;
            state = parser.state;
        } else if !def.asm.is_empty() {
            self.asm(&mut state)?;
        } else {
            let span = self.name_token(name_at);
            let message = format!("`{}` has no custom syntax", def.name);
            let error = Diagnostic::error(&codes::EXPECTED, message).at(span);
            return Err(self.emit(error.help(format!("write it as `\"{}\"(…)`", def.name))));
        }
        self.pad_regions(&state);
        self.finish(&state, block)
    }

    /// An op of this kind at the next token, whose syntax `parse` reads
    pub fn op_of(
        &mut self,
        kind: OpKind,
        block: BlockId,
        parse: &mut dyn FnMut(&mut OpParser<'_, '_>) -> Parse<()>,
    ) -> Parse<()> {
        let marks = self.parts.marks();
        self.lx.peek();
        let state = self.begin(kind, self.lx.pos as u32, marks, block);
        let mut parser = OpParser { p: self, state };
        parse(&mut parser)?;
        let state = parser.state;
        self.pad_regions(&state);
        self.finish(&state, block)?;
        self.parts.reset(&marks);
        Ok(())
    }

    fn name_token(&self, at: u32) -> Span {
        let rest = &self.lx.src[at as usize..];
        let len = rest.iter().position(|&byte| !crate::lex::is_word(byte)).unwrap_or(rest.len());
        Span::new(self.source, at, at + len as u32)
    }

    /// Regions that custom syntax left out are empty
    fn pad_regions(&mut self, state: &OpState) {
        let fixed = state.def.regions.iter().filter(|spec| !spec.variadic).count();
        while self.parts.regions.len() - state.marks.regions < fixed {
            self.parts.regions.push((self.parts.blocks.len() as u32, 0));
        }
    }

    /// Start an op: its slots, and its unit if it is one
    fn begin(&mut self, kind: OpKind, name_at: u32, marks: Marks, block: BlockId) -> OpState {
        let info = self.info(kind);
        let (def, unit) = (info.def, info.unit);
        self.note_kind(kind, name_at);
        for _ in def.attrs {
            self.parts.slots.push(None);
        }
        if unit {
            let mut inner = Ir::new_unit(self.cx, kind, def.regions.len(), Loc::offset(name_at));
            inner.set_source(Some(self.source));
            inner.reserve(&self.unit_size.roomy());
            self.outer.push(std::mem::replace(&mut self.ir, inner));
            self.push_scope();
        }
        OpState {
            kind,
            def,
            name_at,
            marks,
            block: Some(block),
            unit,
            info,
            raw_properties: None,
            name: None,
        }
    }

    fn generic_op(&mut self, block: BlockId, marks: &Marks) -> Parse<()> {
        let name_at = self.lx.pos as u32;
        let span = self.here();
        let name = self.string()?;
        let known = self.cx.kind_by_name(&name);
        let kind = match known {
            Some(kind) => kind,
            None => {
                let dialect = name.split_once('.').map_or("", |(dialect, _)| dialect);
                if name.is_empty() || !self.options.allow_unregistered || self.cx.dialect(dialect).is_some() {
                    return self.unknown_op(&name, span);
                }
                OpKind::UNREGISTERED
            }
        };
        let mut state = self.begin(kind, name_at, *marks, block);
        if known.is_none() {
            state.name = Some(self.cx.intern(&name));
        }
        self.expect(b'(')?;
        if !self.lx.eat(b')') {
            loop {
                self.push_operand()?;
                if !self.lx.eat(b',') {
                    break;
                }
            }
            self.expect(b')')?;
        }
        if self.lx.eat(b'[') {
            loop {
                let block = self.successor()?;
                self.parts.successors.push(block);
                if !self.lx.eat(b',') {
                    break;
                }
            }
            self.expect(b']')?;
        }
        if self.lx.peek() == b'<' {
            self.lx.bump(1);
            self.properties(&mut state)?;
            self.expect(b'>')?;
        }
        if self.lx.peek() == b'(' {
            self.lx.bump(1);
            loop {
                self.region(&state, &[], false)?;
                if !self.lx.eat(b',') {
                    break;
                }
            }
            self.expect(b')')?;
        }
        if self.lx.peek() == b'{' {
            self.op_attrs(&state, false)?;
        }
        self.generic_types(&state)?;
        self.finish(&state, block)
    }

    /// `: (types) -> types`, and the operands they belong to
    fn generic_types(&mut self, state: &OpState) -> Parse<()> {
        self.expect(b':')?;
        let span = self.here();
        let mut types = std::mem::take(&mut self.parts.types);
        let mark = types.len();
        let inputs = self.type_list_parens(&mut types);
        self.parts.types = types;
        inputs?;
        self.expect_punct("->")?;
        let mut results = std::mem::take(&mut self.parts.results);
        let outputs = self.result_types_into(&mut results);
        self.parts.results = results;
        outputs?;
        let (have, want) =
            (self.parts.unresolved.len() - state.marks.unresolved, self.parts.types.len() - mark);
        if have != want {
            let message = format!("{have} operands, but {want} types of operands");
            return self.fail_at(&codes::COUNT, span, message);
        }
        for n in 0..have {
            let (operand, ty) =
                (self.parts.unresolved[state.marks.unresolved + n], self.parts.types[mark + n]);
            let value = self.resolve(&operand, ty)?;
            self.parts.operands.push(value);
        }
        Ok(())
    }

    /// `{…}` between the angle brackets of `<{…}>`
    fn properties(&mut self, state: &mut OpState) -> Parse<()> {
        if state.kind == OpKind::UNREGISTERED {
            let dict = self.dictionary()?;
            state.raw_properties = Some(dict);
            return Ok(());
        }
        self.op_attrs(state, true)
    }

    /// `{…}`: the op's own attributes to their slots, others to its dictionary (or refused, if `only_own`)
    pub fn op_attrs(&mut self, state: &OpState, only_own: bool) -> Parse<()> {
        let (mark, span) = (self.parts.dict.len(), self.here());
        let named = self.dict_entries()?;
        let mut kept = mark;
        for n in mark..self.parts.dict.len() {
            let (name, value) = self.parts.dict[n];
            if let Some(place) = named
                && state.def.traits.has(Traits::Symbol)
                && self.cx.str(name) == "sym_name"
            {
                self.note_symbol_attr(place, value);
            }
            if self.own_attr(state, name, value, span)? {
                continue;
            }
            if only_own {
                let text = self.cx.str(name);
                let message = format!("`{}` has no property `{text}`", state.def.name);
                let mut error = Diagnostic::error(&codes::ATTRIBUTE, message).at(span);
                if let Some(near) = terrace_diag::nearest(text, state.def.attrs.iter().map(|spec| spec.name))
                {
                    error = error.help(format!("did you mean `{near}`?"));
                }
                return Err(self.emit(error));
            }
            self.parts.dict[kept] = (name, value);
            kept += 1;
        }
        self.parts.dict.truncate(kept);
        Ok(())
    }

    /// Put an attribute into the op's slot of that name, if it has one
    pub fn own_attr(&mut self, state: &OpState, name: Str, value: Attr, span: Span) -> Parse<bool> {
        let text = self.cx.str(name);
        let Some(slot) = state.def.attr_slot(text) else {
            return self.segment_attr(state, text, value, span);
        };
        let at = &mut self.parts.slots[state.marks.slots + slot];
        if at.is_some() {
            return self.fail_at(&codes::ATTR_TWICE, span, format!("attribute `{text}` is given twice"));
        }
        *at = Some(value);
        Ok(true)
    }

    /// `operandSegmentSizes` and `resultSegmentSizes` of ops that keep them
    fn segment_attr(&mut self, state: &OpState, name: &str, value: Attr, span: Span) -> Parse<bool> {
        let operands = matches!(name, "operandSegmentSizes" | "operand_segment_sizes");
        let results = matches!(name, "resultSegmentSizes" | "result_segment_sizes");
        let def = state.def;
        if !(operands && def.operand_segments() || results && def.result_segments()) {
            return Ok(false);
        }
        let fields = if operands { def.operands.len() } else { def.results.len() };
        let sizes: Option<Vec<u32>> = value
            .as_dense_array(self.cx)
            .filter(|sizes| sizes.len() == fields)
            .and_then(|sizes| sizes.iter().map(|&size| u32::try_from(size).ok()).collect());
        let Some(sizes) = sizes else {
            return self.fail_at(&codes::COUNT, span, format!("`{name}` must be {fields} sizes of 32 bits"));
        };
        let (list, mark) = if operands {
            (&mut self.parts.segments, state.marks.segments)
        } else {
            (&mut self.parts.result_segments, state.marks.result_segments)
        };
        list.truncate(mark);
        list.extend(sizes);
        Ok(true)
    }

    /// Sizes of fields given, against the number of values there are
    fn check_segments(
        &mut self,
        sizes: &[u32],
        total: usize,
        fields: usize,
        what: &str,
        span: Span,
    ) -> Parse<()> {
        let sum: u64 = sizes.iter().map(|&size| u64::from(size)).sum();
        if sizes.len() == fields && sum == total as u64 {
            return Ok(());
        }
        let message = if sizes.is_empty() {
            format!("`{what}SegmentSizes` is missing: the op has several {what} fields of varying length")
        } else {
            format!("`{what}SegmentSizes` adds up to {sum}, but there are {total} {what}s")
        };
        self.fail_at(&codes::COUNT, span, message)
    }

    /// Make the op of its parts and put it at the end of the block
    fn finish(&mut self, state: &OpState, block: BlockId) -> Parse<()> {
        let marks = &state.marks;
        let mut loc = Loc::offset(state.name_at);
        if let Some(attr) = self.trailing_loc()? {
            loc = Loc::attr(attr);
        }
        let def = state.def;
        let (num_results, num_regions) =
            (self.parts.results.len() - marks.results, self.parts.regions.len() - marks.regions);
        self.check_counts(state, num_results, num_regions)?;
        let dict = if self.parts.dict.len() > marks.dict {
            let span = self.op_name_span(state);
            Some(self.take_dict(marks.dict, span)?)
        } else {
            None
        };
        let specs = if state.info.defaults { def.attrs } else { &[] };
        for (n, spec) in specs.iter().enumerate() {
            let Some(default) = spec.default else { continue };
            let slot = &mut self.parts.slots[marks.slots + n];
            if slot.is_some() && *slot == Some(default(self.cx)) {
                *slot = None;
            }
        }
        if state.unit {
            return self.finish_unit(state, dict, loc, block);
        }
        let unregistered = [state.name.and_then(|name| Attr::from_raw(name.raw())), state.raw_properties];
        let op = self.ir.create(&NewOp {
            kind: state.kind,
            operands: &self.parts.operands[marks.operands..],
            segments: &self.parts.segments[marks.segments..],
            results: &self.parts.results[marks.results..],
            result_segments: &self.parts.result_segments[marks.result_segments..],
            slots: if state.name.is_some() { &unregistered } else { &self.parts.slots[marks.slots..] },
            dict,
            successors: &self.parts.successors[marks.successors..],
            regions: num_regions,
            loc,
        });
        if num_regions > 0 {
            self.place_regions(op, marks);
        }
        self.ir.append(block, op);
        let mut first = 0;
        for n in marks.names..self.parts.names.len() {
            let ResultName { key, at, count } = self.parts.names[n];
            let value = self.ir.result(op, first);
            first += count as usize;
            self.define(key, at, value, count)?;
        }
        Ok(())
    }

    fn op_name_span(&self, state: &OpState) -> Span {
        let at = state.name_at as usize;
        if self.lx.src.get(at) == Some(&b'"') {
            let rest = &self.lx.src[at + 1..];
            let len = rest.iter().position(|&byte| byte == b'"').map_or(0, |n| n + 2);
            return self.span(at, at + len);
        }
        self.name_token(state.name_at)
    }

    fn check_counts(&mut self, state: &OpState, num_results: usize, num_regions: usize) -> Parse<()> {
        let marks = &state.marks;
        let def = state.def;
        if self.parts.names.len() > marks.names && !state.unit {
            let named: usize = self.parts.names[marks.names..].iter().map(|name| name.count as usize).sum();
            if named != num_results {
                let at = self.parts.names[marks.names].at;
                let span = self.name_span(at);
                let message = format!("the op has {num_results} results, but {named} are named");
                return self.fail_at(&codes::COUNT, span, message);
            }
        }
        let limit = usize::from(u16::MAX);
        if num_results > limit
            || num_regions > limit
            || self.parts.successors.len() - marks.successors > limit
        {
            let span = self.op_name_span(state);
            return self.fail_at(
                &codes::COUNT,
                span,
                "an op has at most 65535 results, regions and successors",
            );
        }
        if state.info.operand_segments {
            let (sizes, total) =
                (self.parts.segments[marks.segments..].to_vec(), self.parts.operands.len() - marks.operands);
            let span = self.op_name_span(state);
            self.check_segments(&sizes, total, def.operands.len(), "operand", span)?;
        } else {
            self.parts.segments.truncate(marks.segments);
        }
        if state.info.result_segments {
            let sizes = self.parts.result_segments[marks.result_segments..].to_vec();
            let span = self.op_name_span(state);
            self.check_segments(&sizes, num_results, def.results.len(), "result", span)?;
        } else {
            self.parts.result_segments.truncate(marks.result_segments);
        }
        Ok(())
    }

    fn place_regions(&mut self, op: OpId, marks: &Marks) {
        for n in marks.regions..self.parts.regions.len() {
            let (start, len) = self.parts.regions[n];
            let region = self.ir.region(op, n - marks.regions);
            for at in start..start + len {
                self.ir.place_block(region, self.parts.blocks[at as usize]);
            }
        }
    }

    fn finish_unit(&mut self, state: &OpState, dict: Option<Attr>, loc: Loc, block: BlockId) -> Parse<()> {
        let marks = &state.marks;
        let span = self.op_name_span(state);
        let parts = &self.parts;
        let values = parts.operands.len() > marks.operands
            || parts.results.len() > marks.results
            || parts.names.len() > marks.names
            || parts.successors.len() > marks.successors;
        if values {
            let message = format!("`{}` is a unit: it takes and gives no values", state.def.name);
            return self.fail_at(&codes::UNIT_VALUES, span, message);
        }
        let (have, want) = (parts.regions.len() - marks.regions, state.def.regions.len());
        if have != want {
            let message = format!("`{}` has {want} regions, found {have}", state.def.name);
            return self.fail_at(&codes::COUNT, span, message);
        }
        let root = self.ir.root();
        self.place_regions(root, marks);
        for (n, slot) in self.parts.slots[marks.slots..].iter().enumerate() {
            self.ir.set_slot(root, n, *slot);
        }
        self.ir.set_dict(root, dict);
        self.ir.set_loc(root, loc);
        self.pop_scope();
        self.settle();
        let Some(outer) = self.outer.pop() else {
            return self.fail_at(&codes::UNIT_VALUES, span, "a unit without an outer one");
        };
        let unit = std::mem::replace(&mut self.ir, outer);
        self.unit_size = self.unit_size.next(unit.size());
        let unit = self.take(unit)?;
        let slot = self.ir.adopt(Box::new(unit));
        self.ir.append(block, slot);
        Ok(())
    }
}
