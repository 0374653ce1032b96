//! Reads ops of the dialect as a nest: loops, buffers, accesses, open fields. Decides nothing.
//!
//! [`Ops`] says which op each part of the nest comes from. Only who reports or rewrites looks at it.

use crate::access::Access as At;
use crate::combine::{Algebra, Builtin, Operator};
use crate::indices::Indices;
use crate::ops::{Alloc, Bound as OpBound, Contract, Copy, For, Kernel, LoopInfo, Read, Write};
use crate::space;
use std::sync::Arc;
use terrace_analysis::Range;
use terrace_devices::{Level, Space};
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::show::elem_bytes;
use terrace_ir::{Attr, Ir, OpId, Traits, Type, TypeKind, Value, ValueDef, VerifyCx};
use terrace_schedule_model::nest::{
    Access, AccessId, Address, Around, Bound, Branch, BranchId, Buffer, BufferId, Combine, Computed, Hole,
    HoleId, Index, Launch, LaunchId, Loop, LoopId, Made, Meeting, Nest, Opaque, Open, OperatorId, Part, Use,
};
use terrace_schedule_model::nest_arena::{Arena, Id};
use terrace_support::affine::{AffineExpr, AffineMap};
use terrace_support::{HashMap, HashSet};

/// The ops and values that the parts of a nest come from
#[derive(Clone, Default, Debug)]
pub struct Ops {
    /// Loops
    pub loops: Arena<LoopId, OpId>,
    /// Memrefs
    pub buffers: Arena<BufferId, Value>,
    /// Reads, writes, copies and contractions
    pub accesses: Arena<AccessId, OpId>,
    /// Kernels
    pub launches: Arena<LaunchId, OpId>,
    /// Conditions
    pub branches: Arena<BranchId, OpId>,
    around: HashMap<OpId, Around>,
}

impl Ops {
    /// The loop of an op
    pub fn loop_of(&self, op: OpId) -> Option<LoopId> {
        let id = self.around.get(&op)?.inside?;
        (self.loops[id] == op).then_some(id)
    }

    /// Where an op of the nest stands
    pub fn around(&self, ir: &Ir, op: OpId) -> Around {
        ir.parent(op).and_then(|parent| self.around.get(&parent)).copied().unwrap_or_default()
    }
}

/// An op and all inside; of functions as operators nothing is known
pub fn read(ir: &Ir, top: OpId) -> (Nest, Ops) {
    Reader::new(ir, None).read(top)
}

/// An op and all inside; functions as operators are looked up
pub fn read_with(v: &VerifyCx<'_>, top: OpId) -> (Nest, Ops) {
    Reader::new(v.ir, Some(v)).read(top)
}

struct Reader<'a> {
    ir: &'a Ir,
    v: Option<&'a VerifyCx<'a>>,
    nest: Nest,
    ops: Ops,
    indices: HashMap<Value, Index>,
    /// Numbers that are the same all through the loop in which they are computed: where they could be
    homes: HashMap<Value, Around>,
    buffers: HashMap<Value, BufferId>,
    operators: Vec<(Operator, Option<Type>)>,
}

