//! Kernels: `gpu.launch`, with block and thread loops as ids of the grid.
//!
//! Values at block level are computed by every thread, effects there by the thread whose unused ids are all 0. Loops that
//! threads run end in a join, and copies that a block runs together start and end in one; the barriers for these are put
//! where something follows that needs them ([`Sync`]).

use crate::codes;
use crate::emit::{Emit, Home, Res, Team, Val};
use terrace_analysis::Range;
use terrace_dialect_sched::{Copy, For, Kernel, Kind, Level, LoopInfo, Operator, Via};
use terrace_dialect_upstream::{arith, gpu, memref};
use terrace_ir::{AttrKind, BlockId, InsertPoint, NewOp, OpId, Type, TypeKind, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// What has happened since the last barrier
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sync {
    /// Nothing that others could see
    Clean,
    /// All threads have read the same
    Read,
    /// Threads have read and written on their own
    Threads,
    /// The block has written together
    Collective,
}

/// The kernel around
pub(crate) struct Grid {
    body: BlockId,
    block_ids: [Value; 3],
    thread_ids: [Value; 3],
    grid: [i64; 3],
    block: [i64; 3],
    /// Axes of a block that loops around run over
    covered: [bool; 3],
    pub sync: Sync,
    /// Buffers written together since the last barrier
    fresh: Vec<Value>,
    attributions: i64,
}

impl Grid {
    fn threads(&self) -> i64 {
        self.block.iter().product()
    }

    /// Inside of thread loops?
    fn in_threads(&self) -> bool {
        self.covered.contains(&true)
    }
}

impl Emit<'_> {
    /// One launch
    pub fn kernel(&mut self, op: OpId) -> Res<()> {
        let kernel = Kernel(op);
        let (grid, block) = (kernel.grid_size(self.ir), kernel.block_size(self.ir));
        let sizes: Vec<Value> = grid.iter().chain(&block).map(|size| self.index(*size)).collect();
        let mut b = self.b();
        let kind = b.kind(gpu::Launch::DEF);
        let name = b.read().slot(op, 0).and_then(|name| name.as_str(b.cx())).map(String::from);
        let launch = b.insert(&NewOp {
            operands: &sizes,
            segments: &[0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0],
            result_segments: &[0],
            regions: 1,
            ..NewOp::new(kind)
        });
        let region = self.ir.region(launch, 0);
        let body = self.ir.append_block(region);
        let index = self.cx.common().index;
        let ids: Vec<Value> = (0..12).map(|_| self.ir.add_block_arg(body, index)).collect();
        for (n, id) in ids.iter().enumerate() {
            let size = if n < 3 { grid[n] } else { block[n % 3] };
            self.declare(*id, if n < 6 { Range::below(size) } else { None });
        }
        self.grid = Some(Grid {
            body,
            block_ids: [ids[0], ids[1], ids[2]],
            thread_ids: [ids[3], ids[4], ids[5]],
            grid,
            block,
            covered: [false; 3],
            sync: Sync::Clean,
            fresh: Vec::new(),
            attributions: 0,
        });
        if let Some(name) = name {
            let name = self.cx.str_attr(&name);
            self.ir.set_discardable(launch, "terrace.name", Some(name));
        }
        let back = std::mem::replace(&mut self.at, InsertPoint::End(body));
        self.homes.push(Home::Body(body));
        self.heap.push(Vec::new());
        let mut next = self.ir.entry(kernel.body(self.ir)).and_then(|block| self.ir.first_op(block));
        while let Some(inner) = next {
            next = self.ir.next(inner);
            self.op(inner)?;
        }
        self.at = InsertPoint::End(body);
        self.heap.pop();
        self.homes.pop();
        gpu::Terminator::build(&mut self.b());
        let attributions = self.grid.take().map_or(0, |grid| grid.attributions);
        if attributions > 0 {
            let count = self.cx.int_attr(attributions.into(), self.cx.common().i64);
            self.ir.set_discardable(launch, "workgroup_attributions", Some(count));
        }
        self.at = back;
        Ok(())
    }

    /// A buffer of the block
    pub fn block_buffer(&mut self, ty: Type) -> Option<Value> {
        let body = self.grid.as_ref()?.body;
        let value = self.ir.add_block_arg(body, ty);
        if let Some(grid) = &mut self.grid {
            grid.attributions += 1;
        }
        Some(value)
    }

    /// A barrier goes before an op that must see, or not disturb, what other threads did
    pub fn before_statement(&mut self, op: OpId) {
        let Some(grid) = &self.grid else { return };
        let (own, before) = (grid.in_threads(), grid.sync);
        let level = For::cast(self.ir, op).and_then(|inner| inner.info(self.ir)).map(|info| info.level);
        let name = self.ir.op_name(op);
        let (reads, writes) = match level {
            Some(Level::Block(_)) => return,
            // What its body does is looked at there; what is pending must be over, even if it makes no round.
            Some(_) => (true, false),
            None => (name == "sched.read", matches!(name, "sched.write" | "scf.if")),
        };
        let thread_loop = level.is_some_and(Level::is_thread_like);
        let needed = match before {
            Sync::Clean => false,
            Sync::Collective => reads || writes,
            Sync::Threads => !own && (reads || writes),
            Sync::Read => !own && (writes || thread_loop),
        };
        if needed {
            self.barrier();
        }
        let Some(grid) = &mut self.grid else { return };
        if writes || (own && reads && level.is_none()) {
            grid.sync = Sync::Threads;
        } else if reads && level.is_none() && grid.sync == Sync::Clean {
            grid.sync = Sync::Read;
        }
    }

    pub fn barrier(&mut self) {
        let Some(grid) = &mut self.grid else { return };
        grid.sync = Sync::Clean;
        grid.fresh.clear();
        if grid.threads() > 1 {
            gpu::Barrier::build(&mut self.b());
        }
    }

    /// A sequential loop in which threads meet starts as if an iteration had just run
    pub fn enter_round(&mut self, op: OpId) -> bool {
        let Some(in_threads) = self.grid.as_ref().map(Grid::in_threads) else { return false };
        let meets = self.ir.walk_below(op).any(|inner| {
            let thread = For::cast(self.ir, inner).and_then(|inner| inner.info(self.ir));
            is_collective(self.ir, inner)
                || thread
                    .is_some_and(|info| info.level.is_thread_like() && (!in_threads || info.kind == Kind::Pw))
                || (!in_threads && self.ir.op_name(inner) == "sched.write")
        });
        if meets && let Some(grid) = &mut self.grid {
            grid.sync = Sync::Threads;
        }
        meets
    }

    /// What the block wrote together in a round is seen before the next one
    pub fn leave_round(&mut self) {
        if self.grid.as_ref().is_some_and(|grid| grid.sync == Sync::Collective) {
            self.barrier();
        }
        if let Some(grid) = &mut self.grid {
            grid.sync = Sync::Threads;
        }
    }

    /// The condition under which this thread has the effects: ids that no loop runs over are 0
    pub fn elected(&mut self) -> Option<Value> {
        let grid = self.grid.as_ref()?;
        let idle: Vec<Value> =
            (0..3).filter(|n| grid.block[*n] > 1 && !grid.covered[*n]).map(|n| grid.thread_ids[n]).collect();
        let mut all = None;
        for id in idle {
            let zero = self.index(0);
            let first = self.compare("eq", id, zero);
            all = self.both(all, Some(first));
        }
        all
    }

    /// A loop at a level of the grid
    pub fn spread(&mut self, info: &LoopInfo) -> Res<()> {
        let op = info.op.0;
        let Some(grid) = &self.grid else {
            return self.refuse(
                op,
                &codes::LEVEL,
                format!("runs at level '{}', which there is not here", info.level),
                "levels block and thread stand inside of `sched.kernel`",
            );
        };
        let Some(axis) = info.level.axis().map(|axis| axis.number()) else {
            return self.refuse(
                op,
                &codes::LEVEL,
                format!("runs at level '{}', which kernels have not yet", info.level),
                "use block, thread or global levels",
            );
        };
        let (threads, in_threads) = (grid.block[axis], grid.in_threads());
        let (id, size) = match info.level {
            Level::Block(_) => (grid.block_ids[axis], grid.grid[axis]),
            Level::Thread(_) => (grid.thread_ids[axis], threads),
            Level::Global(_) => (grid.block_ids[axis], grid.grid[axis].saturating_mul(threads)),
            _ => {
                return self.refuse(
                    op,
                    &codes::LEVEL,
                    format!("runs at level '{}', which kernels have not yet", info.level),
                    "use block, thread or global levels",
                );
            }
        };
        let trip = info.trip();
        let exact = matches!(info.level, Level::Block(_));
        if trip > size || (exact && trip != size) {
            let wants = if exact { "exactly" } else { "at least" };
            return self.refuse(
                op,
                &codes::LEVEL,
                format!("has {trip} iterations, but the kernel has {size} there"),
                if wants == "exactly" {
                    "the grid of a kernel is as large as its block loops"
                } else {
                    "make the block larger, or split the loop"
                },
            );
        }
        let index = self.cx.common().index;
        let id = if let Level::Global(_) = info.level {
            let (thread, count) = (self.thread_id(axis), self.index(threads));
            let start = self.value(arith::MulI::DEF, &[id, count], index, &[]);
            let id = self.value(arith::AddI::DEF, &[start, thread], index, &[]);
            self.declare(id, Range::below(size));
            id
        } else {
            id
        };
        self.depth += 1;
        let spread = !matches!(info.level, Level::Block(_));
        let cut = (trip < size).then(|| {
            let trip = self.index(trip);
            self.compare("slt", id, trip)
        });
        let iv = if info.tile == 1 {
            // The id's own range is that of the hardware; under the guard it is that of the loop.
            id
        } else {
            let tile = self.index(info.tile);
            let iv = self.value(arith::MulI::DEF, &[id, tile], index, &[]);
            self.declare(iv, Range::stepped(0, (size - 1) * info.tile, info.tile));
            iv
        };
        self.bind(info.iv, Val::One(iv));
        let guard = self.happens(info, iv, cut);
        if guard.is_some() && spread && self.meets_inside(op) {
            return self.refuse(
                op,
                &codes::LEVEL,
                "leaves threads idle, but all threads of the block meet inside of it",
                "make its number of iterations that of the block's threads",
            );
        }
        let before = self.grid.as_ref().map_or([false; 3], |grid| grid.covered);
        if let (true, Some(grid)) = (spread, &mut self.grid) {
            grid.covered[axis] = true;
        }
        self.teams.push(Team { op, merges: info.kind == Kind::Pw, atomic: info.via == Via::Atomic });
        let done = self.spread_body(info, guard, axis, spread);
        self.teams.pop();
        if let Some(grid) = &mut self.grid {
            grid.covered = before;
            if spread && !in_threads {
                grid.sync = Sync::Threads;
            }
        }
        self.depth -= 1;
        done
    }

    fn thread_id(&self, axis: usize) -> Value {
        self.grid.as_ref().map(|grid| grid.thread_ids[axis]).expect("a kernel is around")
    }

    fn meets_inside(&self, op: OpId) -> bool {
        self.ir.walk_below(op).any(|inner| {
            let merges = For::cast(self.ir, inner)
                .and_then(|inner| inner.info(self.ir))
                .is_some_and(|info| info.level.is_thread_like() && self.ir.num_results(inner) > 0);
            is_collective(self.ir, inner) || merges
        })
    }

    /// Whether the iteration of this thread happens
    fn happens(&mut self, info: &LoopInfo, iv: Value, cut: Option<Value>) -> Option<Value> {
        let mut all = cut;
        for (bound, upper) in [(&info.limit, true), (&info.from, false)] {
            let Some((place, expr)) = self.bound(bound) else { continue };
            let (range, own) = (place.range(&expr), self.range(iv));
            if (upper && range.min() > own.max()) || (!upper && range.max() <= own.min()) {
                continue;
            }
            let bound = self.affine(&place, &expr);
            let holds = self.compare(if upper { "slt" } else { "sge" }, iv, bound);
            all = self.both(all, Some(holds));
        }
        all
    }

    fn spread_body(&mut self, info: &LoopInfo, guard: Option<Value>, axis: usize, spread: bool) -> Res<()> {
        let op = info.op.0;
        let Some(block) = self.body_of(info) else { return Ok(()) };
        let olds: Vec<Value> = self.ir.results(op).collect();
        if olds.is_empty() {
            return match guard {
                None => self.block(block).map(|_| ()),
                Some(guard) => self
                    .choose(
                        guard,
                        &[],
                        &mut |e| {
                            e.block(block)?;
                            Ok(Vec::new())
                        },
                        &mut |_| Ok(Vec::new()),
                    )
                    .map(|_| ()),
            };
        }
        if info.kind != Kind::Pw || !spread || matches!(info.level, Level::Global(_)) {
            return self.refuse(
                op,
                &codes::MECHANISM,
                format!("gives a value from iterations at level '{}', which cannot meet inside of a kernel", info.level),
                "write each block's value with `combine` and `via atomic`, or into a buffer that a second kernel merges",
            );
        }
        if info.via == Via::Atomic || info.via == Via::Chain {
            return self.refuse(
                op,
                &codes::MECHANISM,
                format!("merges a value 'via {}', which threads of a block cannot", info.via),
                "say `via shared`, or leave the choice open",
            );
        }
        let types: Vec<Type> = olds.iter().map(|old| self.ir.ty(*old)).collect();
        let given = match guard {
            None => {
                let given = self.block(block)?;
                given.into_iter().map(|(_, val)| self.whole(val)).collect()
            }
            Some(guard) => {
                let mut neutral = Vec::new();
                for (f, ty) in info.ops.iter().zip(&types) {
                    match self.identity(f, *ty) {
                        Some(attr) => neutral.push(self.constant(attr)),
                        None => {
                            return self.refuse(
                                op,
                                &codes::IDENTITY,
                                format!("leaves threads idle, and '{f}' has no neutral element for them"),
                                "declare `identity` in `sched.operator`",
                            );
                        }
                    }
                }
                self.choose(
                    guard,
                    &types,
                    &mut |e| {
                        let given = e.block(block)?;
                        Ok(given.into_iter().map(|(_, val)| e.whole(val)).collect())
                    },
                    &mut |_| Ok(neutral.clone()),
                )?
            }
        };
        let inits = info.op.inits(self.ir);
        for (n, value) in given.into_iter().enumerate() {
            let mut merged = self.shared_tree(&info.ops[n], value, axis, info.trip());
            if let Some(init) = inits.get(n) {
                let init = self.get(*init);
                let init = self.whole(init);
                merged = self.merge(&info.ops[n], init, merged, None);
            }
            self.bind(olds[n], Val::One(merged));
        }
        Ok(())
    }

    /// Number of this thread in its block
    fn linear_id(&mut self) -> Value {
        let Some((ids, sizes)) = self.grid.as_ref().map(|grid| (grid.thread_ids, grid.block)) else {
            return self.index(0);
        };
        let index = self.cx.common().index;
        let mut sum: Option<(Value, i64)> = None;
        let mut stride = 1i64;
        for (id, size) in ids.into_iter().zip(sizes) {
            if size > 1 {
                let factor = self.index(stride);
                let term =
                    if stride == 1 { id } else { self.value(arith::MulI::DEF, &[id, factor], index, &[]) };
                let (value, max) = match sum {
                    None => (term, (size - 1) * stride),
                    Some((sum, max)) => {
                        (self.value(arith::AddI::DEF, &[sum, term], index, &[]), max + (size - 1) * stride)
                    }
                };
                self.declare(value, Range::new(0, max));
                sum = Some((value, max));
            }
            stride *= size;
        }
        match sum {
            Some((value, _)) => value,
            None => self.index(0),
        }
    }

    /// Values of the threads along an axis, merged in shared memory by a tree of neighbours; every thread gets the result
    fn shared_tree(&mut self, f: &Operator, value: Value, axis: usize, trip: i64) -> Value {
        let Some((block, threads)) = self.grid.as_ref().map(|grid| (grid.block, grid.threads())) else {
            return value;
        };
        let (ty, index) = (self.ir.ty(value), self.cx.common().index);
        let space = self.cx.attr(AttrKind::Enum { def: &gpu::ADDRESS_SPACE, value: gpu::WORKGROUP });
        let shape = [threads];
        let buffer_ty = self.cx.ty(TypeKind::MemRef {
            shape: shape[..].into(),
            elem: ty,
            layout: None,
            space: Some(space),
        });
        let Some(buffer) = self.block_buffer(buffer_ty) else { return value };
        if self.grid.as_ref().is_some_and(|grid| grid.sync != Sync::Clean) {
            self.barrier();
        }
        let stride: i64 = block[..axis].iter().product();
        let here = self.linear_id();
        let id = self.thread_id(axis);
        memref::Store::build(&mut self.b(), value, buffer, &[here]);
        self.barrier();
        let mut distance = 1;
        while distance < trip {
            let (width, zero) = (self.index(2 * distance), self.index(0));
            let rest = self.value(arith::RemUI::DEF, &[id, width], index, &[]);
            let mut works = self.compare("eq", rest, zero);
            if trip % (2 * distance) != 0 || trip < block[axis] {
                let last = self.index(trip - distance);
                let partner = self.compare("slt", id, last);
                works = self.both(Some(works), Some(partner)).unwrap_or(works);
            }
            let step = self.index(distance * stride);
            let merge = self.choose(
                works,
                &[],
                &mut |e| {
                    let there = e.value(arith::AddI::DEF, &[here, step], index, &[]);
                    let a = e.value(memref::Load::DEF, &[buffer, here], ty, &[]);
                    let b = e.value(memref::Load::DEF, &[buffer, there], ty, &[]);
                    let merged = e.merge(f, a, b, None);
                    memref::Store::build(&mut e.b(), merged, buffer, &[here]);
                    Ok(Vec::new())
                },
                &mut |_| Ok(Vec::new()),
            );
            debug_assert!(merge.is_ok(), "nothing in the branch refuses");
            self.barrier();
            distance *= 2;
        }
        let first = if here == id {
            self.index(0)
        } else {
            let step = self.index(stride);
            let own = self.value(arith::MulI::DEF, &[id, step], index, &[]);
            self.value(arith::SubI::DEF, &[here, own], index, &[])
        };
        let merged = self.value(memref::Load::DEF, &[buffer, first], ty, &[]);
        if let Some(grid) = &mut self.grid {
            grid.sync = Sync::Threads;
        }
        merged
    }

    /// A copy that the threads of the block run together, each every n-th element
    pub fn collective(&mut self, op: OpId) -> Res<()> {
        let copy = Copy(op);
        let Some(threads) = self.grid.as_ref().map(Grid::threads) else {
            return self.refuse(
                op,
                &codes::COLLECTIVE,
                "is run by a block, but there is no kernel around it",
                "",
            );
        };
        let sizes = copy.sizes(self.ir);
        let total = sizes.iter().try_fold(1i64, |all, size| all.checked_mul(*size)).unwrap_or(i64::MAX);
        if total == 0 {
            return Ok(());
        }
        let (src, dst) = (copy.src(self.ir), copy.dst(self.ir));
        let again = self.grid.as_ref().is_some_and(|grid| {
            matches!(grid.sync, Sync::Threads | Sync::Read)
                || grid.fresh.contains(&src)
                || grid.fresh.contains(&dst)
        });
        if again {
            self.barrier();
        }
        let id = self.linear_id();
        self.depth += 1;
        let (step, end) = (self.index(threads), self.index(total));
        let done = if total < threads {
            let mine = self.compare("slt", id, end);
            self.choose(mine, &[], &mut |e| e.element(copy, &sizes, id).map(|()| Vec::new()), &mut |_| {
                Ok(Vec::new())
            })
            .map(|_| ())
        } else if total == threads {
            self.element(copy, &sizes, id)
        } else {
            self.loop_over([id, end, step], &[], &mut |e, iv, _| {
                e.declare(iv, Range::below(total));
                e.element(copy, &sizes, iv).map(|()| Vec::new())
            })
            .map(|_| ())
        };
        self.depth -= 1;
        if let Some(grid) = &mut self.grid {
            grid.sync = Sync::Collective;
            grid.fresh.push(dst);
        }
        done
    }

    /// The element of a copy with this number, row-major
    fn element(&mut self, copy: Copy, sizes: &[i64], number: Value) -> Res<()> {
        let op = copy.0;
        let mut leaves = Vec::with_capacity(sizes.len());
        let mut inner: i64 = 1;
        for size in sizes.iter().rev() {
            let tile = AffineExpr::floor_div(AffineExpr::Dim(0), AffineExpr::Constant(inner));
            leaves.push(AffineExpr::modulo(tile, AffineExpr::Constant(*size)));
            inner = inner.saturating_mul(*size);
        }
        leaves.reverse();
        let over = |map: &AffineMap, values: &[Value]| {
            let mut leaves = leaves.clone();
            leaves.extend((0..values.len()).map(|n| AffineExpr::Dim(1 + n as u32)));
            let exprs = map.results.iter().map(|expr| expr.replace(&leaves, &[])).collect::<Option<Vec<_>>>();
            let map = AffineMap::new(1 + values.len() as u32, 0, exprs?)?;
            let mut all = vec![number];
            all.extend_from_slice(values);
            Some((map, all))
        };
        let value = match copy.from(self.ir) {
            Some(from) => {
                let Some((map, values)) = over(&from.map, &from.values) else { return Ok(()) };
                let place = self.place(&map, &values);
                let (memory, shape, elem) = self.memory(op, copy.src(self.ir))?;
                let padding = match copy.padding(self.ir).map(|padding| self.get(padding)) {
                    Some(val) => self.scalar(val),
                    None => None,
                };
                self.read_one(memory, &shape, elem, &place, padding, None)?
            }
            None => {
                let val = self.get(copy.src(self.ir));
                self.whole(val)
            }
        };
        let to = copy.to(self.ir);
        let Some((map, values)) = over(&to.map, &to.values) else { return Ok(()) };
        let place = self.place(&map, &values);
        let (memory, shape, _) = self.memory(op, copy.dst(self.ir))?;
        let operator = copy.operator(self.ir);
        let clip = copy.clip(self.ir).is_some();
        self.write_one(op, value, memory, &shape, &place, operator.as_ref(), clip, None, (false, None))
    }
}

/// A copy that threads of a block run together
pub(crate) fn is_collective(ir: &terrace_ir::Ir, op: OpId) -> bool {
    Copy::cast(ir, op).is_some_and(|copy| copy.owner(ir).is_some() || copy.is_linear(ir))
}
