//! Make what is carried, give loads' users their values, erase what is no longer needed.
//!
//! Ops are made anew outer before inner, in program order, so that what a carrier needs before its op exists by then;
//! what regions give at their ends is filled in when everything exists.

use super::Promoted;
use super::slots::{Carry, Found, carry};
use super::values::{Held, Walked};
use terrace_dialect_scf as scf;
use terrace_dialect_ub as ub;
use terrace_ir::{BlockId, Builder, Ir, OpId, Type, Value};
use terrace_support::HashMap;

/// What stands for a live carrier
#[derive(Clone, Copy, Default)]
struct Made {
    arg: Option<Value>,
    after: Option<Value>,
    result: Option<Value>,
}

struct Rebuild<'a> {
    ir: &'a mut Ir,
    found: &'a Found,
    walked: Walked,
    made: Vec<Made>,
    /// Results of ops made anew
    renamed: HashMap<Value, Value>,
    /// One poison per buffer and type
    poison: HashMap<(u32, Type), Value>,
}

/// Carry out what the walk found
pub(super) fn rebuild(ir: &mut Ir, found: &Found, walked: Walked) -> Promoted {
    let made = vec![Made::default(); walked.carriers.len()];
    let carried = walked.carriers.iter().filter(|carrier| carrier.live).count() as u64;
    let mut all =
        Rebuild { ir, found, walked, made, renamed: HashMap::default(), poison: HashMap::default() };
    all.ops();
    all.accesses();
    let mut buffers = 0;
    for buffer in found.buffers.iter().filter(|buffer| buffer.whole) {
        buffer.frees.iter().for_each(|op| ir.erase(*op));
        ir.erase(buffer.op);
        buffers += 1;
    }
    Promoted { slots: found.slots.len() as u64, buffers, carried }
}

impl Rebuild<'_> {
    fn ops(&mut self) {
        let ops = std::mem::take(&mut self.walked.ops);
        let mut rebuilt = Vec::new();
        for (op, range) in ops {
            let live: Vec<u32> = range.filter(|n| self.walked.carriers[*n as usize].live).collect();
            if !live.is_empty() {
                rebuilt.push((self.op(op, &live), live));
            }
        }
        for (op, live) in rebuilt {
            self.ends(op, &live);
        }
    }

    /// The value that something held is
    fn value(&mut self, held: Held, slot: u32) -> Value {
        let made = |n: u32| &self.made[n as usize];
        let carried = match held {
            Held::Value(value) => Some(self.renamed.get(&value).copied().unwrap_or(value)),
            Held::Poison => None,
            Held::Arg(n) => made(n).arg,
            Held::After(n) => made(n).after,
            Held::Result(n) => made(n).result,
        };
        carried.unwrap_or_else(|| self.poison(slot))
    }

    fn poison(&mut self, slot: u32) -> Value {
        let slot = self.found.slots[slot as usize];
        let (buffer, ir) = (self.found.buffers[slot.buffer as usize].op, &mut *self.ir);
        *self.poison.entry((slot.buffer, slot.ty)).or_insert_with(|| {
            let poison = ub::Poison::build(&mut Builder::before(ir, buffer), slot.ty);
            ir.result(poison.id(), 0)
        })
    }

    /// The op with more results and arguments in its place; its regions' ends are still as they were
    fn op(&mut self, op: OpId, live: &[u32]) -> OpId {
        let carry = carry(self.ir, op);
        let loops = matches!(carry, Some(Carry::For | Carry::While));
        let types: Vec<Type> = live
            .iter()
            .map(|n| self.found.slots[self.walked.carriers[*n as usize].slot as usize].ty)
            .collect();
        let mut operands: Vec<Value> = self.ir.operands(op).collect();
        if loops {
            for n in live {
                let (before, slot) = {
                    let carrier = &self.walked.carriers[*n as usize];
                    (carrier.before, carrier.slot)
                };
                operands.push(self.value(before, slot));
            }
        }
        let new = replace(self.ir, op, &operands, &types, &mut self.renamed);
        let old = self.ir.num_results(new) - live.len();
        let entries: Vec<Option<BlockId>> =
            self.ir.regions(new).map(|region| self.ir.entry(region)).collect();
        for ((&n, &ty), at) in live.iter().zip(&types).zip(old..) {
            let mut arg = |region: usize| {
                let block = entries.get(region).copied().flatten()?;
                Some(self.ir.add_block_arg(block, ty))
            };
            self.made[n as usize].arg = if loops { arg(0) } else { None };
            self.made[n as usize].after = if carry == Some(Carry::While) { arg(1) } else { None };
            self.made[n as usize].result = Some(self.ir.result(new, at));
        }
        new
    }

    /// Let each region give what the slots hold at its end
    fn ends(&mut self, op: OpId, live: &[u32]) {
        let regions: Vec<_> = self.ir.regions(op).collect();
        for (n, region) in regions.into_iter().enumerate() {
            let given: Vec<Value> = live
                .iter()
                .map(|carrier| {
                    let carrier = &self.walked.carriers[*carrier as usize];
                    let (held, slot) = (carrier.ends.get(n).copied().unwrap_or(carrier.before), carrier.slot);
                    self.value(held, slot)
                })
                .collect();
            let Some(block) = self.ir.entry(region) else {
                // An absent else does nothing: it gives what was there.
                let block = self.ir.append_block(region);
                let loc = self.ir.loc(op);
                let mut b = Builder::at_end(self.ir, block);
                b.set_loc(loc);
                scf::Yield::build(&mut b, &given);
                continue;
            };
            let last = self.ir.last_op(block).expect("verified blocks end with a terminator");
            let all: Vec<Value> = self.ir.operands(last).chain(given).collect();
            self.ir.set_operands(last, &all, &[]);
        }
    }

    fn accesses(&mut self) {
        let loads = std::mem::take(&mut self.walked.loads);
        for &(load, held) in &loads {
            let value = self.ir.result(load, 0);
            if self.ir.is_used(value) {
                let held = self.value(held, self.found.accesses[&load].slot);
                self.ir.replace_all_uses(value, held);
            }
        }
        loads.into_iter().for_each(|(load, _)| self.ir.erase(load));
        std::mem::take(&mut self.walked.stores).into_iter().for_each(|store| self.ir.erase(store));
    }
}

/// Put an op of the same kind in place of one, with these operands and more results; regions move, results keep names
fn replace(
    ir: &mut Ir,
    op: OpId,
    operands: &[Value],
    more: &[Type],
    renamed: &mut HashMap<Value, Value>,
) -> OpId {
    let olds: Vec<Value> = ir.results(op).collect();
    let mut parts = ir.parts(op);
    parts.operands = operands.to_vec();
    parts.results.extend(more);
    let new = ir.remake_for(op, &parts, &olds);
    renamed.extend(olds.into_iter().zip(ir.results(new)));
    new
}
