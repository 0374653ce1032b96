//! Formats of ops that have a few values, one in each field, in order: most ops of most programs.
//!
//! The types that such a text leaves out follow from those that it has, so they are found once for each kind and remembered.

use super::{Found, Range};
use crate::parse::memo::{GIVEN, Memo, OPERANDS};
use crate::parse::op_parser::OpState;
use crate::parse::state::{Parse, Parser};
use terrace_ir::asm::Asm;

impl Parser<'_> {
    pub(super) fn plain(&mut self, state: &OpState) -> Parse<()> {
        let start = self.parts.types.len();
        self.plain_pieces(state, state.def.asm)?;
        let mut given = [None; GIVEN];
        for (at, ty) in given.iter_mut().zip(&self.parts.types[start..]) {
            *at = Some(*ty);
        }
        let marks = &state.marks;
        if let Some(memo) = self.memos[state.kind.0 as usize]
            && memo.given == given
        {
            for (n, ty) in memo.operands.into_iter().flatten().enumerate() {
                let operand = self.parts.unresolved[marks.unresolved + n];
                let value = self.resolve(&operand, ty)?;
                self.parts.operands.push(value);
            }
            self.parts.results.extend(memo.result);
            return Ok(());
        }
        let mut found = Found::nothing();
        let (mut operand, mut ty) = (marks.unresolved as u32, start as u32);
        for piece in state.def.asm {
            let (at, next) = match piece {
                Asm::Operand(n) => (&mut found.operands[*n as usize], &mut operand),
                Asm::OperandType(n) => (&mut found.operand_types[*n as usize], &mut ty),
                Asm::ResultType(n) => (&mut found.result_types[*n as usize], &mut ty),
                _ => continue,
            };
            *at = Range { start: *next, len: 1 };
            *next += 1;
        }
        if self.infer(state, &found)? {
            let mut operands = [None; OPERANDS];
            for (at, value) in operands.iter_mut().zip(&self.parts.operands[marks.operands..]) {
                *at = Some(self.ir.ty(*value));
            }
            let result = self.parts.results.get(marks.results).copied();
            self.memos[state.kind.0 as usize] = Some(Memo { given, operands, result });
        }
        Ok(())
    }

    fn plain_pieces(&mut self, state: &OpState, pieces: &'static [Asm]) -> Parse<()> {
        for piece in pieces {
            match piece {
                Asm::Operand(_) => self.push_operand()?,
                Asm::OperandType(_) | Asm::ResultType(_) => {
                    let ty = self.ty()?;
                    self.parts.types.push(ty);
                }
                Asm::Lit(text) => self.literal_piece(text)?,
                Asm::Attr(n) => self.attr_piece(state, *n as usize)?,
                Asm::AttrDict if self.lx.peek() == b'{' => self.op_attrs(state, false)?,
                Asm::AttrDictWithKeyword if self.lx.eat_word("attributes") => self.op_attrs(state, false)?,
                Asm::Optional { then, otherwise, .. } => {
                    let first = then.iter().find(|piece| !matches!(piece, Asm::Space(_)));
                    let present = first.is_some_and(|first| self.follows(state, first));
                    self.plain_pieces(state, if present { then } else { otherwise })?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}
