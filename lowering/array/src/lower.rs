//! State of a lowering: what stands for which value, index variables, and where new ops go.
//!
//! Functions of patterns are evaluated where their values are needed. Each evaluation has a scope of its own: what its
//! arguments are, and which numbers have been computed in it already. A scope ends with the loop or branch that it stands in.

use crate::codes;
use crate::layout::{Leaf, Memory, Path, leaves};
use crate::offsets::{Terms, Who, is_loop, terms};
use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_analysis::nat::Nat;
use terrace_analysis::{Range, range_of, simplify_with_ranges};
use terrace_diag::{Code, Diagnostic};
pub(crate) use terrace_dialect_array::layout::Stop;
use terrace_dialect_array::levels::MapLevel;
use terrace_dialect_array::nat_text::nat_of;
use terrace_dialect_array::size::value_of;
use terrace_dialect_array::threads::{BLOCK, said};
use terrace_dialect_array::types::split_type;
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::{Level, LoopSpec};
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::{BlockId, Builder, Context, InsertPoint, Ir, Loc, Name, OpId, Type, Value};
use terrace_support::HashMap;
use terrace_support::affine::AffineExpr;

pub(crate) type Done<T> = Result<T, Stop>;

/// What stands for a value
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// Buffers
    Memory(Arc<Memory>),
    /// A part of another value
    Part(Value, Path),
    /// Numbers, one for each leaf
    Numbers(Vec<Value>),
    /// A function of index variables
    Index(AffineExpr),
}

/// One evaluation of a function
struct Scope {
    bindings: HashMap<Value, Binding>,
    /// Lanes of vectors that were computed here
    lanes: HashMap<Value, Vec<(Path, Value)>>,
    /// Its block, with the number of loops around
    block: Option<(BlockId, usize)>,
}

/// A loop around
#[derive(Clone)]
struct Around {
    /// For what would be computed again
    trip: i64,
    /// Of a map: its iteration, and how many there are
    own: Option<(AffineExpr, i64)>,
}

/// A loop that was opened
pub(crate) struct Opened {
    /// Its variable, or where it stands if there is one iteration
    pub index: AffineExpr,
    pub body: Option<BlockId>,
    pub(crate) back: InsertPoint,
    pub(crate) vars: usize,
    pub(crate) lanes: usize,
    pub(crate) threads: usize,
    /// How many it is
    pub(crate) loops: usize,
}

/// The state
pub(crate) struct Lower<'a> {
    pub ir: &'a mut Ir,
    pub cx: Arc<Context>,
    pub symbols: &'a Symbols,
    pub scope_id: ScopeId,
    pub at: InsertPoint,
    pub loc: Loc,
    /// What is being lowered, for messages
    pub op: OpId,
    /// Index variables: a loop's, an unknown number, or, without a value, one of a copy's domain
    values: Vec<Option<Value>>,
    ranges: Vec<Range>,
    scopes: Vec<Scope>,
    around: Vec<Around>,
    /// Loops of lanes around
    pub lanes: usize,
    /// Loops of threads around
    pub threads: usize,
    /// Loops around that copy a whole array by a grid
    pub copies: usize,
    pub known: BTreeMap<String, i64>,
    /// Only find out where something is: ops must not be made
    pub quiet: bool,
    /// Where results of the function go
    pub dests: HashMap<Value, Vec<Arc<Memory>>>,
    pub warnings: Vec<Diagnostic>,
    /// Where variables of a copy's domain go: a dimension of a buffer
    pub boxes: Vec<(u32, (Value, usize))>,
    /// Sums in indices of device memory
    pub sums: Vec<Terms>,
    /// Variables of nests that stand for one loop: no tiles of anything
    pub stripped: Vec<Value>,
    /// Variables that are the sum of two others: a strip's start and the place in it
    pub(crate) sum_vars: Vec<(u32, [u32; 2])>,
    /// Threads of a block that a loop at level `global` is for, where the program says so
    pub blocks: Vec<(OpId, i64)>,
    /// There are levels of a grid, or undecided ones
    pub on_grid: bool,
    /// There are levels of a grid, and all levels are decided: what moves whole arrays is a kernel too
    pub launches: bool,
}

/// Most elements of an array: sums and products of a few sizes fit a number
pub(crate) const MOST: i64 = 1 << 40;

/// Deepest nesting of evaluations
const MOST_SCOPES: usize = 512;

