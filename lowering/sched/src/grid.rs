//! Kernels: `gpu.launch`, with block and thread loops as ids of the grid.
//!
//! Values at block level are computed by every thread, effects there by the thread whose unused ids are all 0. Loops that
//! threads run end in a join, and copies that a block runs together start and end in one; `sync` puts barriers where something
//! follows that needs them.

use crate::codes;
use crate::emit::{Emit, Home, Res};
use crate::state::{Grid, Seat};
use crate::waits::Waits;
use terrace_analysis::Range;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_builtin::marks::{LAST, NAME};
use terrace_dialect_gpu as gpu;
use terrace_dialect_sched::{Axis, For, Kernel, Level};
use terrace_ir::{InsertPoint, NewOp, OpId, Type, Value};

impl Emit<'_> {
    /// One launch
    pub fn kernel(&mut self, op: OpId) -> Res<()> {
        let kernel = Kernel(op);
        let (grid, block) = (kernel.grid_size(self.ir), kernel.block_size(self.ir));
        let launch = self.launch(op, grid, block);
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
            cluster: kernel.cluster_size(self.ir),
            subgroup: kernel.subgroup_size(self.ir),
            warps: self.most(op, |level| matches!(level, Level::Warp(_))),
            lanes: self.most(op, |level| matches!(level, Level::Lane(_))),
            clusters_covered: [false; 3],
            covered: [false; 3],
            warps_covered: [false; 3],
            lanes_covered: [false; 3],
            waits: Some(Waits::new(self.ir, op, block)),
            attributions: 0,
            alone: false,
            barriers: 0,
            exchanges: 0,
        });
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
        let Some(grid) = self.grid.take() else { return Ok(()) };
        self.check_waits(op, &grid)?;
        if grid.attributions > 0 {
            let count = self.cx.int_attr(grid.attributions.into(), self.cx.common().i64);
            self.ir.set_discardable(launch, "workgroup_attributions", Some(count));
        }
        self.at = back;
        Ok(())
    }

    /// `gpu.launch` of these sizes, with the kernel's name
    fn launch(&mut self, kernel: OpId, grid: [i64; 3], block: [i64; 3]) -> OpId {
        let sizes: Vec<Value> = grid.iter().chain(&block).map(|size| self.index(*size)).collect();
        let mut b = self.b();
        let kind = b.kind(gpu::Launch::DEF);
        let name = b.read().slot(kernel, 0).and_then(|name| name.as_str(b.cx())).map(String::from);
        let launch = b.insert(&NewOp {
            operands: &sizes,
            segments: &[0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0],
            result_segments: &[0],
            regions: 1,
            ..NewOp::new(kind)
        });
        let last = self.ir.discardable(kernel, LAST);
        self.ir.set_discardable(launch, LAST, last);
        if let Some(name) = name {
            let name = self.cx.str_attr(&name);
            self.ir.set_discardable(launch, NAME, Some(name));
        }
        launch
    }

    /// Refuse joins that lack a barrier they need, and barriers that not all threads reach
    fn check_waits(&self, kernel: OpId, grid: &Grid) -> Res<()> {
        let Some(waits) = &grid.waits else { return Ok(()) };
        if let Some(hasty) = waits.hasty {
            return self.refuse(
                hasty,
                &codes::LEVEL,
                "says 'nowait', but other threads use afterwards what its threads have used",
                "leave `nowait` out: joins that need no barrier get none",
            );
        }
        if waits.broken {
            return self.refuse(
                kernel,
                &codes::LEVEL,
                "has threads that wait for each other in a loop that runs for some of them longer than for others",
                "let bounds of loops around thread loops be the same for all threads",
            );
        }
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

    /// The condition under which this thread has the effects: ids that no loop runs over are 0
    pub fn elected(&mut self) -> Option<Value> {
        let grid = self.grid.as_ref().filter(|grid| !grid.alone)?;
        let mut idle = Vec::new();
        if grid.in_warps() {
            let open = |sizes: [i64; 3], covered: [bool; 3]| {
                Axis::ALL.into_iter().filter(move |axis| sizes[axis.number()] > 1 && !covered[axis.number()])
            };
            let (warps, lanes) = ((grid.warps, grid.warps_covered), (grid.lanes, grid.lanes_covered));
            let mut levels: Vec<Level> = open(warps.0, warps.1).map(Level::Warp).collect();
            // Where no loop has more than one lane, the first one stands for all.
            if lanes.1.contains(&true) && lanes.0.iter().any(|size| *size > 1) {
                levels.extend(open(lanes.0, lanes.1).map(Level::Lane));
                idle.extend(levels.into_iter().filter_map(|level| self.seat(level)).map(|seat| seat.id));
            } else {
                let alone = grid.subgroup <= 1;
                idle.extend(levels.into_iter().filter_map(|level| self.seat(level)).map(|seat| seat.id));
                if !alone {
                    idle.push(self.lane_number());
                }
            }
        } else {
            let open = (0..3).filter(|n| grid.block[*n] > 1 && !grid.covered[*n]);
            idle.extend(open.map(|n| grid.thread_ids[n]));
        }
        let mut all = None;
        for id in idle {
            let zero = self.index(0);
            let first = self.compare(CmpIPredicate::Eq, id, zero);
            all = self.both(all, Some(first));
        }
        all
    }

    /// The most iterations that loops of a kind have along each axis
    fn most(&self, kernel: OpId, kind: fn(Level) -> bool) -> [i64; 3] {
        let mut most = [1; 3];
        for op in self.ir.walk_below(kernel) {
            let Some(info) = For::cast(self.ir, op).and_then(|inner| inner.info(self.ir)) else { continue };
            if let Some(axis) = info.level.axis().filter(|_| kind(info.level)) {
                most[axis.number()] = most[axis.number()].max(info.trip());
            }
        }
        most
    }

    /// Where iterations of loops at a level run; none where the level is not part of a kernel
    pub fn seat(&mut self, level: Level) -> Option<Seat> {
        let (axis, grid) = (level.axis()?.number(), self.grid.as_ref()?);
        let (threads, subgroup) = (grid.threads(), grid.subgroup);
        let (blocks, cluster) = (grid.grid[axis], grid.cluster[axis]);
        let (block_id, clustered) = (grid.block_ids[axis], grid.clusters_covered[axis]);
        let stride: i64 = grid.block[..axis].iter().product();
        Some(match level {
            Level::Block(_) if clustered => {
                Seat { id: self.part(block_id, 1, Some(cluster), cluster), size: cluster, stride: 0 }
            }
            Level::Block(_) => Seat { id: block_id, size: blocks, stride: 0 },
            Level::Cluster(_) => {
                let size = blocks / cluster;
                Seat { id: self.part(block_id, cluster, None, size), size, stride: 0 }
            }
            Level::Thread(_) => Seat { id: grid.thread_ids[axis], size: grid.block[axis], stride },
            Level::Global(_) => {
                let (thread, per_block) = (grid.thread_ids[axis], grid.block[axis]);
                let (count, index) = (self.index(per_block), self.cx.common().index);
                let start = self.value(arith::MulI::DEF, &[block_id, count], index, &[]);
                let id = self.value(arith::AddI::DEF, &[start, thread], index, &[]);
                let size = blocks.saturating_mul(per_block);
                self.declare(id, Range::below(size));
                Seat { id, size, stride }
            }
            Level::Warp(_) => {
                let (warps, all) = (grid.warps, (threads + subgroup - 1) / subgroup);
                let linear = self.linear_id();
                let (below, count, last) = digit(warps, axis, all);
                let id = self.part(linear, subgroup * below, (!last).then_some(count), count);
                Seat { id, size: count, stride: subgroup * below }
            }
            Level::Lane(_) => {
                let (below, count, last) = digit(grid.lanes, axis, subgroup);
                let lane = self.lane_number();
                let id = self.part(lane, below, (!last).then_some(count), count);
                Seat { id, size: count, stride: below }
            }
            _ => return None,
        })
    }

    /// Number of this thread's warp in its block
    pub fn warp_number(&mut self) -> Value {
        let (subgroup, threads) = self.grid.as_ref().map_or((1, 1), |grid| (grid.subgroup, grid.threads()));
        let linear = self.linear_id();
        self.part(linear, subgroup, None, (threads + subgroup - 1) / subgroup)
    }

    /// Number of this thread in its warp
    pub fn lane_number(&mut self) -> Value {
        let (subgroup, threads) = self.grid.as_ref().map_or((1, 1), |grid| (grid.subgroup, grid.threads()));
        let linear = self.linear_id();
        if threads <= subgroup { linear } else { self.part(linear, 1, Some(subgroup), subgroup) }
    }

    /// `value / by mod rest`, which has `count` values
    fn part(&mut self, value: Value, by: i64, rest: Option<i64>, count: i64) -> Value {
        let index = self.cx.common().index;
        let range = self.range(value);
        let mut part = value;
        if count <= 1 {
            return self.index(0);
        }
        if by > 1 {
            let by = self.index(by);
            part = self.value(arith::DivUI::DEF, &[part, by], index, &[]);
        }
        if let Some(rest) = rest.filter(|rest| range.max() / by >= *rest) {
            let rest = self.index(rest);
            part = self.value(arith::RemUI::DEF, &[part, rest], index, &[]);
        }
        if part != value {
            self.declare(part, Range::below(count));
        }
        part
    }

    /// Number of this thread in its block
    pub fn linear_id(&mut self) -> Value {
        self.linear_id_along([true; 3])
    }

    /// Number of this thread among those of its block that differ from it along these axes
    pub fn linear_id_along(&mut self, axes: [bool; 3]) -> Value {
        let Some((ids, sizes)) = self.grid.as_ref().map(|grid| (grid.thread_ids, grid.block)) else {
            return self.index(0);
        };
        let index = self.cx.common().index;
        let mut sum: Option<(Value, i64)> = None;
        let mut stride = 1i64;
        for ((id, size), _) in ids.into_iter().zip(sizes).zip(axes).filter(|(_, along)| *along) {
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
}

/// An axis as a digit of a number with so many values, x fastest: factor before it, values, whether it is the last one
fn digit(sizes: [i64; 3], axis: usize, all: i64) -> (i64, i64, bool) {
    let below: i64 = sizes[..axis].iter().product();
    let last = sizes[axis + 1..].iter().all(|size| *size == 1);
    // The first axis takes all where no loop needs more than one.
    let last = last && (sizes[axis] > 1 || axis == 0);
    (below, if last { ((all + below - 1) / below).max(1) } else { sizes[axis] }, last)
}
