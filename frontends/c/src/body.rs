//! The innermost statements of a nest as the body of a computation: what is read, what is contributed where, and when.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind, Stmt, StmtKind};
use crate::codes;
use crate::emit::{Done, Gen, Slot, refuse};
use crate::places::Place;
use crate::value::Val;
use terrace_diag::Span;
use terrace_dialect_arith as arith;
use terrace_dialect_tensor as tensor;
use terrace_ir::{Attr, BlockId, DYNAMIC, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A computation in progress
pub struct Body {
    /// Where its body is made
    pub block: BlockId,
    /// Scopes around it
    pub scopes: usize,
    /// What it is given
    pub inputs: Vec<Input>,
    /// At least 0 wherever code that is made now matters
    pub known: Vec<AffineExpr>,
    /// Contributions made now exist only if this holds
    pub guards: Vec<Value>,
    /// Contributions exist only where these hold
    pub conditions: Vec<Bound>,
    /// Contributions
    pub updates: Vec<Update>,
    /// Whether no turns are combined, if a directive says so
    pub all_kept: Option<bool>,
}

/// An argument of the body
#[derive(Clone, Debug)]
pub struct Input {
    /// What is read
    pub source: Source,
    /// Where; nothing for scalars
    pub map: Option<Vec<AffineExpr>>,
    /// Instead of elements outside
    pub other: Option<Attr>,
    /// The argument
    pub arg: Value,
    /// First read
    pub span: Span,
}

/// What the body reads
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// An array, and which field
    Array(usize, usize),
    /// A number in memory
    Cell(String),
    /// A number that is known before
    Scalar(Value),
}

/// A contribution
#[derive(Clone, Debug)]
pub struct Update {
    /// Where to
    pub place: Place,
    /// As the author wrote it
    pub target: Expr,
    /// Subscripts
    pub map: Vec<AffineExpr>,
    /// Operator; nothing for `=`
    pub operator: Option<String>,
    /// What
    pub value: Val,
    /// The statement
    pub span: Span,
    /// Exists only if this holds
    pub guard: Option<Value>,
    /// What is assigned is a variable that is added to before: prefixes
    pub running: Option<String>,
}

/// `low <= expr < high`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Least value
    pub low: Option<AffineExpr>,
    /// What is compared
    pub expr: AffineExpr,
    /// First value that is too large
    pub high: Option<AffineExpr>,
}

impl Bound {
    /// Expressions that must be at least 0
    pub fn at_least_zero(&self) -> Vec<AffineExpr> {
        let above = self.low.clone().map(|low| AffineExpr::sub(self.expr.clone(), low));
        let below =
            self.high.clone().map(|high| AffineExpr::sub(AffineExpr::sub(high, self.expr.clone()), 1.into()));
        above.into_iter().chain(below).collect()
    }
}

