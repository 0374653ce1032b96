//! Rules: maps take in what makes their operands, and become simple; bounds and conditions that are known go.
//!
//! Normal form of a map with operands: no operand is an `affine.apply` or a constant, what may be a symbol is one, each
//! operand is there once and used; expressions are as the ranges of loop variables allow. Terminates: the form of a normal
//! form is itself.

use super::{Apply, For, If, Load, Max, Min, Prefetch, Store, VectorLoad, VectorStore, valid};
use terrace_analysis::{Range, Ranges, less_or_equal, range_of, simplify_with_ranges};
use terrace_ir::fold::constant_of;
use terrace_ir::{AttrKind, BlockId, Ir, OpDef, OpId, Value};
use terrace_rewrite::{Canonicalize, Miss, OrMiss, Pattern, Rewriter, Rule};
use terrace_support::affine::{AffineExpr, AffineMap, IntegerSet};

/// Most operands that composing may give a map
const OPERANDS: usize = 64;

/// Expressions over operands: dimensions first, then symbols
#[derive(Clone, PartialEq, Eq)]
pub struct Form {
    /// The expressions
    pub results: Vec<AffineExpr>,
    /// Values of the dimensions
    pub dims: Vec<Value>,
    /// Values of the symbols
    pub symbols: Vec<Value>,
}

impl Form {
    /// A map with its operands
    pub fn new(results: Vec<AffineExpr>, dims: usize, operands: &[Value]) -> Option<Form> {
        let (dims, symbols) = operands.split_at_checked(dims)?;
        Some(Form { results, dims: dims.to_vec(), symbols: symbols.to_vec() })
    }

    fn operands(&self) -> Vec<Value> {
        self.dims.iter().chain(&self.symbols).copied().collect()
    }

    fn map(self) -> Option<AffineMap> {
        AffineMap::new(self.dims.len() as u32, self.symbols.len() as u32, self.results)
    }

    fn replace(&mut self, dims: &[AffineExpr], symbols: &[AffineExpr]) -> Option<()> {
        self.results = self.results.iter().map(|expr| expr.replace(dims, symbols)).collect::<Option<_>>()?;
        Some(())
    }

    /// Put the ops that make operands into the expressions, once
    fn inline(&mut self, ir: &Ir) -> Option<bool> {
        let (mut dims, mut symbols) = (Vec::new(), Vec::new());
        let mut changed = false;
        let mut put = |value: Value, symbol: bool| -> Option<AffineExpr> {
            let mut keep = |value: Value, symbol: bool| {
                let (list, make): (_, fn(u32) -> AffineExpr) =
                    if symbol { (&mut symbols, AffineExpr::Symbol) } else { (&mut dims, AffineExpr::Dim) };
                list.push(value);
                make(list.len() as u32 - 1)
            };
            if let Some(value) = constant_of(ir, value).and_then(|attr| attr.as_i64(ir.cx())) {
                changed = true;
                return Some(AffineExpr::Constant(value));
            }
            let Some(apply) = ir.defining_op(value).and_then(|op| Apply::cast(ir, op)) else {
                return Some(keep(value, symbol));
            };
            let map = apply.affine_map(ir)?;
            let operands = apply.operands(ir);
            let (inner_dims, inner_symbols) = operands.split_at_checked(map.dims as usize)?;
            let new_dims: Vec<AffineExpr> = inner_dims.iter().map(|value| keep(*value, symbol)).collect();
            let new_symbols: Vec<AffineExpr> = inner_symbols.iter().map(|value| keep(*value, true)).collect();
            changed = true;
            map.results.first()?.replace(&new_dims, &new_symbols)
        };
        let new_dims: Vec<AffineExpr> =
            self.dims.iter().map(|value| put(*value, false)).collect::<Option<_>>()?;
        let new_symbols: Vec<AffineExpr> =
            self.symbols.iter().map(|value| put(*value, true)).collect::<Option<_>>()?;
        if dims.len() + symbols.len() > OPERANDS.max(self.dims.len() + self.symbols.len()) {
            return None;
        }
        self.replace(&new_dims, &new_symbols)?;
        (self.dims, self.symbols) = (dims, symbols);
        Some(changed)
    }

