//! Regions, blocks and their arguments.

use super::names::Unresolved;
use super::op_parser::{OpParser, OpState};
use super::state::{Parse, Parser, grow};
use crate::codes;
use terrace_diag::Diagnostic;
use terrace_ir::{BlockId, Loc, NewOp, OpDef, Traits, Type};

impl<'a> Parser<'a> {
    /// `{ … }`, appended to the regions of the op in progress
    ///
    /// In custom syntax (`custom`) a missing block and terminator are added where the definition implies them.
    pub fn region(&mut self, state: &OpState, args: &[(Unresolved, Type)], custom: bool) -> Parse<()> {
        grow(|| self.region_inner(state, args, custom))
    }

    fn region_inner(&mut self, state: &OpState, args: &[(Unresolved, Type)], custom: bool) -> Parse<()> {
        let open = self.here();
        self.expect(b'{')?;
        let def = state.def;
        let isolated = def.traits.has(Traits::IsolatedFromAbove) && !state.unit;
        if isolated {
            self.push_scope();
        }
        self.labels.push(Default::default());
        let mark = self.scope.names.defined.len();
        let default = if def.traits.has(Traits::FunctionLike) || def.name == "builtin.module" {
            def.dialect()
        } else {
            ""
        };
        self.default_dialects.push(default);
        let first = self.parts.blocks.len();
        let depth = std::mem::take(&mut self.depth);
        let body = self.region_body(args);
        self.depth = depth;
        let closed = match body {
            Ok(()) if self.lx.eat(b'}') => Ok(()),
            Ok(()) if self.end_reported => Err(()),
            Ok(()) => {
                self.end_reported = true;
                let error = Diagnostic::error(&codes::EXPECTED, "the file ends before this region does");
                let _ = self.emit(error.at(open).help("a `}` is missing"));
                Err(())
            }
            Err(_) => Err(()),
        };
        self.default_dialects.pop();
        self.scope.names.forget(self.lx.src, mark);
        self.close_labels();
        if isolated {
            self.pop_scope();
        }
        if closed.is_err() {
            // Reported above or below.
            return self.diags.result();
        }
        if custom {
            self.complete_region(state, first);
        }
        self.parts.regions.push((first as u32, (self.parts.blocks.len() - first) as u32));
        Ok(())
    }

    /// A region that holds one op, which `parse` reads
    pub fn region_of(
        &mut self,
        state: &OpState,
        args: &[(Unresolved, Type)],
        def: &'static OpDef,
        parse: &mut dyn FnMut(&mut OpParser<'_, '_>) -> Parse<()>,
    ) -> Parse<()> {
        let Some(kind) = self.cx.kind_of(def) else {
            return self.expected(&format!("a context with `{}`", def.name));
        };
        self.labels.push(Default::default());
        let mark = self.scope.names.defined.len();
        let first = self.parts.blocks.len();
        let read = grow(|| {
            let entry = self.ir.create_block();
            self.parts.blocks.push(entry);
            for (name, ty) in args {
                self.block_arg(entry, name, *ty)?;
            }
            self.op_of(kind, entry, parse)
        });
        self.scope.names.forget(self.lx.src, mark);
        self.close_labels();
        read?;
        self.complete_region(state, first);
        self.parts.regions.push((first as u32, (self.parts.blocks.len() - first) as u32));
        Ok(())
    }

    fn region_body(&mut self, args: &[(Unresolved, Type)]) -> Parse<()> {
        if args.is_empty() && self.lx.peek() == b'}' {
            return Ok(());
        }
        let labelled = self.lx.peek() == b'^';
        if labelled && !args.is_empty() {
            let message = "the first block of this region has its arguments already and takes no name";
            let _ = self.fail::<()>(&codes::EXPECTED, message);
        }
        let mut block = None;
        if !labelled || !args.is_empty() {
            let entry = self.ir.create_block();
            self.parts.blocks.push(entry);
            for (name, ty) in args {
                self.block_arg(entry, name, *ty)?;
            }
            block = Some(entry);
        }
        self.block_list(block);
        Ok(())
    }

