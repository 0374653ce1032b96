//! The greatest or least element with what belongs to it: `if (x[i] > m) { m = x[i]; at = i; }`.
//!
//! Both are combined by one operator over pairs, `b.m > a.m ? b : a`, which the front end makes. It is associative on all values but
//! NaN, which the test in C passes over: a contribution that is NaN counts as the least (greatest) value there is, which is
//! never taken either. **Invariant.** Only tests that keep the first of equal floats are understood; integers may keep the last.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind, Stmt, StmtKind};
use crate::codes;
use crate::computation::{Joint, Update};
use crate::func::Job;
use crate::lowering::Lowering;
use crate::refusal::{Done, refuse};
use crate::value::Val;
use terrace_dialect_func as func;
use terrace_dialect_mdh::operator;
use terrace_ir::{Ir, Value};

impl Job<'_> {
    /// The function of such an operator
    pub fn joint(&self, joint: &Joint) -> Ir {
        let span = terrace_diag::Span::point(self.source, 0);
        let mut unit = self.unit(&joint.name, span);
        let root = unit.root();
        let Some(block) = unit.entry(unit.region(root, 0)) else { return unit };
        let mut quiet = terrace_diag::Diags::default();
        let mut g = Lowering::new(&mut unit, block, span, self.file, self.sets, &mut quiet);
        let types: Vec<_> = joint.elems.iter().map(|elem| g.emit.ty(*elem)).collect();
        let mut sides: Vec<Vec<Value>> = Vec::new();
        for side in ["a", "b"] {
            let args: Vec<Value> = types.iter().map(|ty| g.emit.ir.add_block_arg(block, *ty)).collect();
            for (n, arg) in args.iter().enumerate() {
                g.emit.name(*arg, &format!("{side}{n}"));
            }
            sides.push(args);
        }
        let [old, new] = [0, 1].map(|side| Val::One(sides[side][0], joint.elems[0]));
        let test = g.emit.binary(joint.op, &new, &old).unwrap_or(Val::Int(0, Elem::Bool));
        let test = g.emit.truth(&test);
        let values: Vec<Value> =
            (0..types.len()).map(|n| g.emit.select_value(test, sides[1][n], sides[0][n])).collect();
        g.emit.op_id(func::Return::DEF, &values, &[]);
        let twice: Vec<_> = types.iter().chain(&types).copied().collect();
        crate::func::sign(&mut unit, &twice, &types);
        let private = self.cx.str_attr("private");
        unit.set_attr(root, "sym_visibility", Some(private));
        let declared = self.cx.dict_attr(vec![(self.cx.intern("associative"), self.cx.common().unit)]);
        unit.set_discardable(root, operator::DECLARED, Some(declared));
        unit
    }
}

/// Target and value of an assignment
type Set<'e> = (&'e Expr, &'e Expr);

