//! Two launches in one: the last block of the first runs the second.
//!
//! ```mlir
//! gpu.launch blocks(…) in (256, 1, 1) threads(…) in (128, 1, 1) { A }
//! gpu.launch blocks(…) in (1, 1, 1) threads(…) in (128, 1, 1) { B } {terrace.last}
//! // becomes
//! memref.global "private" @f_ticket : memref<1xi32> = dense<0>
//! gpu.launch blocks(…) in (256, 1, 1) threads(…) in (128, 1, 1) workgroup(%flag : …) {
//!   A
//!   gpu.barrier
//!   if this is thread 0 {
//!     llvm.fence syncscope("device") acq_rel
//!     %n = memref.atomic_rmw addi %c1, %ticket[0]
//!     llvm.fence syncscope("device") acq_rel
//!     %flag[0] = %n == 255; if so %ticket[0] = 0, atomically
//!   }
//!   gpu.barrier
//!   if %flag[0] { B }
//! }
//! ```
//!
//! No block waits for another one, so any order of blocks is one that ends. B is the second launch as it was: its order does not depend on
//! which block runs it.
//!
//! A second launch of several blocks is run by as many last ones, where each of its blocks reads what a group of the first launch's has
//! written ([`groups`]): a group has a ticket of its own, and the last block of a group runs the group's block of B. A ticket belongs to one place of a program and is zero whenever no launch of it runs. Two launches
//! of one place must not run at the same time: launches of a function are ordered, and a function with tickets is not called by two threads of
//! the host at once.

mod groups;

