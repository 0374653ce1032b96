//! The body of a block in pieces: from one place where threads wait to the next.
//!
//! A piece is a parallel loop over the threads. Between pieces stands what is done once per block: ops whose operands are
//! the same for all threads, and the loops and conditions that hold a place to wait. These carry no values: what threads
//! carry through them is in buffers.
//!
//! Threads of one subgroup may go another way than those of the next: a loop or condition that holds exchanges but no barrier
//! is taken once per subgroup, and its pieces are loops over the lanes.

use super::ids::{GridIds, number};
use super::{CmpIPredicate, Refused, compare, exchanges, index, is_pure, parallel};
use terrace_dialect_arith as arith;
use terrace_dialect_cf as cf;
use terrace_dialect_gpu as gpu;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::{BlockId, Builder, DYNAMIC, Ir, NewOp, OpId, Type, TypeKind, Value};
use terrace_support::{HashMap, HashSet};

/// Where a value that is not the same for all threads is to be had
#[derive(Clone, Copy)]
pub(super) enum Home {
    /// Place of the thread along an axis
    Id(usize),
    /// Defined in this piece
    Piece(usize),
    /// In a buffer, at the number of the thread
    Buffer(Value),
}

/// Threads that go the same way
#[derive(Clone, Copy)]
enum Team {
    /// All of the block
    Block,
    /// Those of one subgroup: number of the first, and how many
    Subgroup { first: Value, size: Value },
}

/// One parallel loop over threads
pub(super) struct Piece {
    pub(super) ids: [Value; 3],
    /// What is brought from elsewhere goes before this op
    pub(super) first: OpId,
    /// Number of the thread, if something uses it
    pub(super) number: Option<Value>,
    /// Values from elsewhere, as they are called here
    pub(super) here: HashMap<Value, Value>,
}

/// Cuts one block
pub(super) struct Splitter<'a> {
    pub(super) ir: &'a mut Ir,
    pub(super) sizes: [Value; 3],
    subgroup: u64,
    /// Threads of the block
    pub(super) count: Value,
    threads: [Value; 3],
    pub(super) homes: HashMap<Value, Home>,
    pub(super) pieces: Vec<Piece>,
    /// What pieces call by names of their own
    pub(super) origins: HashMap<Value, Value>,
    /// Values of pieces that are kept in buffers as well; memory of threads with its expanded form
    pub(super) kept: HashMap<Value, Value>,
    /// To be freed at the end of the block
    pub(super) owned: Vec<Value>,
    team: Team,
    /// Ops that hold a place to wait
    waiting: HashSet<OpId>,
    /// Those of them where all threads of the block wait
    barriers: HashSet<OpId>,
    /// Replaced ops, in order
    pub(super) replaced: Vec<OpId>,
    /// Blocks of loops whose further arguments are in buffers now, with the number of those that stay
    carried: Vec<(BlockId, usize)>,
}

/// Ops below one that hold others
fn around(ir: &Ir, top: OpId, which: impl Fn(&OpId) -> bool) -> HashSet<OpId> {
    let mut found = HashSet::default();
    for op in ir.walk_below(top).filter(which) {
        let mut around = Some(op);
        while let Some(op) = around.filter(|op| *op != top) {
            if !found.insert(op) {
                break;
            }
            around = ir.parent(op);
        }
    }
    found
}

