//! Read and write views: what layout ops do to indices.
//!
//! Reading, an index of the result becomes one of the operand. Writing, an index of the operand becomes one of the result:
//! a layout op on the way of a computed value to memory says where each element goes.

use crate::codes;
use crate::layout::{Path, Step};
use crate::lower::{Done, Lower};
use terrace_analysis::Range;
use terrace_dialect_arith as arith;
use terrace_dialect_array::View;
use terrace_dialect_array::nat_text::nat_of;
use terrace_ir::{OpId, Value};
use terrace_support::affine::AffineExpr;

/// A test that an index must pass; otherwise there is another value
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub index: AffineExpr,
    pub size: i64,
    /// Size of the padded array
    pub padded: i64,
    /// What is read outside, and where in it
    pub other: Option<(Value, Path)>,
}

/// Where to go on
pub(crate) enum Next {
    /// The same path, changed, in another value
    At(Value),
    /// The same, if the index passes
    Guarded(Value, Guard),
    /// The first value below the number, the other from there on
    Either { index: AffineExpr, below: i64, first: (Value, Path), second: (Value, Path) },
}

/// What happens to an index on the way to memory
#[derive(Clone, Debug)]
pub(crate) enum Frame {
    /// Steps in front
    Inside(Path),
    /// Through an op
    Through(OpId, View),
    /// A component behind the first index
    Component(usize),
    /// Only this component behind the first index
    Only(usize),
    /// Moved by so much
    Shift(i64),
    /// Inside of each element
    Each(Vec<Frame>),
}

