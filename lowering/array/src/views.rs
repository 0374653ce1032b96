//! Read and write views: what layout ops do to indices.
//!
//! The ops have their index maps themselves ([`layout::Layout`]); this is the arithmetic that they use, which emits ops where an
//! index is computed from data.

use crate::codes;
use crate::layout::{Path, Step};
use crate::lower::{Done, Lower, Stop};
use terrace_analysis::Range;
use terrace_dialect_arith as arith;
use terrace_dialect_array::layout::{self, INDEX, Indexing};
pub(crate) use terrace_dialect_array::layout::{Frame, Guard, Next};
use terrace_dialect_array::nat_text::nat_of;
use terrace_ir::{Ir, OpId, Type, Value};
use terrace_support::affine::AffineExpr;

impl Lower<'_> {
    /// Take an index from a path
    pub fn index(&mut self, path: &mut Path) -> Done<AffineExpr> {
        match path.pop() {
            Some(Step::Index(index)) => Ok(index),
            _ => self.stop(&codes::NO_LOOP, "is used as a whole where an element is needed", ""),
        }
    }

    /// A path into what is written, as one into where it goes; `None` where it goes nowhere
    pub fn forward(
        &mut self,
        frames: &[Frame],
        mut path: Path,
        guards: &mut Vec<Guard>,
    ) -> Done<Option<Path>> {
        for frame in frames.iter().rev() {
            match frame {
                Frame::Inside(first) => path.push_all(first),
                Frame::Through(op) => {
                    if let Some(view) = layout::of(self.ir, *op) {
                        view.write(self, &mut path, guards)?;
                    }
                }
                Frame::Component(n) => {
                    let i = self.index(&mut path)?;
                    path.push(Step::Part(*n));
                    path.push_index(i);
                }
                Frame::Only(n) => {
                    let i = self.index(&mut path)?;
                    match path.pop() {
                        Some(Step::Part(other)) if other == *n => path.push_index(i),
                        _ => return Ok(None),
                    }
                }
                Frame::Shift(by) => {
                    let i = self.index(&mut path)?;
                    path.push_index(i + (*by).into());
                }
                Frame::Each(inner) => {
                    let i = self.index(&mut path)?;
                    match self.forward(inner, path, guards)? {
                        Some(rest) => path = rest,
                        None => return Ok(None),
                    }
                    path.push_index(i);
                }
            }
        }
        Ok(Some(path))
    }
}

impl Indexing for Lower<'_> {
    fn ir(&self) -> &Ir {
        self.ir
    }

    fn stop(&self, message: &str) -> Stop {
        Stop { op: self.op, code: &codes::NO_LOOP, message: message.into(), help: String::new(), also: None }
    }

    fn index(&mut self, path: &mut Path) -> Done<AffineExpr> {
        Lower::index(self, path)
    }

    fn component(&mut self, path: &mut Path) -> Done<usize> {
        match path.pop() {
            Some(Step::Part(n)) => Ok(n),
            _ => Lower::stop(self, &codes::NO_LOOP, "is used without a component", ""),
        }
    }

    fn property(&self, op: OpId, name: &str) -> Done<i64> {
        Lower::property(self, op, name)
    }

    fn array(&self, ty: Type) -> Done<(i64, Type)> {
        Lower::array(self, ty)
    }

    fn function(&self, op: OpId, name: &str, at: &AffineExpr) -> Done<AffineExpr> {
        let nat = self.ir.attr(op, name).and_then(|attr| nat_of(&self.cx, attr));
        let known = &self.known;
        let found = nat.and_then(|nat| {
            nat.to_affine(&|name| match name {
                INDEX => Some(at.clone()),
                name => known.get(name).map(|value| AffineExpr::Constant(*value)),
            })
        });
        match found {
            Some(found) => Ok(self.simple(&found)),
            None => Lower::stop(
                self,
                &codes::OPEN,
                format!(
                    "has a function '{name}' of the index that is no sum, product, quotient or remainder of numbers"
                ),
                "give its symbols numbers with `array-bind`",
            ),
        }
    }

    fn number_at(&mut self, value: Value, path: Path) -> Done<AffineExpr> {
        let number = self.read(value, path)?;
        Ok(self.var(Some(number), Range::ALL))
    }

    fn index_of(&mut self, value: Value) -> Done<AffineExpr> {
        Lower::index_of(self, value)
    }

    fn simple(&self, expr: &AffineExpr) -> AffineExpr {
        Lower::simple(self, expr)
    }

    fn inside(&self, expr: &AffineExpr, size: i64) -> Option<bool> {
        Lower::inside(self, expr, size)
    }

    fn div(&mut self, expr: AffineExpr, by: i64) -> AffineExpr {
        Lower::div(self, expr, by)
    }

    fn rem(&mut self, expr: AffineExpr, by: i64) -> AffineExpr {
        Lower::rem(self, expr, by)
    }

    fn clamped(&mut self, expr: AffineExpr, low: i64, high: i64) -> Done<AffineExpr> {
        let mut value = self.materialize(&expr)?;
        if self.range(&expr).max() > high {
            let high = self.constant_index(high);
            value = self.emit(|b| arith::MinSI::build(b, value, high).id());
        }
        if self.range(&expr).min() < low {
            let low = self.constant_index(low);
            value = self.emit(|b| arith::MaxSI::build(b, value, low).id());
        }
        Ok(self.var(Some(value), Range::new(low, high).unwrap_or(Range::ALL)))
    }

    fn least(&mut self, a: AffineExpr, b: AffineExpr, high: i64) -> Done<AffineExpr> {
        let (a, b) = (self.materialize(&a)?, self.materialize(&b)?);
        let value = self.emit(|builder| arith::MinSI::build(builder, a, b).id());
        Ok(self.var(Some(value), Range::new(0, high).unwrap_or(Range::ALL)))
    }
}
