//! Scalars: operators applied to values, constants, index expressions as arithmetic.

use terrace_dialect_arith as arith;
use terrace_dialect_func as func;
use terrace_dialect_math as math;
use terrace_dialect_mdh::operator::{self, Operator, declared};
use terrace_dialect_mdh::view::{CombineKind, Order, View};
use terrace_dialect_sched as sched;
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::{Attr, Builder, Context, Type, Value};
use terrace_support::affine::{AffineExpr, AffineKind};

/// How the values that a body yields are combined
#[derive(Clone, Debug)]
pub enum Combine {
    /// Not at all: every dimension is kept
    None,
    /// Value by value
    Each(Vec<sched::Operator>),
    /// Some of them together, by a function: names, and which values
    Joint(Vec<(String, Vec<usize>)>),
}

/// What is known of the values that a body yields
#[derive(Clone, Debug)]
pub struct Yields {
    /// Output and access of each
    pub place: Vec<(usize, usize)>,
    /// Element type of each
    pub types: Vec<Type>,
    /// How they are combined
    pub combine: Combine,
    /// Neutral elements
    pub identity: Vec<Option<Attr>>,
    /// Does the order of contributions not matter to any operator?
    pub commutes: bool,
    /// Products and their additions are rounded once
    pub fused: bool,
    /// Contributions may be merged in any order
    pub any_order: bool,
}

impl Yields {
    /// Of a computation whose outputs have these element types; `None` if operators do not fit outputs
    pub fn of(
        cx: &Context,
        view: &View,
        elements: &[Type],
        symbols: &Symbols,
        scope: ScopeId,
    ) -> Option<Yields> {
        let place: Vec<(usize, usize)> = (0..view.outputs.len())
            .flat_map(|out| (0..view.outputs[out].maps.len()).map(move |access| (out, access)))
            .collect();
        let types: Vec<Type> = place.iter().map(|(out, _)| elements[*out]).collect();
        let mut identity = vec![None; place.len()];
        let groups = view.groups()?;
        let id = |out: usize, access: usize| place.iter().position(|at| *at == (out, access));
        // Neutral of sums is −0, unless a sum may be empty and has no start value: that is +0.
        let empty = view.may_be_empty();
        let mut each = vec![None; place.len()];
        let mut joint = Vec::new();
        let mut commutes = true;
        for group in &groups {
            let accesses = view.outputs[group.first].maps.len();
            for access in 0..accesses {
                let ids: Vec<usize> = (group.first..group.first + group.len)
                    .map(|out| id(out, access))
                    .collect::<Option<_>>()?;
                match group.operator {
                    Operator::Builtin(op) => {
                        let ty = types[ids[0]];
                        let seen = empty && view.outputs[group.first].init.is_none();
                        identity[ids[0]] =
                            if seen { operator::identity(op, cx, ty) } else { op.identity(cx, ty) };
                        each[ids[0]] = Some(sched::Operator::Builtin(op));
                    }
                    Operator::Accumulated(_) => return None,
                    Operator::Func(name) => {
                        let dict = symbols.lookup(scope, name, &[]).and_then(|def| def.dict);
                        let declared = declared(cx, dict);
                        commutes &= declared.as_ref().is_some_and(|own| own.associative && own.commutative);
                        let all = declared.and_then(|declared| declared.identity);
                        for (n, id) in ids.iter().enumerate() {
                            identity[*id] = all.as_ref().and_then(|all| all.get(n).copied());
                            each[*id] = Some(sched::Operator::Function(cx.str(name).into()));
                        }
                        if ids.len() > 1 {
                            joint.push((cx.str(name).to_string(), ids));
                        }
                    }
                }
            }
        }
        let combine = match (groups.is_empty(), joint.is_empty()) {
            (true, _) => Combine::None,
            (false, false) => Combine::Joint(joint),
            (false, true) => Combine::Each(each.into_iter().collect::<Option<_>>()?),
        };
        let fused = view.order(Order::Fused).is_some();
        let free = |kind: &CombineKind| match kind {
            CombineKind::Pw(_, order) => matches!(order, Order::Fixed | Order::Free),
            CombineKind::Ps(_) => false,
            CombineKind::Cc => true,
        };
        let any_order = view.dims.iter().all(|dim| free(&dim.kind));
        Some(Yields { place, types, combine, identity, commutes, fused, any_order })
    }