impl Gen<'_> {
    /// A condition as bounds on sums over loop variables; parts that are none are given back
    pub fn bounds<'e>(&self, test: &'e Expr, found: &mut Vec<Bound>, rest: &mut Vec<&'e Expr>) {
        let mut stack = vec![test];
        while let Some(e) = stack.pop() {
            if let ExprKind::Binary(BinaryOp::LogAnd, a, b) = &e.kind {
                stack.extend([&**b, &**a]);
                continue;
            }
            match self.bound(e) {
                Some(bound) => {
                    let same = found.iter_mut().find(|other| {
                        other.expr == bound.expr
                            && (other.low.is_none() || bound.low.is_none())
                            && (other.high.is_none() || bound.high.is_none())
                    });
                    match same {
                        Some(other) => {
                            other.low = other.low.take().or(bound.low);
                            other.high = other.high.take().or(bound.high);
                        }
                        None => found.push(bound),
                    }
                }
                None => rest.push(e),
            }
        }
    }

    fn bound(&self, e: &Expr) -> Option<Bound> {
        let ExprKind::Binary(op, a, b) = &e.kind else { return None };
        let (a, b) = (self.simple(&self.affine(a)?), self.simple(&self.affine(b)?));
        let next = |e: AffineExpr| AffineExpr::add(e, 1.into());
        // The side with loop variables is what is compared.
        let swap = a.as_constant().is_some();
        let op = match (op, swap) {
            (BinaryOp::Lt, true) => BinaryOp::Gt,
            (BinaryOp::Le, true) => BinaryOp::Ge,
            (BinaryOp::Gt, true) => BinaryOp::Lt,
            (BinaryOp::Ge, true) => BinaryOp::Le,
            (op, _) => *op,
        };
        let (expr, other) = if swap { (b, a) } else { (a, b) };
        let (low, high) = match op {
            BinaryOp::Lt => (None, Some(other)),
            BinaryOp::Le => (None, Some(next(other))),
            BinaryOp::Gt => (Some(next(other)), None),
            BinaryOp::Ge => (Some(other), None),
            BinaryOp::Eq => (Some(other.clone()), Some(next(other))),
            _ => return None,
        };
        Some(Bound { low, expr, high })
    }

    /// Code made from here on matters only where a test holds, or fails; undone by [`Gen::forget`]
    pub fn assume(&mut self, test: &Expr, holds: bool) -> usize {
        let depth = self.body.as_ref().map_or(0, |body| body.known.len());
        if self.body.is_none() {
            return depth;
        }
        let (mut found, mut rest) = (Vec::new(), Vec::new());
        self.bounds(test, &mut found, &mut rest);
        let mut facts: Vec<AffineExpr> = found.iter().flat_map(Bound::at_least_zero).collect();
        if !holds {
            // Only the opposite of one comparison is one.
            facts = match (facts.as_slice(), rest.is_empty()) {
                ([only], true) => vec![AffineExpr::sub((-1).into(), only.clone())],
                _ => Vec::new(),
            };
        }
        if let Some(body) = &mut self.body {
            body.known.extend(facts);
        }
        depth
    }

    /// Undo [`Gen::assume`]
    pub fn forget(&mut self, depth: usize) {
        if let Some(body) = &mut self.body {
            body.known.truncate(depth);
        }
    }

    /// A value from outside becomes an argument of the body
    pub fn captured(&mut self, name: &str, value: Val) -> Val {
        let depth = self.scopes.iter().rposition(|scope| scope.iter().any(|(other, _)| other == name));
        let outside = self.body.as_ref().is_some_and(|body| depth.is_some_and(|depth| depth < body.scopes));
        if !outside {
            return value;
        }
        match value {
            Val::One(v, elem) => Val::One(self.argument(Source::Scalar(v), None, None, self.ir.ty(v)), elem),
            Val::Record(n, all) => {
                let all = all
                    .into_iter()
                    .map(|v| self.argument(Source::Scalar(v), None, None, self.ir.ty(v)))
                    .collect();
                Val::Record(n, all)
            }
            other => other,
        }
    }

    fn argument(
        &mut self,
        source: Source,
        map: Option<Vec<AffineExpr>>,
        other: Option<Attr>,
        ty: terrace_ir::Type,
    ) -> Value {
        let span = terrace_diag::Span::point(terrace_diag::SourceId(0), 0);
        let Some(body) = &mut self.body else { return self.index(0) };
        let same = |input: &&Input| input.source == source && input.map == map && input.other == other;
        if let Some(found) = body.inputs.iter().find(same) {
            return found.arg;
        }
        let arg = self.ir.add_block_arg(body.block, ty);
        let name = match &source {
            Source::Array(n, field) => {
                let own = &self.arrays[*n].name;
                let lower = match self.arrays[*n].elem {
                    Elem::Struct(s) => {
                        format!("{own}.{}", self.file.structs[s].fields[*field].0).to_lowercase()
                    }
                    _ => own.to_lowercase(),
                };
                Some(if *own == own.to_lowercase() { format!("{lower}.e") } else { lower })
            }
            Source::Cell(name) => Some(format!("{name}.e")),
            Source::Scalar(value) => self.ir.value_name(*value).map(|name| format!("{name}.e")),
        };
        let before = body.inputs.iter().filter(|input| input.source == source).count();
        body.inputs.push(Input { source, map, other, arg, span });
        if let Some(name) = name {
            let name = if before == 0 { name } else { format!("{name}{before}") };
            self.name(arg, &name);
        }
        arg
    }

    /// An element as an argument of the body
    pub fn read_input(&mut self, place: &Place) -> Done<Val> {
        let elem = self.place_elem(place);
        let Some(array) = place.array else {
            let source = Source::Cell(place.name.clone());
            let arg = self.argument(source, None, None, self.stored(elem));
            self.note(arg, place.span);
            return Ok(self.unstored(arg, elem));
        };
        let subs = match self.subscripts(place) {
            Err(why)
                if !self.gather.contains(&place.name)
                    || why.code.is_none_or(|code| code.id != codes::INDEX.id) =>
            {
                return Err(why);
            }
            Err(_) => return self.gathered(place, array, elem),
            Ok(subs) => subs,
        };
        let other = self.outside(place, &subs)?;
        let read = |g: &mut Self, field: usize, elem: Elem| {
            let stored = g.stored(elem);
            let other = other.then(|| g.number(&Val::Int(0, Elem::INT), Gen::stored_elem(elem))).flatten();
            let arg = g.argument(Source::Array(array, field), Some(subs.clone()), other, stored);
            g.note(arg, place.span);
            arg
        };
        if let Elem::Struct(n) = elem {
            let elems: Vec<Elem> = self.file.structs[n].fields.iter().map(|(_, elem)| *elem).collect();
            let values = elems.iter().enumerate().map(|(field, elem)| {
                let arg = read(self, field, *elem);
                let value = self.unstored(arg, *elem);
                self.to(&value, *elem)
            });
            return Ok(Val::Record(n, values.collect()));
        }
        let arg = read(self, place.field.unwrap_or(0), elem);
        Ok(self.unstored(arg, elem))
    }

    /// An element at a place that the body computes: the body is given the whole array
    fn gathered(&mut self, place: &Place, array: usize, elem: Elem) -> Done<Val> {
        let shape = self.arrays[array].dims.clone();
        if self.arrays[array].open || shape.contains(&DYNAMIC) {
            let message =
                format!("C-INDEX: {0} is gathered from: declare its size, such as `{0}[N]`", place.name);
            return refuse(&codes::INDEX, place.span, message);
        }
        let mut indices = Vec::new();
        for sub in &place.subs {
            let value = self.expr(sub)?;
            let wide = match value.elem() {
                Elem::Int { signed, .. } => Elem::Int { bits: 64, signed },
                _ => Elem::Int { bits: 64, signed: true },
            };
            let value = self.to(&value, wide);
            let index = self.ir.cx().common().index;
            indices.push(self.op(arith::IndexCast::DEF, &[value], index));
        }
        let read = |g: &mut Self, field: usize, elem: Elem| {
            let stored = g.stored(elem);
            let whole = g.ir.cx().tensor(&shape, stored);
            let arg = g.argument(Source::Array(array, field), None, None, whole);
            g.note(arg, place.span);
            let operands: Vec<Value> = std::iter::once(arg).chain(indices.iter().copied()).collect();
            let value = g.op(tensor::Extract::DEF, &operands, stored);
            g.unstored(value, elem)
        };
        let Elem::Struct(n) = elem else { return Ok(read(self, place.field.unwrap_or(0), elem)) };
        let elems: Vec<Elem> = self.file.structs[n].fields.iter().map(|(_, elem)| *elem).collect();
        let mut values = Vec::new();
        for (field, elem) in elems.into_iter().enumerate() {
            let value = read(self, field, elem);
            values.push(self.to(&value, elem));
        }
        Ok(Val::Record(n, values))
    }

    fn unstored(&mut self, arg: Value, elem: Elem) -> Val {
        match elem {
            Elem::Bool => Val::One(self.to(&Val::One(arg, Self::stored_elem(elem)), Elem::Bool), elem),
            _ => Val::One(arg, elem),
        }
    }

    fn note(&mut self, arg: Value, span: Span) {
        if let Some(input) =
            self.body.as_mut().and_then(|body| body.inputs.iter_mut().find(|input| input.arg == arg))
        {
            input.span = span;
        }
    }

    /// Does the read leave its array where a condition says that nobody looks? An error where nothing says so
    fn outside(&self, place: &Place, subs: &[AffineExpr]) -> Done<bool> {
        let Some(array) = self.array(place) else { return Ok(false) };
        let Some(body) = &self.body else { return Ok(false) };
        let mut leaves = false;
        for (n, (sub, size)) in subs.iter().zip(&array.dims).enumerate() {
            let Some((low, high)) = self.range(sub) else { continue };
            let below = (low < 0).then(|| (sub.clone(), format!("from {low}")));
            let above = (high >= *size && *size != DYNAMIC && !(array.open && n == 0))
                .then(|| (AffineExpr::sub((*size - 1).into(), sub.clone()), format!("up to {high}")));
            for (bound, text) in below.into_iter().chain(above) {
                let implied = |fact: AffineExpr| {
                    let rest = AffineExpr::sub(bound.clone(), fact);
                    self.range(&rest).is_some_and(|(low, _)| low >= 0)
                };
                if body.conditions.iter().flat_map(Bound::at_least_zero).any(implied) {
                    continue;
                }
                if !body.known.iter().cloned().any(implied) {
                    let message =
                        format!("C-INDEX: {} dim {} is read {text}, declared {size}", place.name, n + 1);
                    return refuse(&codes::INDEX, place.span, message);
                }
                leaves = true;
            }
        }
        Ok(leaves)
    }

    /// Statements of the innermost loop
    pub fn body_stmts(&mut self, stmts: &[Stmt], top: bool) -> Done<()> {
        crate::with_room(|| self.body_stmts_here(stmts, top))
    }

    fn body_stmts_here(&mut self, stmts: &[Stmt], top: bool) -> Done<()> {
        for (n, stmt) in stmts.iter().enumerate() {
            self.set_loc(stmt.span);
            match &stmt.kind {
                StmtKind::Decl(objects) => {
                    for object in objects {
                        self.temporary(object)?;
                    }
                }
                StmtKind::Expr(e) => self.statement(e)?,
                StmtKind::Block(all) => {
                    self.scopes.push(Vec::new());
                    let done = self.body_stmts(all, top && n + 1 == stmts.len());
                    self.scopes.pop();
                    done?;
                }
                StmtKind::If(test, yes, no) => {
                    let free = self
                        .body
                        .as_ref()
                        .is_some_and(|body| body.updates.is_empty() && body.guards.is_empty());
                    let last = top && free && n + 1 == stmts.len() && no.is_empty();
                    self.condition(stmt, test, yes, no, last)?;
                }
                StmtKind::While(one) => {
                    return refuse(
                        &codes::FLOW,
                        one.head,
                        "C-FLOW: `while` has no place in a computation: how often it turns is not known before",
                    );
                }
                StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => {
                    return refuse(
                        &codes::FLOW,
                        stmt.span,
                        "C-FLOW: a jump has no place in a computation; put what it leaves out under a condition",
                    );
                }
                StmtKind::For(one) => {
                    return refuse(
                        &codes::NEST,
                        one.head,
                        "C-NEST: not perfect: this loop is not alone in the one around it",
                    );
                }
            }
        }
        Ok(())
    }

    fn condition(&mut self, stmt: &Stmt, test: &Expr, yes: &[Stmt], no: &[Stmt], whole: bool) -> Done<()> {
        // `if (e > m) m = e;`
        if let ([Stmt { kind: StmtKind::Expr(e), .. }], true) = (yes, no.is_empty())
            && let ExprKind::Assign(None, target, value) = &e.kind
            && self.is_memory(target)
            && let ExprKind::Binary(op, a, b) = &test.kind
            && !self.elementwise(target)
            && let Some(name) = extreme(*op, a, b, value, target)
        {
            let value = self.expr(value)?;
            return self.update(target, Some(name.into()), value, e.span);
        }
        if no.is_empty() && self.extreme_with(test, yes)? {
            return Ok(());
        }
        let (mut found, mut rest) = (Vec::new(), Vec::new());
        if whole {
            self.bounds(test, &mut found, &mut rest);
            if let Some(body) = &mut self.body {
                body.conditions.extend(found);
            }
            if rest.is_empty() {
                self.scopes.push(Vec::new());
                let done = self.body_stmts(yes, true);
                self.scopes.pop();
                return done;
            }
        } else {
            rest.push(test);
        }
        let mut guard: Option<Value> = None;
        for e in &rest {
            let value = self.expr(e)?;
            let value = self.truth(&value);
            let ty = self.ty(Elem::Bool);
            guard = Some(match guard {
                Some(before) => self.op(arith::AndI::DEF, &[before, value], ty),
                None => value,
            });
        }
        let Some(guard) = guard else { return Ok(()) };
        let before = self.scopes.clone();
        let mut arms = Vec::new();
        for (arm, holds) in [(yes, true), (no, false)] {
            let guard = match holds {
                true => guard,
                false if no.is_empty() => guard,
                false => {
                    let not = self.unary(crate::ast::UnaryOp::Not, &Val::One(guard, Elem::Bool));
                    self.truth(&not)
                }
            };
            let outer = self.body.as_ref().and_then(|body| body.guards.last().copied());
            let joined = match outer {
                Some(outer) => {
                    let ty = self.ty(Elem::Bool);
                    self.op(arith::AndI::DEF, &[outer, guard], ty)
                }
                None => guard,
            };
            let depth = self.assume(test, holds);
            if let Some(body) = &mut self.body {
                body.guards.push(joined);
            }
            self.scopes.push(Vec::new());
            let done = self.body_stmts(arm, false);
            self.scopes.pop();
            if let Some(body) = &mut self.body {
                body.guards.pop();
            }
            self.forget(depth);
            done?;
            arms.push(std::mem::replace(&mut self.scopes, before.clone()));
        }
        self.set_loc(stmt.span);
        if let (Some(no), Some(yes)) = (arms.pop(), arms.pop()) {
            self.merge(guard, yes, no);
        }
        Ok(())
    }

    /// Does the expression name memory (and not a temporary)?
    pub fn is_memory(&self, e: &Expr) -> bool {
        matches!(e.base().and_then(|name| self.lookup(name)), Some(Slot::Array(_) | Slot::Cell(_)))
    }

    fn statement(&mut self, e: &Expr) -> Done<()> {
        let (op, target, value) = match &e.kind {
            ExprKind::Assign(op, target, value) => (*op, target, (**value).clone()),
            ExprKind::Step(target, by) => {
                (Some(BinaryOp::Add), target, Expr { span: e.span, kind: ExprKind::Int(*by, Elem::INT) })
            }
            ExprKind::Call(name, _) => {
                return refuse(
                    &codes::CALL,
                    e.span,
                    format!("C-CALL: {name} is called for what it does, not for a value"),
                );
            }
            _ => return refuse(&codes::SYNTAX, e.span, "C-SYNTAX: this statement has no effect"),
        };
        if let Some(name) = target.base()
            && let Some(Slot::Iv(_)) = self.lookup(name)
        {
            return refuse(&codes::IV, e.span, format!("C-IV: loop variable {name} is changed in the body"));
        }
        if !self.is_memory(target) {
            return self.assign_temp(e);
        }
        let operator = |op: BinaryOp| match op {
            BinaryOp::Add | BinaryOp::Sub => Some("+"),
            BinaryOp::Mul => Some("*"),
            BinaryOp::And => Some("&"),
            BinaryOp::Or => Some("|"),
            BinaryOp::Xor => Some("^"),
            _ => None,
        };
        if self.elementwise(target) {
            let kind = op.map(|op| ExprKind::Binary(op, target.clone(), Box::new(value.clone())));
            let whole = kind.map(|kind| Expr { span: e.span, kind });
            let found = self.assigned_value(target, whole.as_ref().unwrap_or(&value))?;
            return self.update(target, None, found, e.span);
        }
        if let Some(op) = op {
            if let Some(name) = operator(op) {
                let mut found = self.expr(&value)?;
                self.number_only(&found, value.span)?;
                if op == BinaryOp::Sub {
                    found = self.unary(crate::ast::UnaryOp::Neg, &found);
                }
                return self.update(target, Some(name.into()), found, e.span);
            }
            let whole = Expr { span: e.span, kind: ExprKind::Binary(op, target.clone(), Box::new(value)) };
            let found = self.expr(&whole)?;
            return self.update(target, None, found, e.span);
        }
        let mut inner = &value;
        while let ExprKind::Cast(_, next) = &inner.kind {
            inner = next;
        }
        if let Some((name, part, negative)) = self.recurrence(target, inner) {
            let mut found = self.expr(&part)?;
            if negative {
                found = self.unary(crate::ast::UnaryOp::Neg, &found);
            }
            return self.update(target, Some(name), found, e.span);
        }
        // `y[i] = s;` behind `s += …;`
        if let ExprKind::Name(name) = &value.kind
            && let Some(body) = &self.body
            && let Some(sum) =
                body.updates.iter().rev().find(|u| u.place.array.is_none() && u.place.name == *name)
        {
            let (operator, found) = (sum.operator.clone(), sum.value.clone());
            let running = Some(name.clone());
            self.update(target, operator, found, e.span)?;
            if let Some(last) = self.body.as_mut().and_then(|body| body.updates.last_mut()) {
                last.running = running;
            }
            return Ok(());
        }
        let found = self.assigned_value(target, &value)?;
        self.update(target, None, found, e.span)
    }

    fn assigned_value(&mut self, target: &Expr, value: &Expr) -> Done<Val> {
        match (&value.kind, self.place(target)?.map(|place| self.place_elem(&place))) {
            (ExprKind::List(_, all), Some(Elem::Struct(n))) => self.record(n, all, value.span),
            _ => self.expr(value),
        }
    }

    /// `lv op e` on the right of `lv =`: operator, e, and whether it is taken away
    fn recurrence(&self, target: &Expr, e: &Expr) -> Option<(String, Expr, bool)> {
        let part = |e: &Expr, name: &str| Some((name.to_string(), e.clone(), false));
        match &e.kind {
            ExprKind::Binary(op, a, b) => {
                let name = match op {
                    BinaryOp::Add => "+",
                    BinaryOp::Mul => "*",
                    BinaryOp::And => "&",
                    BinaryOp::Or => "|",
                    BinaryOp::Xor => "^",
                    BinaryOp::LogAnd => "&&",
                    BinaryOp::LogOr => "||",
                    BinaryOp::Sub if a.same(target) => return Some(("+".into(), (**b).clone(), true)),
                    _ => return None,
                };
                match () {
                    () if a.same(target) => part(b, name),
                    () if b.same(target) => part(a, name),
                    () => None,
                }
            }
            ExprKind::Call(name, args) => {
                let [a, b] = args.as_slice() else { return None };
                let builtin = match name.as_str() {
                    "fmaxf" | "fmax" => Some("max"),
                    "fminf" | "fmin" => Some("min"),
                    _ => None,
                };
                let own = self.file.functions.iter().find(|function| function.name == *name);
                let commutes = builtin.is_some()
                    || own.is_some_and(|own| {
                        own.operator.as_ref().is_some_and(|operator| operator.commutative)
                    });
                let name = builtin.or(own.map(|_| name.as_str()))?;
                match () {
                    () if a.same(target) => part(b, name),
                    () if b.same(target) && commutes => part(a, name),
                    () => None,
                }
            }
            ExprKind::Cond(test, yes, no) => {
                let ExprKind::Binary(op, a, b) = &test.kind else { return None };
                if no.same(target) {
                    return extreme(*op, a, b, yes, target)
                        .map(|name| (name.to_string(), (**yes).clone(), false));
                }
                if yes.same(target) {
                    // `lv > e ? lv : e`: e is taken where the test fails.
                    let opposite = match op {
                        BinaryOp::Lt => BinaryOp::Ge,
                        BinaryOp::Le => BinaryOp::Gt,
                        BinaryOp::Gt => BinaryOp::Le,
                        BinaryOp::Ge => BinaryOp::Lt,
                        _ => return None,
                    };
                    return extreme(opposite, a, b, no, target)
                        .map(|name| (name.to_string(), (**no).clone(), false));
                }
                None
            }
            _ => None,
        }
    }

    pub fn update(&mut self, target: &Expr, operator: Option<String>, value: Val, span: Span) -> Done<()> {
        let Some(place) = self.place(target)? else {
            return refuse(&codes::NAME, target.span, "C-NAME: this is no place in memory");
        };
        let map = match place.array {
            Some(_) => self.subscripts(&place)?,
            None => Vec::new(),
        };
        let elem = self.place_elem(&place);
        let mut value = self.typed(&value, elem, span)?;
        let mut guard = self.body.as_ref().and_then(|body| body.guards.last().copied());
        self.unmixed(&place, &map, span)?;
        if let (true, Some(holds)) = (self.elementwise(target), guard.take()) {
            // What is there stays; where it lies must not hang on the condition.
            let known = self.body.as_mut().map(|body| std::mem::take(&mut body.known)).unwrap_or_default();
            let old = self.current(&place);
            if let Some(body) = &mut self.body {
                body.known = known;
            }
            let Some(chosen) = self.select(holds, &value, &old?) else {
                return refuse(&codes::TYPE, span, "C-TYPE: both sides need one type");
            };
            value = chosen;
        } else {
            guard = self.body.as_ref().and_then(|body| body.guards.last().copied());
        }
        let update =
            Update { place, target: target.clone(), map, operator, value, span, guard, running: None };
        if let Some(body) = &mut self.body {
            body.updates.push(update);
        }
        Ok(())
    }

    /// Sums over the first variables of a nest as a map
    pub fn map(&self, rank: usize, subs: &[AffineExpr]) -> Option<AffineMap> {
        AffineMap::new(rank as u32, 0, subs.to_vec())
    }
}

/// Which extreme `if (a op b) target = value` keeps
fn extreme(op: BinaryOp, a: &Expr, b: &Expr, value: &Expr, target: &Expr) -> Option<&'static str> {
    let greater = matches!(op, BinaryOp::Gt | BinaryOp::Ge);
    if !greater && !matches!(op, BinaryOp::Lt | BinaryOp::Le) {
        return None;
    }
    // `value > target`: the greater one is kept.
    match () {
        () if a.same(value) && b.same(target) => Some(if greater { "max" } else { "min" }),
        () if b.same(value) && a.same(target) => Some(if greater { "min" } else { "max" }),
        () => None,
    }
}