impl Lowering<'_> {
    /// Take a condition as such a pair; `false` if it is none
    pub fn extreme_with(&mut self, test: &Expr, yes: &[Stmt]) -> Done<bool> {
        let Some((op, sets)) = self.candidate(test, yes) else { return Ok(false) };
        let mut elems = Vec::new();
        for (target, _) in &sets {
            let Some(place) = self.names.place(target)? else { return Ok(false) };
            elems.push(self.names.place_elem(&place));
        }
        if !fits(op, &elems) {
            return Ok(false);
        }
        let Some(values) = self.extreme_values(op, &sets, &elems)? else { return Ok(false) };
        let name = joint_name(op, &elems);
        if self.names.file.functions.iter().any(|function| function.name == name)
            || self.names.file.variables.iter().any(|object| object.name == name)
        {
            return Ok(false);
        }
        let joint = Joint { name: name.clone(), op, elems: elems.clone() };
        if !self.joints.contains(&joint) {
            self.joints.push(joint);
        }
        for ((target, value), (made, elem)) in sets.iter().zip(values.into_iter().zip(elems)) {
            self.update(target, Some(name.clone()), Val::One(made, elem), value.span)?;
        }
        Ok(true)
    }

    /// The comparison that takes a new value, and what is set then: the extreme first
    fn candidate<'e>(&mut self, test: &'e Expr, yes: &'e [Stmt]) -> Option<(BinaryOp, Vec<Set<'e>>)> {
        let ExprKind::Binary(op, a, b) = &test.kind else { return None };
        let mut sets = assignments(yes)?;
        for (target, _) in &sets {
            if !self.names.is_memory(target) || self.elementwise(target) {
                return None;
            }
        }
        // The new value on the left.
        let is = |value: &Expr, target: &Expr| {
            let at = sets.iter().position(|(t, v)| t.same(target) && v.same(value));
            at.filter(|_| sets.iter().filter(|(t, _)| t.same(target)).count() == 1)
        };
        let (at, op) = match (is(a, b), is(b, a)) {
            (Some(at), _) => (at, *op),
            (None, Some(at)) => (at, op.swapped()?),
            (None, None) => return None,
        };
        let whole = self.nest.ends.is_empty();
        let free = whole
            && self.body.as_ref().is_some_and(|body| {
                body.conditions.is_empty()
                    && body.guards.is_empty()
                    && body.updates.is_empty()
                    && body.all_kept.is_none()
            });
        if !free || !matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge) {
            return None;
        }
        let first = sets.remove(at);
        sets.insert(0, first);
        Some((op, sets))
    }

    /// Values to be set; nothing if what is compared is not what is stored
    fn extreme_values(&mut self, op: BinaryOp, sets: &[Set<'_>], elems: &[Elem]) -> Done<Option<Vec<Value>>> {
        let mut values = Vec::new();
        for (n, (_, value)) in sets.iter().enumerate() {
            let found = self.expr(value)?;
            if n == 0 && found.elem() != elems[0] {
                return Ok(None);
            }
            let found = self.typed(&found, elems[n], value.span)?;
            values.push(self.emit.to(&found, elems[n]));
        }
        if let Elem::Float(_) = elems[0] {
            let sign = if op == BinaryOp::Gt { -1.0 } else { 1.0 };
            let worst = self.emit.to(&Val::Float(sign * f64::INFINITY, elems[0]), elems[0]);
            let own = Val::One(values[0], elems[0]);
            let Some(number) = self.emit.binary(BinaryOp::Eq, &own, &own) else { return Ok(None) };
            let number = self.emit.truth(&number);
            values[0] = self.emit.select_value(number, values[0], worst);
        }
        Ok(Some(values))
    }

    /// Is the word such an operator?
    pub fn is_joint(&self, word: &str) -> bool {
        self.joints.iter().any(|joint| joint.name == word)
    }

    /// Such an operator takes all outputs of a computation, in one dimension
    pub fn joint_fits(&self, updates: &[Update], kept: &[bool]) -> Done<bool> {
        let Some(update) =
            updates.iter().find(|u| u.operator.as_ref().is_some_and(|word| self.is_joint(word)))
        else {
            return Ok(false);
        };
        let folded: Vec<usize> = (0..kept.len()).filter(|n| !kept[*n]).collect();
        let alone = updates.iter().all(|other| other.operator == update.operator)
            && folded.len() == 1
            && self.names.ivs[folded[0]].range.is_some_and(|(_, _, turns)| turns > 0)
            && self.joints.iter().any(|joint| {
                Some(&joint.name) == update.operator.as_ref() && joint.elems.len() == updates.len()
            });
        match alone {
            true => Ok(true),
            false => {
                let message = format!(
                    "C-DEP: {} is kept together with others, which is known for one loop that does nothing else",
                    update.place.name
                );
                refuse(&codes::DEP, update.span, message)
            }
        }
    }
}

/// Two or more assignments, and nothing else
fn assignments(stmts: &[Stmt]) -> Option<Vec<Set<'_>>> {
    let sets: Option<Vec<Set<'_>>> = stmts
        .iter()
        .map(|stmt| match &stmt.kind {
            StmtKind::Expr(Expr { kind: ExprKind::Assign(None, target, value), .. }) => {
                Some((&**target, &**value))
            }
            _ => None,
        })
        .collect();
    sets.filter(|sets| sets.len() >= 2)
}

/// Types that such an operator may have: of equal floats the first is kept
fn fits(op: BinaryOp, elems: &[Elem]) -> bool {
    let first = match elems[0] {
        Elem::Float(32 | 64) => matches!(op, BinaryOp::Lt | BinaryOp::Gt),
        Elem::Int { .. } => true,
        _ => false,
    };
    first && elems[1..].iter().all(|elem| matches!(elem, Elem::Int { .. } | Elem::Float(_)))
}

fn joint_name(op: BinaryOp, elems: &[Elem]) -> String {
    let word = |elem: &Elem| match elem {
        Elem::Float(bits) => format!("f{bits}"),
        Elem::Int { bits, signed } => format!("{}{bits}", if *signed { "i" } else { "u" }),
        _ => String::new(),
    };
    let kept = match op {
        BinaryOp::Gt => "first_greatest",
        BinaryOp::Ge => "last_greatest",
        BinaryOp::Lt => "first_least",
        _ => "last_least",
    };
    std::iter::once(kept.to_string()).chain(elems.iter().map(word)).collect::<Vec<_>>().join("_")
}
