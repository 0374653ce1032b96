//! Loops that stay loops: counted ones, those that threads take, and those without a trip count.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind, For, Stmt, StmtKind, While, assigned};
use crate::bindings::{Iv, Slot};
use crate::codes;
use crate::heads::Head;
use crate::lowering::Lowering;
use crate::parallel::AtOnce;
use crate::refusal::{Done, refuse};
use crate::value::Val;
use terrace_dialect_arith as arith;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::Value;

impl Lowering<'_> {
    /// Code in the one block of a region, with its yield
    pub fn inside(
        &mut self,
        region: terrace_ir::RegionId,
        act: impl FnOnce(&mut Self) -> Done<()>,
    ) -> Done<()> {
        let block = self.emit.ir.append_block(region);
        let outside = std::mem::replace(&mut self.emit.block, block);
        self.names.scopes.push(Vec::new());
        let outer = std::mem::take(&mut self.function.frees);
        let done = act(self);
        self.names.scopes.pop();
        self.free_inside(outer);
        self.emit.op_id(scf::Yield::DEF, &[], &[]);
        self.emit.block = outside;
        done
    }

    /// Arrays of a block that ends here; those around it are left
    fn free_inside(&mut self, outer: Vec<Value>) {
        for memref in std::mem::replace(&mut self.function.frees, outer) {
            self.emit.op_id(memref::Dealloc::DEF, &[memref], &[]);
        }
    }

    /// A `for` whose turns cannot be counted before it runs
    fn as_uncounted(&mut self, one: &For) -> Done<bool> {
        let step = one.step.iter().map(|e| Stmt { span: e.span, kind: StmtKind::Expr(e.clone()) }).collect();
        let made =
            While { head: one.head, test: one.test.clone(), body: one.body.clone(), step, first: false };
        let mut all: Vec<Stmt> = one.init.iter().cloned().collect();
        all.push(Stmt { span: one.head, kind: StmtKind::While(Box::new(made)) });
        self.names.scopes.push(Vec::new());
        let done = self.statements(&all, false);
        self.names.scopes.pop();
        done.map(|()| false)
    }

    /// A loop without a trip count
    pub fn uncounted(&mut self, one: &While) -> Done<()> {
        let all: Vec<Stmt> = one.body.iter().chain(&one.step).cloned().collect();
        for name in assigned(&all) {
            match self.names.slot_mut(&name) {
                Some(Slot::Cell(cell)) => cell.known = None,
                Some(Slot::Temp { .. }) => {
                    let message = format!("C-NAME: {name} changes in a loop; declare it without `const`");
                    return refuse(&codes::NAME, one.head, message);
                }
                _ => {}
            }
        }
        let behind = std::mem::take(&mut self.enclosing.live);
        self.enclosing.live = crate::live::around_while(one, &behind);
        self.emit.set_loc(one.head);
        let op = self.emit.op_id(scf::While::DEF, &[], &[]);
        let outside = self.emit.block;
        let outer = std::mem::take(&mut self.function.frees);
        // Loops around stay around, but how often this one turns says nothing of theirs.
        self.enclosing.branches += 1;
        let mut done = Ok(());
        for n in 0..2 {
            let region = self.emit.ir.region(op, n);
            self.emit.block = self.emit.ir.append_block(region);
            self.names.scopes.push(Vec::new());
            if done.is_ok() && (n == 0) == one.first {
                done = self.statements(&one.body, false).and_then(|()| self.statements(&one.step, false));
            }
            if n == 0 && done.is_ok() {
                done = self.goes_on(one);
            }
            self.names.scopes.pop();
            for memref in std::mem::take(&mut self.function.frees) {
                self.emit.op_id(memref::Dealloc::DEF, &[memref], &[]);
            }
            if n == 1 {
                self.emit.op_id(scf::Yield::DEF, &[], &[]);
            }
        }
        self.enclosing.branches -= 1;
        self.function.frees = outer;
        self.emit.block = outside;
        self.enclosing.live = behind;
        done
    }

    /// The test of a loop without a trip count, with the arrays of its iteration freed
    fn goes_on(&mut self, one: &While) -> Done<()> {
        let yes = Expr { span: one.head, kind: ExprKind::Int(1, Elem::INT) };
        let value = self.expr(one.test.as_ref().unwrap_or(&yes))?;
        self.number_only(&value, one.head)?;
        let value = self.emit.truth(&value);
        for memref in std::mem::take(&mut self.function.frees) {
            self.emit.op_id(memref::Dealloc::DEF, &[memref], &[]);
        }
        self.emit.op_id(scf::Condition::DEF, &[value], &[]);
        Ok(())
    }

    /// Loops as loops; says whether threads take their turns
    pub fn loops(&mut self, one: &For) -> Done<bool> {
        let head = match self.names.head(one) {
            Ok(head) => head,
            Err(_) => return self.as_uncounted(one),
        };
        let changed = assigned(&one.body);
        if changed.iter().any(|name| name == head.name) {
            return self.as_uncounted(one);
        }
        let mut moving = false;
        for e in [head.start, head.test.0] {
            e.walk(&mut |inner| {
                moving |= inner.base().is_some_and(|name| changed.iter().any(|other| other == name));
            });
        }
        if moving {
            return self.as_uncounted(one);
        }
        for name in &changed {
            if let Some(Slot::Cell(cell)) = self.names.slot_mut(name) {
                cell.known = None;
            }
        }
        let elem = match (head.elem, self.names.lookup(head.name)) {
            (Some(elem), _) => elem,
            (None, Some(Slot::Cell(cell))) => cell.elem,
            (None, _) => {
                return refuse(&codes::NAME, head.span, format!("C-NAME: {} is not declared", head.name));
            }
        };
        let range = self.names.turns(&head);
        let (turns, start) = self.turn_count(&head, elem, range)?;
        self.emit.set_loc(head.span);
        let how = self.at_once(one, turns)?;
        let at_once = !matches!(how, AtOnce::Never);
        match how {
            AtOnce::Never => self.turns_of(one, &head, elem, range, turns, &start, false)?,
            AtOnce::Always(own) => self.turns_in_threads(&own, &head, elem, range, turns, &start)?,
            AtOnce::If(test, own) => {
                let op = self.emit.op_id(scf::If::DEF, &[test], &[]);
                for n in 0..2 {
                    let region = self.emit.ir.region(op, n);
                    let (head, start) = (&head, &start);
                    self.inside(region, |g| match n {
                        0 => g.turns_in_threads(&own, head, elem, range, turns, start),
                        _ => g.in_order(|g| g.turns_of(one, head, elem, range, turns, start, false)),
                    })?;
                }
            }
        }
        if head.elem.is_none() {
            self.last_value(&head, &start, turns, elem)?;
        }
        Ok(at_once)
    }

    /// What is made here stays as it is: no computations, no threads
    fn in_order(&mut self, act: impl FnOnce(&mut Self) -> Done<()>) -> Done<()> {
        let before = std::mem::replace(&mut self.enclosing.ordered, true);
        let done = act(self);
        self.enclosing.ordered = before;
        done
    }

    /// A loop whose turns threads take, with numbers that each turn has for itself
    fn turns_in_threads(
        &mut self,
        own: &For,
        head: &Head<'_>,
        elem: Elem,
        range: Option<(i64, i64, i64)>,
        turns: Value,
        start: &Val,
    ) -> Done<()> {
        self.in_order(|g| g.turns_of(own, head, elem, range, turns, start, true))
    }

    /// The loop and its body
    #[allow(clippy::too_many_arguments)]
    fn turns_of(
        &mut self,
        one: &For,
        head: &Head<'_>,
        elem: Elem,
        range: Option<(i64, i64, i64)>,
        turns: Value,
        start: &Val,
        threads: bool,
    ) -> Done<()> {
        self.emit.set_loc(head.span);
        let (zero, step) = (self.emit.index(0), self.emit.index(1));
        let op = match threads {
            true => self.emit.parallel(zero, turns, step),
            false => self.emit.op_id(scf::For::DEF, &[zero, turns, step], &[]),
        };
        let region = self.emit.ir.region(op, 0);
        let block = self.emit.ir.append_block(region);
        let index = self.emit.ir.cx().common().index;
        let turn = self.emit.ir.add_block_arg(block, index);
        match head.elem {
            Some(_) => self.emit.name(turn, head.name),
            // The variable itself is in memory.
            None => self.emit.name(turn, &format!("{}.turn", head.name)),
        }
        let outside = std::mem::replace(&mut self.emit.block, block);
        let value = self.emit.counted(turn, start, head.step, elem);
        let n = self.names.ivs.len();
        let name = head.name.to_string();
        // Where only the end is not known, it is beyond all arrays.
        let far =
            || self.names.constant(head.start).map(|start| (start, head.step, 2 * crate::bindings::FAR));
        let range = range.or_else(far);
        self.names.ivs.push(Iv {
            name: name.clone(),
            elem,
            range,
            value: Some(value),
            index: Some(turn),
            span: head.span,
        });
        self.names.scopes.push(vec![(name, Slot::Iv(n))]);
        let behind = std::mem::take(&mut self.enclosing.live);
        self.enclosing.live = crate::live::around(one, &behind);
        let outer = std::mem::take(&mut self.function.frees);
        let done = self.statements(&one.body, false);
        self.enclosing.live = behind;
        self.names.scopes.pop();
        self.free_inside(outer);
        self.names.ivs.pop();
        match threads {
            true => drop(scf::Reduce::build(&mut self.emit.b(), &[], 0)),
            false => drop(self.emit.op_id(scf::Yield::DEF, &[], &[])),
        }
        self.emit.block = outside;
        done
    }

    /// The variable behind the loop, if it was declared outside
    fn last_value(&mut self, head: &Head<'_>, start: &Val, turns: Value, elem: Elem) -> Done<()> {
        let value = self.emit.counted(turns, start, head.step, elem);
        let value = self.emit.store_form(&value, elem);
        if let Some(Slot::Cell(cell)) = self.names.slot_mut(head.name) {
            cell.known = None;
            let memref = cell.memref;
            self.emit.op_id(memref::Store::DEF, &[value, memref], &[]);
        }
        Ok(())
    }

    /// Number of turns as an index, and the first value
    pub fn turn_count(
        &mut self,
        head: &Head<'_>,
        elem: Elem,
        range: Option<(i64, i64, i64)>,
    ) -> Done<(Value, Val)> {
        if let Some((start, _, turns)) = range {
            return Ok((self.emit.index(turns), Val::Int(start.into(), elem)));
        }
        let first = self.expr(head.start)?;
        let start = self.typed(&first, elem, head.start.span)?;
        let end = self.expr(head.test.0)?;
        self.number_only(&end, head.test.0.span)?;
        let wide = Elem::Int { bits: 64, signed: true };
        let index = self.emit.ir.cx().common().index;
        let as_index = |g: &mut Self, value: &Val| {
            let value = g.emit.to(value, wide);
            g.emit.op(arith::IndexCast::DEF, &[value], index)
        };
        let (a, b) = (as_index(self, &start), as_index(self, &end));
        // Turns: max(0, ceil((distance + inclusive) / step)).
        let (low, high) = if head.step > 0 { (a, b) } else { (b, a) };
        let mut distance = self.emit.op(arith::SubI::DEF, &[high, low], index);
        if matches!(head.test.1, BinaryOp::Le | BinaryOp::Ge) {
            let one = self.emit.index(1);
            distance = self.emit.op(arith::AddI::DEF, &[distance, one], index);
        }
        let by = head.step.unsigned_abs() as i64;
        if by > 1 {
            let by = self.emit.index(by);
            distance = self.emit.op(arith::CeilDivSI::DEF, &[distance, by], index);
        }
        let zero = self.emit.index(0);
        Ok((self.emit.op(arith::MaxSI::DEF, &[distance, zero], index), start))
    }
}
