//! Conversion of types: values of one type become values of another, in signatures of functions, arguments of blocks, calls,
//! loops and branches as well.
//!
//! Ops of the dialects that are converted away keep their types: casts (`builtin.unrealized_conversion_cast`) stand around
//! each, and the caller's rules replace op and casts together. All other ops are the same for any type, such as `func.call`,
//! `scf.for` or `cf.br`: their values and type attributes just change. So one rule for each own op is all that is to be
//! written; a cast that is left names the op that has none.
//!
//! One type becomes one type. A rule sees `cast(op(cast(a), cast(b)))` with `a` and `b` of the new type.

use crate::UnrealizedConversionCast as Cast;
use terrace_diag::Diagnostic;
use terrace_ir::{Attr, AttrKind, Builder, Context, Ir, OpId, Type, TypeKind, Value};
use terrace_rewrite::{Greedy, Outcome, Rule, codes};

/// Which types become which, and the rules for the ops that work on them
pub struct TypeConversion {
    /// The type that one becomes, `None` if it stays; the parts of composed types are converted one by one
    pub convert: fn(&Context, Type) -> Option<Type>,
    /// Dialects whose ops go
    pub dialects: &'static [&'static str],
    /// How they go: each starts from a cast to a new type, or from an op that gives no converted value
    pub rules: &'static [&'static dyn Rule],
}

impl TypeConversion {
    /// What a type becomes, converted in its parts
    pub fn ty(&self, cx: &Context, ty: Type) -> Type {
        if let Some(new) = (self.convert)(cx, ty) {
            return new;
        }
        let all = |types: &[Type]| types.iter().map(|ty| self.ty(cx, *ty)).collect();
        let new = match ty.kind(cx) {
            TypeKind::Function { inputs, results } => {
                TypeKind::Function { inputs: all(inputs), results: all(results) }
            }
            TypeKind::Tuple(parts) => TypeKind::Tuple(all(parts)),
            TypeKind::Complex(elem) => TypeKind::Complex(self.ty(cx, *elem)),
            TypeKind::Vector { shape, scalable, elem } => {
                TypeKind::Vector { shape: shape.clone(), scalable: *scalable, elem: self.ty(cx, *elem) }
            }
            TypeKind::Tensor { shape, elem, encoding } => {
                TypeKind::Tensor { shape: shape.clone(), elem: self.ty(cx, *elem), encoding: *encoding }
            }
            TypeKind::UnrankedTensor(elem) => TypeKind::UnrankedTensor(self.ty(cx, *elem)),
            TypeKind::MemRef { shape, elem, layout, space } => TypeKind::MemRef {
                shape: shape.clone(),
                elem: self.ty(cx, *elem),
                layout: *layout,
                space: *space,
            },
            TypeKind::UnrankedMemRef { elem, space } => {
                TypeKind::UnrankedMemRef { elem: self.ty(cx, *elem), space: *space }
            }
            _ => return ty,
        };
        cx.ty(new)
    }

    fn attr(&self, cx: &Context, attr: Attr) -> Attr {
        match attr.kind(cx) {
            AttrKind::Type(ty) => cx.type_attr(self.ty(cx, *ty)),
            AttrKind::Array(items) => {
                let items: Vec<Attr> = items.iter().map(|item| self.attr(cx, *item)).collect();
                cx.array_attr(&items)
            }
            _ => attr,
        }
    }

    /// Convert a unit and all inside: values and type attributes, then ops by the rules
    ///
    /// Functions are called by others, so a pass does this on the module (`scope = tree`). The error (E0204) is at the first op
    /// that no rule has replaced.
    pub fn run(&self, root: &mut Ir) -> Result<Outcome, Box<Diagnostic>> {
        let mut total = Outcome::default();
        let mut pending = vec![root];
        while let Some(unit) = pending.pop() {
            let outcome = self.run_unit(unit)?;
            total.changed |= outcome.changed;
            total.folded += outcome.folded;
            total.erased += outcome.erased;
            for (rule, count) in outcome.applied {
                *total.applied.entry(rule).or_default() += count;
            }
            pending.extend(unit.children_mut());
        }
        Ok(total)
    }

