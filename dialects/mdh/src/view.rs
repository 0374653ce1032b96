//! A computation read into plain data: what checks, interpreter, schedules and the edge below look at.

use crate::compute::Compute;
use crate::misfit::Misfit;
use crate::operator::Operator;
use terrace_ir::{Attr, Context, Ir, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

terrace_support::words! {
    /// What bracketing of a fold is allowed
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Order {
        /// A left fold
        Source = "source",
        /// A left fold, where a product and its addition are rounded once
        Fused = "fused",
        /// Coordinates `k` and `k + n/2` of `n` are merged, then the same of the first half, until one is left; of several such dimensions
        /// the last one first
        Tree = "tree",
        /// The bracket that follows from the computation ([`crate::bracket`]), the same for all schedules and back ends
        Invariant = "invariant",
        /// None: the sum of all terms as numbers, rounded once; `mdh-accumulators` writes how
        Exact = "exact",
        /// Any, the same in every run
        #[default]
        Fixed = "fixed",
        /// Any
        Free = "free",
    }
}

/// Attribute of a function that has the same bits on every machine: a back end that cannot keep them refuses it
pub const PROMISED: &str = "terrace.bits";

impl Order {
    /// Is it one fold from the left, in the order of the source?
    pub fn is_left_fold(self) -> bool {
        matches!(self, Order::Source | Order::Fused)
    }
}

/// How a dimension is combined
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CombineKind {
    /// Kept
    Cc,
    /// Folded
    Pw(Vec<Operator>, Order),
    /// Kept as prefixes
    Ps(Vec<Operator>),
}

impl CombineKind {
    /// The operators of a fold or of prefixes
    pub fn operators(&self) -> &[Operator] {
        match self {
            CombineKind::Cc => &[],
            CombineKind::Pw(ops, _) | CombineKind::Ps(ops) => ops,
        }
    }

    /// Is each coordinate seen in the outputs?
    pub fn kept(&self) -> bool {
        !matches!(self, CombineKind::Pw(..))
    }
}

/// A dimension
#[derive(Clone, Debug)]
pub struct Dim {
    /// Name in text
    pub name: String,
    /// Number of coordinates
    pub size: i64,
    /// How it is combined
    pub kind: CombineKind,
}

/// What stands for an element outside, or one that the guard shuts out
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Other {
    /// A constant
    Constant(Attr),
    /// A scalar from outside
    Value(Value),
}

/// What the body gets of an input
#[derive(Clone, Debug)]
pub struct Input {
    /// The tensor or scalar
    pub value: Value,
    /// Index functions over the dimensions; none for scalars and opaque tensors
    pub map: Option<AffineMap>,
    /// Instead of elements outside
    pub other: Option<Other>,
    /// Must be 0, else `other` stands in
    pub guard: Option<AffineExpr>,
}

/// A result
#[derive(Clone, Debug)]
pub struct Output {
    /// Index functions of each access
    pub maps: Vec<AffineMap>,
    /// Start values, with their own index functions if they have any
    pub init: Option<(Value, Option<AffineMap>)>,
}

/// `low <= e < high`, or `e < high` when there is no low end
#[derive(Clone, Debug)]
pub struct Condition {
    /// Least allowed value
    pub low: Option<AffineExpr>,
    /// What is compared
    pub expr: AffineExpr,
    /// First value not allowed
    pub high: AffineExpr,
}

impl Condition {
    /// Expressions that must be at least zero
    pub fn at_least_zero(&self) -> Vec<AffineExpr> {
        let below = AffineExpr::sub(AffineExpr::sub(self.high.clone(), self.expr.clone()), 1.into());
        let above = self.low.clone().map(|low| AffineExpr::sub(self.expr.clone(), low));
        above.into_iter().chain([below]).collect()
    }

    /// Does it hold at a point, with these numbers for symbols? `None` for arithmetic that overflows
    pub fn holds(&self, point: &[i64], extents: &[i64]) -> Option<bool> {
        let value = self.expr.eval(point, extents)?;
        let above = match &self.low {
            Some(low) => low.eval(point, extents)? <= value,
            None => true,
        };
        Some(above && value < self.high.eval(point, extents)?)
    }

    /// As a map of two or three results
    pub fn attr(&self, cx: &Context, dims: usize, extents: usize) -> Option<Attr> {
        let all = self.low.iter().chain([&self.expr, &self.high]).cloned().collect();
        AffineMap::new(dims as u32, extents as u32, all).map(|map| cx.map_attr(map))
    }
}

/// A number that is known at run time, of which conditions are
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The number
    pub value: Value,
    /// The greatest that it may be; the least is 0
    pub most: i64,
}