    /// Operators of loops that combine; empty where loops must carry what there is so far
    pub fn operators(&self) -> Vec<sched::Operator> {
        match &self.combine {
            Combine::Each(all) => all.clone(),
            // One function for all values: the operator of a loop that gives them.
            Combine::Joint(groups) => match groups.as_slice() {
                [(name, ids)] if ids.len() == self.types.len() => {
                    vec![sched::Operator::Function(name.as_str().into())]
                }
                _ => Vec::new(),
            },
            Combine::None => Vec::new(),
        }
    }

    /// left ⊕ right
    pub fn apply(&self, b: &mut Builder<'_>, left: &[Value], right: &[Value]) -> Vec<Value> {
        match &self.combine {
            Combine::None => right.to_vec(),
            Combine::Each(all) => {
                let each = all.iter().zip(left.iter().zip(right));
                each.map(|(op, (l, r))| match factors(b, *r).filter(|_| self.fused) {
                    Some([x, y]) => math::Fma::build(b, x, y, *l).result(b.read()),
                    None => apply(b, op, *l, *r, self.any_order),
                })
                .collect()
            }
            Combine::Joint(groups) => {
                let mut results = right.to_vec();
                for (name, ids) in groups {
                    let args: Vec<Value> =
                        ids.iter().map(|id| left[*id]).chain(ids.iter().map(|id| right[*id])).collect();
                    let types: Vec<Type> = ids.iter().map(|id| self.types[*id]).collect();
                    for (id, value) in ids.iter().zip(call(b, name, &args, &types)) {
                        results[*id] = value;
                    }
                }
                results
            }
        }
    }
}

/// The factors of a product
fn factors(b: &Builder<'_>, value: Value) -> Option<[Value; 2]> {
    let product = arith::MulF::cast(b.read(), b.read().defining_op(value)?)?;
    Some([product.lhs(b.read()), product.rhs(b.read())])
}

fn call(b: &mut Builder<'_>, name: &str, args: &[Value], types: &[Type]) -> Vec<Value> {
    let callee = b.cx().symbol_attr(name);
    let call = func::Call::build(b, args, callee, types);
    let ir = b.read();
    ir.results(call.id()).collect()
}

/// left ⊕ right
fn apply(b: &mut Builder<'_>, operator: &sched::Operator, left: Value, right: Value, free: bool) -> Value {
    let ty = b.read().ty(left);
    match operator {
        sched::Operator::Builtin(builtin) if free => builtin.as_op_in_any_order(b, left, right),
        sched::Operator::Builtin(builtin) => builtin.as_op(b, left, right),
        sched::Operator::Function(name) => {
            call(b, name, &[left, right], &[ty]).first().copied().unwrap_or(left)
        }
    }
}

/// A constant
pub fn constant(b: &mut Builder<'_>, attr: Attr) -> Value {
    let op = arith::Constant::build(b, attr).id();
    b.read().result(op, 0)
}

/// An index constant
pub fn index(b: &mut Builder<'_>, value: i64) -> Value {
    let attr = b.cx().index_attr(value);
    constant(b, attr)
}

/// An index expression over values as arithmetic
pub fn affine(b: &mut Builder<'_>, expr: &AffineExpr, dims: &[Value]) -> Value {
    let (kind, lhs, rhs) = match expr {
        AffineExpr::Dim(n) => return dims[*n as usize],
        AffineExpr::Symbol(_) => return index(b, 0),
        AffineExpr::Constant(value) => return index(b, *value),
        AffineExpr::Binary(node) => (node.kind(), node.lhs(), node.rhs()),
    };
    let (x, y) = (affine(b, lhs, dims), affine(b, rhs, dims));
    let op = match kind {
        AffineKind::Add => arith::AddI::build(b, x, y).id(),
        AffineKind::Mul => arith::MulI::build(b, x, y).id(),
        AffineKind::FloorDiv => arith::FloorDivSI::build(b, x, y).id(),
        AffineKind::CeilDiv => arith::CeilDivSI::build(b, x, y).id(),
        AffineKind::Mod => {
            let op = arith::FloorDivSI::build(b, x, y).id();
            let quotient = b.read().result(op, 0);
            let op = arith::MulI::build(b, quotient, y).id();
            let product = b.read().result(op, 0);
            arith::SubI::build(b, x, product).id()
        }
    };
    b.read().result(op, 0)
}

/// One value where a number is zero, the other elsewhere
pub fn where_zero(b: &mut Builder<'_>, number: Value, yes: Value, no: Value) -> Value {
    let zero = index(b, 0);
    let op = arith::CmpI::build(b, number, zero, arith::CmpIPredicate::Eq).id();
    let test = b.read().result(op, 0);
    let op = arith::Select::build(b, test, yes, no).id();
    b.read().result(op, 0)
}