    fn run_unit(&self, unit: &mut Ir) -> Result<Outcome, Box<Diagnostic>> {
        let retyped = self.retype(unit);
        let mut outcome = Greedy::new(unit.cx(), self.rules.iter().copied()).run(unit);
        outcome.changed |= retyped;
        if let Some(error) = outcome.diverged {
            return Err(error);
        }
        // The op that had to go is to blame, not the casts around it.
        let own = unit.walk().find(|op| self.is_own(unit, *op));
        let error = match own {
            Some(op) => Some(self.left(unit, op)),
            None => unit.walk().find_map(|op| self.old(unit, op)),
        };
        error.map_or(Ok(outcome), |error| Err(Box::new(error)))
    }

    fn is_own(&self, unit: &Ir, op: OpId) -> bool {
        let name = unit.op_name(op);
        name.split_once('.').is_some_and(|(dialect, _)| self.dialects.contains(&dialect))
    }

    fn left(&self, unit: &Ir, op: OpId) -> Diagnostic {
        let message = format!("'{}' op is left: no rule of the conversion replaces it", unit.op_name(op));
        let help =
            "a rule starts from the cast of its result to the new type, or from the op if it gives none";
        Diagnostic::error(&codes::UNCONVERTED, message).at(unit.span(op)).help(help)
    }

    /// What is wrong with an op that still has a value of an old type
    fn old(&self, unit: &Ir, op: OpId) -> Option<Diagnostic> {
        let old = |value: Value| self.ty(unit.cx(), unit.ty(value)) != unit.ty(value);
        let value = unit.operands(op).chain(unit.results(op)).find(|value| old(*value))?;
        let ty = terrace_ir::show::type_text(unit.cx(), unit.ty(value));
        let message = format!("'{}' op still has a value of type '{ty}'", unit.op_name(op));
        Some(Diagnostic::error(&codes::UNCONVERTED, message).at(unit.span(op)))
    }

    /// Casts around the ops that go, new types for all other values
    fn retype(&self, unit: &mut Ir) -> bool {
        let cx = std::sync::Arc::clone(unit.cx_arc());
        let mut changed = false;
        let all: Vec<OpId> = unit.walk().collect();
        let (own, other): (Vec<OpId>, Vec<OpId>) = all.into_iter().partition(|op| self.is_own(unit, *op));
        // Types before anything changes: an operand of one own op is the cast of another one's result afterwards.
        let wanted = |unit: &Ir, value: Value| {
            let (old, new) = (unit.ty(value), self.ty(&cx, unit.ty(value)));
            (old != new).then_some((old, new))
        };
        let operands: Vec<(OpId, usize, Type)> = own
            .iter()
            .flat_map(|op| unit.operands(*op).enumerate().map(move |(n, value)| (*op, n, value)))
            .filter_map(|(op, n, value)| Some((op, n, wanted(unit, value)?.0)))
            .collect();
        for &op in &own {
            for value in unit.results(op).collect::<Vec<_>>() {
                let Some((_, new)) = wanted(unit, value) else { continue };
                let uses: Vec<_> = unit.uses(value).collect();
                let mut b = Builder::after(unit, op);
                let cast = Cast::build(&mut b, &[value], &[new]).id();
                let cast = unit.result(cast, 0);
                uses.into_iter().for_each(|(user, n)| unit.set_operand(user, n, cast));
                changed = true;
            }
        }
        for (op, n, old) in operands {
            let value = unit.operand(op, n);
            let mut b = Builder::before(unit, op);
            let cast = Cast::build(&mut b, &[value], &[old]).id();
            let cast = unit.result(cast, 0);
            unit.set_operand(op, n, cast);
            changed = true;
        }
        let root = unit.root();
        let mut values: Vec<Value> = other.iter().flat_map(|op| unit.results(*op)).collect();
        let blocks = std::iter::once(root).chain(other.iter().chain(&own).copied());
        let blocks = blocks.flat_map(|op| unit.regions(op)).flat_map(|region| unit.blocks(region));
        values.extend(blocks.flat_map(|block| unit.block_args(block)).copied());
        for value in values {
            if let Some((_, new)) = wanted(unit, value) {
                unit.set_type(value, new);
                changed = true;
            }
        }
        for op in std::iter::once(root).chain(other) {
            for n in 0..unit.def(op).attrs.len() {
                let Some(attr) = unit.slot(op, n) else { continue };
                let new = self.attr(&cx, attr);
                if new != attr {
                    unit.set_slot(op, n, Some(new));
                    changed = true;
                }
            }
        }
        changed
    }
}
