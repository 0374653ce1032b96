//! Loop nests: heads, perfect nesting, and what stands between loops.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind, For, Stmt, StmtKind};
use crate::body::{Body, Bound};
use crate::codes;
use crate::emit::{Cell, Done, Gen, Iv, Slot, refuse};
use crate::pragma::Directive;
use terrace_diag::{Diagnostic, Span};
use terrace_support::affine::AffineExpr;

/// `lv = c;` in front of the loops that add to `lv`
#[derive(Clone, Debug)]
pub struct Start {
    /// What is set
    pub target: Expr,
    /// To what
    pub value: Expr,
    /// Loops around it
    pub depth: usize,
}

/// The head of a loop
pub struct Head<'a> {
    /// Variable
    pub name: &'a str,
    /// Its type; nothing if it is declared elsewhere
    pub elem: Option<Elem>,
    /// First value
    pub start: &'a Expr,
    /// What it is compared with, by which operator
    pub test: (&'a Expr, BinaryOp),
    /// Added after each turn
    pub step: i64,
    /// Where
    pub span: Span,
}

impl Gen<'_> {
    /// Take a head apart
    pub fn head<'f>(&self, one: &'f For) -> Done<Head<'f>> {
        let wrong = |what: &str| {
            let message = format!("C-BOUND: {what}; a loop is `for (int i = 0; i < N; ++i)`");
            refuse(&codes::BOUND, one.head, message)
        };
        let (name, elem, start) = match one.init.as_ref().map(|init| &init.kind) {
            Some(StmtKind::Decl(objects)) => match objects.as_slice() {
                [object] if object.dims.is_empty() => match &object.init {
                    Some(start) => (object.name.as_str(), Some(object.elem), start),
                    None => return wrong("the loop variable has no first value"),
                },
                _ => return wrong("one loop variable, not several"),
            },
            Some(StmtKind::Expr(Expr { kind: ExprKind::Assign(None, target, start), .. })) => {
                match &target.kind {
                    ExprKind::Name(name) => (name.as_str(), None, &**start),
                    _ => return wrong("the loop variable is no plain variable"),
                }
            }
            _ => return wrong("the loop variable has no first value"),
        };
        if elem.is_some_and(|elem| !matches!(elem, Elem::Int { .. })) {
            return wrong("the loop variable is no integer");
        }
        let is_iv = |e: &Expr| matches!(&e.kind, ExprKind::Name(other) if other == name);
        let test = match one.test.as_ref().map(|test| &test.kind) {
            Some(ExprKind::Binary(op, a, b)) if is_iv(a) => (&**b, *op),
            Some(ExprKind::Binary(op, a, b)) if is_iv(b) => {
                let op = match op {
                    BinaryOp::Lt => BinaryOp::Gt,
                    BinaryOp::Le => BinaryOp::Ge,
                    BinaryOp::Gt => BinaryOp::Lt,
                    BinaryOp::Ge => BinaryOp::Le,
                    op => *op,
                };
                (&**a, op)
            }
            _ => return wrong("the test does not compare the loop variable"),
        };
        let step = match one.step.as_ref().map(|step| &step.kind) {
            Some(ExprKind::Step(target, by)) if is_iv(target) => i64::try_from(*by).ok(),
            Some(ExprKind::Assign(Some(BinaryOp::Add), target, by)) if is_iv(target) => self.constant(by),
            Some(ExprKind::Assign(Some(BinaryOp::Sub), target, by)) if is_iv(target) => {
                self.constant(by).and_then(i64::checked_neg)
            }
            Some(ExprKind::Assign(None, target, sum)) if is_iv(target) => match &sum.kind {
                ExprKind::Binary(BinaryOp::Add, a, b) if is_iv(a) => self.constant(b),
                ExprKind::Binary(BinaryOp::Add, a, b) if is_iv(b) => self.constant(a),
                ExprKind::Binary(BinaryOp::Sub, a, b) if is_iv(a) => {
                    self.constant(b).and_then(i64::checked_neg)
                }
                _ => None,
            },
            _ => None,
        };
        let step = match step {
            Some(step) if step != 0 && step.unsigned_abs() < 1 << 40 => step,
            _ => return wrong("the step is no constant"),
        };
        let ends = match test.1 {
            BinaryOp::Lt | BinaryOp::Le => step > 0,
            BinaryOp::Gt | BinaryOp::Ge => step < 0,
            _ => false,
        };
        if !ends {
            return wrong("test and step do not end the loop");
        }
        Ok(Head { name, elem, start, test, step, span: one.head })
    }

    /// First value, step and number of turns, if all are constants
    pub fn turns(&self, head: &Head<'_>) -> Option<(i64, i64, i64)> {
        let (start, end) = (self.constant(head.start)?, self.constant(head.test.0)?);
        let inclusive = matches!(head.test.1, BinaryOp::Le | BinaryOp::Ge);
        let distance =
            (i128::from(end) - i128::from(start)) * i128::from(head.step.signum()) + i128::from(inclusive);
        let by = i128::from(head.step.unsigned_abs());
        let turns = if distance <= 0 { 0 } else { (distance + by - 1) / by };
        Some((start, head.step, i64::try_from(turns).ok()?))
    }

    /// A constant range, or why there is none
    fn range_of_head(&self, head: &Head<'_>, outer: &[Iv]) -> Done<(i64, i64, i64)> {
        if let Some(range) = self.turns(head) {
            return Ok(range);
        }
        let e = if self.constant(head.start).is_none() { head.start } else { head.test.0 };
        // What is loaded or computed says more than what its place depends on.
        let mut found = (0, "is not known here".to_string());
        e.walk(&mut |inner| {
            let (rank, why) = match &inner.kind {
                ExprKind::Index(..) | ExprKind::Deref(_) => (4, "is loaded from memory".to_string()),
                ExprKind::Call(name, _) => (3, format!("is computed by {name}")),
                ExprKind::Name(name) if outer.iter().any(|iv| iv.name == *name) => {
                    (2, format!("depends on {name}, and not as a sum"))
                }
                ExprKind::Name(name) if self.around.contains(name) => {
                    let why = "whose turns stay in order around it: sizes of computations are numbers";
                    (2, format!("depends on {name}, {why}"))
                }
                ExprKind::Name(name) if matches!(self.lookup(name), Some(Slot::Cell(_))) => {
                    (1, format!("is the variable {name}, which changes"))
                }
                _ => return,
            };
            if rank > found.0 {
                found = (rank, why);
            }
        });
        let why = found.1;
        let message = format!("C-BOUND: the bound of {} {why}", head.name);
        let diagnostic = Diagnostic::error(&codes::BOUND, message).at(e.span);
        Err(Box::new(match why.starts_with("is not known") {
            true => self.set_help(diagnostic, e),
            false => diagnostic,
        }))
    }

    /// A range that is cut by the loops around it: the box, and what holds inside (a triangle, for one)
    fn cut(&self, head: &Head<'_>) -> Option<((i64, i64, i64), Bound)> {
        let (start, end) = (self.affine(head.start)?, self.affine(head.test.0)?);
        let end = match head.test.1 {
            BinaryOp::Lt => end,
            BinaryOp::Le => end + 1.into(),
            _ => return None,
        };
        let ((low, _), (least, high)) = (self.range(&start)?, self.range(&end)?);
        // What is unsigned wraps below 0 in C.
        let unsigned = |elem: Elem| matches!(elem, Elem::Int { signed: false, .. });
        let wraps = head.elem.is_none_or(unsigned) || self.ivs.iter().any(|iv| unsigned(iv.elem));
        if head.step != 1 || wraps && (low < 0 || least < 0) {
            return None;
        }
        let own = AffineExpr::Dim(self.ivs.len() as u32) + low.into();
        let bound = Bound {
            low: start.as_constant().is_none().then_some(start),
            expr: own,
            high: end.as_constant().is_none().then_some(end),
        };
        Some(((low, 1, high.checked_sub(low)?.max(0)), bound))
    }

    /// Take the nest as a computation; nothing has changed if that is refused
    ///
    /// Variables of loops around it are numbers like others: they do not change while it runs.
    pub fn computation(&mut self, one: &For) -> Done<()> {
        let before = self.scopes.clone();
        let (last, arrays) = (self.ir.last_op(self.block), self.arrays.len());
        let parts = self.on_parts(one)?;
        let one = parts.as_ref().unwrap_or(one);
        let around = std::mem::take(&mut self.ivs);
        let hidden = self.hide(&around);
        self.around = around.iter().map(|iv| iv.name.clone()).collect();
        let result = self.attempt(one);
        match result {
            Ok(()) => {
                self.scopes.truncate(before.len());
                for (scope, at, slot) in hidden {
                    self.scopes[scope][at].1 = slot;
                }
            }
            Err(_) => {
                self.scopes = before;
                self.forget_parts(last, arrays);
            }
        }
        self.ivs = around;
        self.around.clear();
        self.body = None;
        result
    }

    /// Loop variables, and sums of them, become values; gives back what stood there
    fn hide(&mut self, around: &[Iv]) -> Vec<(usize, usize, Slot)> {
        let mut hidden = Vec::new();
        for (n, scope) in self.scopes.iter_mut().enumerate() {
            for (at, (_, slot)) in scope.iter_mut().enumerate() {
                let new = match &*slot {
                    Slot::Iv(iv) => {
                        let iv = &around[*iv];
                        Slot::Temp { value: iv.value.clone(), affine: None, elem: iv.elem }
                    }
                    Slot::Temp { value, affine: Some(e), elem } if e.as_constant().is_none() => {
                        Slot::Temp { value: value.clone(), affine: None, elem: *elem }
                    }
                    _ => continue,
                };
                hidden.push((n, at, std::mem::replace(slot, new)));
            }
        }
        hidden
    }

    fn attempt(&mut self, outermost: &For) -> Done<()> {
        let directive = outermost.directive.as_ref();
        let wanted = directive.map_or(0, |directive| directive.combs.len());
        let mut starts: Vec<Start> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        let mut cuts: Vec<Bound> = Vec::new();
        self.cut.clear();
        let gather = directive.map_or(&[][..], |directive| &directive.gather);
        self.gather = gather.iter().map(|(name, _)| name.clone()).collect();
        if let Some(directive) = directive {
            self.arrays_named(directive)?;
        }
        self.scopes.push(Vec::new());
        for (name, value, span) in directive.map_or(&[][..], |directive| &directive.assume) {
            match self.lookup(name) {
                Some(Slot::Cell(Cell { elem, .. }) | Slot::Temp { elem, .. })
                    if matches!(elem, Elem::Int { .. }) =>
                {
                    let slot = Slot::Number(*value, *elem);
                    self.declare(name, slot);
                }
                _ => {
                    return refuse(
                        &codes::NAME,
                        *span,
                        format!("C-NAME: {name} is no integer parameter or variable"),
                    );
                }
            }
        }
        let mut at = outermost;
        let stmts = loop {
            let head = self.head(at)?;
            let range = match self.turns(&head).is_none().then(|| self.cut(&head)).flatten() {
                Some((range, bound)) => {
                    self.cut.push((self.ivs.len(), head.span));
                    cuts.push(bound);
                    range
                }
                None => self.range_of_head(&head, &self.ivs)?,
            };
            let elem = match (head.elem, self.lookup(head.name)) {
                (Some(elem), _) => elem,
                (None, Some(Slot::Cell(cell))) => cell.elem,
                (None, Some(Slot::Temp { elem, .. })) => *elem,
                (None, _) => {
                    return refuse(&codes::NAME, head.span, format!("C-NAME: {} is not declared", head.name));
                }
            };
            if names.iter().any(|name| name == head.name) {
                return refuse(
                    &codes::IV,
                    head.span,
                    format!("C-IV: {} is the variable of two loops", head.name),
                );
            }
            if head.elem.is_none() && self.live.contains(head.name) {
                return refuse(&codes::IV, head.span, format!("C-IV: {} is used behind the loop", head.name));
            }
            names.push(head.name.to_string());
            let n = self.ivs.len();
            let name = head.name.to_string();
            self.ivs.push(Iv {
                name: name.clone(),
                elem,
                range: Some(range),
                value: None,
                index: None,
                span: head.span,
            });
            self.declare(&name, Slot::Iv(n));
            let mut inside: &[Stmt] = &at.body;
            while let [Stmt { kind: StmtKind::Block(all), .. }] = inside {
                inside = all;
            }
            let loops: Vec<usize> =
                (0..inside.len()).filter(|n| matches!(inside[*n].kind, StmtKind::For(_))).collect();
            let Some(position) = loops.first().copied() else { break inside };
            let StmtKind::For(next) = &inside[position].kind else { break inside };
            if let Some(other) = &next.directive {
                let message = match directive {
                    Some(_) => "C-PRAGMA: a directive inside of a nest that has one",
                    None => "C-PRAGMA: the directive of an inner nest leaves this loop outside",
                };
                return refuse(&codes::PRAGMA, other.span, message);
            }
            for (n, stmt) in inside.iter().enumerate().filter(|(n, _)| *n != position) {
                let start = match &stmt.kind {
                    StmtKind::Expr(Expr { kind: ExprKind::Assign(None, target, value), .. })
                        if n < position =>
                    {
                        Some((target, value))
                    }
                    _ => None,
                };
                match start.filter(|(target, _)| self.is_memory(target)) {
                    Some((target, value)) => {
                        let (target, value) = ((**target).clone(), (**value).clone());
                        starts.push(Start { target, value, depth: self.ivs.len() });
                    }
                    None => return Err(Box::new(self.imperfect(stmt, &head, next))),
                }
            }
            at = next;
        };
        if directive.is_some() && wanted > 0 && wanted != self.ivs.len() {
            let message = format!("C-ARITY: {} loops, {wanted} operators", self.ivs.len());
            let span = directive.map_or(outermost.head, |directive| directive.span);
            let diagnostic = Diagnostic::error(&codes::ARITY, message).at(span);
            return Err(Box::new(diagnostic.also(at.head, "innermost loop")));
        }
        let block = self.ir.create_block();
        self.body = Some(Body {
            block,
            scopes: self.scopes.len() - 1,
            inputs: Vec::new(),
            known: cuts.iter().flat_map(Bound::at_least_zero).collect(),
            guards: Vec::new(),
            conditions: cuts,
            updates: Vec::new(),
            all_kept: directive.and_then(|directive| Gen::all_kept(&directive.combs)),
        });
        let outside = std::mem::replace(&mut self.block, block);
        self.scopes.push(Vec::new());
        let done = self.body_stmts(stmts, true);
        self.scopes.pop();
        let whole = match done {
            Ok(()) => self.cut_to_reach(outside),
            Err(_) => Vec::new(),
        };
        let done = done.and_then(|()| self.outputs(outermost, &starts, at.head));
        self.block = outside;
        let done = match done {
            Ok(plan) => self.assemble(outermost, plan),
            Err(why) => {
                self.ir.erase_block(block);
                Err(why)
            }
        };
        for (n, array) in whole {
            self.arrays[n] = array;
        }
        done
    }

    /// Names in clauses are arrays or numbers in memory
    fn arrays_named(&self, directive: &Directive) -> Done<()> {
        let arrays = directive.disjoint.iter().chain(&directive.gather);
        for (name, span) in arrays {
            if !matches!(self.lookup(name), Some(Slot::Array(_))) {
                return refuse(&codes::NAME, *span, format!("C-NAME: {name} in a clause is no array"));
            }
        }
        for (name, span) in &directive.inout {
            if !matches!(self.lookup(name), Some(Slot::Array(_) | Slot::Cell(_))) {
                return refuse(&codes::NAME, *span, format!("C-NAME: {name} in `inout` is no output"));
            }
        }
        Ok(())
    }

    fn imperfect(&self, stmt: &Stmt, head: &Head<'_>, next: &For) -> Diagnostic {
        let inner = self.head(next).map_or("the inner loop", |head| head.name).to_string();
        let what = match &stmt.kind {
            StmtKind::For(_) => "this loop stands beside another one".to_string(),
            _ => format!("this statement stands between loops {} and {inner}", head.name),
        };
        let span = match &stmt.kind {
            StmtKind::For(one) => one.head,
            _ => stmt.span,
        };
        Diagnostic::error(&codes::NEST, format!("C-NEST: not perfect: {what}"))
            .at(span)
            .help("put it into the innermost loop, or into a nest of its own")
    }
}