/// An operator and the outputs whose values it takes together
#[derive(Clone, Debug)]
pub struct Group {
    /// The operator
    pub operator: Operator,
    /// First output
    pub first: usize,
    /// Number of outputs
    pub len: usize,
}

/// A computation as plain data
#[derive(Clone, Debug)]
pub struct View {
    /// Its name
    pub name: Option<String>,
    /// Dimensions in order
    pub dims: Vec<Dim>,
    /// Inputs in order
    pub inputs: Vec<Input>,
    /// Outputs in order
    pub outputs: Vec<Output>,
    /// Contributions of other points do not exist
    pub conditions: Vec<Condition>,
    /// What symbols of conditions stand for
    pub extents: Vec<Extent>,
}

/// The numbers of an op with their bounds
fn read_extents(ir: &Ir, op: Compute) -> Result<Vec<Extent>, Misfit> {
    let values = op.extents(ir);
    let most = op.most(ir).and_then(|attr| attr.as_dense_array(ir.cx())).unwrap_or(&[]);
    match values.len().cmp(&most.len()) {
        std::cmp::Ordering::Less => Err(Misfit::TooFewOperands { list: "most", of: "extents" }),
        std::cmp::Ordering::Greater => Err(Misfit::TooManyOperands { list: "most", of: "extents" }),
        std::cmp::Ordering::Equal => {
            Ok(values.into_iter().zip(most).map(|(value, most)| Extent { value, most: *most }).collect())
        }
    }
}

/// Name of the n-th dimension when the text gives none
pub fn default_name(n: usize) -> String {
    format!("d{n}")
}

impl View {
    /// The dimension along each axis of an output of this shape; `None` unless each axis is a kept dimension as a whole, and each of
    /// those is one axis
    pub fn axes(&self, out: usize, shape: &[i64]) -> Option<Vec<usize>> {
        let [map] = self.outputs.get(out)?.maps.as_slice() else { return None };
        let dims: Vec<usize> = map.result_dims()?.into_iter().map(|dim| dim as usize).collect();
        let whole = dims.iter().zip(shape).all(|(dim, size)| self.dims[*dim].size == *size);
        let each = (0..self.dims.len())
            .filter(|dim| self.dims[*dim].kind.kept())
            .all(|dim| dims.iter().filter(|one| **one == dim).count() == 1);
        (whole && each && dims.len() == shape.len()).then_some(dims)
    }

    /// Read an op; the error is the property that does not fit
    pub fn read(ir: &Ir, op: Compute) -> Result<View, Misfit> {
        let cx = ir.cx();
        let array = |attr: Option<Attr>| attr.and_then(|attr| attr.as_array(cx)).unwrap_or(&[]);
        let sizes = op.sizes(ir).as_dense_array(cx).unwrap_or(&[]);
        let names = array(op.dim_names(ir));
        let combine = array(Some(op.combine(ir)));
        let rank = sizes.len();
        if combine.len() != rank || !names.is_empty() && names.len() != rank {
            return Err(Misfit::Rank(rank));
        }
        let mut dims = Vec::new();
        for n in 0..rank {
            let name = names.get(n).and_then(|name| name.as_str(cx));
            let kind = kind(cx, combine[n]).ok_or(Misfit::entry("combine", "kind of dimension"))?;
            if sizes[n] < 0 {
                return Err(Misfit::Size { size: sizes[n], dim: n + 1 });
            }
            dims.push(Dim { name: name.map_or_else(|| default_name(n), String::from), size: sizes[n], kind });
        }
        let map =
            |attr: Attr| attr.as_affine_map(cx).filter(|map| map.dims as usize == rank && map.symbols == 0);
        let inputs = inputs(ir, op, rank)?;
        let outs = array(Some(op.outs(ir)));
        let intos = array(op.intos(ir));
        if !intos.is_empty() && intos.len() != outs.len() {
            return Err(Misfit::Intos);
        }
        let mut inits = op.inits(ir).into_iter();
        let mut outputs = Vec::new();
        for (n, out) in outs.iter().enumerate() {
            let maps: Option<Vec<AffineMap>> =
                out.as_array(cx).and_then(|maps| maps.iter().map(|attr| map(*attr).cloned()).collect());
            let maps = maps.filter(|maps| !maps.is_empty());
            let maps = maps.ok_or(Misfit::entry("outs", "list of index functions over the dimensions"))?;
            let init = match intos.get(n) {
                Some(into) if *into != cx.common().unit => {
                    let own = if into.as_str(cx) == Some("same") {
                        None
                    } else {
                        Some(map(*into).cloned().ok_or(Misfit::entry("intos", "index function"))?)
                    };
                    let none = Misfit::TooFewOperands { list: "intos", of: "start values" };
                    let value = inits.next().ok_or(none)?;
                    Some((value, own))
                }
                _ => None,
            };
            outputs.push(Output { maps, init });
        }
        if inits.next().is_some() {
            return Err(Misfit::TooManyOperands { list: "intos", of: "start values" });
        }
        if outputs.len() != ir.num_results(op.0) {
            return Err(Misfit::Results { outputs: outputs.len(), results: ir.num_results(op.0) });
        }
        let extents = read_extents(ir, op)?;
        let condition = |attr: Attr| {
            let fits = |map: &&AffineMap| map.dims as usize == rank && map.symbols as usize == extents.len();
            attr.as_affine_map(cx).filter(fits)
        };
        let conditions: Option<Vec<Condition>> = array(op.conditions(ir))
            .iter()
            .map(|attr| {
                let mut all = condition(*attr)?.results.clone();
                let high = all.pop()?;
                let expr = all.pop()?;
                (all.len() <= 1).then(|| Condition { low: all.pop(), expr, high })
            })
            .collect();
        let conditions = conditions.ok_or(Misfit::entry("where", "map of two or three results"))?;
        let name = op.name(ir).and_then(|attr| attr.as_str(cx)).map(String::from);
        Ok(View { name, dims, inputs, outputs, conditions, extents })
    }

