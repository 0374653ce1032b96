//! Loops whose bodies see what they carry from iteration to iteration: `ordered` and `ps`.

use crate::codes;
use crate::emit::{Emit, Res, Val};
use crate::nest::When;
use terrace_dialect_arith::FloatOrder;
use terrace_dialect_sched::{Combination, Level, LoopInfo, Operator};
use terrace_ir::{BlockId, OpId, Type, Value};

impl Emit<'_> {
    /// A loop that carries values
    pub fn carrying(&mut self, info: &LoopInfo) -> Res<()> {
        let itself = info.level == Level::Vector && info.trip() > 1;
        if itself {
            return self.refuse(
                info.op.0,
                &codes::LANES,
                format!("carries values from iteration to iteration ('{}'), which lanes cannot", info.kind),
                "make the loop sequential",
            );
        }
        self.check_bounds(info)?;
        let mut values = self.carried_starts(info)?;
        let orders = self.prefix_orders(info);
        let types: Vec<Type> = values.iter().map(|value| self.ir.ty(*value)).collect();
        for (value, order) in values.iter_mut().zip(&orders) {
            *value = order.map_or(*value, |order| order.integer_of(&mut self.b(), *value));
        }
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
        for (n, (old, value)) in olds.into_iter().zip(values).enumerate() {
            let value = orders[n].map_or(value, |order| order.float_of(&mut self.b(), value, types[n]));
            self.bind(old, self.held(value));
        }
        Ok(())
    }

    /// What the first iteration sees
    fn carried_starts(&mut self, info: &LoopInfo) -> Res<Vec<Value>> {
        let inits = info.op.inits(self.ir);
        let types: Vec<Type> = self.ir.results(info.op.0).map(|old| self.ir.ty(old)).collect();
        let neutral = self.identities(&info.groups(), &types);
        let mut starts = Vec::with_capacity(types.len());
        for n in 0..types.len() {
            starts.push(match (inits.get(n), neutral.get(n)) {
                (Some(init), _) => {
                    let val = self.get(*init);
                    self.whole(val)
                }
                (None, Some(attr)) => match (attr, self.lanes) {
                    (Some(attr), Some(lanes)) => self.splat(*attr, lanes.width),
                    (Some(attr), None) => self.constant(*attr),
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
        if info.kind == Combination::Ps && self.prefix_orders(info).iter().any(Option::is_some) {
            return self.prefix_step(info, block, &args, carried);
        }
        for (arg, value) in args.into_iter().zip(carried) {
            self.bind(arg, self.held(*value));
        }
        let given = self.block(block)?;
        if info.kind != Combination::Ps {
            return Ok(given.into_iter().map(|(_, val)| self.whole(val)).collect());
        }
        let groups = info.groups();
        let next = groups.iter().flat_map(|group| {
            self.merge_given(group.operator, &carried[group.values()], &given[group.values()])
        });
        Ok(next.collect())
    }

    /// Per result: the order of integers that a loop over prefixes carries in place of floats
    fn prefix_orders(&self, info: &LoopInfo) -> Vec<Option<FloatOrder>> {
        let prefixes = info.kind == Combination::Ps;
        let order = |(n, old): (usize, Value)| {
            info.ops.get(n).filter(|_| prefixes).and_then(|f| self.float_order(f, self.ir.ty(old)))
        };
        self.ir.results(info.op.0).enumerate().map(order).collect()
    }

    /// The body of a loop over prefixes that carries integers in place of some floats
    ///
    /// A body that merges what it contributes with what it sees has what is carried on: floats are built from that, so that they do not
    /// delay the next iteration.
    fn prefix_step(
        &mut self,
        info: &LoopInfo,
        block: BlockId,
        args: &[Value],
        carried: &[Value],
    ) -> Res<Vec<Value>> {
        let orders = self.prefix_orders(info);
        for (n, arg) in args.iter().enumerate() {
            let seen = match orders[n] {
                Some(order) => {
                    let ty = self.held_type(self.ir.ty(*arg));
                    order.float_of(&mut self.b(), carried[n], ty)
                }
                None => carried[n],
            };
            self.bind(*arg, self.held(seen));
        }
        let ops: Vec<OpId> = self.ir.block_ops(block).collect();
        let Some((end, ops)) = ops.split_last() else { return Ok(carried.to_vec()) };
        let yielded: Vec<Value> = self.ir.operands(*end).collect();
        let mut next: Vec<Option<Value>> = vec![None; args.len()];
        for op in ops {
            let prefix = (0..args.len()).find(|n| {
                let def = orders[*n].and_then(|_| match &info.ops[*n] {
                    Operator::Builtin(builtin) => builtin.op(true),
                    Operator::Function(_) => None,
                });
                let operands: Vec<Value> = self.ir.operands(*op).collect();
                let both = operands == [args[*n], yielded[*n]] || operands == [yielded[*n], args[*n]];
                both && def.is_some_and(|def| self.ir.is(*op, def))
            });
            let Some((n, order)) = prefix.and_then(|n| Some((n, orders[n]?))) else {
                self.op(*op)?;
                continue;
            };
            let value = self.prefix(order, carried[n], yielded[n]);
            next[n] = Some(value);
            let (old, ty) = (self.ir.result(*op, 0), self.held_type(self.ir.ty(args[n])));
            let seen = order.float_of(&mut self.b(), value, ty);
            self.bind(old, self.held(seen));
        }
        let width = self.lanes.map(|lanes| lanes.width);
        let mut all = Vec::with_capacity(args.len());
        for (n, old) in yielded.into_iter().enumerate() {
            all.push(match (next[n], orders[n]) {
                (Some(value), _) => value,
                (None, Some(order)) => self.prefix(order, carried[n], old),
                (None, None) => {
                    let val = self.get(old);
                    let (value, product) = (self.whole(val), self.factors(old, width));
                    self.merge(&info.ops[n], carried[n], value, product)
                }
            });
        }
        Ok(all)
    }

    /// What is carried on: what is carried, merged with a contribution
    fn prefix(&mut self, order: FloatOrder, carried: Value, contribution: Value) -> Value {
        let val = self.get(contribution);
        let value = self.whole(val);
        let mut b = self.b();
        let value = order.integer_of(&mut b, value);
        order.merge(&mut b, carried, value)
    }

    /// The type of a value that there is once, or once per lane
    fn held_type(&self, ty: Type) -> Type {
        self.lanes.map_or(ty, |lanes| self.cx.vector(&[lanes.width], ty))
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
