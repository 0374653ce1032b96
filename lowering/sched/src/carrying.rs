//! Loops whose bodies see what they carry from iteration to iteration: `ordered` and `ps`.

use crate::codes;
use crate::emit::{Emit, Res, Val};
use crate::nest::When;
use terrace_dialect_sched::{Combination, Level, LoopInfo};
use terrace_ir::{Type, Value};

impl Emit<'_> {
    /// A loop that carries values
    pub fn carrying(&mut self, info: &LoopInfo) -> Res<()> {
        let itself = info.level == Level::Vector && info.trip() > 1;
        if itself || self.lanes.is_some() && info.kind == Combination::Ps {
            return self.refuse(
                info.op.0,
                &codes::LANES,
                format!("carries values from iteration to iteration ('{}'), which lanes cannot", info.kind),
                "make the loop sequential",
            );
        }
        self.check_bounds(info)?;
        let values = self.carried_starts(info)?;
        self.depth += 1;
        let values = if info.trip() == 0 {
            values
        } else if info.level == Level::Unroll || info.trip() == 1 {
            self.carried_copies(info, values)?
        } else {
            let (lower, upper) = self.bounds(info);
            let range = Self::variable_range(info);
            self.for_loop(info, [lower, upper], range, &values, &mut |e, args| e.carried_step(info, args))?
        };
        self.depth -= 1;
        let olds: Vec<Value> = self.ir.results(info.op.0).collect();
        for (old, value) in olds.into_iter().zip(values) {
            self.bind(old, self.held(value));
        }
        Ok(())
    }

    /// What the first iteration sees
    fn carried_starts(&mut self, info: &LoopInfo) -> Res<Vec<Value>> {
        let inits = info.op.inits(self.ir);
        let types: Vec<Type> = self.ir.results(info.op.0).map(|old| self.ir.ty(old)).collect();
        let mut starts = Vec::with_capacity(types.len());
        for (n, ty) in types.into_iter().enumerate() {
            starts.push(match (inits.get(n), info.ops.get(n)) {
                (Some(init), _) => {
                    let val = self.get(*init);
                    self.whole(val)
                }
                (None, Some(f)) => match (self.identity(f, ty), self.lanes) {
                    (Some(attr), Some(lanes)) => self.splat(attr, lanes.width),
                    (Some(attr), None) => self.constant(attr),
                    (None, _) => {
                        let help = "declare `identity` in `sched.operator`, or give `init`";
                        return self.no_start(info.op.0, help);
                    }
                },
                (None, None) => self.index(0),
            });
        }
        Ok(starts)
    }

    /// The body once on what is carried; gives what is carried on. Inside of lanes each of them carries its own
    fn carried_step(&mut self, info: &LoopInfo, carried: &[Value]) -> Res<Vec<Value>> {
        let Some(block) = self.body_of(info) else { return Ok(carried.to_vec()) };
        let args: Vec<Value> = self.ir.block_args(block)[1..].to_vec();
        for (arg, value) in args.into_iter().zip(carried) {
            self.bind(arg, self.held(*value));
        }
        let given = self.block(block)?;
        let mut next = Vec::with_capacity(given.len());
        for (n, (old, val)) in given.into_iter().enumerate() {
            let value = self.whole(val);
            next.push(match info.kind {
                Combination::Ps => {
                    let product = self.factors(old, None);
                    self.merge(&info.ops[n], carried[n], value, product)
                }
                _ => value,
            });
        }
        Ok(next)
    }

    /// Each iteration as a copy of the body
    fn carried_copies(&mut self, info: &LoopInfo, starts: Vec<Value>) -> Res<Vec<Value>> {
        let mut values = starts;
        for n in 0..info.trip() {
            let at = n * info.tile;
            self.bind(info.iv, Val::Const(at));
            values = match self.when(info, at) {
                When::Never => continue,
                When::Always => self.carried_step(info, &values)?,
                When::If(condition) => {
                    let types: Vec<Type> = values.iter().map(|value| self.ir.ty(*value)).collect();
                    self.choose(condition, &types, &mut |e| e.carried_step(info, &values), &mut |_| {
                        Ok(values.clone())
                    })?
                }
            };
            self.next_copy(info.op.0);
        }
        Ok(values)
    }
}