    /// Expressions that the conditions ask to be at least zero, but for those that always are
    pub fn bounds(&self) -> Vec<AffineExpr> {
        let all = self.conditions.iter().flat_map(Condition::at_least_zero);
        all.filter(|bound| !self.always(bound)).collect()
    }

    /// Is an expression at least zero at every point?
    pub(crate) fn always(&self, bound: &AffineExpr) -> bool {
        let Some(linear) = bound.as_linear() else { return false };
        let mut least = Some(linear.constant);
        for (n, extent) in self.extents.iter().enumerate() {
            let most = linear.symbol(n).checked_mul(extent.most);
            least = least.zip(most).and_then(|(least, most)| least.checked_add(most.min(0)));
        }
        for (n, dim) in self.dims.iter().enumerate() {
            let last = linear.dim(n).checked_mul((dim.size - 1).max(0));
            least = least.zip(last).and_then(|(least, last)| least.checked_add(last.min(0)));
        }
        least.is_some_and(|least| least >= 0)
    }

    /// Sizes of the dimensions
    pub fn sizes(&self) -> Vec<i64> {
        self.dims.iter().map(|dim| dim.size).collect()
    }

    /// The operators that combine, with the outputs of each; empty if every dimension is `cc`
    ///
    /// One operator for all outputs together, or one for each. `None` if the numbers do not fit.
    pub fn groups(&self) -> Option<Vec<Group>> {
        let ops = self.dims.iter().map(|dim| dim.kind.operators()).find(|ops| !ops.is_empty()).unwrap_or(&[]);
        let outputs = self.outputs.len();
        match ops {
            [] => Some(Vec::new()),
            [operator] if outputs == 1 || matches!(operator, Operator::Func(_)) => {
                Some(vec![Group { operator: *operator, first: 0, len: outputs }])
            }
            _ if ops.len() == outputs => Some(
                ops.iter().enumerate().map(|(first, op)| Group { operator: *op, first, len: 1 }).collect(),
            ),
            _ => None,
        }
    }

    /// Is it one left fold over its points in their order: is a dimension folded in the order of the source, by operators of
    /// which that shows? Start values come first then, and no parts of it are folded for themselves
    ///
    /// Operators round or not by the type of what they merge; of a function only that of its author is known, who may not have
    /// said that it is exact.
    pub fn in_order(&self, ir: &Ir, op: Compute) -> bool {
        let cx = ir.cx();
        let source = |dim: &Dim| matches!(dim.kind, CombineKind::Pw(_, order) if order.is_left_fold());
        let exact = |group: &Group| match group.operator {
            Operator::Builtin(builtin) => {
                builtin.algebra(cx, ir.ty(ir.result(op.id(), group.first)).scalar(cx)).exact
            }
            Operator::Func(_) | Operator::Accumulated(_) => false,
        };
        self.dims.iter().any(source) && !self.groups().is_some_and(|groups| groups.iter().all(exact))
    }

    /// The first dimension that is folded in an order
    pub fn order(&self, order: Order) -> Option<usize> {
        self.dims.iter().position(|dim| matches!(dim.kind, CombineKind::Pw(_, own) if own == order))
    }

    /// Are there accumulators that `mdh-accumulators` has not written out?
    pub fn has_accumulators(&self) -> bool {
        let own = |operator: &Operator| matches!(operator, Operator::Accumulated(_));
        self.order(Order::Exact).is_some() || self.dims.iter().any(|dim| dim.kind.operators().iter().any(own))
    }

