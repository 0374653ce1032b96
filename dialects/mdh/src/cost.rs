//! What estimates need of a computation, read once. Decides nothing.

use crate::compute::{Compute, Yield};
use crate::operator::{self, Operator};
use crate::view::{self, View};
use terrace_devices::{Products, Space};
use terrace_dialect_arith::{ExtF, ExtSI, ExtUI, MulF, MulI};
use terrace_dialect_sched::{Builtin, is_counted, of_values};
use terrace_ir::{Ir, OpDef, OpId, Str, Type, Value};
use terrace_schedule_cost::{Computed, Operations, Point};
use terrace_schedule_model::computation::{Contributions, Memory, Start};
use terrace_schedule_model::nest;

/// What is known of a function that merges tuples
#[derive(Clone, Copy, Debug)]
pub struct Merging {
    /// Its instructions
    pub operations: Operations,
    /// Is it commutative?
    pub commutative: bool,
}

impl Merging {
    fn operator(self, name: &str) -> nest::Operator {
        nest::Operator {
            name: name.into(),
            update: None,
            associative: true,
            commutative: self.commutative,
            exact: false,
        }
    }
}

impl View {
    /// The computation with what estimates need. `None` where values are merged several at once or by a function, for prefixes, and
    /// where the body computes places: these have no estimate before they are loops
    pub fn computed(&self, ir: &Ir, op: Compute) -> Option<Computed> {
        self.computed_with(ir, op, &|_| None)
    }

    /// The same, where some functions are known that values are merged by. Each component counts as merged by itself, and the first has the
    /// function's instructions
    pub fn computed_with(
        &self,
        ir: &Ir,
        op: Compute,
        functions: &dyn Fn(Str) -> Option<Merging>,
    ) -> Option<Computed> {
        let shaped = |input: &view::Input| ir.ty(input.value).shape(ir.cx()).is_some();
        let gathers = self.inputs.iter().any(|input| input.map.is_none() && shaped(input));
        if gathers || self.dims.iter().any(|dim| matches!(dim.kind, view::CombineKind::Ps(_))) {
            return None;
        }
        let contributions = self.contributions(ir, op, functions)?;
        let mut point = self.point(ir, op);
        for group in self.groups()? {
            if let Operator::Func(name) = group.operator {
                point.operations.add(&functions(name)?.operations);
            }
        }
        Some(Computed { computation: self.computation(ir, op), contributions, point })
    }

    fn contributions(
        &self,
        ir: &Ir,
        op: Compute,
        functions: &dyn Fn(Str) -> Option<Merging>,
    ) -> Option<Contributions> {
        let (cx, buffers) = (ir.cx(), self.buffers());
        let ty = |out: usize| ir.ty(ir.result(op.id(), out)).scalar(cx);
        let mut all = Contributions {
            operators: Vec::new(),
            starts: Vec::new(),
            fronts: vec![false; self.outputs.len()],
        };
        for group in self.groups()? {
            let builtin = match group.operator {
                Operator::Builtin(builtin) => builtin,
                // Not written out yet.
                Operator::Accumulated(_) => return None,
                Operator::Func(name) => {
                    let own = functions(name)?.operator(cx.str(name));
                    let accesses = &self.outputs[group.first..group.first + group.len];
                    let accesses = accesses.iter().map(|out| out.maps.len()).sum();
                    all.operators.extend(std::iter::repeat_n(own, accesses));
                    continue;
                }
            };
            // One operator of one output each, or it is no built-in one
            let own = self.operator(ir, builtin, ty(group.first));
            all.operators.extend(std::iter::repeat_n(own, self.outputs[group.first].maps.len()));
            let of_type =
                |out: usize| operator::identity(builtin, cx, ty(out)) != builtin.identity(cx, ty(out));
            all.fronts[group.first] = self.may_be_empty() && of_type(group.first);
        }
        for out in &self.outputs {
            all.starts.push(out.init.as_ref().map(|(value, map)| Start {
                buffer: buffers.iter().position(|other| other == value),
                memory: memory(ir, *value),
                map: map.clone(),
            }));
        }
        Some(all)
    }

    fn operator(&self, ir: &Ir, builtin: Builtin, ty: Type) -> nest::Operator {
        let algebra = builtin.algebra(ir.cx(), ty);
        nest::Operator {
            name: builtin.to_string().into(),
            update: builtin.update(ir.cx(), ty),
            associative: algebra.associative,
            commutative: algebra.commutative,
            exact: algebra.exact,
        }
    }