use groups::{Grid, groups};
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_builtin::marks::LAST;
use terrace_dialect_gpu::{self as gpu, AddressSpace, Launch};
use terrace_dialect_llvm::{self as llvm, AtomicOrdering, Fence};
use terrace_dialect_memref::{self as memref, AtomicRmwKind};
use terrace_dialect_scf as scf;
use terrace_ir::fold::constant_of;
use terrace_ir::ir::ValueMap;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{BlockId, Builder, Ir, NewOp, OpId, Traits, Type, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// The last block of a launch runs the launch behind it, where that one says so
///
/// Run before `gpu-kernel-outlining`, for devices whose fences order memory between blocks. A launch that is marked and cannot be run by a
/// block of the one before stays a launch.
#[pass("gpu-last-block", scope = tree, stats("launches joined"))]
pub struct GpuLastBlock;

impl Pass for GpuLastBlock {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut count = 0;
        let mut pending: Vec<&mut Ir> = vec![unit];
        while let Some(table) = pending.pop() {
            if table.has(table.root(), Traits::SymbolTable) {
                count += join_all(cx, table);
            }
            pending.extend(table.children_mut());
        }
        cx.count("launches joined", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

/// The remark about a launch that was to be run by last blocks
const ALONE: &str = "a launch of its own joins the parts: it is not proved that each of its blocks reads what one group of blocks has written, \
     and nothing else that is written";

/// Join launches of each function directly in a unit
fn join_all(cx: &mut PassCx<'_>, table: &mut Ir) -> u64 {
    let is_host =
        |child: &Ir| child.has(child.root(), Traits::FunctionLike) && !child.is(child.root(), gpu::Func::DEF);
    let slots: Vec<OpId> = table.walk().filter(|op| table.child(*op).is_some_and(is_host)).collect();
    let mut count = 0;
    for slot in slots {
        let Some(mut function) = table.take_child(slot) else { continue };
        let marked: Vec<OpId> = function
            .walk()
            .filter(|op| function.is(*op, Launch::DEF) && function.discardable(*op, LAST).is_some())
            .collect();
        for second in marked {
            if let Some(pair) = Pair::of(&function, Launch(second)) {
                let ticket = ticket(table, slot, &function, pair.tickets());
                pair.join(&mut function, &ticket);
                count += 1;
            } else {
                function.set_discardable(second, LAST, None);
                let _ = cx.emit(Diagnostic::remark(None, ALONE).at(function.span(second)));
            }
        }
        table.put_child(slot, function);
    }
    count
}

/// So many numbers in the memory of each device, zero at first; their name
fn ticket(table: &mut Ir, slot: OpId, function: &Ir, count: i64) -> String {
    let cx = table.cx_arc().clone();
    let owner = symbol_name(function, function.root()).map_or("", |name| cx.str(name)).to_string();
    let taken: Vec<String> =
        table.walk().filter_map(|op| symbol_name(table, op)).map(|name| cx.str(name).to_string()).collect();
    let wanted = format!("{owner}_ticket");
    let names = std::iter::once(wanted.clone()).chain((0..).map(|n| format!("{wanted}_{n}")));
    let name = names.into_iter().find(|name| !taken.contains(name)).unwrap_or(wanted);
    let mut b = Builder::before(table, slot);
    b.set_loc(function.loc(function.root()));
    let made = memref::Global::build(&mut b, cx.str_attr(&name), cx.type_attr(ticket_type(function, count)));
    let zero = cx.splat_attr(cx.tensor(&[count], cx.common().i32), cx.int_attr(0, cx.common().i32));
    made.set_sym_visibility(table, Some(cx.str_attr("private")));
    made.set_initial_value(table, zero);
    name
}

fn ticket_type(ir: &Ir, count: i64) -> Type {
    ir.cx().memref(&[count], ir.cx().common().i32)
}

/// Two launches that can be one
struct Pair {
    first: Launch,
    second: Launch,
    /// Blocks of the first
    grid: Grid,
    /// For each axis of the second's grid with several blocks, the axis of the first's that has them
    axes: [Option<usize>; 3],
}

impl Pair {
    fn of(ir: &Ir, second: Launch) -> Option<Pair> {
        let before = std::iter::successors(ir.prev(second.id()), |op| ir.prev(*op));
        let between = |op: &OpId| !ir.is(*op, Launch::DEF);
        let skipped: Vec<OpId> = before.clone().take_while(between).collect();
        let first = before.clone().find_map(|op| Launch::cast(ir, op))?;
        // The first launch moves behind them.
        let harmless = |op: &OpId| ir.has(*op, Traits::Pure) || ir.is(*op, memref::Alloc::DEF);
        let synchronous = |launch: Launch| ir.num_results(launch.id()) == 0 && launch.cluster(ir).is_none();
        let sizes = |launch: Launch| launch.block(ir).map(|size| constant(ir, size));
        let block = sizes(first);
        let fits = skipped.iter().all(harmless)
            && synchronous(first)
            && synchronous(second)
            && block.iter().all(Option::is_some)
            && block == sizes(second)
            && [first, second].iter().all(|launch| launch.dynamic_shared_memory_size(ir).is_none())
            && second.private_attributions(ir).is_empty()
            && first.private_attributions(ir).is_empty()
            && [first, second].iter().all(|launch| ir.blocks(launch.body(ir)).count() == 1);
        if !fits {
            return None;
        }
        let [grid, of_second] = [grid(ir, first)?, grid(ir, second)?];
        let blocks = grid.iter().try_fold(1i64, |all, size| all.checked_mul(*size))?;
        let axes = groups(ir, [first, second], [grid, of_second])?;
        (1..=i64::from(i32::MAX)).contains(&blocks).then_some(Pair { first, second, grid, axes })
    }

    /// Blocks of the first launch along axes that the second has too, or along the others
    fn count(&self, too: bool) -> i64 {
        (0..3).filter(|axis| self.axes.contains(&Some(*axis)) == too).map(|axis| self.grid[axis]).product()
    }

    /// How many blocks are the last one of a group
    fn tickets(&self) -> i64 {
        self.count(true)
    }

    /// Put the second launch's body behind the first one's
    fn join(&self, ir: &mut Ir, ticket: &str) {
        let (first, second) = (self.first, self.second);
        ir.detach(first.id());
        ir.insert_before(second.id(), first.id());
        let Some((into, from)) = ir.entry(first.body(ir)).zip(ir.entry(second.body(ir))) else { return };
        let cx = ir.cx_arc().clone();
        let shared = |ir: &mut Ir, ty: Type| {
            let arg = ir.add_block_arg(into, ty);
            let count = first.workgroup_attributions(ir).len() as i128 + 1;
            let count = cx.int_attr(count, cx.common().i64);
            ir.set_discardable(first.id(), "workgroup_attributions", Some(count));
            arg
        };
        let space = AddressSpace::Workgroup.attr(&cx);
        let elem = cx.common().i32;
        let flag = TypeKind::MemRef { shape: [1][..].into(), elem, layout: None, space: Some(space) };
        let flag = shared(ir, cx.ty(flag));
        let buffers: Vec<Value> = second.workgroup_attributions(ir).to_vec();
        let mut map = ValueMap::default();
        for buffer in buffers {
            let ty = ir.ty(buffer);
            let own = shared(ir, ty);
            map.insert(buffer, own);
        }
        let ids: Vec<Value> = ir.block_args(into)[..12].to_vec();
        let args: Vec<Value> = ir.block_args(from)[..12].to_vec();
        let Some(end) = ir.last_op(into) else { return };
        let mut tail = Tail { ir, end };
        let (zero, one) = (tail.number(0), tail.number(1));
        for (n, (arg, id)) in args.into_iter().zip(ids.clone()).enumerate() {
            let of_grid = |at: usize, other: Value| self.axes[n - at].map_or(other, |axis| ids[at + axis]);
            map.insert(
                arg,
                match n {
                    0..=2 => of_grid(0, zero),
                    6..=8 => of_grid(6, one),
                    _ => id,
                },
            );
        }
        let place = self.place(&mut tail, &ids, zero);
        let arrival =
            Arrival { ticket, tickets: self.tickets(), place, blocks: self.count(false), flag, zero };
        let is_last = tail.arrive(&arrival, &ids[3..6]);
        tail.branch(is_last, |ir, block| {
            let ops: Vec<OpId> = ir.block_ops(from).collect();
            for op in ops.iter().take(ops.len().saturating_sub(1)) {
                let copy = ir.clone_op(None, *op, &mut map);
                ir.append(block, copy);
            }
        });
        ir.erase(second.id());
    }

    /// Which ticket is the block's
    fn place(&self, tail: &mut Tail<'_>, ids: &[Value], zero: Value) -> Value {
        let mut place: Option<Value> = None;
        for axis in self.axes.into_iter().flatten() {
            let before = place.map(|place| {
                let size = tail.number(self.grid[axis]);
                arith::MulI::build(&mut tail.b(), place, size).result(tail.ir)
            });
            place = Some(match before {
                Some(before) => arith::AddI::build(&mut tail.b(), before, ids[axis]).result(tail.ir),
                None => ids[axis],
            });
        }
        place.unwrap_or(zero)
    }
}

/// A block that has written its part
struct Arrival<'a> {
    /// The name of the tickets, and how many there are
    ticket: &'a str,
    tickets: i64,
    /// Which one
    place: Value,
    /// How many blocks take it
    blocks: i64,
    /// Where the block's threads read whether it is the last one
    flag: Value,
    zero: Value,
}

/// What is written at the end of a launch
struct Tail<'a> {
    ir: &'a mut Ir,
    end: OpId,
}

impl Tail<'_> {
    fn b(&mut self) -> Builder<'_> {
        let loc = self.ir.loc(self.end);
        let mut b = Builder::before(self.ir, self.end);
        b.set_loc(loc);
        b
    }

    fn number(&mut self, n: i64) -> Value {
        let mut b = self.b();
        let cx = b.cx();
        let attr = cx.int_attr(n.into(), cx.common().index);
        let op = arith::Constant::build(&mut b, attr);
        op.result(self.ir)
    }

    /// `scf.if` without results; the body is written before its `scf.yield`
    fn branch(&mut self, condition: Value, body: impl FnOnce(&mut Ir, BlockId)) {
        let mut b = self.b();
        let kind = b.kind(scf::If::DEF);
        let op = b.insert(&NewOp { operands: &[condition], regions: 2, ..NewOp::new(kind) });
        let region = self.ir.region(op, 0);
        let then = self.ir.append_block(region);
        body(self.ir, then);
        let mut b = Builder::at_end(self.ir, then);
        scf::Yield::build(&mut b, &[]);
    }

    /// The block takes a ticket; all of its threads know whether it is the last
    fn arrive(&mut self, arrival: &Arrival<'_>, threads: &[Value]) -> Value {
        let Arrival { tickets, place: own, blocks, flag, zero, .. } = *arrival;
        let cx = self.ir.cx_arc().clone();
        let (bit, word) = (cx.common().i1, cx.common().i32);
        gpu::Barrier::build(&mut self.b());
        let mut first: Option<Value> = None;
        for thread in threads {
            let is_first =
                arith::CmpI::build(&mut self.b(), *thread, zero, CmpIPredicate::Eq).result(self.ir);
            first = Some(match first {
                Some(others) => arith::AndI::build(&mut self.b(), others, is_first).result(self.ir),
                None => is_first,
            });
        }
        let place = cx.symbol_attr(arrival.ticket);
        if let Some(first) = first {
            self.branch(first, |ir, block| {
                let mut b = Builder::at_end(ir, block);
                let constant = |b: &mut Builder<'_>, n: i64| {
                    let attr = b.cx().int_attr(n.into(), b.cx().common().i32);
                    let op = arith::Constant::build(b, attr);
                    op.result(b.read())
                };
                let ty = ticket_type(b.read(), tickets);
                let ticket = memref::GetGlobal::build(&mut b, place, ty).result(b.read());
                let (one, all, none) =
                    (constant(&mut b, 1), constant(&mut b, blocks - 1), constant(&mut b, 0));
                fence(&mut b);
                let add = AtomicRmwKind::AddI;
                let before = memref::AtomicRmw::build(&mut b, one, ticket, &[own], add).result(b.read());
                fence(&mut b);
                let last = arith::CmpI::build(&mut b, before, all, CmpIPredicate::Eq).result(b.read());
                let wide = arith::ExtUI::build(&mut b, last, word).out(b.read());
                memref::Store::build(&mut b, wide, flag, &[zero]);
                let kind = b.kind(scf::If::DEF);
                let reset = b.insert(&NewOp { operands: &[last], regions: 2, ..NewOp::new(kind) });
                let region = b.read().region(reset, 0);
                let then = b.ir().append_block(region);
                let mut b = Builder::at_end(ir, then);
                memref::AtomicRmw::build(&mut b, none, ticket, &[own], AtomicRmwKind::Assign);
                scf::Yield::build(&mut b, &[]);
            });
        }
        gpu::Barrier::build(&mut self.b());
        let mut b = self.b();
        let seen = memref::Load::build(&mut b, flag, &[zero]).result(b.read());
        let attr = cx.int_attr(0, word);
        let none = arith::Constant::build(&mut b, attr).result(b.read());
        let is_last = arith::CmpI::build(&mut b, seen, none, CmpIPredicate::Ne).result(b.read());
        debug_assert_eq!(b.read().ty(is_last), bit);
        is_last
    }
}

/// What the block has done is seen by who updates the ticket later, and the other way round
fn fence(b: &mut Builder<'_>) {
    let scope = b.cx().str_attr(llvm::DEVICE);
    let op = Fence::build(b, AtomicOrdering::AcqRel);
    op.set_syncscope(b.ir(), Some(scope));
}

fn grid(ir: &Ir, launch: Launch) -> Option<Grid> {
    let [x, y, z] = launch.grid(ir).map(|size| constant(ir, size));
    Some([x?, y?, z?])
}

fn constant(ir: &Ir, value: Value) -> Option<i64> {
    constant_of(ir, value)?.as_i64(ir.cx())
}