    /// What may be a symbol becomes one; each operand once; none that is not used
    fn tidy(&mut self, ir: &Ir, op: OpId) -> Option<()> {
        let scope = valid::scope(ir, op);
        let used = |expr: &dyn Fn(&AffineExpr) -> bool| self.results.iter().any(expr);
        let (mut dims, mut symbols): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
        let place = |list: &mut Vec<Value>, value: Value| {
            list.iter().position(|old| *old == value).unwrap_or_else(|| {
                list.push(value);
                list.len() - 1
            }) as u32
        };
        let mut new_symbols = Vec::new();
        for (n, value) in self.symbols.iter().enumerate() {
            let used = used(&|expr| expr.uses_symbol(n as u32));
            new_symbols.push(if used {
                AffineExpr::Symbol(place(&mut symbols, *value))
            } else {
                AffineExpr::Constant(0)
            });
        }
        let mut new_dims = Vec::new();
        for (n, value) in self.dims.iter().enumerate() {
            new_dims.push(if !used(&|expr| expr.uses_dim(n as u32)) {
                AffineExpr::Constant(0)
            } else if valid::is_symbol(ir, *value, scope) {
                AffineExpr::Symbol(place(&mut symbols, *value))
            } else {
                AffineExpr::Dim(place(&mut dims, *value))
            });
        }
        self.replace(&new_dims, &new_symbols)?;
        (self.dims, self.symbols) = (dims, symbols);
        Some(())
    }

    /// The normal form at an op; `None` if a limit is passed on the way
    pub fn normal(mut self, ir: &Ir, op: OpId) -> Option<Form> {
        for _ in 0..OPERANDS {
            let mut next = self.clone();
            match next.inline(ir) {
                Some(true) => self = next,
                _ => break,
            }
        }
        self.tidy(ir, op)?;
        let (dims, symbols) = (ranges(ir, &self.dims), ranges(ir, &self.symbols));
        let ranges = Ranges { dims: &dims, symbols: &symbols };
        for expr in &mut self.results {
            *expr = simplify_with_ranges(expr, ranges);
        }
        // What the ranges have removed may have left operands without a use.
        self.tidy(ir, op)?;
        Some(self)
    }
}

/// What is known of values: constants, variables of loops with constant bounds
pub fn ranges(ir: &Ir, values: &[Value]) -> Vec<Range> {
    values.iter().map(|value| range(ir, *value).unwrap_or(Range::ALL)).collect()
}

fn range(ir: &Ir, value: Value) -> Option<Range> {
    let number = |value| constant_of(ir, value)?.as_i64(ir.cx());
    if ir.defining_op(value).is_some() {
        return number(value).map(Range::one);
    }
    let block = ir.value_block(value)?;
    let op = ir.block_parent(block)?;
    if ir.block_args(block).first() != Some(&value) {
        return None;
    }
    let (low, high, step) = if let Some(each) = For::cast(ir, op) {
        (each.constant_bound(ir, false)?, each.constant_bound(ir, true)?, each.step_size(ir))
    } else {
        let each = terrace_dialect_scf::For::cast(ir, op).filter(|each| each.unsigned(ir).is_none())?;
        (number(each.lower_bound(ir))?, number(each.upper_bound(ir))?, number(each.step(ir))?)
    };
    Range::stepped(low, high.checked_sub(1)?, step)
}

/// Ops with one map and where its operands are
const SINGLE: [(&OpDef, &str, usize); 8] = [
    (Apply::DEF, "apply_normal_form", 0),
    (Min::DEF, "min_normal_form", 0),
    (Max::DEF, "max_normal_form", 0),
    (Load::DEF, "load_normal_form", 1),
    (Store::DEF, "store_normal_form", 2),
    (VectorLoad::DEF, "vector_load_normal_form", 1),
    (VectorStore::DEF, "vector_store_normal_form", 2),
    (Prefetch::DEF, "prefetch_normal_form", 1),
];

/// The map of an op in normal form
struct Normal<const OP: usize>;

impl<const OP: usize> Pattern for Normal<OP> {
    const NAME: &'static str = SINGLE[OP].1;
    const ROOT: Option<&'static OpDef> = Some(SINGLE[OP].0);
    type Found = (AffineMap, Vec<Value>);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let attr = ir.attr(op, "map").or_miss("no map")?;
        let map = attr.as_affine_map(ir.cx()).or_miss("no map")?;
        let operands: Vec<Value> = ir.operands(op).skip(SINGLE[OP].2).collect();
        let old =
            Form::new(map.results.clone(), map.dims as usize, &operands).or_miss("operands are missing")?;
        let mut new = old.clone().normal(ir, op).or_miss("the expression grows too large")?;
        if OP == 1 || OP == 2 {
            drop_dominated(ir, &mut new, OP == 2);
        }
        (new != old).or_miss("already in normal form")?;
        let operands = new.operands();
        Ok((new.map().or_miss("operands are missing")?, operands))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (map, operands): Self::Found) {
        let kept: Vec<Value> = rw.ir().operands(op).take(SINGLE[OP].2).chain(operands).collect();
        let attr = rw.ir().cx().map_attr(map);
        if let Some(slot) = rw.ir().def(op).attr_slot("map") {
            rw.set_slot(op, slot, Some(attr));
        }
        rw.set_operands(op, &kept, &[]);
    }
}

