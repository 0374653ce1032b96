//! `scf` with one block at a time: loops and conditions, and the ends of all C blocks.
//!
//! Results and carried values are variables declared before the op and assigned at the ends of its blocks.

use crate::emit::{Emit, Lowering, any};
use crate::expr::{Expr, prec};
use crate::frame::{Before, End};
use crate::names::identifier;
use crate::refusal::Done;
use crate::text::Slot;
use crate::types::Scalar;
use crate::values::Val;
use terrace_dialect_scf as scf;
use terrace_ir::{OpId, Value};
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { scf:
    Condition any, |e, op| e.end(op);
    ExecuteRegion any, |e, op| e.execute_region(op);
    For any, |e, op| e.for_op(scf::For(op));
    If any, |e, op| e.if_op(scf::If(op));
    While any, |e, op| e.while_op(scf::While(op));
    Yield any, |e, op| e.end(op);
};

impl Emit<'_> {
    /// Variables of carried values: that of the initial value where nothing else reads it, else new ones
    fn carry(&mut self, op: OpId, named: &[Value], inits: &[Value]) -> Done<Vec<Slot>> {
        let ir = self.ir;
        let mut slots: Vec<Slot> = Vec::new();
        for (arg, init) in named.iter().zip(inits) {
            // Its block is run again from its start, and the only reader is this loop.
            let own = ir.has_one_use(*init) && ir.value_block(*init) == ir.block(op);
            let slot = self
                .values
                .slot_of(*init)
                .filter(|slot| own && slots.iter().all(|other| other.number != slot.number));
            slots.push(match slot {
                Some(slot) => slot,
                None => self.declare(op, &[*arg], &[*init])?.remove(0),
            });
        }
        Ok(slots)
    }

    fn for_op(&mut self, for_: scf::For) -> Done {
        let (ir, op) = (self.ir, for_.id());
        let (low, high, step) = (for_.lower_bound(ir), for_.upper_bound(ir), for_.step(ir));
        let ty = self.scalar_of(op, low)?;
        let block = self.only_block(op, for_.region(ir))?;
        let args = ir.block_args(block).to_vec();
        let Some((&iv, carried)) = args.split_first() else { return Ok(()) };
        let slots = self.carry(op, carried, &for_.inits(ir))?;
        for (n, slot) in slots.iter().enumerate() {
            self.values.set_slot(carried[n], slot);
            self.values.set_slot(ir.result(op, n), slot);
        }
        let unsigned = for_.unsigned(ir).is_some();
        let (low_range, high_range, step_range) = (self.range(low), self.range(high), self.range(step));
        let (start, end, by) = (self.values.expr(low), self.bound(high), self.bound(step));
        self.flush();
        let top = ty.bounds().1;
        let safe = high_range.1 - 1 + step_range.1 <= top || step_range == (1, 1);
        // What counts: the value itself, unless it may leave its type behind the bound.
        let wide = unsigned || !safe && ty.width() < 64 || ty == Scalar::Bool;
        // The counter may be behind the bound by a step.
        let short = !wide
            && self.lang.prefers_int()
            && ty == Scalar::Int(64)
            && low_range.0 >= i128::from(i32::MIN)
            && high_range.1 + step_range.1 <= i128::from(i32::MAX);
        let counter = match (wide, unsigned) {
            _ if short => self.lang.scalar(Scalar::Int(32)),
            (false, _) => self.lang.scalar(ty),
            (true, true) if ty.width() == 64 => self.lang.unsigned(Scalar::Int(64)),
            (true, _) => self.lang.scalar(Scalar::Int(64)),
        };
        self.text.names.push();
        let name = match ir.value_name(iv).and_then(identifier) {
            Some(name) => self.text.names.fresh(&name),
            None => self.text.names.induction(),
        };
        let read = |e: &Expr| {
            if wide && unsigned { Expr::cast(self.lang.unsigned(ty), e) } else { e.clone() }
        };
        let (start, end, by) = (read(&start), read(&end), read(&by));
        let advance = match by.text.as_str() {
            "1" => format!("{name}++"),
            _ => format!("{name} += {}", by.text),
        };
        let header = format!(
            "for ({counter} {name} = {}; {name} < {}; {advance}) {{",
            start.text,
            end.at(prec::SHIFT)
        );
        self.text.line(&header);
        self.text.depth += 1;
        self.loop_pragmas(op);
        if !unsigned {
            self.values.below.insert(iv, high);
            self.values.set_range(iv, (low_range.0, (high_range.1 - 1).max(low_range.0)));
        }
        let read = match wide {
            true => Expr::cast(self.lang.scalar(ty), &Expr::atom(&name)),
            false => Expr { narrow: short, ..Expr::atom(&name) },
        };
        self.values.set(iv, Val::Expr(read));
        self.enter(block, End::Assign(slots));
        Ok(())
    }

    fn if_op(&mut self, if_: scf::If) -> Done {
        let (ir, op) = (self.ir, if_.id());
        let (then, other) = (if_.then_region(ir), if_.else_region(ir));
        let block = self.only_block(op, then)?;
        let other = match ir.entry(other) {
            Some(_) => {
                self.only_block(op, other)?;
                Some(other)
            }
            None => None,
        };
        let results: Vec<Value> = ir.results(op).collect();
        let condition = self.values.expr(if_.condition(ir));
        self.flush();
        let start = self.text.out.len();
        let slots = self.declare(op, &results, &[])?;
        for (slot, result) in slots.iter().zip(&results) {
            self.values.set_slot(*result, slot);
        }
        self.text.open(&format!("if ({}) {{", condition.text));
        self.enter(block, End::Then { slots, other, start });
        Ok(())
    }

    /// A block whose terminator gives the results: `scf.execute_region`, `memref.alloca_scope`
    pub fn execute_region(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let block = self.only_block(op, ir.region(op, 0))?;
        let results: Vec<Value> = ir.results(op).collect();
        self.flush();
        let slots = self.declare(op, &results, &[])?;
        for (slot, result) in slots.iter().zip(&results) {
            self.values.set_slot(*result, slot);
        }
        self.text.open("{");
        self.enter(block, End::Assign(slots));
        Ok(())
    }

    fn while_op(&mut self, while_: scf::While) -> Done {
        let (ir, op) = (self.ir, while_.id());
        let first = self.only_block(op, while_.before(ir))?;
        let second = self.only_block(op, while_.after(ir))?;
        let (args, inits) = (ir.block_args(first).to_vec(), while_.inits(ir));
        let carried = self.declare(op, &args, &inits)?;
        self.flush();
        for (slot, arg) in carried.iter().zip(&args) {
            self.values.set_slot(*arg, slot);
        }
        // What goes on unchanged needs no variable of its own.
        let results: Vec<Value> = ir.results(op).collect();
        let end = ir.last_op(first).and_then(|end| scf::Condition::cast(ir, end));
        let given = end.map_or(Vec::new(), |end| end.args(ir));
        let mut passed = Vec::new();
        for (n, result) in results.iter().enumerate() {
            let same = given.get(n).and_then(|value| args.iter().position(|arg| arg == value));
            let slot = match same {
                Some(at) => carried[at].clone(),
                None => self.declare(op, &[*result], &[])?.remove(0),
            };
            self.values.set_slot(*result, &slot);
            self.values.set_slot(ir.block_args(second)[n], &slot);
            passed.push((slot, same.is_some()));
        }
        let start = self.text.out.len();
        self.text.open("for (;;) {");
        self.enter(
            first,
            End::Before(Before { op: while_, passed, carried, start: (start, self.text.out.len()) }),
        );
        Ok(())
    }

    /// `scf.condition`: leave the loop or go on to its second half
    fn condition(&mut self, condition: scf::Condition, before: Before) -> Done {
        let (ir, op) = (self.ir, condition.id());
        let Before { op: around, passed, carried, start } = before;
        let values = condition.args(ir);
        let condition = self.values.expr(condition.condition(ir));
        let new: Vec<usize> = (0..passed.len()).filter(|n| !passed[*n].1).collect();
        let slots: Vec<Slot> = new.iter().map(|n| passed[*n].0.clone()).collect();
        let types: Vec<Value> = new.iter().map(|n| values[*n]).collect();
        let types = self.types_of(op, &types)?;
        let given: Vec<Expr> = new.iter().map(|n| self.values.expr(values[*n])).collect();
        self.flush();
        if slots.is_empty() && self.text.out.len() == start.1 {
            // Nothing comes before the condition: the loop is a `while` of C.
            self.text.out.truncate(start.0);
            self.text.depth -= 1;
            self.text.line(&format!("while ({}) {{", condition.text));
            self.text.depth += 1;
        } else {
            self.text.assign(&slots, &types, given);
            self.text.line(&format!("if (!{}) break;", condition.at(prec::UNARY + 1)));
        }
        if let Some(second) = ir.single_block(around.after(ir)) {
            // The second half goes on in the same C block.
            self.frame.blocks.pop();
            self.enter(second, End::Assign(carried));
        }
        Ok(())
    }

    /// A terminator: give its values to the op around
    pub fn end(&mut self, op: OpId) -> Done {
        let Some(block) = self.frame.blocks.last_mut() else { return Ok(()) };
        let end = std::mem::replace(&mut block.end, End::Function);
        match end {
            End::Assign(slots) => {
                self.give(op, &slots)?;
                self.end_with(End::Assign(slots));
            }
            End::Then { slots, other, start } => {
                self.give(op, &slots)?;
                self.end_with(End::Then { slots, other, start });
            }
            End::Else { slots, start } => {
                self.give(op, &slots)?;
                self.end_with(End::Else { slots, start });
            }
            End::Before(before) => self.condition(scf::Condition(op), before)?,
            End::Parallel(around) => self.reduce(op, around)?,
            End::Case { slots, rest } => {
                self.give(op, &slots)?;
                self.end_with(End::Case { slots, rest });
            }
            End::Forall { loops, pragma } => self.end_with(End::Forall { loops, pragma }),
            End::Update(update) => {
                self.update_end(op, &update)?;
                self.end_with(End::Update(update));
            }
            End::Reduction { slot, around, n } => {
                self.give(op, std::slice::from_ref(&slot))?;
                self.end_with(End::Reduction { slot, around, n });
            }
            End::Function => {}
        }
        Ok(())
    }

    /// A condition that only chooses a value is one expression
    pub fn shorten(&mut self, slots: &[Slot], start: usize) {
        let [slot] = slots else { return };
        let lines: Vec<&str> = self.text.out[start..].lines().map(str::trim).collect();
        let [declaration, test, a, "} else {", b, "}"] = lines[..] else { return };
        let assigned = |line: &str| {
            let value = line.strip_prefix(slot.name.as_str())?.strip_prefix(" = ")?.strip_suffix(';')?;
            Some(value.to_string())
        };
        let declared = declaration.strip_suffix(';');
        let test = test.strip_prefix("if (").and_then(|rest| rest.strip_suffix(") {"));
        let (Some(declared), Some(test), Some(a), Some(b)) = (declared, test, assigned(a), assigned(b))
        else {
            return;
        };
        let plain = |text: &str| !text.contains('?');
        let bitwise = [" & ", " | ", " ^ "].iter().any(|op| test.contains(op));
        let test = if bitwise { format!("({test})") } else { test.to_owned() };
        let text = format!("{declared} = {test} ? {a} : {b};");
        if plain(&test) && plain(&a) && plain(&b) && text.len() <= 100 {
            self.text.out.truncate(start);
            self.text.line(&text);
        }
    }

    fn end_with(&mut self, end: End) {
        if let Some(block) = self.frame.blocks.last_mut() {
            block.end = end;
        }
    }

    /// Assign the operands
    fn give(&mut self, op: OpId, slots: &[Slot]) -> Done {
        let values: Vec<Value> = self.ir.operands(op).collect();
        let types = self.types_of(op, &values)?;
        let values: Vec<Expr> = values.iter().map(|value| self.values.expr(*value)).collect();
        self.text.assign(slots, &types, values);
        Ok(())
    }
}