impl<'a> Splitter<'a> {
    pub(super) fn new(ir: &'a mut Ir, place: &GridIds, count: Value, owned: Vec<Value>) -> Splitter<'a> {
        let homes = place.threads.iter().enumerate().map(|(axis, id)| (*id, Home::Id(axis))).collect();
        Splitter {
            ir,
            sizes: place.sizes,
            subgroup: place.subgroup,
            count,
            threads: place.threads,
            homes,
            pieces: Vec::new(),
            origins: HashMap::default(),
            kept: HashMap::default(),
            owned,
            team: Team::Block,
            waiting: HashSet::default(),
            barriers: HashSet::default(),
            replaced: Vec::new(),
            carried: Vec::new(),
        }
    }

    /// Cut the body, which stands in a loop over blocks
    pub(super) fn body(&mut self, block: BlockId) -> Result<(), Refused> {
        let top = self.ir.block_parent(block).expect("the block is in a loop");
        let barriers = |op: &OpId| self.ir.is(*op, gpu::Barrier::DEF);
        self.barriers = around(self.ir, top, barriers);
        self.waiting = around(self.ir, top, |op| barriers(op) || exchanges(self.ir, *op));
        let end = self.ir.last_op(block).expect("it ends");
        let after = self.ir.defining_op(self.count).expect("an op");
        let ops: Vec<OpId> = self.ir.block_ops(block).filter(|op| *op != end).collect();
        // What stands before the number of threads was put there for the block.
        let start = ops.iter().position(|op| *op == after).map_or(0, |at| at + 1);
        let owned: Vec<OpId> = self.owned.iter().filter_map(|value| self.ir.defining_op(*value)).collect();
        let ops = ops[start..].iter().copied().filter(|op| !owned.contains(op)).collect();
        self.run(ops, end, &[])
    }

    /// Free buffers, and forget what was replaced
    pub(super) fn finish(self, end: OpId) {
        for op in self.replaced.into_iter().rev() {
            self.ir.erase(op);
        }
        for (block, stay) in self.carried {
            for n in (stay..self.ir.block_args(block).len()).rev() {
                self.ir.remove_block_arg(block, n);
            }
        }
        let mut b = Builder::before(self.ir, end);
        for buffer in self.owned {
            memref::Dealloc::build(&mut b, buffer);
        }
    }

    /// Is it the same for all threads of the block?
    fn same(&self, value: Value) -> bool {
        !self.homes.contains_key(&value)
    }

    /// Cut ops that all threads do one after the other; in the end values are put into buffers
    fn run(&mut self, ops: Vec<OpId>, end: OpId, last: &[(Value, Value)]) -> Result<(), Refused> {
        let mut open = self.cut(ops)?;
        self.flush(&mut open, end, last)
    }

    /// The same, but for the last piece, whose ops are given
    fn cut(&mut self, ops: Vec<OpId>) -> Result<Vec<OpId>, Refused> {
        let mut open: Vec<OpId> = Vec::new();
        for op in ops {
            if self.waiting.contains(&op) {
                self.wait(op, &mut open)?;
            } else if !(is_pure(self.ir, op) && self.ir.operands(op).all(|value| self.same(value))) {
                self.join(op, &mut open);
            }
        }
        Ok(open)
    }

    /// The op belongs to the piece to come
    fn join(&mut self, op: OpId, open: &mut Vec<OpId>) {
        for result in self.ir.results(op) {
            self.homes.insert(result, Home::Piece(self.pieces.len()));
        }
        open.push(op);
    }

    /// Make a piece of ops, before an op that is not among them
    fn flush(
        &mut self,
        open: &mut Vec<OpId>,
        before: OpId,
        stores: &[(Value, Value)],
    ) -> Result<(), Refused> {
        let Some(&like) = open.first().or((!stores.is_empty()).then_some(&before)) else { return Ok(()) };
        let loc = self.ir.loc(like);
        let mut b = Builder::before(self.ir, before);
        b.set_loc(loc);
        let [x, y, z] = self.sizes;
        let block = match self.team {
            Team::Block => parallel(&mut b, &[z, y, x]),
            Team::Subgroup { size, .. } => parallel(&mut b, &[size]),
        };
        let end = self.ir.last_op(block).expect("it ends");
        let args = self.ir.block_args(block);
        let (ids, number) = match self.team {
            Team::Block => ([args[2], args[1], args[0]], None),
            Team::Subgroup { first, .. } => {
                let lane = args[0];
                let mut b = Builder::before(self.ir, end);
                let number = arith::AddI::build(&mut b, first, lane).result(b.read());
                (places(&mut b, number, self.sizes), Some(number))
            }
        };
        for op in open.iter() {
            self.ir.detach(*op);
            self.ir.insert_before(end, *op);
        }
        let first = open.first().copied().unwrap_or(end);
        self.homes.extend(ids.into_iter().enumerate().map(|(axis, id)| (id, Home::Id(axis))));
        let n = self.pieces.len();
        self.pieces.push(Piece { ids, first, number, here: HashMap::default() });
        for op in std::mem::take(open) {
            let inner: Vec<OpId> = std::iter::once(op).chain(self.ir.walk_below(op)).collect();
            for op in inner {
                for at in 0..self.ir.num_operands(op) {
                    let value = self.ir.operand(op, at);
                    let here = self.here(n, value)?;
                    if here != value {
                        self.ir.set_operand(op, at, here);
                    }
                }
            }
        }
        let mut all = Vec::new();
        for (value, buffer) in stores {
            all.push((self.here(n, *value)?, *buffer));
        }
        for (value, buffer) in all {
            let number = self.number(n);
            let mut b = Builder::before(self.ir, end);
            memref::Store::build(&mut b, value, buffer, &[number]);
        }
        Ok(())
    }

    /// Number of the thread in a piece
    pub(super) fn number(&mut self, n: usize) -> Value {
        let piece = &self.pieces[n];
        if let Some(number) = piece.number {
            return number;
        }
        let (ids, first) = (piece.ids, piece.first);
        let made = number(&mut Builder::before(self.ir, first), ids, self.sizes);
        self.pieces[n].number = Some(made);
        made
    }

    /// A buffer with an element per thread; `like` says which value wants one
    pub(super) fn buffer(&mut self, ty: Type, like: OpId) -> Result<Value, Refused> {
        let cx = self.ir.cx_arc().clone();
        if !matches!(
            ty.kind(&cx),
            TypeKind::Int { .. } | TypeKind::Float(_) | TypeKind::Index | TypeKind::Vector { .. }
        ) {
            let text = terrace_ir::show::type_text(&cx, ty);
            return Err((
                like,
                format!("gives a value of type {text}, which threads cannot keep while they wait"),
            ));
        }
        let shape = [DYNAMIC];
        Ok(self.alloc(cx.ty(TypeKind::MemRef {
            shape: shape[..].into(),
            elem: ty,
            layout: None,
            space: None,
        })))
    }

    /// A buffer of the block whose first size is the number of threads
    pub(super) fn alloc(&mut self, ty: Type) -> Value {
        let count = self.count;
        let mut b = Builder::after(self.ir, self.ir.defining_op(count).expect("an op"));
        let buffer = memref::Alloc::build(&mut b, &[count], &[], ty).memref(b.read());
        self.owned.push(buffer);
        buffer
    }

    fn buffers(&mut self, values: impl Iterator<Item = Value>, like: OpId) -> Result<Vec<Value>, Refused> {
        let types: Vec<Type> = values.map(|value| self.ir.ty(value)).collect();
        types.into_iter().map(|ty| self.buffer(ty, like)).collect()
    }

    /// A place where threads wait, or an op that holds one
    fn wait(&mut self, op: OpId, open: &mut Vec<OpId>) -> Result<(), Refused> {
        if self.ir.is(op, gpu::Barrier::DEF) {
            self.flush(open, op, &[])?;
            self.replaced.push(op);
            return Ok(());
        }
        if exchanges(self.ir, op) {
            return self.exchange(op, open);
        }
        if matches!(self.team, Team::Block) && !self.barriers.contains(&op) {
            self.flush(open, op, &[])?;
            return self.by_subgroup(op);
        }
        if let Some(looped) = scf::For::cast(self.ir, op) {
            return self.looped(looped, open);
        }
        if let Some(condition) = scf::If::cast(self.ir, op) {
            return self.condition(condition, open);
        }
        if let Some(looped) = scf::While::cast(self.ir, op) {
            return self.repeated(looped, open);
        }
        Err((
            op,
            "holds a place where threads wait: only scf.for, scf.if and scf.while can be split there".into(),
        ))
    }

    /// Cut an op once per subgroup
    fn by_subgroup(&mut self, op: OpId) -> Result<(), Refused> {
        let mut b = Builder::before(self.ir, op);
        let lanes = index(&mut b, self.subgroup as i64);
        let groups = arith::CeilDivUI::build(&mut b, self.count, lanes).result(b.read());
        let block = parallel(&mut b, &[groups]);
        let end = self.ir.last_op(block).expect("it ends");
        let group = self.ir.block_args(block)[0];
        let mut b = Builder::before(self.ir, end);
        let first = arith::MulI::build(&mut b, group, lanes).result(b.read());
        let rest = arith::SubI::build(&mut b, self.count, first).result(b.read());
        let size = arith::MinUI::build(&mut b, rest, lanes).result(b.read());
        self.ir.detach(op);
        self.ir.insert_before(end, op);
        self.team = Team::Subgroup { first, size };
        let done = self.wait(op, &mut Vec::new());
        self.team = Team::Block;
        done
    }

    /// Show values to the lanes; what the others take is a part of the piece that follows
    fn exchange(&mut self, op: OpId, open: &mut Vec<OpId>) -> Result<(), Refused> {
        let value = self.ir.operand(op, 0);
        let buffer = self.buffer(self.ir.ty(value), op)?;
        self.flush(open, op, &[(value, buffer)])?;
        let marker = self.ir.prev(op);
        let mut b = Builder::before(self.ir, op);
        let lanes = index(&mut b, self.subgroup as i64);
        let own = number(&mut b, self.threads, self.sizes);
        let lane = arith::RemUI::build(&mut b, own, lanes).result(b.read());
        let first = arith::SubI::build(&mut b, own, lane).result(b.read());
        let (other, width) = partner(&mut b, op, lane);
        let number = arith::AddI::build(&mut b, first, other).result(b.read());
        let mut valid = compare(&mut b, CmpIPredicate::Ult, other, width);
        for (x, y) in [(lane, width), (other, lanes), (number, self.count)] {
            let test = compare(&mut b, CmpIPredicate::Ult, x, y);
            valid = arith::AndI::build(&mut b, valid, test).result(b.read());
        }
        let at = arith::Select::build(&mut b, valid, number, own).result(b.read());
        let taken = memref::Load::build(&mut b, buffer, &[at]).result(b.read());
        let mut next = match marker {
            Some(marker) => self.ir.next(marker),
            None => self.ir.block(op).and_then(|block| self.ir.first_op(block)),
        };
        while let Some(made) = next.filter(|made| *made != op) {
            next = self.ir.next(made);
            if !(is_pure(self.ir, made) && self.ir.operands(made).all(|value| self.same(value))) {
                self.join(made, open);
            }
        }
        for (old, new) in self.ir.results(op).zip([taken, valid]).collect::<Vec<_>>() {
            self.ir.replace_all_uses(old, new);
        }
        self.replaced.push(op);
        Ok(())
    }

    /// A structured op without values in the place of one that holds a place to wait
    fn bare(
        &mut self,
        op: OpId,
        def: &'static terrace_ir::OpDef,
        operands: &[Value],
        segments: &[u32],
    ) -> OpId {
        let mut b = Builder::before(self.ir, op);
        let kind = b.kind(def);
        let regions = b.read().num_regions(op);
        let new = b.insert(&NewOp { operands, segments, regions, ..NewOp::new(kind) });
        for n in 0..regions {
            let (from, to) = (self.ir.region(op, n), self.ir.region(new, n));
            self.ir.move_blocks(from, to);
        }
        self.replaced.push(op);
        new
    }

    /// Cut a region of a structured op: its values go into buffers at its end
    fn region(&mut self, op: OpId, n: usize, buffers: &[Value]) -> Result<(), Refused> {
        let Some(block) = self.ir.entry(self.ir.region(op, n)) else { return Ok(()) };
        let end = self.ir.last_op(block).expect("verified: it ends");
        let ops = self.ir.block_ops(block).filter(|op| *op != end).collect();
        let given: Vec<(Value, Value)> = self.ir.operands(end).zip(buffers.iter().copied()).collect();
        self.run(ops, end, &given)?;
        self.ir.set_operands(end, &[], &[0]);
        Ok(())
    }

    fn looped(&mut self, op: scf::For, open: &mut Vec<OpId>) -> Result<(), Refused> {
        let inits = op.inits(self.ir);
        let buffers = self.buffers(inits.iter().copied(), op.id())?;
        let bounds = [op.lower_bound(self.ir), op.upper_bound(self.ir), op.step(self.ir)];
        let mut stores: Vec<(Value, Value)> = inits.into_iter().zip(buffers.iter().copied()).collect();
        let agreed = self.kept_of(&bounds, op.id(), &mut stores)?;
        self.flush(open, op.id(), &stores)?;
        let bounds = self.agreed(&bounds, &agreed, op.id());
        let unsigned = self.ir.attr(op.id(), "unsignedCmp");
        let new = self.bare(op.id(), scf::For::DEF, &bounds, &[1, 1, 1, 0]);
        self.ir.set_attr(new, "unsignedCmp", unsigned);
        let block = self.ir.entry(self.ir.region(new, 0)).expect("verified: a loop has a body");
        for (arg, buffer) in self.ir.block_args(block)[1..].iter().zip(&buffers) {
            self.homes.insert(*arg, Home::Buffer(*buffer));
        }
        self.carried.push((block, 1));
        self.results(op.id(), &buffers);
        self.region(new, 0, &buffers)
    }

    fn condition(&mut self, op: scf::If, open: &mut Vec<OpId>) -> Result<(), Refused> {
        let buffers = self.buffers(self.ir.results(op.id()).collect::<Vec<_>>().into_iter(), op.id())?;
        let condition = [op.condition(self.ir)];
        let mut stores = Vec::new();
        let agreed = self.kept_of(&condition, op.id(), &mut stores)?;
        self.flush(open, op.id(), &stores)?;
        let condition = self.agreed(&condition, &agreed, op.id());
        let new = self.bare(op.id(), scf::If::DEF, &condition, &[]);
        self.results(op.id(), &buffers);
        self.region(new, 0, &buffers)?;
        self.region(new, 1, &buffers)
    }

    fn repeated(&mut self, op: scf::While, open: &mut Vec<OpId>) -> Result<(), Refused> {
        let inits = op.inits(self.ir);
        let carried = self.buffers(inits.iter().copied(), op.id())?;
        let given = self.buffers(self.ir.results(op.id()).collect::<Vec<_>>().into_iter(), op.id())?;
        let stores: Vec<(Value, Value)> = inits.into_iter().zip(carried.iter().copied()).collect();
        self.flush(open, op.id(), &stores)?;
        let new = self.bare(op.id(), scf::While::DEF, &[], &[]);
        self.results(op.id(), &given);
        for (n, buffers) in [&carried, &given].into_iter().enumerate() {
            let block = self.ir.entry(self.ir.region(new, n)).expect("verified: a loop has both regions");
            for (arg, buffer) in self.ir.block_args(block).to_vec().into_iter().zip(buffers) {
                self.homes.insert(arg, Home::Buffer(*buffer));
            }
            self.carried.push((block, 0));
        }
        // The condition is decided behind the first region.
        let block = self.ir.entry(self.ir.region(new, 0)).expect("as above");
        let end = self.ir.last_op(block).expect("verified: it ends");
        let ops = self.ir.block_ops(block).filter(|op| *op != end).collect();
        let values: Vec<Value> = self.ir.operands(end).collect();
        let mut stores: Vec<(Value, Value)> =
            values[1..].iter().copied().zip(given.iter().copied()).collect();
        let mut open = self.cut(ops)?;
        let agreed = self.kept_of(&values[..1], op.id(), &mut stores)?;
        self.flush(&mut open, end, &stores)?;
        let condition = self.agreed(&values[..1], &agreed, end);
        self.ir.set_operands(end, &condition, &[1, 0]);
        self.region(new, 1, &carried)
    }

    fn results(&mut self, op: OpId, buffers: &[Value]) {
        for (result, buffer) in self.ir.results(op).zip(buffers) {
            self.homes.insert(result, Home::Buffer(*buffer));
        }
    }

    /// Buffers for those values that are not plainly the same for all threads
    fn kept_of(
        &mut self,
        values: &[Value],
        like: OpId,
        stores: &mut Vec<(Value, Value)>,
    ) -> Result<Vec<Option<Value>>, Refused> {
        let mut all = Vec::new();
        for value in values {
            let buffer = match self.same(*value) {
                true => None,
                false => Some(self.buffer(self.ir.ty(*value), like)?),
            };
            stores.extend(buffer.map(|buffer| (*value, buffer)));
            all.push(buffer);
        }
        Ok(all)
    }

    /// What the first thread has; that the others have the same is asserted
    fn agreed(&mut self, values: &[Value], buffers: &[Option<Value>], before: OpId) -> Vec<Value> {
        let mut all = Vec::new();
        for (value, buffer) in values.iter().zip(buffers) {
            let Some(buffer) = *buffer else {
                all.push(*value);
                continue;
            };
            let mut b = Builder::before(self.ir, before);
            let (start, size) = match self.team {
                Team::Block => (index(&mut b, 0), self.count),
                Team::Subgroup { first, size } => (first, size),
            };
            let first = memref::Load::build(&mut b, buffer, &[start]).result(b.read());
            let block = parallel(&mut b, &[size]);
            let lane = self.ir.block_args(block)[0];
            let end = self.ir.last_op(block).expect("it ends");
            let mut b = Builder::before(self.ir, end);
            let number = arith::AddI::build(&mut b, start, lane).result(b.read());
            let other = memref::Load::build(&mut b, buffer, &[number]).result(b.read());
            let same = compare(&mut b, CmpIPredicate::Eq, first, other);
            let message = b.cx().str_attr("threads that wait for each other do not come to the same place");
            cf::Assert::build(&mut b, same, message);
            all.push(first);
        }
        all
    }
}

/// The lane whose value an op takes, and how many lanes take part
fn partner(b: &mut Builder<'_>, op: OpId, lane: Value) -> (Value, Value) {
    if let Some(rotate) = gpu::Rotate::cast(b.read(), op) {
        let number = |b: &Builder<'_>, attr: terrace_ir::Attr| attr.as_i64(b.cx()).unwrap_or(1);
        let (offset, width) = (number(b, rotate.offset(b.read())), number(b, rotate.width(b.read())));
        let (offset, width) = (index(b, offset), index(b, width));
        let further = arith::AddI::build(b, lane, offset).result(b.read());
        return (arith::RemUI::build(b, further, width).result(b.read()), width);
    }
    let shuffle = gpu::Shuffle(op);
    let (offset, width) = (shuffle.offset(b.read()), shuffle.width(b.read()));
    let ty = b.cx().common().index;
    let offset = arith::IndexCastUI::build(b, offset, ty).out(b.read());
    let width = arith::IndexCastUI::build(b, width, ty).out(b.read());
    let other = match shuffle.mode(b.read()) {
        gpu::ShuffleMode::Xor => arith::XOrI::build(b, lane, offset).result(b.read()),
        // Below the first lane it wraps, to a number above all widths.
        gpu::ShuffleMode::Up => arith::SubI::build(b, lane, offset).result(b.read()),
        gpu::ShuffleMode::Down => arith::AddI::build(b, lane, offset).result(b.read()),
        gpu::ShuffleMode::Idx => offset,
    };
    (other, width)
}

/// Where the thread of a number is in its block
fn places(b: &mut Builder<'_>, number: Value, [sx, sy, _]: [Value; 3]) -> [Value; 3] {
    let x = arith::RemUI::build(b, number, sx).result(b.read());
    let row = arith::DivUI::build(b, number, sx).result(b.read());
    let y = arith::RemUI::build(b, row, sy).result(b.read());
    let z = arith::DivUI::build(b, row, sy).result(b.read());
    [x, y, z]
}