    /// The dimensions that are folded in an order
    pub fn orders(&self, order: Order) -> Vec<usize> {
        let own = |dim: &Dim| matches!(dim.kind, CombineKind::Pw(_, own) if own == order);
        (0..self.dims.len()).filter(|n| own(&self.dims[*n])).collect()
    }

    /// Position of each output's first value among those that the body yields
    pub fn yields(&self) -> usize {
        self.outputs.iter().map(|out| out.maps.len()).sum()
    }

    /// Names of the dimensions
    pub fn names(&self) -> Vec<String> {
        self.dims.iter().map(|dim| dim.name.clone()).collect()
    }
}

fn inputs(ir: &Ir, op: Compute, rank: usize) -> Result<Vec<Input>, Misfit> {
    let cx = ir.cx();
    let array = |attr: Option<Attr>| attr.and_then(|attr| attr.as_array(cx)).unwrap_or(&[]);
    let values = op.ins(ir);
    let (maps, elses, guards) = (array(Some(op.maps(ir))), array(op.elses(ir)), array(op.guards(ir)));
    for (name, list) in [("maps", maps), ("elses", elses), ("guards", guards)] {
        if list.len() != values.len() && (name == "maps" || !list.is_empty()) {
            return Err(Misfit::PerInput { list: name, inputs: values.len() });
        }
    }
    let unit = cx.common().unit;
    let map_of =
        |attr: Attr| attr.as_affine_map(cx).filter(|map| map.dims as usize == rank && map.symbols == 0);
    let mut others = op.others(ir).into_iter();
    let mut inputs = Vec::new();
    for (n, value) in values.into_iter().enumerate() {
        let map = match maps[n] {
            attr if attr == unit => None,
            attr => Some(map_of(attr).cloned().ok_or(Misfit::entry("maps", "index function"))?),
        };
        let other = match elses.get(n) {
            Some(attr) if attr.as_str(cx) == Some("value") => {
                let none = Misfit::TooFewOperands { list: "elses", of: "values" };
                Some(Other::Value(others.next().ok_or(none)?))
            }
            Some(attr) if *attr != unit => Some(Other::Constant(*attr)),
            _ => None,
        };
        let guard = match guards.get(n) {
            Some(attr) if *attr != unit => {
                let guard = map_of(*attr).and_then(|map| match map.results.as_slice() {
                    [only] => Some(only.clone()),
                    _ => None,
                });
                Some(guard.ok_or(Misfit::entry("guards", "map of one result"))?)
            }
            _ => None,
        };
        inputs.push(Input { value, map, other, guard });
    }
    match others.next() {
        Some(_) => Err(Misfit::TooManyOperands { list: "elses", of: "values to stand in" }),
        None => Ok(inputs),
    }
}

fn kind(cx: &Context, attr: Attr) -> Option<CombineKind> {
    if attr.as_str(cx) == Some("cc") {
        return Some(CombineKind::Cc);
    }
    let (word, ops, order) = match attr.as_array(cx)? {
        [word, ops] => (word, ops, None),
        [word, ops, order] => (word, ops, Some(order)),
        _ => return None,
    };
    let ops: Vec<Operator> =
        ops.as_array(cx)?.iter().map(|op| Operator::of_attr(cx, *op)).collect::<Option<_>>()?;
    if ops.is_empty() {
        return None;
    }
    let order = match order {
        Some(order) => Some(order.as_str(cx)?.parse().ok()?),
        None => None,
    };
    match (word.as_str(cx)?, order) {
        ("pw", order) => Some(CombineKind::Pw(ops, order.unwrap_or_default())),
        ("ps", None) => Some(CombineKind::Ps(ops)),
        _ => None,
    }
}

/// The property entry of a kind
pub fn kind_attr(cx: &Context, kind: &CombineKind) -> Attr {
    let ops = |ops: &[Operator]| {
        let all: Vec<Attr> = ops.iter().map(|op| op.attr(cx)).collect();
        cx.array_attr(&all)
    };
    match kind {
        CombineKind::Cc => cx.str_attr("cc"),
        CombineKind::Pw(all, Order::Fixed) => cx.array_attr(&[cx.str_attr("pw"), ops(all)]),
        CombineKind::Pw(all, order) => {
            cx.array_attr(&[cx.str_attr("pw"), ops(all), cx.str_attr(&order.to_string())])
        }
        CombineKind::Ps(all) => cx.array_attr(&[cx.str_attr("ps"), ops(all)]),
    }
}

/// Element type of a tensor; the type itself of a scalar
pub fn element(cx: &Context, ty: Type) -> Type {
    ty.scalar(cx)
}
