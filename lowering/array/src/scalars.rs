//! Numbers: ops of bodies where they are evaluated, index expressions and tests as arithmetic, operators.

use crate::codes;
use crate::layout::Path;
use crate::lower::{Binding, Done, Lower};
use terrace_dialect_arith as arith;
use terrace_dialect_array::layout;
use terrace_dialect_array::obligations::pattern_of;
use terrace_dialect_array::patterns::Pattern;
use terrace_dialect_func as func;
use terrace_dialect_scf as scf;
use terrace_dialect_sched::{Builtin, Combination, Level, LoopSpec, Operator, Yield as SchedYield};
use terrace_dialect_vector as vector;
use terrace_ir::attrs::DenseData;
use terrace_ir::ir::ValueMap;
use terrace_ir::{Attr, AttrKind, Builder, InsertPoint, NewOp, OpId, Traits, Type, TypeKind, Value};
use terrace_support::affine::{AffineExpr, AffineKind};

impl Lower<'_> {
    /// A new op's first result
    pub fn emit(&mut self, make: impl FnOnce(&mut Builder<'_>) -> OpId) -> Value {
        let op = make(&mut self.b());
        self.ir.result(op, 0)
    }

    pub fn constant(&mut self, attr: Attr) -> Value {
        self.emit(|b| arith::Constant::build(b, attr).id())
    }

    pub fn constant_index(&mut self, value: i64) -> Value {
        let attr = self.cx.index_attr(value);
        self.constant(attr)
    }

    /// An index expression as a number
    pub fn materialize(&mut self, expr: &AffineExpr) -> Done<Value> {
        if self.quiet {
            return self.stop(&codes::NO_LOOP, "needs a number", "");
        }
        let expr = self.simple(&self.summed(&self.simple(expr)));
        self.arithmetic(&expr)
    }

    fn arithmetic(&mut self, expr: &AffineExpr) -> Done<Value> {
        let node = match expr {
            AffineExpr::Dim(n) => {
                return match self.value_of_var(*n) {
                    Some(value) => Ok(value),
                    None => self.stop(&codes::NO_LOOP, "needs a number", ""),
                };
            }
            AffineExpr::Symbol(_) => return Ok(self.constant_index(0)),
            AffineExpr::Constant(value) => return Ok(self.constant_index(*value)),
            AffineExpr::Binary(node) => node,
        };
        let (x, y) = (self.arithmetic(node.lhs())?, self.arithmetic(node.rhs())?);
        Ok(match node.kind() {
            AffineKind::Add => self.emit(|b| arith::AddI::build(b, x, y).id()),
            AffineKind::Mul => self.emit(|b| arith::MulI::build(b, x, y).id()),
            AffineKind::FloorDiv => self.emit(|b| arith::FloorDivSI::build(b, x, y).id()),
            AffineKind::CeilDiv => self.emit(|b| arith::CeilDivSI::build(b, x, y).id()),
            AffineKind::Mod => {
                let quotient = self.emit(|b| arith::FloorDivSI::build(b, x, y).id());
                let product = self.emit(|b| arith::MulI::build(b, quotient, y).id());
                self.emit(|b| arith::SubI::build(b, x, product).id())
            }
        })
    }

    /// A number as an index expression, as far as its arithmetic is affine
    pub fn index_of(&mut self, value: Value) -> Done<AffineExpr> {
        if let Some(expr) = self.affine_of(value, 0) {
            return Ok(self.simple(&expr));
        }
        let number = self.read(value, Path::default())?;
        Ok(self.var(Some(number), terrace_analysis::Range::ALL))
    }

    fn affine_of(&self, value: Value, depth: u32) -> Option<AffineExpr> {
        if depth > 16 {
            return None;
        }
        if let Some(Binding::Index(expr)) = self.binding(value) {
            return Some(expr.clone());
        }
        let op = self.ir.defining_op(value)?;
        if arith::Constant::cast(self.ir, op).is_some() {
            return self.ir.attr(op, "value")?.as_i64(&self.cx).map(AffineExpr::Constant);
        }
        let both = || {
            let x = self.affine_of(self.ir.operand(op, 0), depth + 1)?;
            let y = self.affine_of(self.ir.operand(op, 1), depth + 1)?;
            Some((x, y))
        };
        let positive = |y: &AffineExpr| y.as_constant().is_some_and(|y| y > 0);
        let is = |def| self.ir.is(op, def);
        if is(arith::AddI::DEF) {
            both().map(|(x, y)| AffineExpr::add(x, y))
        } else if is(arith::SubI::DEF) {
            both().map(|(x, y)| AffineExpr::sub(x, y))
        } else if is(arith::MulI::DEF) {
            both()
                .filter(|(x, y)| x.as_constant().is_some() || y.as_constant().is_some())
                .map(|(x, y)| AffineExpr::mul(x, y))
        } else if is(arith::FloorDivSI::DEF) {
            both().filter(|(_, y)| positive(y)).map(|(x, y)| AffineExpr::floor_div(x, y))
        } else {
            None
        }
    }

    /// `low <= index < high`, without the parts that are known
    pub fn test(&mut self, index: &AffineExpr, low: Option<i64>, high: Option<i64>) -> Done<Value> {
        let range = self.range(index);
        let mut all: Option<Value> = None;
        let value = self.materialize(index)?;
        let tests = [
            (low.filter(|low| range.min() < *low), arith::CmpIPredicate::Sge),
            (high.filter(|high| range.max() >= *high), arith::CmpIPredicate::Slt),
        ];
        for (bound, predicate) in tests {
            let Some(bound) = bound else { continue };
            let bound = self.constant_index(bound);
            let test = self.emit(|b| arith::CmpI::build(b, value, bound, predicate).id());
            all = Some(match all {
                Some(before) => self.emit(|b| arith::AndI::build(b, before, test).id()),
                None => test,
            });
        }
        Ok(match all {
            Some(test) => test,
            None => {
                let yes = self.cx.bool_attr(true);
                self.constant(yes)
            }
        })
    }

    /// One of two numbers, each computed only if it is the one
    pub fn branch(
        &mut self,
        test: Value,
        elem: Type,
        yes: &mut dyn FnMut(&mut Self) -> Done<Value>,
        no: &mut dyn FnMut(&mut Self) -> Done<Value>,
    ) -> Done<Value> {
        let kind = self.b().kind(scf::If::DEF);
        let op =
            self.b().insert(&NewOp { operands: &[test], results: &[elem], regions: 2, ..NewOp::new(kind) });
        let back = self.at;
        for n in 0..2 {
            let region = self.ir.region(op, n);
            let block = self.ir.append_block(region);
            self.at = InsertPoint::End(block);
            self.push_scope(None)?;
            let value = if n == 0 { yes(self) } else { no(self) }?;
            self.pop_scope();
            scf::Yield::build(&mut self.b(), &[value]);
        }
        self.at = back;
        Ok(self.ir.result(op, 0))
    }

    /// Something done only where a test passes
    pub fn only_if(&mut self, test: Value, inside: &mut dyn FnMut(&mut Self) -> Done<()>) -> Done<()> {
        let kind = self.b().kind(scf::If::DEF);
        let op = self.b().insert(&NewOp { operands: &[test], regions: 2, ..NewOp::new(kind) });
        let back = self.at;
        let region = self.ir.region(op, 0);
        let block = self.ir.append_block(region);
        self.at = InsertPoint::End(block);
        self.push_scope(None)?;
        inside(self)?;
        self.pop_scope();
        scf::Yield::build(&mut self.b(), &[]);
        self.at = back;
        Ok(())
    }

    /// The numbers that an op gives; it is evaluated once in a scope
    pub fn evaluate(&mut self, op: OpId) -> Done<Vec<Value>> {
        let result = self.ir.result(op, 0);
        if let Some(Binding::Numbers(all)) = self.binding(result) {
            return Ok(all.clone());
        }
        let back = self.enter(op);
        let all = if layout::is_layout(self.ir, op) {
            let mut all = Vec::new();
            for leaf in self.leaves(self.ir.ty(result))? {
                let path = Path::of(leaf.parts.iter().map(|(_, n)| crate::layout::Step::Part(*n)));
                all.push(self.read(result, path)?);
            }
            all
        } else {
            match pattern_of(self.ir, op) {
                Some(Pattern::Reduce) => self.reduced(op)?,
                Some(Pattern::Fold) => self.folded(op)?,
                Some(_) => return self.stop(&codes::NO_LOOP, "has no form as a number", ""),
                None if vector::Reduction::cast(self.ir, op).is_some() => vec![self.across(op)?],
                None => return self.scalar_op(op, back),
            }
        };
        self.leave(back);
        self.bind(result, Binding::Numbers(all.clone()));
        Ok(all)
    }

    /// An op of other dialects, copied
    fn scalar_op(&mut self, op: OpId, back: (OpId, terrace_ir::Loc)) -> Done<Vec<Value>> {
        let mut map = ValueMap::default();
        let mut changed = false;
        let mut used: Vec<Value> = self.ir.operands(op).collect();
        for inner in self.ir.walk_below(op) {
            let outside = |value: &Value| {
                let block = self.ir.value_block(*value);
                let parent = block.and_then(|block| self.ir.block_parent(block));
                parent.is_none_or(|parent| parent != op && !self.ir.is_inside(parent, op))
            };
            used.extend(self.ir.operands(inner).filter(outside));
        }
        for value in used {
            if !self.is_numbers(self.ir.ty(value)) {
                return self.stop(
                    &codes::NO_LOOP,
                    format!("'{}' cannot be given arrays or vectors", self.ir.op_name(op)),
                    "bodies work on numbers; call functions on arrays through `array-inline`",
                );
            }
            let new = self.read(value, Path::default())?;
            changed |= new != value;
            map.insert(value, new);
        }
        let results: Vec<Value> = self.ir.results(op).collect();
        // What stands in the function itself and uses nothing new stays where it is.
        let stays = !changed && self.ir.parent(op) == Some(self.ir.root());
        let new: Vec<Value> = if stays {
            results.clone()
        } else {
            let copy = self.ir.clone_op(None, op, &mut map);
            self.b().place(copy);
            self.ir.results(copy).collect()
        };
        self.leave(back);
        for (old, new) in results.iter().zip(&new) {
            self.bind(*old, Binding::Numbers(vec![*new]));
        }
        Ok(new)
    }

    /// One lane of an op on vectors
    pub fn lane(&mut self, op: OpId, path: Path) -> Done<Value> {
        let result = self.ir.result(op, 0);
        let elem = self.ir.ty(result).scalar(&self.cx);
        if arith::Constant::cast(self.ir, op).is_some() {
            let value = self.ir.attr(op, "value").and_then(|value| splat(self, value, elem));
            return match value {
                Some(attr) => Ok(self.constant(attr)),
                None => self.stop(
                    &codes::NO_LOOP,
                    "is a vector of different numbers, which has no form as loops",
                    "give it as an argument",
                ),
            };
        }
        if let Some(broadcast) = vector::Broadcast::cast(self.ir, op) {
            let source = broadcast.source(self.ir);
            let path = if self.is_numbers(self.ir.ty(source)) { Path::default() } else { path };
            return self.read(source, path);
        }
        if !self.ir.has(op, Traits::Elementwise) || self.ir.num_regions(op) > 0 {
            return self.stop(
                &codes::NO_LOOP,
                format!("'{}' on vectors has no form lane by lane", self.ir.op_name(op)),
                "use elementwise ops, `vector.broadcast` and `vector.reduction`",
            );
        }
        let olds: Vec<Value> = self.ir.operands(op).collect();
        let mut operands = Vec::new();
        for old in olds {
            let scalar = self.is_numbers(self.ir.ty(old));
            operands.push(self.read(old, if scalar { Path::default() } else { path.clone() })?);
        }
        let slots: Vec<_> = (0..self.ir.def(op).attrs.len()).map(|n| self.ir.slot(op, n)).collect();
        let (kind, segments) = (self.ir.kind(op), self.ir.operand_segments(op).map(<[u32]>::to_vec));
        let new = self.b().insert(&NewOp {
            operands: &operands,
            segments: segments.as_deref().unwrap_or(&[]),
            results: &[elem],
            slots: &slots,
            ..NewOp::new(kind)
        });
        Ok(self.ir.result(new, 0))
    }

    /// A reduction across lanes
    fn across(&mut self, op: OpId) -> Done<Value> {
        let op = vector::Reduction(op);
        let vector = op.vector(self.ir);
        let TypeKind::Vector { shape, elem, .. } = self.ir.ty(vector).kind(&self.cx) else {
            return self.stop(&codes::NO_LOOP, "needs a vector", "");
        };
        let (lanes, elem) = (shape.iter().product::<i64>(), *elem);
        let kind = op.kind(self.ir);
        let float = elem.is_float(&self.cx);
        let all =
            terrace_dialect_sched::Builtin::WORDS.iter().filter_map(|known| known.parse::<Builtin>().ok());
        let Some(builtin) = all.into_iter().find(|known| known.combining(float) == kind.into()) else {
            return self.stop(
                &codes::NO_LOOP,
                format!("has the kind '{}', which is no operator of loops", kind.word()),
                "use add, mul, minimumf, maximumf, minsi, maxsi, and, or, xor",
            );
        };
        let inits = match op.acc(self.ir) {
            Some(init) => vec![self.read(init, Path::default())?],
            None => Vec::new(),
        };
        let spec = LoopSpec {
            extent: lanes,
            level: Level::Vector,
            kind: Combination::Pw,
            ops: vec![Operator::Builtin(builtin)],
            inits,
            results: vec![elem],
            ..LoopSpec::default()
        };
        let opened = self.open(&spec, None, "l")?;
        self.push_scope(None)?;
        let value = self.read(vector, Path::index(opened.index.clone()))?;
        self.pop_scope();
        SchedYield::build(&mut self.b(), &[value]);
        self.close(&opened);
        let Some(found) = opened.body.and_then(|body| self.ir.block_parent(body)) else {
            return self.stop(&codes::NO_LOOP, "has no lanes", "");
        };
        Ok(self.ir.result(found, 0))
    }

    /// `left ⊕ right` of an operator on one number each
    pub fn apply(&mut self, operator: &Operator, left: Value, right: Value) -> Value {
        let ty = self.ir.ty(left);
        match operator {
            Operator::Function(name) => {
                self.call(name, &[left, right], &[ty]).first().copied().unwrap_or(left)
            }
            Operator::Builtin(builtin) => {
                let float = ty.is_float(&self.cx);
                let def = arith::scalar_op(builtin.combining(float), float).unwrap_or(arith::AddI::DEF);
                let Some(kind) = self.cx.kind_of(def) else { return left };
                let slots = vec![None; self.cx.def(kind).attrs.len()];
                self.emit(|b| {
                    b.insert(&NewOp {
                        operands: &[left, right],
                        results: &[ty],
                        slots: &slots,
                        ..NewOp::new(kind)
                    })
                })
            }
        }
    }

    pub fn call(&mut self, name: &str, args: &[Value], types: &[Type]) -> Vec<Value> {
        let callee = self.cx.symbol_attr(name);
        let call = func::Call::build(&mut self.b(), args, callee, types);
        self.ir.results(call.id()).collect()
    }
}

/// The one element of a constant vector
fn splat(lower: &Lower<'_>, attr: Attr, elem: Type) -> Option<Attr> {
    let cx = &lower.cx;
    let AttrKind::Dense { data: DenseData::Splat(bytes), .. } = attr.kind(cx) else { return None };
    let bits = bytes.iter().take(8).rev().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
    if elem.is_float(cx) {
        return Some(cx.float_attr(bits, elem));
    }
    (bytes.len() <= 8).then(|| cx.int_attr(bits.into(), elem))
}