impl Lower<'_> {
    /// Take an index from a path
    pub fn index(&self, path: &mut Path) -> Done<AffineExpr> {
        match path.pop() {
            Some(Step::Index(index)) => Ok(index),
            _ => self.stop(&codes::NO_LOOP, "is used as a whole where an element is needed", ""),
        }
    }

    /// Can a read go through the op with this path?
    pub fn reaches(&self, view: View, path: &Path) -> bool {
        match view {
            View::Split | View::Transpose | View::Slide | View::AsVector => path.indices() >= 2,
            View::Zip => path.indices() >= 1 && path.steps().nth(1).is_some(),
            View::Tuple => matches!(path.first(), Some(Step::Part(_))),
            View::Place | View::Cast | View::Get | View::At => true,
            _ => path.indices() >= 1,
        }
    }

    /// An index function of a property at an index
    fn at_index(&self, op: OpId, name: &str, at: &AffineExpr) -> Done<AffineExpr> {
        let nat = self.ir.attr(op, name).and_then(|attr| nat_of(&self.cx, attr));
        let known = &self.known;
        let found = nat.and_then(|nat| {
            nat.to_affine(&|name| match name {
                "$i" => Some(at.clone()),
                name => known.get(name).map(|value| AffineExpr::Constant(*value)),
            })
        });
        match found {
            Some(found) => Ok(self.simple(&found)),
            None => self.stop(
                &codes::OPEN,
                format!("has a function '{name}' of the index that is no sum, product, quotient or remainder of numbers"),
                "give its symbols numbers with `array-bind`",
            ),
        }
    }

    /// One layout op, reading
    pub fn step(&mut self, op: OpId, view: View, result: usize, path: &mut Path) -> Done<Next> {
        let x = self.ir.operand(op, 0);
        let ty = self.ir.ty(x);
        match view {
            View::Split | View::AsVector => {
                let m = self.property(op, if view == View::Split { "size" } else { "lanes" })?;
                let (q, r) = (self.index(path)?, self.index(path)?);
                path.push_index(q * m.into() + r);
            }
            View::Join | View::AsScalar => {
                let (_, inner) = self.array(ty)?;
                let (m, _) = self.array(inner)?;
                let f = self.index(path)?;
                path.push_index(self.rem(f.clone(), m.max(1)));
                path.push_index(self.div(f, m.max(1)));
            }
            View::Transpose => {
                let (i, j) = (self.index(path)?, self.index(path)?);
                path.push_index(i);
                path.push_index(j);
            }
            View::Slide => {
                let step = self.property(op, "step")?;
                let (w, e) = (self.index(path)?, self.index(path)?);
                path.push_index(w * step.into() + e);
            }
            View::Pad => return self.pad(op, x, path),
            View::Slice => {
                let offset = self.property(op, "offset")?;
                let i = self.index(path)?;
                path.push_index(i + offset.into());
            }
            View::Reorder => {
                let i = self.index(path)?;
                let at = if self.ir.attr(op, "stride").is_some() {
                    let ((n, _), s) = (self.array(ty)?, self.property(op, "stride")?);
                    let part = (n / s.max(1)).max(1);
                    self.div(i.clone(), part) + self.rem(i, part) * s.into()
                } else {
                    self.at_index(op, "index", &i)?
                };
                path.push_index(at);
            }
            View::Gather => {
                let i = self.index(path)?;
                let at = if self.ir.num_operands(op) > 1 {
                    let indices = self.ir.operand(op, 1);
                    let at = self.read(indices, Path::index(i))?;
                    self.unknown(at)?
                } else {
                    self.at_index(op, "index", &i)?
                };
                path.push_index(at);
            }
            View::Zip => {
                let i = self.index(path)?;
                let Some(Step::Part(n)) = path.pop() else {
                    return self.stop(&codes::NO_LOOP, "is used without a component", "");
                };
                path.push_index(i);
                return Ok(Next::At(self.ir.operand(op, n)));
            }
            View::Unzip => {
                let i = self.index(path)?;
                path.push(Step::Part(result));
                path.push_index(i);
            }
            View::Concat => {
                let i = self.index(path)?;
                let (n, _) = self.array(ty)?;
                let y = self.ir.operand(op, 1);
                let (mut first, mut second) = (path.clone(), path.clone());
                first.push_index(i.clone());
                second.push_index(i.clone() - n.into());
                return Ok(match self.inside(&i, n) {
                    Some(true) => {
                        *path = first;
                        Next::At(x)
                    }
                    Some(false) => {
                        *path = second;
                        Next::At(y)
                    }
                    None => Next::Either { index: i, below: n, first: (x, first), second: (y, second) },
                });
            }
            View::At => {
                let index = self.ir.operand(op, 1);
                let index = self.index_of(index)?;
                path.push_index(index);
            }
            View::Single => {
                self.index(path)?;
            }
            View::Tuple => {
                let Some(Step::Part(n)) = path.pop() else {
                    return self.stop(&codes::NO_LOOP, "is used without a component", "");
                };
                return Ok(Next::At(self.ir.operand(op, n)));
            }
            View::Get => {
                let n = self.property(op, "component")?;
                path.push(Step::Part(n as usize));
            }
            View::Place | View::Cast => {}
            View::Scatter => {
                return self.stop(
                    &codes::NO_PLACE,
                    "is read element by element, but has no place to be scattered into",
                    "put it into memory before: `array.place`, or let `array-place` do so",
                );
            }
        }
        Ok(Next::At(x))
    }

    fn pad(&mut self, op: OpId, x: Value, path: &mut Path) -> Done<Next> {
        let (n, elem) = self.array(self.ir.ty(x))?;
        let (low, high) = (self.property(op, "low")?, self.property(op, "high")?);
        let i = self.index(path)?;
        let k = self.simple(&(i - low.into()));
        let mode = self.ir.attr(op, "mode").and_then(|mode| mode.as_str(&self.cx)).unwrap_or("value");
        if self.inside(&k, n) == Some(true) {
            path.push_index(k);
            return Ok(Next::At(x));
        }
        let at = match mode {
            "value" => {
                let value = self.ir.operand(op, 1);
                let rest = if self.ir.ty(value) == elem { path.clone() } else { Path::default() };
                if self.inside(&k, n) == Some(false) {
                    *path = rest;
                    return Ok(Next::At(value));
                }
                path.push_index(k.clone());
                let guard = Guard { index: k, size: n, padded: n + low + high, other: Some((value, rest)) };
                return Ok(Next::Guarded(x, guard));
            }
            "wrap" => self.rem(k, n),
            "clamp" => self.clamped(k, 0, n - 1)?,
            _ if n == 1 => AffineExpr::Constant(0),
            // Mirrored at the first and last elements, which are not repeated.
            _ => {
                let period = 2 * (n - 1);
                let k = self.rem(k, period);
                let back = self.simple(&(AffineExpr::Constant(period) - k.clone()));
                self.least(k, back, n - 1)?
            }
        };
        path.push_index(at);
        Ok(Next::At(x))
    }

    /// `max(low, min(expr, high))`
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

    /// The lesser of two, known to be from 0 to a number
    fn least(&mut self, a: AffineExpr, b: AffineExpr, high: i64) -> Done<AffineExpr> {
        let (a, b) = (self.materialize(&a)?, self.materialize(&b)?);
        let value = self.emit(|builder| arith::MinSI::build(builder, a, b).id());
        Ok(self.var(Some(value), Range::new(0, high).unwrap_or(Range::ALL)))
    }

    /// A number as an index variable
    fn unknown(&mut self, value: Value) -> Done<AffineExpr> {
        Ok(self.var(Some(value), Range::ALL))
    }

    /// Can what is computed be written through the op?
    pub fn has_inverse(&self, op: OpId, view: View) -> Result<(), &'static str> {
        let mode = self.ir.attr(op, "mode").and_then(|mode| mode.as_str(&self.cx));
        match view {
            View::Slide => Err("windows share elements"),
            View::Gather => Err("an element may be gathered several times, or not at all"),
            View::Pad if mode != Some("value") => Err("elements are repeated in the padding"),
            _ => Ok(()),
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
                Frame::Through(op, view) => self.through(*op, *view, &mut path, guards)?,
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

    /// One layout op, writing
    fn through(&mut self, op: OpId, view: View, path: &mut Path, guards: &mut Vec<Guard>) -> Done<()> {
        let ty = self.ir.ty(self.ir.operand(op, 0));
        match view {
            View::Split | View::AsVector => {
                let m = self.property(op, if view == View::Split { "size" } else { "lanes" })?.max(1);
                let f = self.index(path)?;
                path.push_index(self.rem(f.clone(), m));
                path.push_index(self.div(f, m));
            }
            View::Join | View::AsScalar => {
                let (_, inner) = self.array(ty)?;
                let (m, _) = self.array(inner)?;
                let (q, r) = (self.index(path)?, self.index(path)?);
                path.push_index(q * m.into() + r);
            }
            View::Transpose => {
                let (i, j) = (self.index(path)?, self.index(path)?);
                path.push_index(i);
                path.push_index(j);
            }
            View::Slice => {
                let (offset, size) = (self.property(op, "offset")?, self.property(op, "size")?);
                let i = self.index(path)?;
                let i = self.simple(&(i - offset.into()));
                self.keep(i.clone(), size, guards);
                path.push_index(i);
            }
            View::Pad => {
                let ((n, _), low, high) =
                    (self.array(ty)?, self.property(op, "low")?, self.property(op, "high")?);
                let i = self.index(path)?;
                let i = self.simple(&(i + low.into()));
                self.keep(i.clone(), n + low + high, guards);
                path.push_index(i);
            }
            View::Reorder => {
                let f = self.index(path)?;
                let at = if self.ir.attr(op, "stride").is_some() {
                    let ((n, _), s) = (self.array(ty)?, self.property(op, "stride")?.max(1));
                    self.rem(f.clone(), s) * (n / s).into() + self.div(f, s)
                } else {
                    self.at_index(op, "inverse", &f)?
                };
                path.push_index(at);
            }
            View::Single => path.push_index(AffineExpr::Constant(0)),
            _ => {}
        }
        Ok(())
    }

    /// What is outside is dropped
    fn keep(&mut self, index: AffineExpr, size: i64, guards: &mut Vec<Guard>) {
        if self.inside(&index, size) != Some(true) {
            guards.push(Guard { index, size, padded: size, other: None });
        }
    }
}