    /// Products that it adds as units for them do: of two elements, each converted to the type of the sum
    pub fn narrow_products(&self, ir: &Ir, op: Compute) -> Option<Products> {
        let groups = self.groups()?;
        let adds = groups.len() == 1 && matches!(groups[0].operator, Operator::Builtin(Builtin::Add));
        let block = ir.entry(op.body(ir)).filter(|_| adds)?;
        let ops: Vec<OpId> = ir.block_ops(block).collect();
        let &[one, two, product, last] = &ops[..] else { return None };
        let is_all = |defs: &[&'static OpDef]| ir.is_any(one, defs) && ir.is_any(two, defs);
        let floats = ir.is(product, MulF::DEF) && is_all(&[ExtF::DEF]);
        let ints = ir.is(product, MulI::DEF) && is_all(&[ExtSI::DEF, ExtUI::DEF]);
        let casts = ir.operands(product).all(|value| {
            let from = ir.defining_op(value).and_then(|cast| ir.operands(cast).next());
            from.is_some_and(|from| ir.block_args(block).contains(&from))
        });
        let distinct = ir.operands(one).ne(ir.operands(two))
            && ir.operands(product).eq([one, two].map(|op| ir.result(op, 0)));
        let yields = ir.is(last, Yield::DEF) && ir.operands(last).eq([ir.result(product, 0)]);
        if !(casts && distinct && yields) {
            return None;
        }
        let (from, to) = (ir.operands(one).next()?, ir.result(product, 0));
        let same = ir.operands(two).all(|value| ir.ty(value) == ir.ty(from));
        let (cx, common) = (ir.cx(), ir.cx().common());
        let of_ints = ints && ir.ty(to) == common.i32;
        let of_bf16 = floats && ir.ty(from) == common.bf16 && ir.ty(to) == common.f32;
        let free = |kind: &view::CombineKind| !matches!(kind, view::CombineKind::Pw(_, order) if *order != view::Order::Free);
        match ir.ty(from).bit_width(cx).filter(|_| same)? {
            8 if of_ints => Some(Products::Bytes),
            16 if of_ints && is_all(&[ExtSI::DEF]) => Some(Products::Words),
            _ if of_bf16 && self.dims.iter().all(|dim| free(&dim.kind)) => Some(Products::FreeBf16),
            _ if of_bf16 => Some(Products::Bf16),
            _ => None,
        }
    }

    /// Is all that is merged the largest or smallest of floats?
    fn is_ordered(&self, ir: &Ir, op: Compute) -> bool {
        let ty = ir.results(op.id()).next().map(|value| ir.ty(value).scalar(ir.cx()));
        let finds = |operator: &Operator| match (operator, ty) {
            (Operator::Builtin(builtin), Some(ty)) => builtin.is_ordered(ir.cx(), ty),
            _ => false,
        };
        self.groups().is_some_and(|all| !all.is_empty() && all.iter().all(|group| finds(&group.operator)))
    }

    /// Are values merged by a function?
    fn merges_by_function(&self) -> bool {
        let is_function = |operator: &Operator| matches!(operator, Operator::Func(_));
        self.dims.iter().flat_map(|dim| dim.kind.operators()).any(is_function)
    }

    /// What the body costs
    fn point(&self, ir: &Ir, op: Compute) -> Point {
        let yielded = |value: Value| ir.uses(value).all(|(user, _)| ir.is(user, Yield::DEF));
        let is_product = |op: OpId| ir.is(op, MulF::DEF) && ir.results(op).all(yielded);
        let mut point = Point {
            counted: ir.results(op.id()).all(|value| is_counted(ir.cx(), ir.ty(value))),
            matrix: self.narrow_products(ir, op),
            ordered: self.is_ordered(ir, op),
            function: self.merges_by_function(),
            ..Point::default()
        };
        for op in ir.walk_below(op.id()) {
            match is_product(op) {
                true => point.products += 1,
                false => point.operations.add(&of_values(ir, op)),
            }
        }
        // A value that stands for what a guard shuts out is chosen.
        let chosen = self.inputs.iter().filter(|input| input.guard.is_some() && input.other.is_some());
        let counted = chosen.filter(|input| is_counted(ir.cx(), ir.ty(input.value))).count();
        point.operations.add(&Operations { simple: counted as u32, ..Operations::default() });
        point
    }
}

/// The memory of a tensor
pub(crate) fn memory(ir: &Ir, value: Value) -> Memory {
    Memory {
        shape: ir.ty(value).shape(ir.cx()).unwrap_or(&[]).to_vec(),
        bytes: i64::from(ir.ty(value).scalar(ir.cx()).bit_width(ir.cx()).unwrap_or(8).div_ceil(8)),
        space: Space::Main,
    }
}