/// Leave out results that another one is never beyond
fn drop_dominated(ir: &Ir, form: &mut Form, greatest: bool) {
    let (dims, symbols) = (ranges(ir, &form.dims), ranges(ir, &form.symbols));
    let ranges = Ranges { dims: &dims, symbols: &symbols };
    let mut kept: Vec<AffineExpr> = Vec::new();
    if form.results.len() > OPERANDS {
        return;
    }
    let beats = |a: &AffineExpr, b: &AffineExpr| {
        a == b || if greatest { less_or_equal(b, a, ranges) } else { less_or_equal(a, b, ranges) }
    };
    for expr in std::mem::take(&mut form.results) {
        if kept.iter().any(|other| beats(other, &expr)) {
            continue;
        }
        kept.retain(|other| !beats(&expr, other));
        kept.push(expr);
    }
    form.results = kept;
}

/// One of one is itself
struct OneResult<const MAX: bool>;

impl<const MAX: bool> Pattern for OneResult<MAX> {
    const NAME: &'static str = if MAX { "max_of_one" } else { "min_of_one" };
    const ROOT: Option<&'static OpDef> = Some(if MAX { Max::DEF } else { Min::DEF });
    type Found = AffineMap;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<AffineMap, Miss> {
        let attr = ir.attr(op, "map").or_miss("no map")?;
        let map = attr.as_affine_map(ir.cx()).or_miss("no map")?;
        (map.results.len() == 1).or_miss("there are several results")?;
        Ok(map.clone())
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, map: AffineMap) {
        let operands: Vec<Value> = rw.ir().operands(op).collect();
        let value = rw.build_before(op, |b| Apply::of(b, map, &operands).result(b.read()));
        rw.replace(op, &[value]);
    }
}

/// The bounds of a loop in normal form
struct NormalBounds;

type Bound = (AffineMap, Vec<Value>);

impl Pattern for NormalBounds {
    const NAME: &'static str = "for_bounds_normal_form";
    const ROOT: Option<&'static OpDef> = Some(For::DEF);
    type Found = [Bound; 2];

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let loop_ = For(op);
        let mut changed = false;
        let mut side =
            |attr: terrace_ir::Attr, operands: Vec<Value>, greatest: bool| -> Result<Bound, Miss> {
                let map = attr.as_affine_map(ir.cx()).or_miss("no map")?;
                let old = Form::new(map.results.clone(), map.dims as usize, &operands)
                    .or_miss("operands are missing")?;
                let mut new = old.clone().normal(ir, op).or_miss("the expression grows too large")?;
                drop_dominated(ir, &mut new, greatest);
                changed |= new != old;
                let operands = new.operands();
                Ok((new.map().or_miss("operands are missing")?, operands))
            };
        let lower = side(loop_.lower_map(ir), loop_.lower(ir), true)?;
        let upper = side(loop_.upper_map(ir), loop_.upper(ir), false)?;
        changed.or_miss("already in normal form")?;
        Ok([lower, upper])
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, [lower, upper]: Self::Found) {
        let inits = For(op).inits(rw.ir());
        let segments = [lower.1.len() as u32, upper.1.len() as u32, inits.len() as u32];
        let operands: Vec<Value> = lower.1.into_iter().chain(upper.1).chain(inits).collect();
        for (name, map) in [("lowerBoundMap", lower.0), ("upperBoundMap", upper.0)] {
            let attr = rw.ir().cx().map_attr(map);
            if let Some(slot) = rw.ir().def(op).attr_slot(name) {
                rw.set_slot(op, slot, Some(attr));
            }
        }
        rw.set_operands(op, &operands, &segments);
    }
}

/// Put the ops of a block in place of `op`; its terminator's operands are the results
fn inline(rw: &mut Rewriter<'_>, op: OpId, block: BlockId, args: &[Value]) {
    let last = rw.ir().last_op(block).expect("verified blocks end with a terminator");
    rw.inline_block(block, op, args);
    let values: Vec<Value> = rw.ir().operands(last).collect();
    rw.erase(last);
    rw.replace(op, &values);
}

fn trips(ir: &Ir, op: OpId) -> Result<i128, Miss> {
    let bound = |upper| For(op).constant_bound(ir, upper).or_miss("a bound is not constant").map(i128::from);
    let (low, high, step) = (bound(false)?, bound(true)?, i128::from(For(op).step_size(ir).max(1)));
    Ok(if high <= low { 0 } else { (high - low + step - 1) / step })
}

/// A loop that never runs gives its initial values
struct NoTrips;