    /// Ops and labels up to `}` or the end; errors are reported and skipped
    pub fn block_list(&mut self, first: Option<BlockId>) {
        let mut block = first;
        loop {
            match self.lx.peek() {
                b'}' => return,
                _ if self.lx.is_end() => return,
                b'^' => {
                    let (start, braces) = (self.lx.pos, self.lx.braces);
                    match self.label() {
                        Ok(next) => block = Some(next),
                        Err(_) => {
                            // Ops of the block are read all the same.
                            let stray = self.ir.create_block();
                            self.parts.blocks.push(stray);
                            block = Some(stray);
                            self.synchronize(start, braces);
                        }
                    }
                }
                _ => {
                    let Some(at) = block else { return };
                    if self.parallel && self.lx.looking_at("func.func") && self.functions_in_parallel(at) {
                        continue;
                    }
                    self.op_or_skip(at);
                }
            }
        }
    }

    fn block_arg(&mut self, block: BlockId, name: &Unresolved, ty: Type) -> Parse<()> {
        let value = self.ir.add_block_arg(block, ty);
        if !self.arg_locs.is_empty()
            && let Some(at) = self.arg_locs.iter().position(|(at, _)| *at == name.at)
        {
            let (_, loc) = self.arg_locs.swap_remove(at);
            self.ir.set_arg_loc(value, Loc::attr(loc));
        } else if self.lx.src.get(name.at as usize + 1).is_some_and(u8::is_ascii_digit) {
            // A number is no name, and so no place either.
            self.ir.set_arg_loc(value, Loc::offset(name.at));
        }
        self.define(name.key, name.at, value, 1)
    }

    /// `^name(%arg: type, …):`
    fn label(&mut self) -> Parse<BlockId> {
        let (name, at) = self.block_name()?;
        let block = self.define_block(name, at)?;
        self.parts.blocks.push(block);
        if self.lx.eat(b'(') && !self.lx.eat(b')') {
            loop {
                let arg = self.operand()?;
                self.expect(b':')?;
                let ty = self.ty()?;
                if let Some(loc) = self.trailing_loc()? {
                    self.arg_locs.push((arg.at, loc));
                }
                self.block_arg(block, &arg, ty)?;
                if !self.lx.eat(b',') {
                    break;
                }
            }
            self.expect(b')')?;
        }
        self.expect(b':')?;
        Ok(block)
    }

    /// Add the block and the terminator that the op's definition implies
    fn complete_region(&mut self, state: &OpState, first: usize) {
        let def = state.def;
        let terminator = def.implicit_terminator.and_then(|name| self.cx.kind_by_name(name));
        let field = state.region_spec(self.parts.regions.len());
        let needs_block = field.is_some_and(|spec| spec.single_block && !spec.may_be_empty);
        if self.parts.blocks.len() == first && (terminator.is_some() || needs_block) {
            let block = self.ir.create_block();
            self.parts.blocks.push(block);
        }
        let Some(kind) = terminator else { return };
        let Some(&last) = self.parts.blocks[first..].last() else { return };
        let ends = self.ir.last_op(last).is_some_and(|op| self.ir.has(op, Traits::Terminator));
        if !ends {
            let loc = Loc::offset(state.name_at);
            let zeros = [0u32; 16];
            let def = self.cx.def(kind);
            let op = self.ir.create(&NewOp {
                loc,
                segments: if def.operand_segments() { &zeros[..def.operands.len().min(16)] } else { &[] },
                regions: def.regions.iter().filter(|spec| !spec.variadic).count(),
                ..NewOp::new(kind)
            });
            for (region, spec) in self.ir.regions(op).zip(def.regions).collect::<Vec<_>>() {
                if spec.single_block && !spec.may_be_empty {
                    self.ir.append_block(region);
                }
            }
            self.ir.append(last, op);
        }
    }
}