impl<'a> Reader<'a> {
    fn new(ir: &'a Ir, v: Option<&'a VerifyCx<'a>>) -> Reader<'a> {
        Reader {
            ir,
            v,
            nest: Nest::default(),
            ops: Ops::default(),
            indices: HashMap::default(),
            homes: HashMap::default(),
            buffers: HashMap::default(),
            operators: Vec::new(),
        }
    }

    fn read(mut self, top: OpId) -> (Nest, Ops) {
        let ir = self.ir;
        for (place, op) in std::iter::once(top).chain(ir.walk_below(top)).enumerate() {
            let around = self.ops.around(ir, op);
            if ir.num_regions(op) > 0 {
                let inner = self.structure(op, around);
                self.ops.around.insert(op, inner);
            } else {
                self.leaf(op, around, place as u32);
            }
        }
        let ends: Vec<LoopId> = self.nest.loops.ids().rev().collect();
        for id in ends {
            let end = self.nest.loops[id].end;
            if let Some(parent) = self.nest.parent(id) {
                let outer = &mut self.nest.loops[parent].end;
                *outer = end.max(*outer);
            }
        }
        (self.nest, self.ops)
    }

    /// What an op with regions is around
    fn structure(&mut self, op: OpId, around: Around) -> Around {
        let ir = self.ir;
        if let Some(info) = For::cast(ir, op).and_then(|each| each.info(ir)) {
            return Around { inside: Some(self.for_loop(&info, around)), ..around };
        }
        if let Some(kernel) = Kernel::cast(ir, op) {
            let launch = Launch {
                inferred: false,
                grid: kernel.grid_size(ir),
                block: kernel.block_size(ir),
                cluster: kernel.cluster_size(ir),
                subgroup: kernel.subgroup_size(ir),
            };
            self.ops.launches.push(op);
            return Around { launch: Some(self.nest.launches.push(launch)), ..around };
        }
        if scf::If::cast(ir, op).is_some() {
            let branch = self.branch(op, around);
            self.ops.branches.push(op);
            return Around { branch: Some(self.nest.branches.push(branch)), ..around };
        }
        around
    }

    fn for_loop(&mut self, info: &LoopInfo, around: Around) -> LoopId {
        let ir = self.ir;
        let op = info.op;
        let results: Vec<Type> = ir.results(op.0).map(|value| ir.ty(value)).collect();
        let operators = info.ops.iter().enumerate();
        let operators = operators.map(|(n, operator)| self.operator(operator, results.get(n).copied()));
        let operators = operators.collect();
        if let Some(perm) = op.perm(ir) {
            self.hole(perm, true);
        }
        let level = match op.level(ir) {
            Some(attr) if attr.as_symbol(ir.cx()).is_some() => Open::Hole(self.hole(attr, false)),
            _ => Open::<Level>::Is(info.level),
        };
        let own = Loop {
            around,
            end: self.nest.loops.len() as u32 + 1,
            dim: info.dim,
            extent: Open::Is(info.extent),
            tile: Open::Is(info.tile),
            level,
            merged: Open::Is(false),
            combine: Combine {
                kind: info.kind,
                order: info.order,
                mechanism: info.via,
                results: results.len(),
                operators,
            },
            from: info.from.as_ref().map(|bound| self.bound(bound)),
            limit: info.limit.as_ref().map(|bound| self.bound(bound)),
            tail: info.tail,
            stages: op.stages(ir).and_then(|stages| stages.as_i64(ir.cx())),
            nowait: info.nowait,
            step: info.step,
        };
        let id = self.nest.loops.push(own);
        self.ops.loops.push(op.0);
        self.indices.insert(info.iv, Index::Loop(id));
        id
    }

    fn bound(&mut self, bound: &OpBound) -> Bound {
        Bound { map: bound.map.clone(), over: self.indices_of(&bound.values) }
    }

    fn indices_of(&mut self, values: &[Value]) -> Vec<Index> {
        values.iter().map(|value| self.index(*value)).collect()
    }

    /// What an index is; of one that is computed of others it is known how
    fn index(&mut self, value: Value) -> Index {
        if let Some(known) = self.indices.get(&value) {
            return *known;
        }
        let (exprs, values) = self.exprs(&[value], 0);
        let index = self.value(value);
        if let (Index::Opaque(id), [expr]) = (index, &exprs[..])
            && !values.contains(&value)
        {
            let over = values.into_iter().map(|value| self.value(value)).collect();
            let own = &mut self.nest.opaque[id];
            match expr.as_constant() {
                Some(constant) => own.constant = Some(constant),
                None => own.computed = Some(Computed { expr: expr.clone(), over }),
            }
        }
        index
    }

    /// An index that nothing is known of but where it is made
    fn value(&mut self, value: Value) -> Index {
        if let Some(known) = self.indices.get(&value) {
            return *known;
        }
        let ir = self.ir;
        let constant = terrace_ir::fold::constant_of(ir, value).and_then(|attr| attr.as_i64(ir.cx()));
        let around = self.home(value);
        let index = Index::Opaque(self.nest.opaque.push(Opaque { constant, around, computed: None }));
        self.indices.insert(value, index);
        index
    }

    /// The innermost place that a value depends on
    fn home(&self, value: Value) -> Around {
        if let Some(home) = self.homes.get(&value) {
            return *home;
        }
        let op = self.ir.value_block(value).and_then(|block| self.ir.block_parent(block));
        op.and_then(|op| self.ops.around.get(&op)).copied().unwrap_or_default()
    }

    /// Note where an op without effects could stand that computes numbers of others
    fn computed(&mut self, op: OpId, around: Around) {
        let ir = self.ir;
        let operands: Vec<Around> = ir.operands(op).map(|operand| self.home(operand)).collect();
        let home = operands.into_iter().reduce(Around::inner).filter(|home| *home != around);
        if let Some(home) = home {
            self.homes.extend(ir.results(op).map(|result| (result, home)));
        }
    }

    /// Expressions that an op computes of loop variables and others
    fn exprs(&self, values: &[Value], own: u32) -> (Vec<AffineExpr>, Vec<Value>) {
        let range = |value: Value| match self.indices.get(&value) {
            Some(Index::Loop(id)) => {
                let extent = self.nest.loops[*id].extent.known().unwrap_or(i64::MAX);
                Range::below(extent).unwrap_or(Range::one(0))
            }
            _ => Range::ALL,
        };
        let mut indices = Indices::new(self.ir, &range, own);
        let exprs = values.iter().map(|value| indices.expr(*value)).collect();
        (exprs, indices.values())
    }

    fn hole(&mut self, name: Attr, structural: bool) -> HoleId {
        let cx = self.ir.cx();
        let name = name.as_symbol(cx).map_or("", |(root, _)| cx.str(root));
        let known = self.nest.holes.entries().find(|(_, hole)| *hole.name == *name);
        match known.map(|(id, _)| id) {
            Some(id) => id,
            None => self.nest.holes.push(Hole { name: name.into(), structural }),
        }
    }

    fn operator(&mut self, operator: &Operator, ty: Option<Type>) -> OperatorId {
        let known = self.operators.iter().position(|(own, on)| own == operator && *on == ty);
        if let Some(known) = known {
            return OperatorId::new(known);
        }
        let cx = self.ir.cx();
        let algebra: Option<Algebra> = ty.and_then(|ty| match (operator, self.v) {
            (Operator::Builtin(builtin), _) => Some(builtin.algebra(cx, ty)),
            (_, Some(v)) => crate::ops::algebra(v, operator, ty),
            _ => None,
        });
        let has = |property: fn(&Algebra) -> bool| algebra.as_ref().is_some_and(property);
        let own = terrace_schedule_model::nest::Operator {
            name: operator.to_string().into(),
            update: match operator {
                Operator::Builtin(builtin) => ty.and_then(|ty| builtin.update(cx, ty)),
                Operator::Function(_) => None,
            },
            associative: has(|algebra| algebra.associative),
            commutative: has(|algebra| algebra.commutative),
            exact: has(|algebra| algebra.exact),
        };
        self.operators.push((operator.clone(), ty));
        self.nest.operators.push(own)
    }

    /// What a condition depends on
    fn branch(&self, op: OpId, around: Around) -> Branch {
        let ir = self.ir;
        let mut branch = Branch { around, loops: Vec::new(), private: false };
        let mut pending: Vec<Value> = ir.operands(op).collect();
        let mut seen: HashSet<Value> = HashSet::default();
        while let Some(value) = pending.pop() {
            if !seen.insert(value) {
                continue;
            }
            if let Some(Index::Loop(id)) = self.indices.get(&value) {
                branch.loops.push(*id);
                continue;
            }
            branch.private |= space::of(ir.cx(), ir.ty(value)) == Space::Private;
            if let Some(ValueDef::Result(op, _)) = ir.value_def(value) {
                pending.extend(ir.operands(op));
            }
        }
        branch
    }

    fn buffer(&mut self, value: Value, made: Option<Made>) -> BufferId {
        if let Some(known) = self.buffers.get(&value) {
            return *known;
        }
        let (cx, ty) = (self.ir.cx(), self.ir.ty(value));
        let named = match ty.kind(cx) {
            TypeKind::MemRef { space, .. } => space.and_then(|space| space.as_str(cx)).map(Arc::from),
            _ => None,
        };
        let bytes = ty.element(cx).map_or(0, |elem| elem_bytes(cx, elem)) as i64;
        let id = self.nest.buffers.push(Buffer {
            space: space::of(cx, ty),
            named,
            shape: ty.shape(cx).unwrap_or(&[]).to_vec(),
            bytes: if bytes > 0 { bytes } else { 8 },
            made,
            part: None,
        });
        self.ops.buffers.push(value);
        self.buffers.insert(value, id);
        self.part(value, id);
        id
    }

    /// Say what a buffer is a view of, if it is one
    fn part(&mut self, value: Value, id: BufferId) {
        let ir = self.ir;
        let root = memref::root(ir, value);
        let address = memref::address(ir, value);
        let overlaps = address.as_ref().is_some_and(|address| {
            let shape = ir.ty(value).shape(ir.cx()).unwrap_or(&[]);
            address.overlaps(shape, self.nest.buffers[id].bytes)
        });
        if root == value && !overlaps {
            return;
        }
        let of = if root == value { id } else { self.buffer(root, None) };
        if of != id && self.nest.buffers[of].part.is_none() {
            let at = memref::address(ir, root).map(|address| self.address(address));
            self.nest.buffers[of].part = Some(Part { of, at, plain: true });
        }
        let at = address.map(|address| self.address(address));
        let plain = !overlaps && at.as_ref().is_some_and(|at| at.over.is_empty());
        self.nest.buffers[id].part = Some(Part { of, at, plain });
    }

    /// An address whose values are loop variables where they are known to be
    fn address(&mut self, address: memref::Address) -> Address {
        let (starts, bytes): (Vec<Value>, Vec<i64>) = address.values.into_iter().unzip();
        let (exprs, values) = self.exprs(&starts, 0);
        let start = AffineExpr::Constant(address.offset);
        let offset = exprs.into_iter().zip(bytes).fold(start, |all, (expr, bytes)| {
            AffineExpr::add(all, AffineExpr::mul(expr, AffineExpr::Constant(bytes)))
        });
        Address { strides: address.strides, offset, over: self.indices_of(&values) }
    }

    fn leaf(&mut self, op: OpId, around: Around, place: u32) {
        let ir = self.ir;
        if let Some(alloc) = Alloc::cast(ir, op) {
            let there = match alloc.when(ir) {
                Some(when) => Open::Hole(self.hole(when, true)),
                None => Open::Is(true),
            };
            let step = alloc.step(ir).and_then(|step| match step.as_dense_array(ir.cx()) {
                Some([layer, label]) => Some((*layer, *label)),
                _ => None,
            });
            self.buffer(alloc.memref(ir), Some(Made { around, per: alloc.owner(ir), place, there, step }));
        } else if let Some(read) = Read::cast(ir, op) {
            let access = self.access(read.memref(ir), Use::Read, &read.access(ir), around, place);
            self.push(op, Access { guarded: read.padding(ir).is_some(), ..access });
        } else if let Some(write) = Write::cast(ir, op) {
            let does = self.written(write.operator(ir), write.memref(ir));
            let access = self.access(write.memref(ir), does, &write.access(ir), around, place);
            self.push(op, Access { guarded: write.clip(ir).is_some(), ..access });
        } else if let Some(copy) = Copy::cast(ir, op) {
            self.copy(copy, around, place);
        } else if let Some(contract) = Contract::cast(ir, op) {
            self.contract(contract, around, place);
        } else if ir.has(op, Traits::Pure) {
            self.computed(op, around);
        }
    }

    /// Panels from a row on are read, and all of a tile is merged into or written
    fn contract(&mut self, contract: Contract, around: Around, place: u32) {
        let ir = self.ir;
        let Some(sizes) = contract.sizes(ir) else { return };
        let panels = [
            (contract.lhs(ir), contract.lhs_indices(ir), sizes.m),
            (contract.rhs(ir), contract.rhs_indices(ir), sizes.n),
        ];
        for (n, (memref, indices, rows)) in panels.into_iter().enumerate() {
            let [group, own, element] = [0, 1, 2].map(AffineExpr::Dim);
            let (mut results, values) = self.exprs(&indices.into_iter().collect::<Vec<_>>(), 3);
            if let Some(first) = results.pop() {
                results.extend([group, AffineExpr::add(first, own), element]);
            }
            let at = At { map: AffineMap { dims: 3 + values.len() as u32, symbols: 0, results }, values };
            let side = self.access(memref, Use::Read, &at, around, place);
            let domain = vec![sizes.groups[n], rows, sizes.group[n]];
            self.push(contract.0, Access { copy: true, domain, ..side });
        }
        let acc = contract.acc(ir);
        let front = ir.ty(acc).shape(ir.cx()).map_or(0, |shape| shape.len().saturating_sub(2));
        let ones = std::iter::repeat_n(AffineExpr::Constant(0), front);
        let map =
            AffineMap { dims: 2, symbols: 0, results: ones.chain([0, 1].map(AffineExpr::Dim)).collect() };
        let add = contract.overwrite(ir).is_none().then_some(Operator::Builtin(Builtin::Add));
        let does = self.written(add, acc);
        let side = self.access(acc, does, &At { map, values: Vec::new() }, around, place);
        self.push(contract.0, Access { copy: true, domain: vec![sizes.m, sizes.n], ..side });
    }

    fn copy(&mut self, copy: Copy, around: Around, place: u32) {
        let ir = self.ir;
        if let Some(when) = copy.when(ir) {
            self.hole(when, true);
        }
        let (per, together, domain) = (copy.owner(ir), copy.is_collective(ir), copy.sizes(ir));
        if let Some(from) = copy.from(ir) {
            let side = self.access(copy.src(ir), Use::Read, &from, around, place);
            let (guarded, domain) = (copy.padding(ir).is_some(), domain.clone());
            self.push(copy.0, Access { copy: true, guarded, domain, per, together, ..side });
        }
        let does = self.written(copy.operator(ir), copy.dst(ir));
        let side = self.access(copy.dst(ir), does, &copy.to(ir), around, place);
        let guarded = copy.clip(ir).is_some();
        let access = self.push(copy.0, Access { copy: true, guarded, domain, per, together, ..side });
        if together {
            self.nest.meetings.push(Meeting { access, place, per, around });
        }
    }

    fn written(&mut self, operator: Option<Operator>, memref: Value) -> Use {
        let Some(operator) = operator else { return Use::Write };
        let ty = self.ir.ty(memref).scalar(self.ir.cx());
        Use::Merge(self.operator(&operator, Some(ty)))
    }

    fn access(&mut self, memref: Value, does: Use, at: &At, around: Around, place: u32) -> Access {
        Access {
            buffer: self.buffer(memref, None),
            does,
            map: at.map.clone(),
            over: self.indices_of(&at.values),
            domain: Vec::new(),
            guarded: false,
            copy: false,
            per: None,
            together: false,
            around,
            place,
        }
    }

    fn push(&mut self, op: OpId, access: Access) -> AccessId {
        self.ops.accesses.push(op);
        self.nest.accesses.push(access)
    }
}