impl Pattern for NoTrips {
    const NAME: &'static str = "affine_for_zero_trips";
    const ROOT: Option<&'static OpDef> = Some(For::DEF);
    type Found = ();

    fn matches(&self, ir: &Ir, op: OpId) -> Result<(), Miss> {
        (trips(ir, op)? == 0).or_miss("the loop runs")
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (): ()) {
        let inits = For(op).inits(rw.ir());
        rw.replace(op, &inits);
    }
}

fn form_of(ir: &Ir, op: OpId) -> Result<(IntegerSet, Form), Miss> {
    let AttrKind::IntegerSet(set) = If(op).condition(ir).kind(ir.cx()) else { return Err(Miss("no set")) };
    let results = set.constraints.iter().map(|(expr, _)| expr.clone()).collect();
    let form = Form::new(results, set.dims as usize, &If(op).operands(ir)).or_miss("operands are missing")?;
    Ok((set.clone(), form))
}

/// The condition of an `if` in normal form
struct NormalCondition;

impl Pattern for NormalCondition {
    const NAME: &'static str = "affine_if_normal_form";
    const ROOT: Option<&'static OpDef> = Some(If::DEF);
    type Found = (IntegerSet, Vec<Value>);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let (set, old) = form_of(ir, op)?;
        let new = old.clone().normal(ir, op).or_miss("the expression grows too large")?;
        (new != old).or_miss("already in normal form")?;
        let flags = set.constraints.iter().map(|(_, equality)| *equality);
        let constraints = new.results.iter().cloned().zip(flags).collect();
        let set = IntegerSet::new(new.dims.len() as u32, new.symbols.len() as u32, constraints);
        Ok((set.or_miss("operands are missing")?, new.operands()))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (set, operands): Self::Found) {
        let attr = rw.ir().cx().attr(AttrKind::IntegerSet(set));
        if let Some(slot) = rw.ir().def(op).attr_slot("condition") {
            rw.set_slot(op, slot, Some(attr));
        }
        rw.set_operands(op, &operands, &[]);
    }
}

/// A condition that always or never holds
struct KnownCondition;

impl Pattern for KnownCondition {
    const NAME: &'static str = "affine_if_known";
    const ROOT: Option<&'static OpDef> = Some(If::DEF);
    type Found = Option<BlockId>;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let (set, form) = form_of(ir, op)?;
        let (dims, symbols) = (ranges(ir, &form.dims), ranges(ir, &form.symbols));
        let ranges = Ranges { dims: &dims, symbols: &symbols };
        let holds = |(expr, equality): &(AffineExpr, bool)| {
            let range = range_of(expr, ranges)?;
            match equality {
                true if range.as_constant() == Some(0) => Some(true),
                true if !range.contains(0) => Some(false),
                false if range.min() >= 0 => Some(true),
                false if range.max() < 0 => Some(false),
                _ => None,
            }
        };
        let all: Vec<Option<bool>> = set.constraints.iter().map(holds).collect();
        let region = if all.contains(&Some(false)) {
            If(op).else_region(ir)
        } else {
            all.iter().all(|each| *each == Some(true)).or_miss("the condition is not known")?;
            If(op).then_region(ir)
        };
        Ok(ir.entry(region))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, block: Self::Found) {
        match block {
            Some(block) => inline(rw, op, block, &[]),
            None => rw.erase(op),
        }
    }
}

impl Canonicalize for Apply {
    const RULES: &'static [&'static dyn Rule] = &[&Normal::<0>];
}

impl Canonicalize for Min {
    const RULES: &'static [&'static dyn Rule] = &[&OneResult::<false>, &Normal::<1>];
}

impl Canonicalize for Max {
    const RULES: &'static [&'static dyn Rule] = &[&OneResult::<true>, &Normal::<2>];
}

impl Canonicalize for Load {
    const RULES: &'static [&'static dyn Rule] = &[&Normal::<3>];
}

impl Canonicalize for Store {
    const RULES: &'static [&'static dyn Rule] = &[&Normal::<4>];
}

impl Canonicalize for VectorLoad {
    const RULES: &'static [&'static dyn Rule] = &[&Normal::<5>];
}

impl Canonicalize for VectorStore {
    const RULES: &'static [&'static dyn Rule] = &[&Normal::<6>];
}

impl Canonicalize for Prefetch {
    const RULES: &'static [&'static dyn Rule] = &[&Normal::<7>];
}

impl Canonicalize for For {
    const RULES: &'static [&'static dyn Rule] = &[&NoTrips, &NormalBounds];
}

impl Canonicalize for If {
    const RULES: &'static [&'static dyn Rule] = &[&KnownCondition, &NormalCondition];
}