impl<'a> Lower<'a> {
    pub fn new(
        ir: &'a mut Ir,
        symbols: &'a Symbols,
        scope_id: ScopeId,
        at: InsertPoint,
        entry: BlockId,
        known: BTreeMap<String, i64>,
    ) -> Lower<'a> {
        let (cx, op) = (ir.cx_arc().clone(), ir.root());
        let loc = ir.loc(op);
        let level = |inner: OpId| ir.attr(inner, "level");
        let open = ir.walk_below(op).filter_map(level).any(|level| level.as_str(&cx).is_none());
        let on_grid = ir.walk_below(op).filter_map(level).any(|level| match level.as_str(&cx) {
            None => true,
            Some(word) => {
                word.parse::<Level>().is_ok_and(|level| level.is_grid_like() || level.is_thread_like())
            }
        });
        Lower {
            ir,
            cx,
            symbols,
            scope_id,
            at,
            loc,
            op,
            values: Vec::new(),
            ranges: Vec::new(),
            scopes: vec![Scope {
                bindings: HashMap::default(),
                lanes: HashMap::default(),
                block: Some((entry, 0)),
            }],
            around: Vec::new(),
            lanes: 0,
            threads: 0,
            copies: 0,
            known,
            quiet: false,
            dests: HashMap::default(),
            warnings: Vec::new(),
            boxes: Vec::new(),
            sums: Vec::new(),
            stripped: Vec::new(),
            sum_vars: Vec::new(),
            blocks: Vec::new(),
            on_grid,
            launches: on_grid && !open,
        }
    }

    pub fn b(&mut self) -> Builder<'_> {
        let mut b = match self.at {
            InsertPoint::Before(op) => Builder::before(self.ir, op),
            InsertPoint::End(block) => Builder::at_end(self.ir, block),
        };
        b.set_loc(self.loc);
        b
    }

    pub fn stop<T>(&self, code: Code, message: impl Into<String>, help: impl Into<String>) -> Done<T> {
        Err(Stop { op: self.op, code, message: message.into(), help: help.into(), also: None })
    }

    /// Errors at this op from here on; gives the one before
    pub fn enter(&mut self, op: OpId) -> (OpId, Loc) {
        let back = (self.op, self.loc);
        (self.op, self.loc) = (op, self.ir.loc(op));
        back
    }

    pub fn leave(&mut self, back: (OpId, Loc)) {
        (self.op, self.loc) = back;
    }

    /// The number that a size is
    pub fn number(&self, nat: &Nat) -> Done<i64> {
        match value_of(nat, &self.known) {
            Ok(value) => Ok(value),
            Err(why) => self.stop(
                &codes::OPEN,
                format!("has a size that is no number: {why}"),
                "give the symbol a number: `array-bind{sizes=n=16}`, or the attribute `array.bind = {n = 16}`",
            ),
        }
    }

    /// The number that a property is
    pub fn property(&self, op: OpId, name: &str) -> Done<i64> {
        match self.ir.attr(op, name).and_then(|attr| nat_of(&self.cx, attr)) {
            Some(nat) => self.number(&nat),
            None => self.stop(&codes::NO_LOOP, format!("has no size '{name}'"), ""),
        }
    }

    /// Size and element of an array
    pub fn array(&self, ty: Type) -> Done<(i64, Type)> {
        match split_type(&self.cx, ty) {
            Some((size, elem)) => match self.number(&size)? {
                size if size > MOST => self.stop(
                    &codes::NO_LOOP,
                    format!("has an array of {size} elements, more than {MOST}"),
                    "",
                ),
                size => Ok((size, elem)),
            },
            None => match ty.kind(&self.cx) {
                terrace_ir::TypeKind::Vector { shape, elem, scalable: 0 } if shape.len() == 1 => {
                    Ok((shape[0], *elem))
                }
                _ => self.stop(&codes::NO_LOOP, "needs an array or a vector of one dimension", ""),
            },
        }
    }

    pub fn leaves(&self, ty: Type) -> Done<Vec<Leaf>> {
        let known = &self.known;
        let found = leaves(&self.cx, ty, &|nat| value_of(nat, known));
        let count = |leaf: &Leaf| leaf.shape.iter().try_fold(1i64, |all, size| all.checked_mul(*size));
        match found {
            Ok(found) if found.iter().any(|leaf| count(leaf).is_none_or(|count| count > MOST)) => {
                self.stop(&codes::NO_LOOP, format!("has an array of more than {MOST} elements"), "")
            }
            Ok(found) => Ok(found),
            Err(why) => self.stop(
                &codes::OPEN,
                format!("has a size that is no number: {why}"),
                "give the symbol a number: `array-bind{sizes=n=16}`, or the attribute `array.bind = {n = 16}`",
            ),
        }
    }

    /// A number, or a tuple of numbers
    pub fn is_numbers(&self, ty: Type) -> bool {
        let no_size = |_: &Nat| Err(());
        leaves(&self.cx, ty, &no_size).is_ok_and(|all| all.iter().all(|leaf| leaf.shape.is_empty()))
    }

    // Scopes.

    pub fn push_scope(&mut self, block: Option<BlockId>) -> Done<()> {
        if self.scopes.len() >= MOST_SCOPES {
            return self.stop(&codes::NO_LOOP, format!("is nested deeper than {MOST_SCOPES} functions"), "");
        }
        let around = self.around.len();
        self.scopes.push(Scope {
            bindings: HashMap::default(),
            lanes: HashMap::default(),
            block: block.map(|block| (block, around)),
        });
        Ok(())
    }

    pub fn pop_scope(&mut self) {
        self.scopes.pop();
    }

    pub fn bind(&mut self, value: Value, binding: Binding) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.bindings.insert(value, binding);
        }
    }

    pub fn binding(&self, value: Value) -> Option<&Binding> {
        self.scopes.iter().rev().find_map(|scope| scope.bindings.get(&value))
    }

    /// A lane that was computed before
    pub fn known_lane(&self, vector: Value, path: &Path) -> Option<Value> {
        let all = self.scopes.iter().rev().filter_map(|scope| scope.lanes.get(&vector));
        all.flatten().find(|(own, _)| own == path).map(|(_, number)| *number)
    }

    pub fn keep_lane(&mut self, vector: Value, path: Path, number: Value) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.lanes.entry(vector).or_default().push((path, number));
        }
    }

    /// Iterations of loops since a block was entered
    pub fn trips_since(&self, block: BlockId) -> i64 {
        let entered = self.scopes.iter().rev().filter_map(|scope| scope.block).find(|(own, _)| *own == block);
        let from = entered.map_or(0, |(_, around)| around);
        self.around[from..].iter().fold(1i64, |all, each| all.saturating_mul(each.trip))
    }

    /// The iteration of the loops around that are maps
    pub fn own_iteration(&self) -> Vec<(AffineExpr, i64)> {
        self.around.iter().filter_map(|around| around.own.clone()).collect()
    }

    /// How many loops there are around
    pub fn depth(&self) -> usize {
        self.around.len()
    }

    /// The loop that was opened at a depth is several maps: this is the iteration of the outermost
    pub fn outermost_of(&mut self, depth: usize, index: &AffineExpr, extent: i64) {
        for (n, around) in self.around[depth..].iter_mut().enumerate() {
            *around = Around { trip: if n == 0 { extent } else { 1 }, own: None };
        }
        if let Some(last) = self.around[depth..].last_mut().filter(|_| extent > 1) {
            last.own = Some((index.clone(), extent));
        }
    }

    /// A map inside of it, of which this is the iteration, as long as something runs
    pub fn inside_of<T>(&mut self, index: &AffineExpr, extent: i64, run: impl FnOnce(&mut Self) -> T) -> T {
        let own = (extent > 1).then(|| (index.clone(), extent));
        self.around.push(Around { trip: extent, own });
        let done = run(self);
        self.around.pop();
        done
    }

    // Index variables.

    pub fn var(&mut self, value: Option<Value>, range: Range) -> AffineExpr {
        self.values.push(value);
        self.ranges.push(range);
        AffineExpr::Dim(self.values.len() as u32 - 1)
    }

    /// How many variables there are
    pub fn vars(&self) -> usize {
        self.values.len()
    }

    /// Forget those made since there were so many
    pub fn forget(&mut self, vars: usize) {
        self.values.truncate(vars);
        self.ranges.truncate(vars);
        self.sum_vars.retain(|(var, _)| (*var as usize) < vars);
    }

    /// The value of a variable
    pub fn value_of_var(&self, n: u32) -> Option<Value> {
        self.values.get(n as usize).copied().flatten()
    }

    pub fn simple(&self, expr: &AffineExpr) -> AffineExpr {
        simplify_with_ranges(expr, &self.ranges[..])
    }

    pub fn range(&self, expr: &AffineExpr) -> Range {
        range_of(expr, &self.ranges[..]).unwrap_or(Range::ALL)
    }

    /// An expression without variables that are sums
    pub fn summed(&self, expr: &AffineExpr) -> AffineExpr {
        if self.sum_vars.is_empty() {
            return expr.clone();
        }
        let sum = |n: u32| self.sum_vars.iter().find(|(var, _)| *var == n).map(|(_, parts)| *parts);
        let leaf = |leaf: &AffineExpr| match leaf {
            AffineExpr::Dim(n) => {
                sum(*n).map_or(leaf.clone(), |[a, b]| AffineExpr::add(AffineExpr::Dim(a), AffineExpr::Dim(b)))
            }
            other => other.clone(),
        };
        expr.map_leaves(&mut |each| leaf(each)).unwrap_or_else(|| expr.clone())
    }

    /// Remember a sum: it may say how loops tile
    pub fn record(&mut self, expr: &AffineExpr) {
        let expr = &self.summed(expr);
        let who = |n: u32| match self.value_of_var(n) {
            Some(value) => {
                let own = is_loop(self.ir, value) && !self.stripped.contains(&value);
                own.then_some(Who::Loop(value))
            }
            None => {
                let place = self.boxes.iter().find(|(var, _)| *var == n).map(|(_, place)| *place);
                Some(Who::Box(self.ranges.get(n as usize)?.max() + 1, place))
            }
        };
        let found = terms(expr, &who);
        if found.len() > 1 && !self.sums.contains(&found) {
            self.sums.push(found);
        }
    }

    pub fn div(&mut self, expr: AffineExpr, by: i64) -> AffineExpr {
        self.record(&expr);
        self.simple(&AffineExpr::floor_div(expr, by.into()))
    }

    pub fn rem(&mut self, expr: AffineExpr, by: i64) -> AffineExpr {
        self.record(&expr);
        self.simple(&AffineExpr::modulo(expr, by.into()))
    }

    /// Is `0 <= expr < size`: always, never, or sometimes?
    pub fn inside(&self, expr: &AffineExpr, size: i64) -> Option<bool> {
        let range = self.range(expr);
        if range.min() >= 0 && range.max() < size {
            Some(true)
        } else if range.max() < 0 || range.min() >= size {
            Some(false)
        } else {
            None
        }
    }

    /// Expressions as an access; `domain` lists the variables of a copy's domain, in order
    pub fn access(&self, exprs: &[AffineExpr], domain: &[u32]) -> Done<Access> {
        let ranges = &self.ranges[..];
        let mut dims = Dims::with_domain(domain.len());
        let mut results = Vec::with_capacity(exprs.len());
        for expr in exprs {
            let simple = simplify_with_ranges(expr, ranges);
            let simple = match self.sum_vars.is_empty() {
                true => simple,
                false => simplify_with_ranges(&self.summed(&simple), ranges),
            };
            let mapped = simple.map_leaves(&mut |leaf| match leaf {
                AffineExpr::Dim(n) => match domain.iter().position(|own| own == n) {
                    Some(at) => AffineExpr::Dim(at as u32),
                    None => match self.value_of_var(*n) {
                        Some(value) => dims.value(value),
                        None => AffineExpr::Constant(0),
                    },
                },
                other => other.clone(),
            });
            match mapped {
                Some(mapped) => results.push(mapped),
                None => return self.stop(&codes::NO_LOOP, "has an index that is too deep", ""),
            }
        }
        match dims.access(results) {
            Some(access) => Ok(access),
            None => self.stop(&codes::NO_LOOP, "has an index that is too deep", ""),
        }
    }

    // Loops.

    /// Open a loop and go inside, in strips where its level has too few threads or blocks for its iterations
    pub fn open(&mut self, spec: &LoopSpec, level: Option<terrace_ir::Attr>, name: &str) -> Done<Opened> {
        match self.goes_round(spec, level)? {
            Some(by) => self.open_strips(spec, by, level, name),
            None => self.open_one(&LoopSpec { tile: 1, ..spec.clone() }, level, name),
        }
    }

    /// One loop; one sequential iteration without results needs none
    pub(crate) fn open_one(
        &mut self,
        spec: &LoopSpec,
        level: Option<terrace_ir::Attr>,
        name: &str,
    ) -> Done<Opened> {
        let (back, vars) = (self.at, self.vars());
        let droppable = level.is_none_or(|level| match level.as_str(&self.cx) {
            // One block or thread still says where memory is.
            Some(word) => !word.parse::<Level>().is_ok_and(|own| own.is_grid_like() || own.is_thread_like()),
            None => false,
        });
        if spec.extent == 1 && spec.results.is_empty() && droppable && spec.kind == Default::default() {
            self.around.push(Around { trip: 1, own: None });
            return Ok(Opened {
                index: AffineExpr::Constant(0),
                body: None,
                back,
                vars,
                lanes: self.lanes,
                threads: self.threads,
                loops: 1,
            });
        }
        let mut spec = spec.clone();
        if let Some(level) = level.and_then(|level| level.as_str(&self.cx)).and_then(|word| word.parse().ok())
        {
            spec.level = level;
        }
        let mut b = self.b();
        let inner = spec.build(&mut b);
        if let Level::Global(axis) = spec.level
            && let Ok(block) = said(self.ir, self.op, BLOCK, &self.known)
            && block[axis.number()] > 0
        {
            self.blocks.push((inner.id(), block[axis.number()]));
        }
        if level.is_some_and(|level| level.as_str(&self.cx).is_none()) {
            inner.set_level(self.ir, level);
        }
        let body = self.ir.entry(inner.body(self.ir));
        let Some(body) = body else { return self.stop(&codes::NO_LOOP, "has no body", "") };
        let iv = self.ir.block_args(body)[0];
        let name = Name::Str(self.cx.intern(name));
        self.ir.set_value_name(iv, name);
        self.at = match self.ir.last_op(body) {
            Some(end) => InsertPoint::Before(end),
            None => InsertPoint::End(body),
        };
        let last = (spec.extent - 1).max(0) / spec.tile * spec.tile;
        let range = Range::stepped(0, last, spec.tile).unwrap_or(Range::one(0));
        let index = self.var(Some(iv), range);
        self.around.push(Around { trip: last / spec.tile + 1, own: None });
        let (lanes, threads) = (self.lanes, self.threads);
        self.threads += usize::from(spec.level.is_thread_like() || matches!(spec.level, Level::Global(_)));
        self.lanes += usize::from(spec.level == Level::Vector);
        Ok(Opened { index, body: Some(body), back, vars, lanes, threads, loops: 1 })
    }

    /// Leave a loop
    pub fn close(&mut self, opened: &Opened) {
        self.around.truncate(self.around.len().saturating_sub(opened.loops));
        self.lanes = opened.lanes;
        self.threads = opened.threads;
        self.at = opened.back;
        self.forget(opened.vars);
    }

    /// Name of the next loop's variable
    pub fn loop_name(&self) -> &'static str {
        const NAMES: [&str; 12] = ["i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"];
        NAMES[self.around.len() % NAMES.len()]
    }

    /// A loop of this extent with a function inside that makes no values
    pub fn each(
        &mut self,
        extent: i64,
        level: Option<terrace_ir::Attr>,
        inside: &mut dyn FnMut(&mut Self, AffineExpr) -> Done<()>,
    ) -> Done<()> {
        if extent == 0 {
            return Ok(());
        }
        let name = self.loop_name();
        let opened = self.open(&LoopSpec { extent, ..LoopSpec::default() }, level, name)?;
        if let Some(last) = self.around.last_mut().filter(|_| extent > 1) {
            last.own = Some((opened.index.clone(), extent));
        }
        self.push_scope(None)?;
        let done = stacker::maybe_grow(128 << 10, 2 << 20, || inside(self, opened.index.clone()));
        self.pop_scope();
        self.close(&opened);
        done
    }

    /// Outside of all loops?
    pub fn is_top(&self) -> bool {
        self.around.is_empty()
    }

    /// A loop's level, if the op says one
    pub fn level(&self, op: OpId) -> Option<terrace_ir::Attr> {
        self.ir.attr(op, "level")
    }

    /// Does a map have no level, or that of iterations one after the other?
    pub fn in_turn(&self, op: OpId) -> bool {
        let level = self.level(op);
        level.is_none() || self.map_level(level) == Some(MapLevel::Level(Level::Seq))
    }

    /// A decided level that runs iterations at the same time
    pub fn is_parallel(&self, level: Option<terrace_ir::Attr>) -> bool {
        match self.map_level(level) {
            Some(MapLevel::Level(level)) => level.is_parallel(),
            Some(MapLevel::Fused) => true,
            Some(MapLevel::Open) | None => false,
        }
    }

    /// What a level says, where there is one
    pub fn map_level(&self, level: Option<terrace_ir::Attr>) -> Option<MapLevel> {
        MapLevel::of(&self.cx, level?)
    }
}
